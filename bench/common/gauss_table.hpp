// The coefficients of Gauss collocation, for competitors written by hand.
#pragma once

#include <cstddef>
#include <vector>

namespace actio::bench {

struct gauss_table {
  std::vector<double> weights;
  std::vector<std::vector<double>> a;          // a[i][j] = ∫ of the j-th basis polynomial from 0 to node i
  std::vector<std::vector<double>> continued;  // the j-th basis polynomial at 1 + node i
};

gauss_table gauss_coefficients(std::size_t nodes);

}  // namespace actio::bench
