#include "actio/mechanics/hamiltonian_point.hpp"

namespace actio {

template <class S>
hamiltonian_point<S>::hamiltonian_point(const phase_space<S>& space)
    : entries_(space.jet().entries()),
      n_(space.size()),
      legendre_(space),
      jet_(space.jet().at(1, space.parameters())),
      velocity_(n_, S(0)),
      by_position_(n_, S(0)),
      column_(n_, S(0)),
      blocks_{matrix<S>(n_, n_), matrix<S>(n_, n_), matrix<S>(n_, n_), matrix<S>(n_, n_)},
      H_qq_(n_, n_),
      H_pp_(n_, n_),
      H_pq_(n_, n_),
      lu_(n_) {}

template <class S>
bool hamiltonian_point<S>::evaluate(std::span<const S> q, std::span<const S> p, bool with_second) {
  using std::abs;
  if (!legendre_.velocity_at(S(0), q, p, velocity_, branch_)) return false;
  S pv(0);
  for (std::size_t i = 0; i < n_; ++i) {
    *jet_.position(i) = q[i];
    *jet_.velocity(i) = velocity_[i];
    pv += p[i] * velocity_[i];
  }
  jet_.evaluate_value();
  const S L = *jet_.lagrangian();
  value_ = pv - L;
  scale_ = abs(pv) + abs(L);
  bool finite = is_finite(value_);
  with_second ? jet_.evaluate_second() : jet_.evaluate_first();
  for (std::size_t i = 0; i < n_; ++i) {
    by_position_[i] = -*jet_.force(i);
    finite = finite && is_finite(by_position_[i]);
  }
  return finite && (!with_second || second());
}

template <class S>
bool hamiltonian_point<S>::second() {
  for (matrix<S>& block : blocks_) block.set_zero();
  for (const jet_entry& e : entries_) blocks_[static_cast<int>(e.block)](e.row, e.column) = *jet_.entry(e);
  const auto& [G_q, G_v, P_q, P_v] = blocks_;
  if (!lu_.factorise(P_v)) return false;
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) column_[i] = S(i == j ? 1 : 0);
    lu_.solve_in_place(column_);
    for (std::size_t i = 0; i < n_; ++i) H_pp_(i, j) = column_[i];
    for (std::size_t i = 0; i < n_; ++i) column_[i] = -P_q(i, j);
    lu_.solve_in_place(column_);
    for (std::size_t i = 0; i < n_; ++i) H_pq_(i, j) = column_[i];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      S sum = G_q(i, j);
      for (std::size_t k = 0; k < n_; ++k) sum += G_v(i, k) * H_pq_(k, j);
      H_qq_(i, j) = -sum;
    }
  }
  return true;
}

#define ACTIO_INSTANTIATE(S) template class hamiltonian_point<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
