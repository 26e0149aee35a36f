#include "actio/analysis/collocation.hpp"

#include <cmath>
#include <limits>

#include "actio/tableaux/quadrature.hpp"

namespace actio {

// Notation: c_i, b_i nodes and weights, ℓ_j Lagrange basis through the nodes, a_ij = ∫_0^{c_i} ℓ_j. The rule itself
// integrates ℓ_j, of degree s − 1, exactly.
template <class S>
collocation_flow<S>::collocation_flow(vector_field<S>& field, std::size_t stages, const S& step)
    : field_(field),
      step_(step),
      a_(stages, stages),
      k_(stages, std::vector<S>(field.size(), S(0))),
      argument_(field.size(), S(0)),
      rate_(field.size(), S(0)) {
  const quadrature_rule<S> rule = gauss_rule<S>(stages);
  b_ = rule.weights;
  c_ = rule.nodes;
  for (std::size_t i = 0; i < stages; ++i) {
    const std::vector<S> row = basis_integrals<S>(c_, b_, c_[i]);
    for (std::size_t j = 0; j < stages; ++j) a_(i, j) = row[j];
  }
}

template <class S>
bool collocation_flow<S>::find_stages(const S& t, const std::vector<S>& y) {
  using std::abs;
  constexpr int most_sweeps = 200;
  S power(0), previous(std::numeric_limits<double>::infinity());
  if (!field_.evaluate(t, y, k_[0], power)) return false;
  for (std::size_t i = 1; i < k_.size(); ++i) k_[i] = k_[0];
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    S change(0), size(0);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      for (std::size_t m = 0; m < y.size(); ++m) {
        S sum(0);
        for (std::size_t j = 0; j < k_.size(); ++j) sum += a_(i, j) * k_[j][m];
        argument_[m] = y[m] + step_ * sum;
      }
      if (!field_.evaluate(t + c_[i] * step_, argument_, rate_, power)) return false;
      for (std::size_t m = 0; m < y.size(); ++m) {
        const S moved = abs(rate_[m] - k_[i][m]);
        if (moved > change) change = moved;
        if (abs(rate_[m]) > size) size = abs(rate_[m]);
        k_[i][m] = rate_[m];
      }
    }
    // Rounding ends the descent somewhere near its own size.
    if (change <= S(4) * epsilon<S>() * size) return true;
    if (change <= S(1e4) * epsilon<S>() * size && change >= previous) return true;
    previous = change;
  }
  return false;
}

template <class S>
bool collocation_flow<S>::advance(const S& t, compensated_vector<S>& y) {
  if (!find_stages(t, y.value)) return false;
  for (std::size_t m = 0; m < y.size(); ++m) {
    S sum(0);
    for (std::size_t i = 0; i < b_.size(); ++i) sum += b_[i] * k_[i][m];
    y.add(m, step_ * sum);
  }
  return true;
}

#define ACTIO_INSTANTIATE(S) template class collocation_flow<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
