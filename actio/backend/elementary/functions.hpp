// All elementary functions by their operation.
#pragma once

#include "actio/backend/elementary/arc.hpp"
#include "actio/backend/elementary/error_function.hpp"
#include "actio/backend/elementary/exponential.hpp"
#include "actio/backend/elementary/hypotenuse.hpp"
#include "actio/backend/elementary/logarithm.hpp"
#include "actio/backend/elementary/power.hpp"
#include "actio/backend/elementary/sine.hpp"

// X(operation, function) of one and of two numbers.
// clang-format off
#define ACTIO_FUNCTIONS_OF_ONE(X) \
  X(exp, exponential) X(log, logarithm) X(sin, sine) X(cos, cosine) X(tan, tangent) X(asin, arcsine) \
  X(acos, arccosine) X(atan, arctangent) X(sinh, hyperbolic_sine) X(cosh, hyperbolic_cosine) \
  X(tanh, hyperbolic_tangent) X(log1p, logarithm_of_one_plus) X(expm1, exponential_minus_one) X(erf, error_function)
#define ACTIO_FUNCTIONS_OF_TWO(X) X(power, power) X(atan2, arctangent) X(hypot, hypotenuse)
// clang-format on
