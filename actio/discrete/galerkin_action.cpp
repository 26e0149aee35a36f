#include "actio/discrete/galerkin_action.hpp"

#include <algorithm>
#include <limits>

#include "actio/base/in_place.hpp"
#include "actio/mechanics/recursive_jet.hpp"

namespace actio {

namespace {

// The remainders of rounded coefficients matter in fixed precisions; in MPFR they are below the last digit asked for.
template <class S>
constexpr bool has_tail = !is_mpfr<S>;

}  // namespace

template <class S>
galerkin_action<S>::galerkin_action(const galerkin_tableau<S>& tableau, const lagrangian_jet<S>& jet,
                                    const shared_parameters<S>& parameters, const S& step)
    : tableau_(&tableau),
      size_(jet.size()),
      step_(step),
      entries_(jet.entries()),
      has_power_(jet.has_power()),
      jet_(jet.at(tableau.points, parameters)),
      q_(size_, S(0)),
      q_remainder_(size_, S(0)),
      p_(size_, S(0)),
      p_remainder_(size_, S(0)),
      z_(unknowns(), S(0)),
      shifted_(size_ * tableau.points, S(0)),
      extent_(size_, S(0)) {
  tabulate_products();
}

template <class S>
void galerkin_action<S>::set_step(const S& step) {
  step_ = step;
  tabulate_products();
}

template <class S>
void galerkin_action<S>::tabulate_products() {
  const std::size_t s = tableau_->degree, points = tableau_->points;
  const matrix<S>&value = tableau_->value.head, &slope = tableau_->slope.head;
  for (auto& table : products_) table.assign(s * s * points, S(0));
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t l = 1; l <= s; ++l) {
      for (std::size_t i = 0; i < points; ++i) {
        const std::size_t at = (k * s + l - 1) * points + i;
        const S& b = tableau_->weight[i];
        products_[static_cast<int>(jet_block::force_q)][at] = step_ * b * value(i, k) * value(i, l);
        products_[static_cast<int>(jet_block::force_v)][at] = b * value(i, k) * slope(i, l);
        products_[static_cast<int>(jet_block::momentum_q)][at] = b * slope(i, k) * value(i, l);
        products_[static_cast<int>(jet_block::momentum_v)][at] = b * slope(i, k) * slope(i, l) / step_;
      }
    }
  }
}

template <class S>
void galerkin_action<S>::start(const S& t, std::span<const S> q, std::span<const S> q_remainder, std::span<const S> p,
                               std::span<const S> p_remainder) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(q_remainder.begin(), q_remainder.end(), q_remainder_.begin());
  std::copy(p.begin(), p.end(), p_.begin());
  std::copy(p_remainder.begin(), p_remainder.end(), p_remainder_.begin());
  for (std::size_t i = 0; i < tableau_->points; ++i) {
    S& time = jet_.time()[i];
    in_place::multiply(time, tableau_->node[i], step_);
    in_place::add(time, t, time);
  }
}

template <class S>
void galerkin_action<S>::place_nodes() {
  const std::size_t s = tableau_->degree, points = tableau_->points, n = size_;
  for (std::size_t a = 0; a < n; ++a) {
    S* q = jet_.position(a);
    S* v = jet_.velocity(a);
    in_place::set_zero(extent_[a]);
    for (std::size_t k = 1; k <= s; ++k) in_place::raise_to_size(extent_[a], z_[(k - 1) * n + a]);
    for (std::size_t i = 0; i < points; ++i) {
      in_place::working<S> dq = dq_, dv = dv_;
      dq = q_remainder_[a];
      in_place::set_zero(dv);
      const auto add_terms = [&](const matrix<S>& value, const matrix<S>& slope) {
        for (std::size_t k = 1; k <= s; ++k) {
          in_place::add_product<S>(dq, value(i, k), z_[(k - 1) * n + a], product_);
          in_place::add_product<S>(dv, slope(i, k), z_[(k - 1) * n + a], product_);
        }
      };
      if constexpr (has_tail<S>) add_terms(tableau_->value.tail, tableau_->slope.tail);
      add_terms(tableau_->value.head, tableau_->slope.head);
      in_place::add<S>(q[i], q_[a], dq);
      in_place::divide<S>(v[i], dv, step_);
    }
  }
}

