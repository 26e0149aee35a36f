#include "actio/integrate/energy_difference_step.hpp"

namespace actio {

template <class S>
energy_difference_step<S>::energy_difference_step(const step_context<S>& context)
    : energy_step<S>(context), equations_(context.space, context.step), newton_(2 * n_), x_(2 * n_, S(0)) {}

template <class S>
newton_result energy_difference_step<S>::solve(const phase_state<S>& state) {
  constexpr int most_iterations = 25;
  // How far γ, then β, leave the centre; the nearer, the less of symmetry and angular momentum is lost in that step.
  constexpr double offsets[] = {0, 0x1p-10, -0x1p-10, 0x1p-7, -0x1p-7, 0x1p-4, -0x1p-4, 0.25, -0.25};
  newton_result first{newton_outcome::not_finite, 0, 0};
  if (!equations_.start(state.position, state.momentum, state.velocity)) return first;
  for (std::size_t k = 0; k < 2 * std::size(offsets) - 1; ++k) {
    const bool of_gamma = k < std::size(offsets);
    const double offset = offsets[of_gamma ? k : k - std::size(offsets) + 1];
    equations_.set_constants(S(0.5 + (of_gamma ? 0 : offset)), S(0.5 + (of_gamma ? offset : 0)));
    equations_.guess(x_);
    newton_result result = newton_.solve(equations_, std::span<S>(x_), most_iterations);
    if (result.outcome == newton_outcome::converged) {
      result.iterations += first.iterations;
      return result;
    }
    const int iterations = first.iterations + result.iterations;
    if (first.iterations == 0) first = result;
    first.iterations = iterations;
  }
  return first;
}

template <class S>
step_status energy_difference_step<S>::advance(phase_state<S>& state) {
  const step_status status = this->branch_.judged(status_of(solve(state)), state, this->step_);
  const std::span<const S> x(x_);
  return status ? this->moved(state, status, x.first(n_), x.subspan(n_)) : status;
}

// R(z_0, x) = 0 gives dx = −J⁻¹ ∂R/∂z_0 dz_0, and z_1 = z_0 + x.
template <class S>
matrix<S> energy_difference_step<S>::tangent_map(const phase_state<S>& state) {
  const std::size_t size = 2 * n_;
  if (solve(state).outcome != newton_outcome::converged) return {};
  matrix<S> J(size, size), B(size, size), result(size, size);
  equations_.evaluate(x_, true);
  equations_.jacobian(J);
  equations_.left_jacobian(B);
  lu_factorisation<S> lu(size);
  if (!lu.factorise(J)) return {};
  std::vector<S> dx(size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) dx[i] = -B(i, j);
    lu.solve_in_place(dx);
    for (std::size_t i = 0; i < size; ++i) result(i, j) = dx[i] + S(i == j ? 1 : 0);
  }
  return result;
}

template <class S>
std::vector<S> energy_difference_step<S>::history() const {
  const std::optional<S> energy = equations_.energy();
  return energy ? std::vector<S>{*energy} : std::vector<S>{};
}

template <class S>
void energy_difference_step<S>::restore_history(std::span<const S> saved) {
  if (saved.size() > 1) throw snapshot_error("its history does not belong to this method and system");
  equations_.set_energy(saved.empty() ? std::optional<S>() : std::optional<S>(saved[0]));
}

#define ACTIO_INSTANTIATE(S) template class energy_difference_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
