// √(x² + y²): the root s of the rounded sum, and what it lacks by Newton's step.
#pragma once

#include "actio/backend/elementary/arithmetic.hpp"

namespace actio::elementary {

// Without overflow and underflow.
template <class N>
N usual_hypotenuse(const N& x, const N& y) {
  const extended<N> xx = product(x, x), yy = product(y, y), squares = sum(xx.high, yy.high);
  const N low = squares.low + (xx.low + yy.low), s = sqrt(squares.high);
  return fma(fma(-s, s, squares.high) + low, 0.5 / s, s);
}

template <class N>
N hypotenuse(const N& x, const N& y) {
  const N a = absolute(x), b = absolute(y), larger = select(a > b, a, b);
  const auto is_usual = (larger > 0x1p-450) & (larger < 0x1p500) & !is_nan(a);
  return rarely(!is_usual, usual_hypotenuse(x, y), [&] {
    const auto big = larger > 1.0;
    const N down = select(big, 0x1p-600, N(0x1p600)), up = select(big, 0x1p600, N(0x1p-600));
    const N finite = select((a == 0.0) & (b == 0.0), 0.0, usual_hypotenuse(x * down, y * down) * up);
    return select(is_infinite(x) | is_infinite(y), infinity, finite);
  });
}

}  // namespace actio::elementary
