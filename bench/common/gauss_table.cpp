#include "common/gauss_table.hpp"

#include "actio/base/scalar.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio::bench {

gauss_table gauss_coefficients(std::size_t n) {
  const auto rule = gauss_rule<quad>(n);
  gauss_table table;
  for (std::size_t i = 0; i < n; ++i) {
    const quad end = rule.nodes[i];
    std::vector<quad> row(n, quad(0));
    for (std::size_t k = 0; k < n; ++k) {
      const auto basis = lagrange_basis<quad>(rule.nodes, quad(end * rule.nodes[k])).value;
      for (std::size_t j = 0; j < n; ++j) row[j] += end * rule.weights[k] * basis[j];
    }
    const auto next = lagrange_basis<quad>(rule.nodes, quad(1 + end)).value;
    table.weights.push_back(to_double(rule.weights[i]));
    table.a.emplace_back();
    table.continued.emplace_back();
    for (std::size_t j = 0; j < n; ++j) {
      table.a.back().push_back(to_double(row[j]));
      table.continued.back().push_back(to_double(next[j]));
    }
  }
  return table;
}

}  // namespace actio::bench
