// What tableaux are computed with: rules and bases in wide numbers, and coefficients split from them. Inside of
// tableaux/*.cpp only.
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"
#include "actio/tableaux/wide_real.hpp"

namespace actio {

// Defined in quadrature.cpp.
template <>
quadrature_rule<wide_real> gauss_rule<wide_real>(std::size_t n);
template <>
quadrature_rule<wide_real> lobatto_rule<wide_real>(std::size_t n);
extern template basis_values<wide_real> lagrange_basis(const std::vector<wide_real>&, const wide_real&);

// Sums that cancel exactly, such as φ_k' at the middle node or 1/4 beside its rounding, leave rounding errors of the
// wide numbers: those are zero.
inline wide_real without_noise(const wide_real& value) {
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

// ∫_0^x ℓ_j for every j, the basis through the nodes of a rule that integrates these polynomials exactly.
inline std::vector<wide_real> basis_integrals(const quadrature_rule<wide_real>& rule, const basis_through& basis,
                                              const wide_real& x) {
  std::vector<wide_real> integral(rule.size());
  for (std::size_t m = 0; m < rule.size(); ++m) {
    const std::vector<wide_real> value = basis.at(x * rule.nodes[m]);
    const wide_real weight = x * rule.weights[m];
    for (std::size_t j = 0; j < rule.size(); ++j) integral[j] += weight * value[j];
  }
  return integral;
}

// Rules of many nodes cost milliseconds, and a method is often made again with another step: each table is computed
// once, for each precision. `compute` runs inside the wide scope of S.
template <class S, class Table, class Key, class Compute>
Table computed_once(const Key& scheme, Compute&& compute) {
  static std::mutex mutex;
  static std::map<std::pair<Key, long>, Table> known;
  const wide_scope<S> scope;
  const std::lock_guard lock(mutex);
  const std::pair wanted(scheme, wide_real::bits());
  const auto found = known.find(wanted);
  return found != known.end() ? found->second : known.emplace(wanted, compute()).first->second;
}

}  // namespace actio
