// Explicit Runge–Kutta tables as exact rationals.
#pragma once

#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

struct butcher_table {
  std::vector<std::vector<rational>> a;  // a[i][j], j < i
  std::vector<rational> b, c;
  std::size_t stages() const { return b.size(); }
};

// The classical method of order 4.
inline butcher_table classical_rk4() {
  const rational half(1, 2), third(1, 3), sixth(1, 6);
  return {{{}, {half}, {0, half}, {0, 0, 1}}, {sixth, third, third, sixth}, {0, half, half, 1}};
}

}  // namespace actio