template <class S>
void galerkin_action<S>::evaluate(std::span<const S> z, bool with_jacobian) {
  const std::size_t points = tableau_->points, n = size_;
  std::copy(z.begin(), z.end(), z_.begin());
  if (!with_fixed_sizes([&](auto sizes) { fixed_place_nodes(sizes); })) place_nodes();
  with_jacobian ? jet_.evaluate_second() : jet_.evaluate_first();
  for (std::size_t a = 0; a < n; ++a) {
    const S* P = jet_.momentum(a);
    for (std::size_t i = 0; i < points; ++i) {
      S& shifted = shifted_[a * points + i];
      in_place::subtract(shifted, P[i], p_[a]);
      in_place::subtract(shifted, shifted, p_remainder_[a]);
    }
  }
}

// The same operations in the same order as place_nodes and residual, with numbers of points and degrees that are known
// when this is compiled.
template <class S>
template <class Use>
bool galerkin_action<S>::with_fixed_sizes([[maybe_unused]] Use&& use) {
  if constexpr (std::same_as<S, double>) {
    switch (tableau_->degree * 16 + tableau_->points) {
      case 0x12: return use(fixed_sizes<1, 2>{}), true;
      case 0x23: return use(fixed_sizes<2, 3>{}), true;
      case 0x34: return use(fixed_sizes<3, 4>{}), true;
      case 0x45: return use(fixed_sizes<4, 5>{}), true;
      default: break;
    }
  }
  return false;
}

template <class S>
template <std::size_t D, std::size_t P>
void galerkin_action<S>::fixed_place_nodes(fixed_sizes<D, P>) {
  using std::abs;
  S value[2][P][D], slope[2][P][D];
  for (std::size_t i = 0; i < P; ++i) {
    for (std::size_t k = 0; k < D; ++k) {
      value[0][i][k] = tableau_->value.tail(i, k + 1);
      value[1][i][k] = tableau_->value.head(i, k + 1);
      slope[0][i][k] = tableau_->slope.tail(i, k + 1);
      slope[1][i][k] = tableau_->slope.head(i, k + 1);
    }
  }
  const S step = step_;
  const std::size_t n = size_;
  for (std::size_t a = 0; a < n; ++a) {
    S z[D], extent(0);
    for (std::size_t k = 0; k < D; ++k) {
      z[k] = z_[k * n + a];
      extent = std::max<S>(extent, abs(z[k]));
    }
    extent_[a] = extent;
    S *const q = jet_.position(a), *const v = jet_.velocity(a);
    const S from = q_[a], remainder = q_remainder_[a];
    for (std::size_t i = 0; i < P; ++i) {
      S dq = remainder, dv(0);
      for (std::size_t part = 0; part < 2; ++part) {
        for (std::size_t k = 0; k < D; ++k) {
          dq += value[part][i][k] * z[k];
          dv += slope[part][i][k] * z[k];
        }
      }
      q[i] = from + dq;
      v[i] = dv / step;
    }
  }
}

template <class S>
template <std::size_t D, std::size_t P>
void galerkin_action<S>::fixed_residual(fixed_sizes<D, P>, std::span<S> r) {
  S value[2][D][P], slope[2][D][P];
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t i = 0; i < P; ++i) {
      value[0][k][i] = tableau_->weighted_value.tail(k, i);
      value[1][k][i] = tableau_->weighted_value.head(k, i);
      slope[0][k][i] = tableau_->weighted_slope.tail(k, i);
      slope[1][k][i] = tableau_->weighted_slope.head(k, i);
    }
  }
  const S step = step_;
  const std::size_t n = size_;
  for (std::size_t a = 0; a < n; ++a) {
    S force[P], shifted[P];
    std::copy_n(jet_.force(a), P, force);
    std::copy_n(&shifted_[a * P], P, shifted);
    for (std::size_t k = 0; k < D; ++k) {
      S by_force(0), by_momentum(0);
      for (std::size_t part = 0; part < 2; ++part) {
        for (std::size_t i = 0; i < P; ++i) {
          by_force += value[part][k][i] * force[i];
          by_momentum += slope[part][k][i] * shifted[i];
        }
      }
      r[k * n + a] = step * by_force + by_momentum;
    }
  }
}

