// All elementary functions by their operation.
#pragma once

#include "actio/backend/elementary/arc.hpp"
#include "actio/backend/elementary/error_function.hpp"
#include "actio/backend/elementary/exponential.hpp"
#include "actio/backend/elementary/hypotenuse.hpp"
#include "actio/backend/elementary/logarithm.hpp"
#include "actio/backend/elementary/power.hpp"
#include "actio/backend/elementary/sine.hpp"
#include "actio/expr/expr.hpp"

namespace actio::elementary {

// Not a number where the operation is none of these.
template <class N>
N value_of(operation op, const N& x) {
  switch (op) {
    case operation::exp: return exponential(x);
    case operation::log: return logarithm(x);
    case operation::sin: return sine(x);
    case operation::cos: return cosine(x);
    case operation::tan: return tangent(x);
    case operation::asin: return arcsine(x);
    case operation::acos: return arccosine(x);
    case operation::atan: return arctangent(x);
    case operation::sinh: return hyperbolic_sine(x);
    case operation::cosh: return hyperbolic_cosine(x);
    case operation::tanh: return hyperbolic_tangent(x);
    case operation::log1p: return logarithm_of_one_plus(x);
    case operation::expm1: return exponential_minus_one(x);
    case operation::erf: return error_function(x);
    default: return not_a_number;
  }
}
template <class N>
N value_of(operation op, const N& x, const N& y) {
  switch (op) {
    case operation::power: return power(x, y);
    case operation::atan2: return arctangent(x, y);
    case operation::hypot: return hypotenuse(x, y);
    default: return not_a_number;
  }
}

}  // namespace actio::elementary
