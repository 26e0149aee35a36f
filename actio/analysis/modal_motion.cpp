#include "actio/analysis/modal_motion.hpp"

#include <algorithm>
#include <memory>

#include "actio/analysis/damped_motion.hpp"
#include "actio/base/symmetric.hpp"

namespace actio {

namespace {

template <class S>
std::vector<S> product(const matrix<S>& A, std::span<const S> x) {
  std::vector<S> result(A.rows(), S(0));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) result[i] += A(i, j) * x[j];
  }
  return result;
}

// Notation: X the modes with XᵀMX = 1 and XᵀKX = diag(ω²); y = XᵀMq, so q = Xy and p = MXy'.
//   y'' = −ω²y + g,   y = y_0 cos ωt + y_0' sin(ωt)/ω + g (1 − cos ωt)/ω²
template <class S>
struct modes {
  matrix<S> X, MX;
  std::vector<S> frequency, start, rate, load;

  exact_point<S> at(const S& t) const {
    using std::cos, std::sin;
    const std::size_t n = frequency.size();
    std::vector<S> y(n), v(n);
    for (std::size_t k = 0; k < n; ++k) {
      const S& w = frequency[k];
      if (w == S(0)) {
        y[k] = start[k] + t * (rate[k] + t * load[k] / S(2));
        v[k] = rate[k] + t * load[k];
        continue;
      }
      const S c = cos(S(w * t)), s = sin(S(w * t)), half = sin(S(w * t / S(2)));  // 1 − cos without cancellation
      y[k] = start[k] * c + rate[k] * s / w + S(2) * load[k] * half * half / (w * w);
      v[k] = rate[k] * c - start[k] * w * s + load[k] * s / w;
    }
    return {product<S>(X, y), product<S>(MX, v)};
  }
};

}  // namespace

template <class S>
exact_motion<S> modal_motion(const linear_system<S>& system, std::span<const S> position, std::span<const S> momentum) {
  using std::sqrt;
  const eigen_pairs<S> pairs = generalised_eigen(system.stiffness(), system.mass());
  const matrix<S> X_transposed = transpose(pairs.vectors);
  auto all = std::make_shared<modes<S>>();
  all->X = pairs.vectors;
  all->MX = system.mass() * pairs.vectors;
  all->start = product<S>(transpose(all->MX), position);
  all->rate = product<S>(X_transposed, momentum);
  all->load = product<S>(X_transposed, system.load());
  const S threshold = rigid_threshold(system.size(), pairs.values.back());
  for (const S& squared : pairs.values) all->frequency.push_back(squared > threshold ? S(sqrt(squared)) : S(0));
  return [all](const S& t) { return all->at(t); };
}

template <class S>
exact_motion<S> modal_motion_of(const model& m) {
  const auto changes = [](const model_event& event) { return event.stops || !event.set.empty(); };
  if (std::ranges::any_of(m.events, changes) || !m.controls.empty()) return {};
  if constexpr (std::same_as<S, double>) {
    const exact_motion<quad> wide = modal_motion_of<quad>(m);
    if (!wide) return {};
    return [wide](const double& t) {
      const exact_point<quad> point = wide(quad(t));
      exact_point<double> result;
      for (const quad& q : point.position) result.position.push_back(to_double(q));
      for (const quad& p : point.momentum) result.momentum.push_back(to_double(p));
      return result;
    };
  } else {
    const phase_space<S> space(m.system, parameter_values<S>(m.system));
    const std::optional<linear_system<S>> system = linear_system_of(space);
    if (!system) return damped_motion_of<S>(m);
    if (m.initial.rate == rate_kind::next) return {};
    const auto values = [&](const std::vector<named_expr>& quantities) {
      std::vector<S> result;
      for (const named_expr& quantity : quantities) result.push_back(quantity_value<S>(m.system, quantity.value));
      return result;
    };
    std::vector<S> rates = values(m.initial.rates);
    if (m.initial.rate == rate_kind::velocity) rates = product<S>(system->mass(), rates);
    return modal_motion<S>(*system, values(m.initial.position), rates);
  }
}

#define ACTIO_INSTANTIATE(S)                                                                                 \
  template exact_motion<S> modal_motion<S>(const linear_system<S>&, std::span<const S>, std::span<const S>); \
  template exact_motion<S> modal_motion_of<S>(const model&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