template <class S>
void galerkin_action<S>::add_over_nodes(const split_coefficients<S>& coefficients, std::size_t row, const S* values,
                                        S& sum) {
  in_place::working<S> total = sum;
  const auto add_terms = [&](const matrix<S>& factor) {
    for (std::size_t i = 0; i < tableau_->points; ++i) {
      in_place::add_product<S>(total, factor(row, i), values[i], product_);
    }
  };
  if constexpr (has_tail<S>) add_terms(coefficients.tail);
  add_terms(coefficients.head);
  if constexpr (!is_mpfr<S>) sum = total;
}

template <class S>
void galerkin_action<S>::residual(std::span<S> r) {
  if (with_fixed_sizes([&](auto sizes) { fixed_residual(sizes, r); })) return;
  for (std::size_t k = 0; k < tableau_->degree; ++k) {
    for (std::size_t a = 0; a < size_; ++a) {
      S& by_force = r[k * size_ + a];
      in_place::set_zero(by_force);
      in_place::set_zero(sum_);
      add_over_nodes(tableau_->weighted_value, k, jet_.force(a), by_force);
      add_over_nodes(tableau_->weighted_slope, k, &shifted_[a * tableau_->points], sum_);
      in_place::multiply(by_force, step_, by_force);
      in_place::add(by_force, by_force, sum_);
    }
  }
}

// φ_k and φ_k'/h at the nodes, of the unknowns z_1 … z_s and of the equations R_0 … R_(s−1).
template <class S>
typename recursive_equations<S>::basis galerkin_action<S>::node_basis() const {
  const std::size_t s = tableau_->degree, points = tableau_->points;
  typename recursive_equations<S>::basis tables{matrix<S>(points, s), matrix<S>(points, s), matrix<S>(points, s),
                                                matrix<S>(points, s)};
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t k = 0; k < s; ++k) {
      tables.value(i, k) = tableau_->value.head(i, k + 1);
      tables.slope(i, k) = tableau_->slope.head(i, k + 1) / step_;
      tables.test_value(i, k) = tableau_->value.head(i, k);
      tables.test_slope(i, k) = tableau_->slope.head(i, k) / step_;
    }
  }
  return tables;
}

template <class S>
recursive_equations<S> galerkin_action<S>::equations_of_recursions() const {
  return recursive_equations<S>(jet_.recursive()->code().layout(), node_basis(), true);
}

// Σ_i h b_i (φ_k, φ_k'/h)ᵀ [G_q G_v; P_q P_v] (φ_l, φ_l'/h).
template <class S>
void galerkin_action<S>::jacobian(recursive_equations<S>& J) {
  const recursive_jet<S>& jet = *jet_.recursive();
  node_weights_.clear();
  for (const S& b : tableau_->weight) node_weights_.push_back(step_ * b);
  J.set_basis(node_basis());
  J.set(jet.form(), node_weights_, jet.slopes(), jet.slope_rates());
}

// Sums along recursions are rounded where they are large, however small their ends are.
template <class S>
void galerkin_action<S>::add_recursive_rounding(std::span<S> r) {
  using std::abs;
  const std::size_t s = tableau_->degree, points = tableau_->points, n = size_;
  auto sizes = jet_.recursive()->motion();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t i = 0; i < points; ++i) {
      sizes.position[a * points + i] = abs(jet_.position(a)[i]);
      sizes.velocity[a * points + i] = abs(jet_.velocity(a)[i]);
    }
  }
  jet_.recursive()->product(sizes, true);
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t i = 0; i < points; ++i) {
        r[k * n + a] += abs(S(step_ * tableau_->weighted_value.head(k, i))) * sizes.force[a * points + i] +
                        abs(tableau_->weighted_slope.head(k, i)) * sizes.momentum[a * points + i];
      }
    }
  }
}

