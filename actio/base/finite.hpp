// Whether numbers are neither infinite nor NaN.
#pragma once

#include <algorithm>
#include <span>

#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
bool all_finite(std::span<const S> values) {
  return std::ranges::all_of(values, [](const S& x) { return is_finite(x); });
}

}  // namespace actio
