#include "actio/discrete/partitioned_action.hpp"

#include <algorithm>
#include <limits>

#include "actio/base/in_place.hpp"

namespace actio {

template <class S>
partitioned_action<S>::partitioned_action(const lobatto_pair<S>& pair, const phase_space<S>& space, const S& step)
    : pair_(&pair),
      size_(space.size()),
      step_(step),
      entries_(space.jet().entries()),
      has_power_(space.jet().has_power()),
      jet_(space.jet().at(pair.stages, space.parameters())),
      q_(size_, S(0)),
      q_remainder_(q_),
      p_(q_),
      p_remainder_(q_),
      x_(unknowns(), S(0)),
      extent_(q_) {}

template <class S>
void partitioned_action<S>::set_step(const S& step) {
  step_ = step;
}

template <class S>
void partitioned_action<S>::start(const S& t, std::span<const S> q, std::span<const S> q_remainder,
                                  std::span<const S> p, std::span<const S> p_remainder) {
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(q_remainder, q_remainder_.begin());
  std::ranges::copy(p, p_.begin());
  std::ranges::copy(p_remainder, p_remainder_.begin());
  for (std::size_t i = 0; i < pair_->stages; ++i) jet_.time()[i] = t + pair_->node[i] * step_;
}

template <class S>
void partitioned_action<S>::add_over_stages(const split_coefficients<S>& coefficients, std::size_t row, const S* values,
                                            std::size_t stride, S& sum) {
  const auto add_terms = [&](const matrix<S>& factor) {
    for (std::size_t j = 0; j < pair_->stages; ++j) {
      in_place::add_product<S>(sum, factor(row, j), values[j * stride], product_);
    }
  };
  add_terms(coefficients.tail);
  add_terms(coefficients.head);
}

template <class S>
void partitioned_action<S>::evaluate(std::span<const S> x, bool with_jacobian) {
  const std::size_t n = size_;
  std::ranges::copy(x, x_.begin());
  for (std::size_t a = 0; a < n; ++a) {
    in_place::set_zero(extent_[a]);
    for (std::size_t i = 0; i < pair_->stages; ++i) {
      in_place::raise_to_size(extent_[a], x[i * n + a]);
      sum_ = q_remainder_[a];
      add_over_stages(pair_->position, i, &x_[a], n, sum_);
      in_place::add(jet_.position(a)[i], q_[a], sum_);
      in_place::divide(jet_.velocity(a)[i], x[i * n + a], step_);
    }
  }
  with_jacobian ? jet_.evaluate_second() : jet_.evaluate_first();
}

template <class S>
void partitioned_action<S>::residual(std::span<S> r) {
  for (std::size_t i = 0; i < pair_->stages; ++i) {
    for (std::size_t a = 0; a < size_; ++a) {
      in_place::set_zero(sum_);
      add_over_stages(pair_->momentum, i, jet_.force(a), 1, sum_);
      in_place::multiply(sum_, step_, sum_);
      S& rest = r[i * size_ + a];
      in_place::subtract(rest, jet_.momentum(a)[i], p_[a]);
      in_place::subtract(rest, rest, p_remainder_[a]);
      in_place::subtract(rest, rest, sum_);
    }
  }
}

// ∂R_i/∂X_k = P_q a_ik + P_v δ_ik/h − h Σ_j â_ij G_q a_jk − â_ik G_v, each derivative at the stage of its index.
template <class S>
void partitioned_action<S>::jacobian(matrix<S>& J) {
  const std::size_t s = pair_->stages, n = size_;
  const matrix<S>&a = pair_->position.head, &b = pair_->momentum.head;
  J.set_zero();
  for (const jet_entry& e : entries_) {
    const S* entry = jet_.entry(e);
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < s; ++k) {
        S& target = J(i * n + e.row, k * n + e.column);
        switch (e.block) {
          case jet_block::momentum_q: target += entry[i] * a(i, k); break;
          case jet_block::momentum_v:
            if (i == k) target += entry[i] / step_;
            break;
          case jet_block::force_v: target -= b(i, k) * entry[k]; break;
          case jet_block::force_q:
            in_place::set_zero(sum_);
            for (std::size_t j = 0; j < s; ++j) sum_ += b(i, j) * entry[j] * a(j, k);
            target -= step_ * sum_;
        }
      }
    }
  }
}