template <class S>
S galerkin_action<S>::weight(std::size_t j) {
  using std::abs;
  const std::size_t a = j % size_;
  const S size = extent_[a] + S(1e-3) * abs(q_[a]);
  return size > S(0) ? size : S(abs(step_));
}

// G and P in their last places, and what the last places of their arguments make of them. Numbers too small for all
// their digits are rounded to a multiple of the smallest.
template <class S>
void galerkin_action<S>::rounding(std::span<S> r) {
  using std::abs;
  const std::size_t s = tableau_->degree, points = tableau_->points, n = size_;
  const auto add = [&](std::size_t i, std::size_t a, bool of_force, const S& size) {
    for (std::size_t k = 0; k < s; ++k) {
      const S factor = of_force ? S(step_ * tableau_->weighted_value.head(k, i)) : tableau_->weighted_slope.head(k, i);
      r[k * n + a] += abs(factor) * size;
    }
  };
  const auto terms_of_velocity = [&](std::size_t i, std::size_t a) {
    S sum(0);
    for (std::size_t k = 1; k <= s; ++k) sum += abs(S(tableau_->slope.head(i, k) * z_[(k - 1) * n + a]));
    return S(sum / step_);
  };
  std::fill(r.begin(), r.end(), S(0));
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t a = 0; a < n; ++a) {
      add(i, a, true, abs(jet_.force(a)[i]));
      add(i, a, false, abs(jet_.momentum(a)[i]) + abs(p_[a]));
    }
    for (const jet_entry& e : entries_) {
      const bool by_q = e.block == jet_block::force_q || e.block == jet_block::momentum_q;
      const bool of_force = e.block == jet_block::force_q || e.block == jet_block::force_v;
      const S argument = by_q ? S(abs(jet_.position(e.column)[i])) : terms_of_velocity(i, e.column);
      add(i, e.row, of_force, abs(jet_.entry(e)[i]) * argument);
    }
  }
  if (jet_.recursive() != nullptr) add_recursive_rounding(r);
  const S smallest = std::same_as<S, multi> ? S(0) : std::numeric_limits<S>::min();
  for (S& x : r) x = epsilon<S>() * x + smallest;
}

template <class S>
S galerkin_action<S>::reach(std::size_t j) {
  using std::abs;
  const std::size_t a = j % size_;
  for (const jet_entry& e : entries_) {
    if (e.block != jet_block::momentum_v || e.row != a || e.column != a) continue;
    const S& mass = jet_.entry(e)[0];
    return mass == S(0) ? S(0) : S(abs(S(step_ * p_[a] / mass)));
  }
  return S(0);
}

template <class S>
void galerkin_action<S>::momentum_increment(std::span<S> dp) {
  for (std::size_t a = 0; a < size_; ++a) {
    in_place::set_zero(dp[a]);
    add_over_nodes(tableau_->weights, 0, jet_.force(a), dp[a]);
    in_place::multiply(dp[a], step_, dp[a]);
  }
}

template <class S>
S galerkin_action<S>::work() {
  if (!has_power_) return S(0);
  in_place::set_zero(sum_);
  add_over_nodes(tableau_->weights, 0, jet_.power(), sum_);
  return step_ * sum_;
}

template <class S>
void galerkin_action<S>::left_jacobian(matrix<S>& B) const {
  if (jet_.recursive() != nullptr) return left_jacobian_of_recursions(B);
  const std::size_t n = size_;
  B.set_zero();
  for (const jet_entry& e : entries_) {
    const bool of_force = e.block == jet_block::force_q;
    if (!of_force && e.block != jet_block::momentum_q) continue;
    const S* entry = jet_.entry(e);
    const matrix<S>& factor = of_force ? tableau_->weighted_value.head : tableau_->weighted_slope.head;
    for (std::size_t k = 0; k < tableau_->degree; ++k) {
      S sum(0);
      for (std::size_t i = 0; i < tableau_->points; ++i) sum += factor(k, i) * entry[i];
      B(k * n + e.row, e.column) += of_force ? S(step_ * sum) : sum;
    }
  }
}

