#include "actio/mechanics/horizontal_part.hpp"

#include <algorithm>
#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/affine_symmetries.hpp"

namespace actio {

namespace {

template <class S>
S product(const std::vector<S>& a, const std::vector<S>& b) {
  S sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

template <class S>
horizontal_part<S>::horizontal_part(const phase_space<S>& space) : n_(space.size()) {
  const lagrangian_system& system = space.system();
  for (const std::size_t i : system.cyclic_coordinates()) {
    linear_.emplace_back(n_, n_);
    constant_.emplace_back(n_, S(0));
    constant_.back()[i] = S(1);
  }
  std::vector<expr> moving(system.coordinates), symbols(system.coordinates);
  moving.push_back(time_symbol());
  const std::vector<expr> parameters = system.parameter_symbols();
  symbols.insert(symbols.end(), parameters.begin(), parameters.end());
  std::vector<S> at(n_, S(0));
  at.insert(at.end(), space.parameters().begin(), space.parameters().end());
  std::size_t declared = linear_.size(), seen = 0;
  for (const symmetry& s : all_symmetries(system)) {
    const bool is_declared = seen++ < system.symmetries.size();
    std::vector<expr> slopes;
    bool is_linear = true;
    for (const expr& x : s.generator) {
      for (const expr& slope : gradient(x, moving)) {
        is_linear = is_linear && !depends_on_any(slope, moving);
        slopes.push_back(slope);
      }
      is_linear = is_linear && is_polynomial(x, moving, 1) && slopes.back().is_zero();
    }
    if (!is_linear) continue;
    const std::vector<S> C = actio::evaluate<S>(slopes, symbols, at);
    matrix<S>& linear = linear_.emplace_back(n_, n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) linear(i, j) = C[i * (n_ + 1) + j];
    }
    constant_.push_back(actio::evaluate<S>(s.generator, symbols, at));
    if (is_declared) declared = linear_.size();
  }
  keep(linear_.size());
  leave_a_direction(space.constraint_count(), declared);
}

template <class S>
void horizontal_part<S>::keep(std::size_t k) {
  linear_.resize(k);
  constant_.resize(k);
  X_.assign(k, std::vector<S>(n_, S(0)));
  Q_ = X_;
  chosen_.assign(k, 0);
  is_chosen_.assign(k, 0);
  R_ = matrix<S>(k, k);
  b_.assign(n_, S(0));
  y_.assign(k, S(0));
  column_ = b_;
  along_ = y_;
}

// At some position in general: no component is a simple number there.
template <class S>
void horizontal_part<S>::leave_a_direction(std::size_t constraints, std::size_t declared) {
  if (linear_.size() == declared) return;
  std::vector<S> q(n_), v(n_, S(0));
  for (std::size_t i = 0; i < n_; ++i) q[i] = S(static_cast<double>((i * 7919 + 29) % 97 + 40)) / S(97);
  evaluate(q, v);
  if (rank_ + constraints >= n_) keep(declared);
}

// Columns in the order of what they add, until nothing is left of the others.
template <class S>
void horizontal_part<S>::orthonormalise() {
  using std::sqrt;
  const S tolerance = sqrt(epsilon<S>());
  std::ranges::fill(is_chosen_, char(0));
  R_.set_zero();
  rank_ = 0;
  for (std::size_t a = 0; a < X_.size(); ++a) Q_[a] = X_[a];  // here Q_[a] is what is left of X_a
  while (rank_ < X_.size()) {
    std::size_t best = X_.size();
    S largest(0);
    for (std::size_t a = 0; a < X_.size(); ++a) {
      if (is_chosen_[a]) continue;
      const S whole = product(X_[a], X_[a]), left = product(Q_[a], Q_[a]);
      if (left > largest && left > tolerance * whole) largest = left, best = a;
    }
    if (best == X_.size()) break;
    is_chosen_[best] = 1;
    chosen_[rank_] = best;
    const S length = sqrt(largest);
    R_(rank_, rank_) = length;
    for (S& x : Q_[best]) x /= length;
    for (std::size_t a = 0; a < X_.size(); ++a) {
      if (is_chosen_[a]) continue;
      const S part = product(Q_[best], Q_[a]);
      for (std::size_t i = 0; i < n_; ++i) Q_[a][i] -= part * Q_[best][i];
    }
    ++rank_;
  }
  for (std::size_t c = 0; c < rank_; ++c) {
    for (std::size_t r = 0; r < c; ++r) R_(r, c) = product(Q_[chosen_[r]], X_[chosen_[c]]);
  }
}

template <class S>
void horizontal_part<S>::evaluate(std::span<const S> q, std::span<const S> v) {
  for (std::size_t a = 0; a < X_.size(); ++a) {
    for (std::size_t i = 0; i < n_; ++i) {
      S sum = constant_[a][i];
      for (std::size_t j = 0; j < n_; ++j) sum += linear_[a](i, j) * q[j];
      X_[a][i] = sum;
    }
  }
  orthonormalise();
  std::ranges::copy(v, b_.begin());
  std::ranges::fill(y_, S(0));
  for (int twice = 0; twice < 2; ++twice) {  // once more for what rounding left
    for (std::size_t r = 0; r < rank_; ++r) {
      const S part = product(Q_[chosen_[r]], b_);
      for (std::size_t i = 0; i < n_; ++i) b_[i] -= part * Q_[chosen_[r]][i];
      y_[r] += part;
    }
  }
  for (std::size_t r = rank_; r-- > 0;) {
    for (std::size_t c = r + 1; c < rank_; ++c) y_[r] -= R_(r, c) * y_[c];
    y_[r] /= R_(r, r);
  }
}

// Xᵀb = 0 gives Xᵀdb = −dXᵀb, and what is orthogonal to X is that of dv − dX y.
template <class S>
void horizontal_part<S>::slopes(matrix<S>& by_position, matrix<S>& by_velocity) {
  const auto project = [&] {
    for (std::size_t r = 0; r < rank_; ++r) {
      const S part = product(Q_[chosen_[r]], column_);
      for (std::size_t i = 0; i < n_; ++i) column_[i] -= part * Q_[chosen_[r]][i];
    }
  };
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) column_[i] = S(i == j ? 1 : 0);
    project();
    for (std::size_t i = 0; i < n_; ++i) by_velocity(i, j) = column_[i];
    for (std::size_t i = 0; i < n_; ++i) {
      column_[i] = S(0);
      for (std::size_t r = 0; r < rank_; ++r) column_[i] -= linear_[chosen_[r]](i, j) * y_[r];
    }
    project();
    for (std::size_t r = 0; r < rank_; ++r) {  // Rᵀ along = dXᵀb
      S sum(0);
      for (std::size_t i = 0; i < n_; ++i) sum += linear_[chosen_[r]](i, j) * b_[i];
      for (std::size_t c = 0; c < r; ++c) sum -= R_(c, r) * along_[c];
      along_[r] = sum / R_(r, r);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t r = 0; r < rank_; ++r) column_[i] -= Q_[chosen_[r]][i] * along_[r];
      by_position(i, j) = column_[i];
    }
  }
}

#define ACTIO_INSTANTIATE(S) template class horizontal_part<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