template <class S>
S partitioned_action<S>::weight(std::size_t j) {
  using std::abs;
  const std::size_t a = j % size_;
  const S size = extent_[a] + S(1e-3) * abs(q_[a]);
  return size > S(0) ? size : S(abs(step_));
}

// P and h Σ â G in their last places, and what the last places of their arguments make of them.
template <class S>
void partitioned_action<S>::rounding(std::span<S> r) {
  using std::abs;
  const std::size_t s = pair_->stages, n = size_;
  const auto add = [&](std::size_t j, std::size_t a, bool of_force, const S& size) {
    if (!of_force) r[j * n + a] += size;
    for (std::size_t i = 0; of_force && i < s; ++i) r[i * n + a] += abs(S(step_ * pair_->momentum.head(i, j))) * size;
  };
  std::ranges::fill(r, S(0));
  for (std::size_t j = 0; j < s; ++j) {
    for (std::size_t a = 0; a < n; ++a) {
      add(j, a, true, abs(jet_.force(a)[j]));
      add(j, a, false, abs(jet_.momentum(a)[j]) + abs(p_[a]));
    }
    for (const jet_entry& e : entries_) {
      const bool by_q = e.block == jet_block::force_q || e.block == jet_block::momentum_q;
      const bool of_force = e.block == jet_block::force_q || e.block == jet_block::force_v;
      const S argument = abs(by_q ? jet_.position(e.column)[j] : jet_.velocity(e.column)[j]);
      add(j, e.row, of_force, abs(jet_.entry(e)[j]) * argument);
    }
  }
  const S smallest = std::same_as<S, multi> ? S(0) : std::numeric_limits<S>::min();
  for (S& x : r) x = epsilon<S>() * x + smallest;
}

template <class S>
void partitioned_action<S>::position_increment(std::span<const S> x, std::span<S> dq) {
  for (std::size_t a = 0; a < size_; ++a) {
    in_place::set_zero(dq[a]);
    add_over_stages(pair_->weights, 0, &x[a], size_, dq[a]);
  }
}

template <class S>
void partitioned_action<S>::momentum_increment(std::span<S> dp) {
  for (std::size_t a = 0; a < size_; ++a) {
    in_place::set_zero(dp[a]);
    add_over_stages(pair_->weights, 0, jet_.force(a), 1, dp[a]);
    in_place::multiply(dp[a], step_, dp[a]);
  }
}

template <class S>
S partitioned_action<S>::work() {
  if (!has_power_) return S(0);
  in_place::set_zero(sum_);
  add_over_stages(pair_->weights, 0, jet_.power(), 1, sum_);
  return step_ * sum_;
}

template <class S>
void partitioned_action<S>::left_jacobian(matrix<S>& B) const {
  const std::size_t s = pair_->stages, n = size_;
  B.set_zero();
  for (const jet_entry& e : entries_) {
    const S* entry = jet_.entry(e);
    for (std::size_t i = 0; i < s; ++i) {
      S& target = B(i * n + e.row, e.column);
      if (e.block == jet_block::momentum_q) target += entry[i];
      if (e.block != jet_block::force_q) continue;
      for (std::size_t j = 0; j < s; ++j) target -= step_ * pair_->momentum.head(i, j) * entry[j];
    }
  }
}

template <class S>
void partitioned_action<S>::momentum_jacobian(matrix<S>& by_left, matrix<S>& by_unknowns) const {
  const std::size_t s = pair_->stages, n = size_;
  by_left.set_zero();
  by_unknowns.set_zero();
  for (const jet_entry& e : entries_) {
    if (e.block != jet_block::force_q && e.block != jet_block::force_v) continue;
    const bool by_position = e.block == jet_block::force_q;
    for (std::size_t i = 0; i < s; ++i) {
      const S part = pair_->weights.head(0, i) * jet_.entry(e)[i];
      if (!by_position) by_unknowns(e.row, i * n + e.column) += part;
      if (!by_position) continue;
      by_left(e.row, e.column) += step_ * part;
      for (std::size_t k = 0; k < s; ++k) {
        by_unknowns(e.row, k * n + e.column) += step_ * part * pair_->position.head(i, k);
      }
    }
  }
}

template <class S>
S partitioned_action<S>::value() {
  jet_.evaluate_value();
  S sum(0);
  for (std::size_t i = 0; i < pair_->stages; ++i) sum += pair_->weights.head(0, i) * jet_.lagrangian()[i];
  return step_ * sum;
}

#define ACTIO_INSTANTIATE(S) template class partitioned_action<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
