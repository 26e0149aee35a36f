#include "actio/simulate/two_point_start.hpp"

#include <algorithm>

#include "actio/base/largest.hpp"
#include "actio/base/saddle_point.hpp"

namespace actio {

namespace {

// ∂g/∂q at a position, m × n.
template <class S>
matrix<S> slopes_at(const phase_space<S>& space, std::span<const S> position, const S& time) {
  matrix<S> result(space.constraint_count(), space.size());
  if (space.constraints() == nullptr) return result;
  constraint_evaluation<S> held = space.constraints()->at(1, space.parameters());
  for (std::size_t i = 0; i < position.size(); ++i) *held.position(i) = position[i];
  *held.time() = time;
  held.evaluate_first();
  for (const constraint_entry& e : space.constraints()->jacobian()) result(e.row, e.column) = *held.entry(e);
  return result;
}

}  // namespace

// With D = ∂q_1/∂p_0, whose null vectors are the Aᵀ of the start and which reaches the vectors with A v = 0 at the end:
// [D A_1ᵀ; A_0 0] (δ, ·) = (q_1 − next, 0) is regular.
template <class S>
std::optional<std::vector<S>> momentum_between(const phase_space<S>& space, step_workspace<S>& workspace, const S& time,
                                               std::span<const S> position, std::span<const S> next,
                                               std::vector<S> momentum, std::vector<S>& velocity) {
  using std::abs;
  constexpr int most_iterations = 50;
  const std::size_t n = space.size(), m = space.constraint_count();
  const matrix<S> from = slopes_at(space, position, time);
  matrix<S> to;
  phase_point<S> point(space);
  saddle_point_solver<S> equations(n + m);
  std::vector<S> x(n + m);
  S extent(0), previous(0);
  for (const S& q : next) extent = std::max<S>(extent, abs(q));
  for (int k = 0; k < most_iterations; ++k) {
    phase_state<S> state;
    state.begin_at(time);
    state.position = compensated_vector<S>(std::vector<S>(position.begin(), position.end()));
    state.momentum = compensated_vector<S>(momentum);
    if (!space.has_one_branch()) state.velocity = velocity;
    const matrix<S> tangent = workspace.tangent_map(state);
    if (tangent.rows() == 0 || !workspace.advance(state)) return {};
    if (to.columns() == 0) to = slopes_at(space, next, state.time);
    S miss(0);
    std::fill(x.begin(), x.end(), S(0));
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = (state.position[i] - next[i]) + state.position.remainder[i];
      raise_to(miss, S(abs(x[i])));
    }
    // The best that rounding allows: the miss no longer shrinks.
    if (miss <= epsilon<S>() * extent || (k > 0 && S(2) * miss > previous && miss <= S(64) * epsilon<S>() * extent)) {
      return momentum;
    }
    if (!is_finite(miss)) return {};
    previous = miss;
    equations.set_zero();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) equations.add(i, j, tangent(i, n + j));
      for (std::size_t c = 0; c < m; ++c) {
        equations.add(i, n + c, to(c, i));
        equations.add(n + c, i, from(c, i));
      }
    }
    if (!equations.factorise()) return {};
    equations.solve_in_place(x);
    for (std::size_t i = 0; i < n; ++i) momentum[i] -= x[i];
    if (m == 0 && space.has_one_branch()) continue;
    if (!point.velocity_at(time, position, momentum, velocity, velocity)) return {};
    if (m == 0) continue;
    for (std::size_t i = 0; i < n; ++i) momentum[i] -= point.normal_momentum()[i];
  }
  return {};
}

#define ACTIO_INSTANTIATE(S)                                                                                         \
  template std::optional<std::vector<S>> momentum_between<S>(const phase_space<S>&, step_workspace<S>&, const S&,    \
                                                             std::span<const S>, std::span<const S>, std::vector<S>, \
                                                             std::vector<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
