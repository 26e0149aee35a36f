#include "actio/simulate/nearest_position.hpp"

#include <algorithm>

#include "actio/base/largest.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/base/symmetric.hpp"
#include "actio/mechanics/held_groups.hpp"

namespace actio {

namespace {

// Notation: q0 the start, d = q − q0, f = ½ d·M d, A = ∂g/∂q, λ the multipliers of the Lagrange function f + λ·g,
// W = ∂²(λ·g)/∂q². All positions at which f is compared satisfy the constraints.
template <class S>
class nearest_search {
 public:
  nearest_search(const phase_space<S>& space, std::span<const S> start, const S& time)
      : map_(*space.constraints()),
        n_(start.size()),
        m_(map_.size()),
        q0_(start.begin(), start.end()),
        held_(map_.at(1, space.parameters())),
        equations_(held_groups(space, 1)),
        x_(n_ + m_, S(0)) {
    jet_evaluation<S> jet = space.jet().at(1, space.parameters());
    for (std::size_t i = 0; i < n_; ++i) *jet.position(i) = q0_[i];
    *jet.time() = *held_.time() = time;
    jet.evaluate_mass();
    for (const jet_entry& e : space.jet().entries()) {
      if (e.block == jet_block::momentum_v) mass_.push_back({e.row, e.column, *jet.entry(e)});
    }
    for (const constraint_entry& e : map_.hessian()) bend_.push_back({e.row, e.column, S(0)});
    extent_ = largest(q0_);
  }

  // The descent from q0 may end at a minimum that is not the nearest, or nowhere; others begin beside q0, as far away.
  std::optional<std::vector<S>> find() {
    constexpr std::size_t most_coordinates = 12;  // whose directions are tried
    std::optional<std::vector<S>> best = descent_from(q0_);
    const S away = best ? moved(*best) : extent_ > S(0) ? extent_ : S(1);
    if (n_ > most_coordinates || (best && away <= extent_ / S(1000))) return best;
    for (std::size_t k = 0; k < 2 * n_; ++k) {
      std::vector<S> q = q0_;
      q[k / 2] += k % 2 == 0 ? away : S(-away);
      std::optional<std::vector<S>> other = descent_from(std::move(q));
      const S clearly = S(1) - S(1e-6);  // of two that are as near, the first stays
      if (other && (!best || distance(*other) < clearly * distance(*best))) best = std::move(other);
    }
    return best;
  }

 private:
  std::optional<std::vector<S>> descent_from(std::vector<S> q) {
    using std::sqrt;
    constexpr int most_iterations = 200;
    if (!reach(q)) return {};
    const S small = sqrt(epsilon<S>());
    S previous(0);
    for (int k = 0; k < most_iterations; ++k) {
      std::vector<S> direct, newton;
      if (!directions(q, direct, newton)) return {};
      const S size = largest(newton);
      extent_ = std::max<S>(largest(q), largest(q0_));
      const bool is_small = size <= small * extent_;
      if (size <= S(4) * epsilon<S>() * extent_ || (is_small && k > 0 && S(2) * size > previous)) {
        if (!leave_saddle(q)) return q;
        previous = S(0);
        continue;
      }
      previous = size;
      // Of so short a step the decrease of f is lost in rounding.
      if (is_small ? !go(q, newton) : !descend(q, newton) && !descend(q, direct)) return {};
    }
    return {};
  }

  static S largest(const std::vector<S>& values) { return largest_size<S>(values); }

  // g, A and W; false where they are not finite.
  bool evaluate(const std::vector<S>& q) {
    for (std::size_t i = 0; i < n_; ++i) *held_.position(i) = q[i];
    held_.evaluate_second();
    for (std::size_t c = 0; c < m_; ++c) {
      if (!is_finite(*held_.value(c))) return false;
    }
    return std::ranges::all_of(map_.jacobian(), [&](const constraint_entry& e) { return is_finite(*held_.entry(e)); });
  }

  // The largest |g_c| beside the slope that constraint c had when `slopes_` were last set: about a distance.
  S violation() const {
    using std::abs;
    S result(0);
    for (std::size_t c = 0; c < m_; ++c) raise_to(result, S(abs(*held_.value(c)) / slopes_[c]));
    return result;
  }

