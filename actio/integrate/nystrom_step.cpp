#include "actio/integrate/nystrom_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/row_operations.hpp"
#include "actio/discrete/nystrom_stages.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

// A number times a split one, split again.
template <class S>
void put_product(const S& factor, const S& head, const S& tail, S& to, S& rest) {
  to = factor * head;
  rest = factor * tail;
  if constexpr (std::same_as<S, double>) rest += std::fma(factor, head, -to);
}

// Follows the contraction of an iteration; what it leaves undone errs to the same side in every step, and must stay far
// below rounding. Changes below some size are rounding: there the series goes on as it was.
class iteration_watch {
 public:
  iteration_watch(double rounding) : clean_(64 * rounding), floor_(rounding / 8192) {}

  // Whether the stages are found, after a change; `k` counts from one.
  bool is_done(double change, int k) {
    if (change <= floor_) return true;
    if (change > clean_ && k > 1) {
      const double rate = change / last_;
      rate_ = std::max(last_rate_, rate);
      last_rate_ = rate;
    }
    missing_ = change > clean_ || k == 1 ? change * rate_ : missing_ * rate_;
    last_ = change;
    return rate_ < 0.5 && missing_ <= floor_;
  }

 private:
  static constexpr double usual_rate = 0x1p-6;  // before one is known
  double clean_, floor_, last_ = 1, missing_ = 1, rate_ = usual_rate, last_rate_ = 0;
};

constexpr int most_iterations = 50, patience = 8;

}  // namespace

template <class S>
bool has_nystrom_form(const phase_space<S>& space) {
  const lagrangian_system& system = space.system();
  if (!system.has_lagrangian() || system.is_constrained() || system.applied_force) return false;
  const element_mass<S> mass(*space.code(), space.parameters());
  return mass.is_constant() && mass.offset_is_constant();
}

// Coefficients of steps of length h.
template <class S>
struct nystrom_step<S>::tables {
  std::vector<S> node;                        // h c_i
  std::vector<S> position, velocity;          // h² α_ij and h a_ij, by rows
  std::vector<S> weight, weight_tail;         // h b_i
  std::vector<S> end, end_tail;               // h, then h² b_i (1 − c_i)
  std::vector<S> continued, continued_twice;  // accelerations of one step and of two, at the nodes of the next
  collocation_tableau<S> gauss;

  tables(std::size_t points, const S& h) : gauss(make_gauss_collocation<S>(points)) {
    const auto& a = gauss.stages.head;
    end = {h};
    end_tail = {S(0)};
    for (std::size_t i = 0; i < points; ++i) {
      node.push_back(h * gauss.node[i]);
      S head, tail;
      put_product<S>(h, gauss.weights.head(0, i), gauss.weights.tail(0, i), head, tail);
      weight.push_back(head);
      weight_tail.push_back(tail);
      // b_i (1 − c_i) = Σ_j b_j a_ji, in two parts each.
      S sum(0), rest(0);
      for (std::size_t j = 0; j < points; ++j) {
        S product, lost;
        put_product<S>(gauss.weights.head(0, j), a(j, i), gauss.stages.tail(j, i), product, lost);
        lost += gauss.weights.tail(0, j) * a(j, i);
        const S all = sum + product, part = all - sum;
        rest += ((sum - (all - part)) + (product - part)) + lost;
        sum = all;
      }
      S once, once_tail, twice, twice_tail;
      put_product<S>(h, sum, rest, once, once_tail);
      put_product<S>(h, once, once_tail, twice, twice_tail);
      end.push_back(twice);
      end_tail.push_back(twice_tail);
      for (std::size_t j = 0; j < points; ++j) {
        S square(0);
        for (std::size_t k = 0; k < points; ++k) square += a(i, k) * a(k, j);
        position.push_back(h * h * square);
        velocity.push_back(h * a(i, j));
        continued.push_back(gauss.extension(i, j));
      }
    }
    std::vector<S> both;  // nodes of the step before, then of the last one
    for (const S& c : gauss.node) both.push_back(c - S(1));
    both.insert(both.end(), gauss.node.begin(), gauss.node.end());
    for (const S& c : gauss.node) {
      const basis_values<S> basis = lagrange_basis<S>(both, S(1) + c);
      continued_twice.insert(continued_twice.end(), basis.value.begin(), basis.value.end());
    }
  }
};

