#include "actio/simulate/quadratic_form.hpp"

#include <cmath>

namespace actio {

namespace {

constexpr std::size_t most_coordinates = 64;

// The position of rest Kq = f, or nothing: a load that pushes a rigid motion has none.
template <class S>
std::optional<std::vector<S>> equilibrium(const linear_system<S>& system) {
  if (!system.has_load()) return std::vector<S>(system.size(), S(0));
  lu_factorisation<S> lu(system.size());
  const std::vector<S> squares = system.squared_frequencies();
  if (!(squares.front() > S(0)) || !lu.factorise(system.stiffness())) return {};
  std::vector<S> q = system.load();
  lu.solve_in_place(q);
  return q;
}

}  // namespace

template <class S>
std::optional<quadratic_form<S>> quadratic_form<S>::of(const integrator<S>& flow) {
  const linear_system<S>* system = flow.linear();
  if (system == nullptr || system->size() > most_coordinates || !flow.method().traits.symplectic) return {};
  const std::optional<std::vector<S>> origin = equilibrium(*system);
  if (!origin) return {};
  const std::size_t n = system->size();
  phase_state<S> rest;
  rest.position = compensated_vector<S>(*origin);
  rest.momentum = compensated_vector<S>(std::vector<S>(n, S(0)));
  const matrix<S> step = flow.make_workspace()->tangent_map(rest);
  if (step.rows() != 2 * n) return {};
  // Symmetric parts: with roundings of its own Φ is not quite symplectic.
  quadratic_form form;
  form.xi_ = form.eta_ = form.zeta_ = matrix<S>(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      form.xi_(i, j) = (step(i, n + j) + step(j, n + i)) / S(4);
      form.zeta_(i, j) = -(step(n + i, j) + step(n + j, i)) / S(4);
      form.eta_(i, j) = (step(i, j) - step(n + j, n + i)) / S(4);
    }
  }
  form.origin_ = *origin;
  form.q_ = form.p_ = std::vector<S>(n, S(0));
  return form;
}

template <class S>
void quadratic_form<S>::evaluate(const compensated_vector<S>& position, const compensated_vector<S>& momentum) {
  using std::abs;
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] = (position.value[i] - origin_[i]) + position.remainder[i];
    p_[i] = momentum.value[i] + momentum.remainder[i];
  }
  value_ = scale_ = S(0);
  const auto add = [&](const S& term) {
    value_ += term;
    scale_ += abs(term);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      add(p_[i] * xi_(i, j) * p_[j] / S(2));
      add(q_[i] * zeta_(i, j) * q_[j] / S(2));
      add(p_[i] * eta_(i, j) * q_[j]);
    }
  }
}

#define ACTIO_INSTANTIATE(S) template class quadratic_form<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