  void set_slopes() {
    using std::abs;
    slopes_.assign(m_, S(0));
    for (const constraint_entry& e : map_.jacobian()) {
      slopes_[e.row] = std::max<S>(slopes_[e.row], abs(*held_.entry(e)));
    }
    for (S& slope : slopes_) slope = slope > S(0) ? slope : S(1);
  }

  // x_ := [H Aᵀ; A 0]⁻¹ x_ with H = M, or M + W, of the last evaluation.
  bool solve(bool with_bend) {
    equations_.set_zero();
    for (const entry& e : mass_) equations_.add(e.row, e.column, e.value);
    for (const entry& e : bend_) equations_.add(e.row, e.column, with_bend ? e.value : S(0));
    for (const constraint_entry& e : map_.jacobian()) {
      equations_.add(n_ + e.row, e.column, *held_.entry(e));
      equations_.add(e.column, n_ + e.row, *held_.entry(e));
    }
    if (!equations_.factorise()) return false;
    equations_.solve_in_place(x_);
    return std::ranges::all_of(x_, [](const S& x) { return is_finite(x); });
  }

  // Moves q to the constraints by Newton's method, each step as short as M allows and halved until it comes nearer.
  bool reach(std::vector<S>& q) {
    constexpr int most_iterations = 60, most_halvings = 30;
    if (!evaluate(q)) return false;
    S previous(0);
    for (int k = 0; k < most_iterations; ++k) {
      set_slopes();
      const S before = violation();
      std::ranges::fill(x_, S(0));
      for (std::size_t c = 0; c < m_; ++c) x_[n_ + c] = -*held_.value(c);
      if (!solve(false)) return false;
      const std::vector<S> from = q, step(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(n_));
      const S size = largest(step), extent = std::max<S>(largest(q), extent_);
      const bool is_rounding = size <= S(2) * epsilon<S>() * extent ||
                               (k > 0 && S(2) * size > previous && size <= S(1000) * epsilon<S>() * extent);
      previous = size;
      S part(1);
      for (int halving = 0;; ++halving, part /= S(2)) {
        for (std::size_t i = 0; i < n_; ++i) q[i] = from[i] + part * step[i];
        const bool is_finite_there = evaluate(q);
        if (is_rounding) return is_finite_there;
        if (is_finite_there && violation() < before * (S(1) - part / S(4))) break;
        if (halving == most_halvings) return false;
      }
    }
    return false;
  }

  std::vector<S> slope_of_distance(const std::vector<S>& q) const {
    std::vector<S> slope(n_, S(0));
    for (const entry& e : mass_) slope[e.row] += e.value * (q[e.column] - q0_[e.column]);
    return slope;
  }

  S distance(const std::vector<S>& q) const {  // f
    const std::vector<S> slope = slope_of_distance(q);
    S sum(0);
    for (std::size_t i = 0; i < n_; ++i) sum += slope[i] * (q[i] - q0_[i]);
    return sum / S(2);
  }

  // Along the constraints: `direct` minimises f on their tangents, `newton` the Lagrange function to second order where
  // that leads downwards, else it is the same.
  bool directions(const std::vector<S>& q, std::vector<S>& direct, std::vector<S>& newton) {
    const std::vector<S> slope = slope_of_distance(q);
    const auto pose = [&] {
      std::ranges::fill(x_, S(0));
      for (std::size_t i = 0; i < n_; ++i) x_[i] = -slope[i];
    };
    const auto moves = [&] { return std::vector<S>(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(n_)); };
    if (!evaluate(q)) return false;
    pose();
    if (!solve(false)) return false;
    direct = moves();
    for (std::size_t c = 0; c < m_; ++c) *held_.multiplier(c) = x_[n_ + c];
    evaluate(q);
    for (std::size_t k = 0; k < bend_.size(); ++k) bend_[k].value = *held_.entry(map_.hessian()[k]);
    pose();
    newton = direct;
    if (!solve(true)) return true;
    const std::vector<S> second = moves();
    S bowl(0);  // δ·H δ: what f falls by to first order, without the cancellation of that sum
    for (const auto* part : {&mass_, &bend_}) {
      for (const entry& e : *part) bowl += second[e.row] * e.value * second[e.column];
    }
    if (bowl >= S(0)) newton = second;
    return true;
  }

  bool go(std::vector<S>& q, const std::vector<S>& step) {
    std::vector<S> there = q;
    for (std::size_t i = 0; i < n_; ++i) there[i] += step[i];
    if (!reach(there)) return false;
    q = std::move(there);
    return true;
  }