template <class S>
nystrom_step<S>::nystrom_step(std::size_t points, const step_context<S>& context)
    : remembering_step<S>(context),
      points_(points),
      n_(context.space.size()),
      row_((n_ + 7) / 8 * 8),
      context_(context),
      tables_(std::make_unique<const tables>(points, context.step)),
      forces_(*context.space.code(), context.space.parameters()),
      mass_(*context.space.code(), context.space.parameters()),
      stage_(points * row_, S(0)),
      velocities_(forces_.depends_on_velocity() || forces_.has_power() ? points * row_ : 0, S(0)),
      force_(stage_),
      acceleration_(stage_),
      before_(stage_),
      left_(n_, S(0)),
      velocity_(n_, S(0)),
      rest_(n_, S(0)) {
  const auto rows_of = [&](aligned_vector<S>& all) {
    std::vector<S*> rows;
    for (std::size_t i = 0; i < points_ && !all.empty(); ++i) rows.push_back(&all[i * row_]);
    return rows;
  };
  stage_rows_ = rows_of(stage_);
  velocity_rows_ = rows_of(velocities_);
  force_rows_ = rows_of(force_);
}
template <class S>
nystrom_step<S>::~nystrom_step() = default;

template <class S>
galerkin_step<S>& nystrom_step<S>::newton() {
  if (!newton_) {
    newton_ = std::make_unique<galerkin_step<S>>(galerkin_scheme{points_, node_family::gauss, points_}, context_);
  }
  return *newton_;
}

template <class S>
void nystrom_step<S>::parameters_changed() {
  known_ = 0;
  if (newton_) newton_->parameters_changed();
}

// v at the start; false where the mass matrix is singular.
template <class S>
bool nystrom_step<S>::begin(const phase_state<S>& state) {
  std::ranges::copy(state.position.value, left_.begin());
  return mass_.velocity(state.time, state.position.value, state.momentum.value, velocity_);
}

// W at the nodes, from what is known of earlier steps; constant at the very start.
template <class S>
void nystrom_step<S>::guess_accelerations() {
  aligned_vector<S>& next = force_;  // there is nothing in it yet
  for (std::size_t i = 0; i < points_; ++i) {
    std::vector<S*> rows;
    std::span<const S> coefficients;
    if (known_ == 2) {
      for (std::size_t j = 0; j < points_; ++j) rows.push_back(&before_[j * row_]);
      coefficients = std::span<const S>(tables_->continued_twice).subspan(2 * i * points_, 2 * points_);
    } else {
      coefficients = std::span<const S>(tables_->continued).subspan(i * points_, points_);
    }
    for (std::size_t j = 0; j < points_; ++j) rows.push_back(&acceleration_[j * row_]);
    combine_rows<S>(n_, coefficients, rows, rest_.data(), &next[i * row_]);
  }
  std::swap(before_, acceleration_);
  std::swap(acceleration_, next);
  for (std::size_t i = 0; i < points_; ++i) force_rows_[i] = &force_[i * row_];
}

template <class S>
void nystrom_step<S>::find_velocities() {
  std::vector<S*> rows;
  for (std::size_t j = 0; j < points_; ++j) rows.push_back(&acceleration_[j * row_]);
  for (std::size_t i = 0; i < points_; ++i) {
    combine_rows<S>(n_, std::span<const S>(tables_->velocity).subspan(i * points_, points_), rows, velocity_.data(),
                    velocity_rows_[i]);
  }
}

