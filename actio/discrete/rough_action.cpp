#include "actio/discrete/rough_action.hpp"

#include <algorithm>
#include <cmath>

namespace actio {

namespace {

template <class S>
std::vector<double> rounded(const shared_parameters<S>& values) {
  std::vector<double> result;
  for (const S& x : values) result.push_back(to_double(x));
  return result;
}

template <class S>
void round(std::span<const S> values, std::vector<double>& result) {
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = to_double(values[i]);
}

}  // namespace

template <class S>
rough_action::rough_action(const galerkin_scheme& scheme, const phase_space<S>& space, const S& step)
    : tableau_(make_tableau<double>(scheme)),
      parameters_(rounded(space.parameters())),
      action_(tableau_, jet_of<double>(*space.code()), parameters_, to_double(step)),
      q_(space.size(), 0.0),
      p_(space.size(), 0.0),
      zero_(space.size(), 0.0),
      z_(action_.unknowns(), 0.0),
      weights_(space.size(), 0.0) {
  if (space.jet().recursive() != nullptr) return;
  by_left_ = matrix<double>(space.size(), space.size());
  by_increments_ = matrix<double>(space.size(), action_.unknowns());
}

template <class S>
void rough_action::set_parameters(const phase_space<S>& space) {
  parameters_.assign(rounded(space.parameters()));
}

template <class S>
void rough_action::start(const S& t, std::span<const S> q, std::span<const S> p) {
  round(q, q_);
  round(p, p_);
  action_.start(to_double(t), q_, zero_, p_, zero_);
}

template <class S>
void rough_action::linearise(std::span<const S> z) {
  round(z, z_);
  action_.evaluate(z_, true);
  for (std::size_t a = 0; a < weights_.size(); ++a) weights_[a] = action_.weight(a);
}

template <class S>
bool rough_action::jacobian(std::span<const S> z, matrix<double>& J) {
  linearise(z);
  action_.jacobian(J);
  action_.momentum_jacobian(by_left_, by_increments_);
  return std::ranges::all_of(J.data(), [](double x) { return std::isfinite(x); });
}

template <class S>
bool rough_action::jacobian(std::span<const S> z, recursive_equations<double>& J) {
  linearise(z);
  action_.jacobian(J);
  return std::ranges::all_of(weights_, [](double x) { return std::isfinite(x); });
}

void rough_action::momentum_change(std::span<const double> dz, std::span<double> dp) const {
  if (by_increments_.rows() == 0) return action_.momentum_change(dz, dp);
  for (std::size_t a = 0; a < dp.size(); ++a) {
    dp[a] = 0;
    for (std::size_t j = 0; j < dz.size(); ++j) dp[a] += by_increments_(a, j) * dz[j];
  }
}

#define ACTIO_INSTANTIATE(S)                                                                    \
  template rough_action::rough_action(const galerkin_scheme&, const phase_space<S>&, const S&); \
  template void rough_action::set_parameters(const phase_space<S>&);                            \
  template void rough_action::start(const S&, std::span<const S>, std::span<const S>);          \
  template bool rough_action::jacobian(std::span<const S>, matrix<double>&);                    \
  template bool rough_action::jacobian(std::span<const S>, recursive_equations<double>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
