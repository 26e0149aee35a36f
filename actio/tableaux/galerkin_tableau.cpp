#include "actio/tableaux/galerkin_tableau.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/tableaux/quadrature.hpp"
#include "actio/tableaux/wide_real.hpp"

namespace actio {

// Defined in quadrature.cpp.
template <>
quadrature_rule<wide_real> gauss_rule<wide_real>(std::size_t n);
template <>
quadrature_rule<wide_real> lobatto_rule<wide_real>(std::size_t n);
extern template basis_values<wide_real> lagrange_basis(const std::vector<wide_real>&, const wide_real&);

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

// Sums that cancel exactly, such as φ_k' at the middle node or 1/4 beside its rounding, leave rounding errors of the
// wide numbers: those are zero.
wide_real without_noise(const wide_real& value) {
  const long noise = 32 - static_cast<long>(wide_real::bits());
  return value.below_power_of_two(noise) ? wide_real(0) : value;
}

template <class S>
void set_split(split_coefficients<S>& target, std::size_t i, std::size_t j, const wide_real& computed) {
  const wide_real value = without_noise(computed);
  target.head(i, j) = rounded<S>(value);
  target.tail(i, j) = rounded<S>(without_noise(value - widened<S>(target.head(i, j))));
}

template <class S>
split_coefficients<S> zero_split(std::size_t rows, std::size_t columns) {
  return {matrix<S>(rows, columns), matrix<S>(rows, columns)};
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

// The Lagrange basis through fixed nodes, at many points: ℓ_j(x) = w_j Π_{k≠j} (x − x_k), whose products are those
// before j times those after j. Without divisions, which take longest.
class basis_through {
 public:
  explicit basis_through(const std::vector<wide_real>& nodes) : nodes_(nodes) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      wide_real product(1);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (k != j) product *= nodes[j] - nodes[k];
      }
      weights_.push_back(wide_real(1) / product);
    }
  }

  std::vector<wide_real> at(const wide_real& x) const {
    std::vector<wide_real> values = weights_;
    wide_real before(1), after(1);
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      values[j] *= before;
      before *= x - nodes_[j];
    }
    for (std::size_t j = nodes_.size(); j-- > 0;) {
      values[j] *= after;
      after *= x - nodes_[j];
    }
    return values;
  }

 private:
  const std::vector<wide_real>& nodes_;
  std::vector<wide_real> weights_;
};

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
    // The rule itself integrates ℓ_j over [0, τ_i] exactly.
    std::vector<wide_real> integral(points);
    for (std::size_t m = 0; m < points; ++m) {
      const std::vector<wide_real> value = basis.at(tau * rule.nodes[m]);
      const wide_real weight = tau * rule.weights[m];
      for (std::size_t j = 0; j < points; ++j) integral[j] += weight * value[j];
    }
    const std::vector<wide_real> beyond = basis.at(wide_real(1) + tau);
    for (std::size_t j = 0; j < points; ++j) {
      set_split(t.stages, i, j, integral[j]);
      t.extension(i, j) = rounded<S>(beyond[j]);
    }
  }
  return t;
}

// Rules of many nodes cost milliseconds, and a method is often made again with another step: each table is computed
// once, for each precision. `compute` runs inside the wide scope of S.
template <class S, class Table, class Key, class Compute>
Table computed_once(const Key& scheme, Compute&& compute) {
  static std::mutex mutex;
  static std::map<std::pair<Key, mpfr_prec_t>, Table> known;
  const wide_scope<S> scope;
  const std::lock_guard lock(mutex);
  const std::pair wanted(scheme, wide_real::bits());
  const auto found = known.find(wanted);
  return found != known.end() ? found->second : known.emplace(wanted, compute()).first->second;
}

}  // namespace

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