// G and W at the stages.
template <class S>
bool nystrom_step<S>::evaluate_forces(const phase_state<S>& state) {
  const bool with_velocities = forces_.depends_on_velocity();
  if (with_velocities) find_velocities();
  for (std::size_t i = 0; i < points_; ++i) {
    const S t = state.time + tables_->node[i];
    S* const force = &force_[i * row_];
    forces_(t, stage_rows_[i], with_velocities ? velocity_rows_[i] : rest_.data(), force);
    S* const acceleration = &acceleration_[i * row_];
    if (mass_.is_diagonal()) {
      multiply_rows<S>(n_, mass_.inverse_diagonal().data(), force, acceleration);
    } else {
      std::copy_n(force, n_, acceleration);
      mass_.solve_in_place({acceleration, n_});
    }
  }
  return true;
}

template <class S>
typename nystrom_step<S>::outcome nystrom_step<S>::solve(const phase_state<S>& state) {
  std::vector<S*> rows;
  for (std::size_t j = 0; j < points_; ++j) rows.push_back(&acceleration_[j * row_]);
  const nystrom_rows<S> moves{n_,
                              points_,
                              state.position.value.data(),
                              state.position.remainder.data(),
                              velocity_.data(),
                              tables_->node.data(),
                              tables_->position.data(),
                              rows,
                              stage_rows_};
  iteration_watch watch(to_double(epsilon<S>()));
  move_stages<S>(moves);  // to where the guess leads
  double previous = 0;
  for (int k = 1; k <= most_iterations; ++k) {
    iterations_ = k;
    evaluate_forces(state);
    change_ = to_double(move_stages<S>(moves));
    if (!(change_ <= 1e10)) return outcome::not_finite;
    if (watch.is_done(change_, k)) return outcome::converged;
    if (k > patience && change_ >= previous && change_ > 2e4 * to_double(epsilon<S>())) return outcome::slow;
    previous = change_;
  }
  return outcome::slow;
}

template <class S>
step_status nystrom_step<S>::advance(phase_state<S>& state) {
  iterations_ = 0;
  last_by_newton_ = false;
  outcome found = outcome::not_finite;
  if (begin(state)) {
    if (known_ > 0) {
      guess_accelerations();
    } else {
      for (std::size_t i = 0; i < points_; ++i) {
        std::ranges::copy(state.position.value, stage_rows_[i]);
        if (!velocities_.empty()) std::ranges::copy(velocity_, velocity_rows_[i]);
      }
      std::ranges::fill(acceleration_, S(0));
      evaluate_forces(state);
    }
    found = solve(state);
  }
  if (found != outcome::converged) {
    known_ = 0;
    last_by_newton_ = true;
    step_status status = newton().advance(state);
    status.iterations += iterations_;
    status.by_newton = true;
    return status;
  }
  if (forces_.has_power()) find_work(state);
  std::vector<const S*> increments{velocity_.data()}, kicks;
  for (std::size_t j = 0; j < points_; ++j) {
    increments.push_back(&acceleration_[j * row_]);
    kicks.push_back(&force_[j * row_]);
  }
  add_step<S>({n_, tables_->end, tables_->end_tail, increments}, state.position.value.data(),
              state.position.remainder.data());
  add_step<S>({n_, tables_->weight, tables_->weight_tail, kicks}, state.momentum.value.data(),
              state.momentum.remainder.data());
  state.step_on(context_.step);
  known_ = std::min<std::size_t>(known_ + 1, 2);
  return {step_code::ok, iterations_, change_};
}

