#include "actio/integrate/matrix_scheme_step.hpp"

#include <algorithm>

#include "actio/discrete/linear_schemes.hpp"

namespace actio {

namespace {

// The numbers in which matrices are made.
template <class S>
using made_in = std::conditional_t<std::same_as<S, double>, quad, S>;

// With the stiffness and its remainder together, where there is room for both.
template <class S>
linear_system<made_in<S>> made_system(const linear_system<S>& system) {
  if constexpr (!std::same_as<S, double>) {
    return system;
  } else {
    const auto widened = [](const matrix<double>& a) {
      matrix<quad> result(a.rows(), a.columns());
      std::ranges::copy(a.data(), result.data().begin());
      return result;
    };
    matrix<quad> stiffness = widened(system.stiffness());
    const auto remainder = system.stiffness_remainder().data();
    for (std::size_t m = 0; m < remainder.size(); ++m) stiffness.data()[m] += remainder[m];
    return {widened(system.mass()), stiffness, std::vector<quad>(system.load().begin(), system.load().end())};
  }
}

}  // namespace

template <class S>
matrix_scheme_step<S>::matrix_scheme_step(simpson_form form, const linear_system<S>& system,
                                          const step_context<S>& context)
    : step_workspace<S>(context),
      form_(form),
      n_(system.size()),
      rows_(form == simpson_form::with_middle ? 3 * n_ : 2 * n_),
      step_(context.step),
      lu_(rows_),
      eta_(2 * n_, W(0)),
      right_(rows_, W(0)),
      delta_(rows_, W(0)),
      correction_(rows_, S(0)),
      output_(context.space) {
  make_matrices(system);
}

template <class S>
void matrix_scheme_step<S>::make_matrices(const linear_system<S>& system) {
  using T = made_in<S>;
  const linear_system<T> made = made_system(system);
  const T h(step_);
  matrix_scheme<T> scheme;
  for (auto* numbers : {&A_, &C_, &c_}) numbers->clear();
  solvable_ = false;
  if (form_ == simpson_form::with_middle) {
    scheme = simpson_scheme_with_middle<T>(made, h);
  } else {
    const scheme_blocks<T> blocks = simpson_blocks<T>(made, h);
    if (blocks.X.rows() == 0) return;
    scheme = scheme_of(blocks);
  }
  // C = B − A E: the columns of the middle value count for those of q as well.
  matrix<T> C = scheme.B;
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < rows_; ++j) {
      const std::size_t column = form_ == simpson_form::reduced ? j : j < n_ ? j + n_ : j - n_;
      C(i, column) -= scheme.A(i, j);
    }
  }
  matrix<S> rounded(rows_, rows_);
  for (std::size_t m = 0; m < rows_ * rows_; ++m) {
    A_.push_back(static_cast<W>(scheme.A.data()[m]));
    rounded.data()[m] = static_cast<S>(scheme.A.data()[m]);
  }
  for (const T& x : C.data()) C_.push_back(static_cast<W>(x));
  for (const T& x : scheme.c) c_.push_back(static_cast<W>(x));
  solvable_ = lu_.factorise(rounded);
}

template <class S>
void matrix_scheme_step<S>::apply_change() {
  for (std::size_t i = 0; i < rows_; ++i) {
    W sum(0);
    for (std::size_t j = 0; j < 2 * n_; ++j) sum += C_[i * 2 * n_ + j] * eta_[j];
    right_[i] = sum;
  }
}

template <class S>
void matrix_scheme_step<S>::solve() {
  constexpr int refinements = std::same_as<S, W> ? 1 : 2;
  std::ranges::fill(delta_, W(0));
  for (int k = 0; k <= refinements; ++k) {
    for (std::size_t i = 0; i < rows_; ++i) {
      W residual = right_[i];
      for (std::size_t j = 0; k > 0 && j < rows_; ++j) residual -= A_[i * rows_ + j] * delta_[j];
      correction_[i] = static_cast<S>(residual);
    }
    lu_.solve_in_place(correction_);
    for (std::size_t i = 0; i < rows_; ++i) delta_[i] += W(correction_[i]);
  }
}

// Of the increments the last 2n are those of p and q.
template <class S>
step_status matrix_scheme_step<S>::advance(phase_state<S>& state) {
  if (!solvable_) return {step_code::singular, 1, 0};
  for (std::size_t i = 0; i < n_; ++i) {
    eta_[i] = W(state.momentum.value[i]) + W(state.momentum.remainder[i]);
    eta_[n_ + i] = W(state.position.value[i]) + W(state.position.remainder[i]);
  }
  apply_change();
  for (std::size_t i = 0; i < rows_; ++i) right_[i] += c_[i];
  solve();
  const std::size_t first = rows_ - 2 * n_;
  for (std::size_t i = first; i < rows_; ++i) {
    if (!is_finite(static_cast<S>(delta_[i]))) return {step_code::left_domain, 1, 0};
  }
  output_.start(state);
  const auto add = [](compensated_vector<S>& sum, std::size_t i, const W& increment) {
    const S head = static_cast<S>(increment);
    sum.add(i, head);
    if constexpr (!std::same_as<S, W>) sum.add(i, static_cast<S>(increment - W(head)));
  };
  for (std::size_t i = 0; i < n_; ++i) {
    add(state.momentum, i, delta_[first + i]);
    add(state.position, i, delta_[first + n_ + i]);
  }
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  output_.finish(state);
  return {step_code::ok, 1, 0};
}

// The step is affine: column by column the increment of a unit vector without load.
template <class S>
matrix<S> matrix_scheme_step<S>::tangent_map(const phase_state<S>&) {
  if (!solvable_) return {};
  const std::size_t first = rows_ - 2 * n_;
  matrix<S> result = matrix<S>::identity(2 * n_);
  for (std::size_t column = 0; column < 2 * n_; ++column) {
    std::ranges::fill(eta_, W(0));
    eta_[(column + n_) % (2 * n_)] = W(1);
    apply_change();
    solve();
    for (std::size_t i = 0; i < n_; ++i) {
      result(n_ + i, column) += static_cast<S>(delta_[first + i]);
      result(i, column) += static_cast<S>(delta_[first + n_ + i]);
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template class matrix_scheme_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
