#include "actio/integrate/gauss_tables.hpp"

#include <utility>

#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

// Coefficients, node by node of this step or of the last one, of the integral from 0 to the time `last` of the
// polynomial through times first … last − 1; it has less than twice as many degrees as the rule has nodes.
void continue_through(const std::vector<quad>& times, std::size_t first, std::size_t last,
                      const collocation_tableau<quad>& rule, std::vector<double>& coefficients) {
  const std::vector<quad> known(times.begin() + static_cast<std::ptrdiff_t>(first),
                                times.begin() + static_cast<std::ptrdiff_t>(last));
  std::vector<quad> integral(times.size(), quad(0));
  for (std::size_t k = 0; k < rule.node.size(); ++k) {
    const basis_values<quad> basis = lagrange_basis<quad>(known, quad(times[last] * rule.node[k]));
    for (std::size_t j = 0; j < known.size(); ++j) {
      integral[first + j] += times[last] * rule.weights.head(0, k) * basis.value[j];
    }
  }
  for (std::size_t j = 0; j < rule.node.size(); ++j) {
    coefficients.push_back(to_double(quad(integral[j] + integral[rule.node.size() + j])));
  }
}

}  // namespace

// All of it at quad precision, then split.
kernel::gauss_tables make_gauss_tables(std::size_t points) {
  kernel::gauss_tables tables{.points = points};
  const collocation_tableau<quad> tableau = make_gauss_collocation<quad>(points);
  const auto split = [](const quad& x, std::vector<double>& heads, std::vector<double>& tails) {
    heads.push_back(to_double(x));
    tails.push_back(to_double(quad(x - heads.back())));
  };
  for (std::size_t i = 0; i < points; ++i) {
    tables.nodes.push_back(to_double(tableau.node[i]));
    for (std::size_t j = 0; j < points; ++j) split(tableau.stages.head(i, j), tables.stages, tables.stage_remainders);
    split(tableau.weights.head(0, i), tables.weights, tables.weight_remainders);
  }
  std::vector<quad> times;
  for (const double shift : {-1.0, 0.0}) {
    for (const quad& node : tableau.node) times.push_back(quad(node + shift));
  }
  for (std::size_t i = 0; i < points; ++i) {
    continue_through(times, i, points + i, tableau, tables.following);
    continue_through(times, points - 1, points + i, tableau, tables.beginning);
  }
  return tables;
}

}  // namespace actio
