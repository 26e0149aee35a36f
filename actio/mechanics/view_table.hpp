// The table [view] of a model file: what the report of a run shows as an animation.
#pragma once

#include "actio/mechanics/model_file.hpp"
#include "actio/mechanics/model_view.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

// Throws unknown-key, missing-key, wrong-type, unknown-point, component-count, two-descriptions, model-too-large, and
// what name_scope throws.
model_view read_view_table(const file_entry& table, const name_scope& scope);

}  // namespace actio