// The derivatives of the stages' equations are linear, and solved by the same iteration:
//   δQ_i = δq + (h c_i δv + h² Σ_j α_ij δW_j),  δW_i = M⁻¹ ∂G/∂q(Q_i) δQ_i.
template <class S>
bool nystrom_step<S>::move_tangent(const phase_state<S>& state, std::span<S> position, std::span<S> momentum) {
  using std::abs;
  const std::vector<S> kept = this->history();
  const S kept_work = work_;
  phase_state<S> after = state;
  const bool has_stages = advance(after) && !last_by_newton_;
  bool is_finite_so_far = true;
  std::vector<S> velocity(momentum.begin(), momentum.end());
  mass_.solve_in_place(velocity);
  std::vector<std::vector<S>> slope(points_, std::vector<S>(n_, S(0))), acceleration = slope;
  std::vector<S> moved(n_);
  S change(1), size(0);
  for (int k = 0; k < most_iterations && has_stages && is_finite_so_far && change > S(4) * epsilon<S>() * size; ++k) {
    change = size = S(0);
    for (std::size_t i = 0; i < points_; ++i) {
      for (std::size_t c = 0; c < n_; ++c) {
        moved[c] = position[c] + tables_->node[i] * velocity[c];
        for (std::size_t j = 0; j < points_; ++j) {
          moved[c] += tables_->position[i * points_ + j] * acceleration[j][c];
        }
      }
      forces_.slope_along(state.time + tables_->node[i], stage_rows_[i], moved.data(), slope[i].data());
      std::ranges::copy(slope[i], moved.begin());
      mass_.solve_in_place(moved);
      for (std::size_t c = 0; c < n_; ++c) {
        change = std::max<S>(change, abs(S(moved[c] - acceleration[i][c])));
        size = std::max<S>(size, abs(moved[c]));
      }
      acceleration[i] = moved;
      is_finite_so_far = is_finite_so_far && is_finite_row<S>(n_, moved.data());
    }
  }
  const S h = context_.step;
  for (std::size_t c = 0; c < n_ && has_stages; ++c) {
    position[c] += h * velocity[c];
    for (std::size_t j = 0; j < points_; ++j) {
      position[c] += tables_->end[j + 1] * acceleration[j][c];
      momentum[c] += tables_->weight[j] * slope[j][c];
    }
  }
  this->restore_history(kept);
  work_ = kept_work;
  return has_stages && is_finite_so_far && change <= S(1e4) * epsilon<S>() * size;
}

template <class S>
void nystrom_step<S>::find_work(const phase_state<S>& state) {
  find_velocities();
  work_ = S(0);
  for (std::size_t i = 0; i < points_; ++i) {
    const S t = state.time + tables_->node[i];
    work_ += tables_->weight[i] * forces_.power(t, stage_rows_[i], velocity_rows_[i]);
  }
}

template <class S>
S nystrom_step<S>::work() const {
  return last_by_newton_ ? newton_->work() : work_;
}

// q + h x v + h² Σ_j W_j ∫_0^x (x − u) ℓ_j(u) du.
template <class S>
void nystrom_step<S>::interpolate(const S& x, std::span<S> position) {
  if (last_by_newton_) return newton_->interpolate(x, position);
  const quadrature_rule<S> rule = gauss_rule<S>(points_ + 1);
  const S h = context_.step;
  std::vector<S> coefficients(points_ + 1, S(0));
  coefficients[0] = h * x;
  for (std::size_t m = 0; m < rule.size(); ++m) {
    const S u = x * rule.nodes[m];
    const basis_values<S> basis = lagrange_basis<S>(tables_->gauss.node, u);
    for (std::size_t j = 0; j < points_; ++j)
      coefficients[j + 1] += h * h * x * rule.weights[m] * (x - u) * basis.value[j];
  }
  std::vector<S*> rows{velocity_.data()};
  for (std::size_t j = 0; j < points_; ++j) rows.push_back(&acceleration_[j * row_]);
  combine_rows<S>(n_, coefficients, rows, left_.data(), position.data());
}

// Accelerations of steps that are known, then what Newton's method remembers, if it was needed.
template <class S>
void nystrom_step<S>::remember(step_memory<S>& memory) {
  memory.count(known_, 2);
  if (known_ > 1) memory.numbers(before_);
  if (known_ > 0) memory.numbers(acceleration_);
  if (memory.reads() ? !memory.is_at_end() : newton_ != nullptr) memory.inner(newton());
}

#define ACTIO_INSTANTIATE(S)                                \
  template bool has_nystrom_form<S>(const phase_space<S>&); \
  template class nystrom_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
