// Options that ask for an accuracy, turned into a method and a step.
#pragma once

#include "actio/mechanics/model.hpp"
#include "actio/simulate/certificate.hpp"

namespace actio {

// Replaces the accuracy and the method "auto" among merged options by the method and the step that were chosen, with
// all digits: from then on the run is one that names them. Throws as `choose` does.
choice_record settle_choice(const model& m, option_values& options);

}  // namespace actio