// Column by column: what moves with Q_0, all nodes alike.
template <class S>
void galerkin_action<S>::left_jacobian_of_recursions(matrix<S>& B) const {
  const std::size_t n = size_, points = tableau_->points;
  auto along = jet_.recursive()->motion();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t i = 0; i < points; ++i) along.position[a * points + i] = S(1);
    jet_.recursive()->product(along);
    for (std::size_t k = 0; k < tableau_->degree; ++k) {
      for (std::size_t b = 0; b < n; ++b) {
        S sum(0);
        for (std::size_t i = 0; i < points; ++i) {
          sum += step_ * tableau_->weighted_value.head(k, i) * along.force[b * points + i] +
                 tableau_->weighted_slope.head(k, i) * along.momentum[b * points + i];
        }
        B(k * n + b, a) = sum;
      }
    }
    for (std::size_t i = 0; i < points; ++i) along.position[a * points + i] = S(0);
  }
}

template <class S>
void galerkin_action<S>::momentum_change(std::span<const S> dz, std::span<S> dp) const {
  const std::size_t n = size_, points = tableau_->points;
  auto along = jet_.recursive()->motion();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t l = 1; l <= tableau_->degree; ++l) {
        along.position[a * points + i] += tableau_->value.head(i, l) * dz[(l - 1) * n + a];
        along.velocity[a * points + i] += tableau_->slope.head(i, l) * dz[(l - 1) * n + a] / step_;
      }
    }
  }
  jet_.recursive()->product(along);
  for (std::size_t a = 0; a < n; ++a) {
    dp[a] = S(0);
    for (std::size_t i = 0; i < points; ++i) dp[a] += step_ * tableau_->weight[i] * along.force[a * points + i];
  }
}

// With Q_0 and with z, column by column.
template <class S>
void galerkin_action<S>::momentum_jacobian_of_recursions(matrix<S>& by_left, matrix<S>& by_increments) const {
  const std::size_t n = size_, points = tableau_->points;
  std::vector<S> dz(unknowns(), S(0)), dp(n, S(0));
  for (std::size_t j = 0; j < dz.size(); ++j) {
    dz[j] = S(1);
    momentum_change(dz, dp);
    for (std::size_t a = 0; a < n; ++a) by_increments(a, j) = dp[a];
    dz[j] = S(0);
  }
  auto along = jet_.recursive()->motion();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < points; ++i) along.position[j * points + i] = S(1);
    jet_.recursive()->product(along);
    for (std::size_t a = 0; a < n; ++a) {
      by_left(a, j) = S(0);
      for (std::size_t i = 0; i < points; ++i) {
        by_left(a, j) += step_ * tableau_->weight[i] * along.force[a * points + i];
      }
    }
    for (std::size_t i = 0; i < points; ++i) along.position[j * points + i] = S(0);
  }
}

template <class S>
void galerkin_action<S>::momentum_jacobian(matrix<S>& by_left, matrix<S>& by_increments) const {
  if (jet_.recursive() != nullptr) return momentum_jacobian_of_recursions(by_left, by_increments);
  const std::size_t n = size_;
  by_left.set_zero();
  by_increments.set_zero();
  for (const jet_entry& e : entries_) {
    if (e.block != jet_block::force_q && e.block != jet_block::force_v) continue;
    const bool by_position = e.block == jet_block::force_q;
    const S* entry = jet_.entry(e);
    const matrix<S>& factor = by_position ? tableau_->value.head : tableau_->slope.head;
    for (std::size_t i = 0; i < tableau_->points; ++i) {
      const S part = (by_position ? S(step_ * tableau_->weight[i]) : tableau_->weight[i]) * entry[i];
      if (by_position) by_left(e.row, e.column) += part;
      for (std::size_t l = 1; l <= tableau_->degree; ++l) {
        by_increments(e.row, (l - 1) * n + e.column) += part * factor(i, l);
      }
    }
  }
}

#define ACTIO_INSTANTIATE(S) template class galerkin_action<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
