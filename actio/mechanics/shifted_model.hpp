// The same motion with another count of time.
#pragma once

#include "actio/mechanics/model.hpp"

namespace actio {

// The model in τ = t − start, or in τ = start − t where `goes_back`: L(q, ±q', start ± τ), whose motion from τ = 0 is
// that of the model from t = start, forward or back. Without observables, invariants, events and views.
model shifted_model(const model& m, const expr& start, bool goes_back);

}  // namespace actio
