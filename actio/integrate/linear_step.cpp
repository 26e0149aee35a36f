#include "actio/integrate/linear_step.hpp"

#include <algorithm>

#include "actio/tableaux/wide_real.hpp"

namespace actio {

namespace {

// y = Ax for a symmetric A: down the rows, so that the inner loop has no sum in it.
template <class S, class W>
void multiply(const matrix<S>& A, std::span<const W> x, std::span<W> y, bool adding = false) {
  const std::size_t n = x.size();
  if (!adding) std::fill(y.begin(), y.end(), W(0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) y[i] += W(A(j, i)) * x[j];
  }
}

// Adds an increment to value + remainder without losing its last bits: those of the rounded increment first, then the
// rest.
template <class S, class W>
void add(compensated_vector<S>& sum, std::size_t i, const W& increment) {
  const S head = static_cast<S>(increment), tail = static_cast<S>(increment - W(head)), remainder = sum.remainder[i];
  sum.remainder[i] = S(0);
  sum.add(i, head);
  const S rest = sum.remainder[i] + (remainder + tail);
  sum.remainder[i] = S(0);
  sum.add(i, rest);
}

}  // namespace

template <class S>
typename linear_step<S>::split linear_step<S>::power_over(const S& step, int power, int divisor) {
  const wide_scope<S> scope;
  wide_real value = widened<S>(step) / wide_real(divisor);
  for (int k = 1; k < power; ++k) value *= widened<S>(step);
  const S head = rounded<S>(value);
  return {head, rounded<S>(value - widened<S>(head))};
}

template <class S>
linear_step<S>::linear_step(linear_scheme scheme, const step_context<S>& context)
    : step_workspace<S>(context),
      scheme_(scheme),
      n_(context.space.size()),
      step_(context.step),
      system_(*context.linear),
      c_(power_over(step_, 2, scheme == linear_scheme::simpson ? 24 : 4)),
      momentum_factor_(power_over(step_, 1, scheme == linear_scheme::simpson ? 6 : 2)),
      mass_lu_(n_),
      sum_lu_(n_),
      left_(n_, S(0)),
      correction_(n_, S(0)),
      q_(n_, W(0)),
      p_(q_),
      d_(q_),
      z_(q_),
      dp_(q_),
      kq_(q_),
      kx_(q_),
      mx_(q_),
      rhs_(q_) {
  factorise();
}

template <class S>
void linear_step<S>::factorise() {
  matrix<S> sum = system_.mass();
  for (std::size_t m = 0; m < sum.data().size(); ++m) sum.data()[m] += c_.head * system_.stiffness().data()[m];
  solvable_ = mass_lu_.factorise(system_.mass()) && sum_lu_.factorise(sum);
}

template <class S>
void linear_step<S>::parameters_changed() {
  system_ = still_linear(this->space());
  factorise();
}

template <class S>
void linear_step<S>::apply_stiffness(std::span<const W> x, std::span<W> y) const {
  const matrix<S>& remainder = system_.stiffness_remainder();
  if (remainder.rows() > 0) multiply<S, W>(remainder, x, y);
  multiply<S, W>(system_.stiffness(), x, y, remainder.rows() > 0);
}

template <class S>
void linear_step<S>::solve(bool with_stiffness, std::span<W> x) {
  constexpr int refinements = std::same_as<S, W> ? 1 : 2;
  const lu_factorisation<S>& lu = with_stiffness ? sum_lu_ : mass_lu_;
  std::fill(x.begin(), x.end(), W(0));
  for (int k = 0; k <= refinements; ++k) {
    if (k > 0) {
      multiply<S, W>(system_.mass(), x, mx_);
      if (with_stiffness) apply_stiffness(x, kx_);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      W residual = rhs_[i];
      if (k > 0) residual -= mx_[i];
      if (k > 0 && with_stiffness) residual -= c_.times(kx_[i]);
      correction_[i] = static_cast<S>(residual);
    }
    lu.solve_in_place(correction_);
    for (std::size_t i = 0; i < n_; ++i) x[i] += W(correction_[i]);
  }
  apply_stiffness(x, kx_);
}

template <class S>
void linear_step<S>::take_step() {
  if (scheme_ == linear_scheme::newmark) {
    for (std::size_t i = 0; i < n_; ++i) rhs_[i] = W(step_) * p_[i] - c_.times(W(2) * kq_[i]);
    solve(true, z_);
    for (std::size_t i = 0; i < n_; ++i) {
      d_[i] = z_[i] / W(2);
      dp_[i] = -momentum_factor_.times(W(2) * kq_[i] + kx_[i]);
    }
    return;
  }
  const W half = W(step_) / W(2);
  for (std::size_t i = 0; i < n_; ++i) rhs_[i] = half * p_[i] - c_.times(W(3) * kq_[i]);
  solve(true, d_);
  for (std::size_t i = 0; i < n_; ++i) {
    rhs_[i] = -c_.times(W(6) * (kq_[i] + kx_[i]));
    dp_[i] = W(6) * kq_[i] + W(4) * kx_[i];
  }
  solve(false, z_);  // z − 2d so far
  for (std::size_t i = 0; i < n_; ++i) z_[i] += W(2) * d_[i];
  apply_stiffness(z_, kx_);
  for (std::size_t i = 0; i < n_; ++i) dp_[i] = -momentum_factor_.times(dp_[i] + kx_[i]);
}

template <class S>
step_status linear_step<S>::advance(phase_state<S>& state) {
  if (!solvable_) return {step_code::singular, 1, 0};
  // In S itself a remainder would be lost beside its value: its product is taken apart.
  constexpr bool is_wide = !std::same_as<S, W>;
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = W(state.position.value[i]);
    d_[i] = W(state.position.remainder[i]);
    if constexpr (is_wide) q_[i] += d_[i];
    p_[i] = W(state.momentum.value[i]) + W(state.momentum.remainder[i]);
  }
  apply_stiffness(q_, kq_);
  if constexpr (!is_wide) apply_stiffness(d_, kx_);
  for (std::size_t i = 0; i < n_; ++i) {
    if constexpr (!is_wide) kq_[i] += kx_[i];
    kq_[i] -= W(system_.load()[i]);
  }
  take_step();
  for (std::size_t i = 0; i < n_; ++i) {
    if (!is_finite(static_cast<S>(z_[i])) || !is_finite(static_cast<S>(dp_[i]))) return {step_code::left_domain, 1, 0};
  }
  for (std::size_t i = 0; i < n_; ++i) {
    left_[i] = state.position[i];
    add(state.position, i, z_[i]);
    add(state.momentum, i, dp_[i]);
  }
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  return {step_code::ok, 1, 0};
}