  // Goes as far along `step` as brings q nearer to q0.
  bool descend(std::vector<S>& q, const std::vector<S>& step) {
    constexpr int most_halvings = 40;
    const S before = distance(q);
    std::vector<S> part = step;
    for (int halving = 0; halving <= most_halvings; ++halving) {
      std::vector<S> there = q;
      if (go(there, part) && distance(there) < before) {
        q = std::move(there);
        return true;
      }
      for (S& x : part) x /= S(2);
    }
    return false;
  }

  // Where f does not change to first order but falls to second order, goes that way. Where equations are sparse nothing
  // is asked: the way would need all modes.
  bool leave_saddle(std::vector<S>& q) {
    using std::abs, std::sqrt;
    if (equations_.is_sparse()) return false;
    matrix<S> hessian(n_, n_), stiffened(n_, n_), slopes(m_, n_);
    S size(0);
    for (const auto* part : {&mass_, &bend_}) {
      for (const entry& e : *part) hessian(e.row, e.column) += e.value;
    }
    for (const S& h : hessian.data()) size = std::max<S>(size, abs(h));
    evaluate(q);
    for (const constraint_entry& e : map_.jacobian()) slopes(e.row, e.column) = *held_.entry(e);
    for (std::size_t c = 0; c < m_; ++c) {  // rows of length one, so that units of constraints do not matter
      S square(0);
      for (std::size_t j = 0; j < n_; ++j) square += slopes(c, j) * slopes(c, j);
      for (std::size_t j = 0; j < n_; ++j) slopes(c, j) /= sqrt(square);
    }
    // H + ρ AᵀA is positive definite only if H is so along the constraints.
    const matrix<S> across = transpose(slopes) * slopes;
    for (std::size_t k = 0; k < n_ * n_; ++k) {
      stiffened.data()[k] = hessian.data()[k] + S(1000) * size * across.data()[k];
    }
    if (definiteness_of(stiffened) != definiteness::indefinite) return false;
    const matrix<S> along = tangent_projection(slopes);
    if (along.rows() == 0) return false;
    const eigen_pairs<S> modes = symmetric_eigen(matrix<S>(along * hessian * along));
    if (!(modes.values.front() < S(-1000) * epsilon<S>() * size)) return false;
    std::vector<S> way(n_);
    for (std::size_t i = 0; i < n_; ++i) way[i] = modes.vectors(i, 0);
    const auto strongest = std::ranges::max_element(way, {}, [](const S& x) { return S(abs(x)); });
    const S length = moved(q) * (*strongest > S(0) ? S(1) : S(-1));  // the sign that makes the choice the same always
    for (S& x : way) x *= length;
    return descend(q, way);
  }

  S moved(const std::vector<S>& q) const {
    std::vector<S> d = q;
    for (std::size_t i = 0; i < n_; ++i) d[i] -= q0_[i];
    return largest(d);
  }

  // 1 − Aᵀ(AAᵀ)⁻¹A, or nothing where the rows of A depend on one another.
  matrix<S> tangent_projection(const matrix<S>& slopes) const {
    lu_factorisation<S> gram(m_);
    if (!gram.factorise(slopes * transpose(slopes))) return {};
    matrix<S> along = matrix<S>::identity(n_);
    std::vector<S> column(m_);
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t c = 0; c < m_; ++c) column[c] = slopes(c, j);
      gram.solve_in_place(column);
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t c = 0; c < m_; ++c) along(i, j) -= slopes(c, i) * column[c];
      }
    }
    return along;
  }

  struct entry {
    std::uint32_t row, column;
    S value;
  };

  const constraint_map<S>& map_;
  std::size_t n_, m_;
  std::vector<S> q0_;
  constraint_evaluation<S> held_;
  std::vector<entry> mass_, bend_;  // M, W
  saddle_point_solver<S> equations_;
  std::vector<S> x_, slopes_;
  S extent_{0};
};

}  // namespace

template <class S>
std::optional<std::vector<S>> nearest_position(const phase_space<S>& space, std::span<const S> start, const S& time) {
  return nearest_search<S>(space, start, time).find();
}

#define ACTIO_INSTANTIATE(S) \
  template std::optional<std::vector<S>> nearest_position<S>(const phase_space<S>&, std::span<const S>, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
