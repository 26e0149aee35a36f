#include "actio/tableaux/galerkin_tableau.hpp"

#include <tuple>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/tableaux/wide_tables.hpp"

namespace actio {

namespace {

quadrature_rule<wide_real> rule_of(const galerkin_scheme& scheme) {
  switch (scheme.quadrature) {
    case node_family::gauss: return gauss_rule<wide_real>(scheme.points);
    case node_family::lobatto: return lobatto_rule<wide_real>(scheme.points);
    case node_family::left_end: return {{0}, {1}};
    case node_family::right_end: break;
  }
  return {{1}, {1}};
}

template <class S>
void set_row(galerkin_tableau<S>& t, std::size_t i, const wide_real& weight, const basis_values<wide_real>& basis) {
  for (std::size_t k = 0; k <= t.degree; ++k) {
    set_split(t.value, i, k, basis.value[k]);
    set_split(t.slope, i, k, basis.slope[k]);
    set_split(t.weighted_value, k, i, weight * basis.value[k]);
    set_split(t.weighted_slope, k, i, weight * basis.slope[k]);
  }
}

template <class S>
galerkin_tableau<S> computed_tableau(const galerkin_scheme& scheme) {
  const std::vector<wide_real> control = lobatto_rule<wide_real>(scheme.degree + 1).nodes;
  const quadrature_rule<wide_real> rule = rule_of(scheme);
  const std::size_t slots = control.size(), points = rule.size();

  galerkin_tableau<S> t{.degree = scheme.degree,
                        .points = points,
                        .control = {},
                        .node = {},
                        .weight = {},
                        .weights = zero_split<S>(1, points),
                        .value = zero_split<S>(points, slots),
                        .slope = zero_split<S>(points, slots),
                        .weighted_value = zero_split<S>(slots, points),
                        .weighted_slope = zero_split<S>(slots, points)};
  for (const wide_real& c : control) t.control.push_back(rounded<S>(c));
  for (std::size_t i = 0; i < points; ++i) {
    t.node.push_back(rounded<S>(rule.nodes[i]));
    t.weight.push_back(rounded<S>(rule.weights[i]));
    set_split(t.weights, 0, i, rule.weights[i]);
    set_row(t, i, rule.weights[i], lagrange_basis(control, rule.nodes[i]));
  }
  return t;
}

template <class S>
collocation_tableau<S> computed_collocation(std::size_t points) {
  const quadrature_rule<wide_real> rule = gauss_rule<wide_real>(points);
  const basis_through basis(rule.nodes);
  collocation_tableau<S> t{.points = points,
                           .node = {},
                           .weights = zero_split<S>(1, points),
                           .stages = zero_split<S>(points, points),
                           .extension = matrix<S>(points, points)};
  for (std::size_t i = 0; i < points; ++i) {
    const wide_real& tau = rule.nodes[i];
    t.node.push_back(rounded<S>(tau));
    set_split(t.weights, 0, i, rule.weights[i]);
    const std::vector<wide_real> integral = basis_integrals(rule, basis, tau);
    const std::vector<wide_real> beyond = basis.at(wide_real(1) + tau);
    for (std::size_t j = 0; j < points; ++j) {
      set_split(t.stages, i, j, integral[j]);
      t.extension(i, j) = rounded<S>(beyond[j]);
    }
  }
  return t;
}

}  // namespace

std::string key_of(const galerkin_scheme& scheme) {
  return std::to_string(scheme.degree) + ' ' + std::to_string(static_cast<int>(scheme.quadrature)) + ' ' +
         std::to_string(scheme.points);
}

template <class S>
galerkin_tableau<S> make_tableau(const galerkin_scheme& scheme) {
  ACTIO_ASSERT(scheme.degree >= 1);
  return computed_once<S, galerkin_tableau<S>>(std::tuple(scheme.degree, scheme.quadrature, scheme.points),
                                               [&] { return computed_tableau<S>(scheme); });
}

template <class S>
collocation_tableau<S> make_gauss_collocation(std::size_t points) {
  return computed_once<S, collocation_tableau<S>>(points, [&] { return computed_collocation<S>(points); });
}

#define ACTIO_INSTANTIATE(S)                                                   \
  template galerkin_tableau<S> make_tableau<S>(const galerkin_scheme& scheme); \
  template collocation_tableau<S> make_gauss_collocation<S>(std::size_t points);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