// The parabola through 0, d and z at 0, 1/2 and 1; a straight line where d = z/2.
template <class S>
void linear_step<S>::interpolate(const S& x, std::span<S> position) {
  for (std::size_t i = 0; i < n_; ++i) {
    const W d = d_[i], z = z_[i], w = W(x);
    position[i] = left_[i] + static_cast<S>(w * (z + W(2) * (W(1) - w) * (W(2) * d - z)));
  }
}

// The step is affine: its derivative is the same everywhere, column by column the step of a unit vector without load.
template <class S>
matrix<S> linear_step<S>::tangent_map(const phase_state<S>&) {
  if (!solvable_) return {};
  const std::vector<W> kept_d = d_, kept_z = z_;
  matrix<S> result = matrix<S>::identity(2 * n_);
  for (std::size_t column = 0; column < 2 * n_; ++column) {
    std::ranges::fill(q_, W(0));
    std::ranges::fill(p_, W(0));
    (column < n_ ? q_ : p_)[column % n_] = W(1);
    apply_stiffness(q_, kq_);
    take_step();
    for (std::size_t i = 0; i < n_; ++i) {
      result(i, column) += static_cast<S>(z_[i]);
      result(n_ + i, column) += static_cast<S>(dp_[i]);
    }
  }
  d_ = kept_d;
  z_ = kept_z;
  return result;
}

#define ACTIO_INSTANTIATE(S) template class linear_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
