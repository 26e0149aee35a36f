// Sums of products brought together: a polynomial in whatever is not a sum or a product, with a sin² + a cos² = a.
#pragma once

#include "actio/expr/expr.hpp"

namespace actio {

// Equal to e as a function; e itself where its polynomial would be long. Differences of nearly equal numbers may arise
// that e avoids, as in (x - y)^2: for expressions whose terms do not cancel.
expr collected(const expr& e);

}  // namespace actio
