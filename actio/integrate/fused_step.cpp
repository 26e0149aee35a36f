#include "actio/integrate/fused_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "actio/backend/kernel/newton_shape.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

using namespace kernel::newton_rules;
constexpr double margin = 10;  // as the curvature may grow
// The miss of a prediction times the curvature from which Newton's method may end at another solution; how many times
// larger than promised a miss is after which another order is chosen at once, unless Newton's method does not mind.
constexpr double astray = 1.0 / 8, broken = 64, harmless = 1e-4;
// A first update so small leads nowhere else: it is measured beside the state, the miss of a prediction beside what is
// a thousandth of that or more.
constexpr double surely_near = near_prediction / 2048;
constexpr std::size_t tries = 3;  // orders beyond the best so far that are tried, and beyond the last one
// z_{j+1} ≈ Σ_i (−1)^i C(m + 1, i + 1) z_{j−i} for the orders m.
using extrapolation_table = std::array<std::array<double, newton_rows::depth>, newton_rows::depth>;
constexpr extrapolation_table make_extrapolation() {
  extrapolation_table table{};
  for (std::size_t m = 0; m < newton_rows::depth; ++m) {
    double factor = -1;
    for (std::size_t i = 0; i <= m; ++i) {
      factor *= -(static_cast<double>(m + 1) - static_cast<double>(i)) / static_cast<double>(i + 1);
      table[m][i] = factor;
    }
  }
  return table;
}
constexpr extrapolation_table extrapolation = make_extrapolation();
constexpr std::size_t steps_to_next_choice = 32, steps_after_same_choice = 64, steps_between_checks = 128;

}  // namespace

fused_step::fused_step(const galerkin_scheme& scheme, std::unique_ptr<newton_kernel> kernel,
                       const step_context<double>& context)
    : remembering_step<double>(context),
      tableau_(make_tableau<double>(scheme)),
      step_(context.step),
      kernel_(std::move(kernel)),
      rows_(kernel_->rows()),
      n_(context.space.size()),
      s_(scheme.degree),
      has_power_(context.space.jet().has_power()),
      general_(scheme, context),
      legendre_(context.space),
      velocity_(n_, 0.0),
      continuation_(polynomial_continuation(tableau_)),
      expected_(n_, 0.0),
      differences_(newton_rows::depth * rows_.unknowns(), 0.0),
      per_weight_(n_, 0.0),
      guess_(rows_.unknowns(), 0.0),
      measured_(unknown),
      acceptable_(rounding),
      promised_(unknown),
      acceptable_now_(&number(rows_.acceptable())),
      size_(&number(rows_.size())) {
  fill_table();
  set_factors();
}

// What an update may leave undone is another matter now: the next step looks.
void fused_step::parameters_changed() {
  kernel_->set_parameters(space().parameters(), step_);
  general_.parameters_changed();
  is_steady_ = false;
  until_check_ = 0;
}

// Lanes beyond the nodes repeat the last of them.
void fused_step::fill_table() {
  const std::span<double> table = kernel_->table();
  for (std::size_t lane = 0; lane < rows_.lanes; ++lane) {
    const std::size_t i = std::min(lane, tableau_.points - 1);
    for (std::size_t k = 1; k <= s_; ++k) {
      table[rows_.value(k) + lane] = tableau_.value.head(i, k);
      table[rows_.value_remainder(k) + lane] = tableau_.value.tail(i, k);
      const double head = tableau_.slope.head(i, k), quotient = head / step_;
      table[rows_.slope(k) + lane] = quotient;
      table[rows_.slope_remainder(k) + lane] = (std::fma(-quotient, step_, head) + tableau_.slope.tail(i, k)) / step_;
    }
    table[rows_.node() + lane] = tableau_.node[i] * step_;
  }
}

// How far the momentum increment is from what the last iteration expected of it.
double fused_step::surprise(const phase_state<double>& state) const {
  double largest = 0;
  for (std::size_t a = 0; a < n_; ++a) {
    const double now = number(rows_.increment(a)), size = std::abs(now) + std::abs(state.momentum.value[a]);
    const double difference = std::abs(now - expected_[a]);
    if (difference > largest * size) largest = difference / size;
  }
  return largest;
}

// What an update of size δ leaves undone is about |δ|² times the curvature. Above rounding it shows. Where rounding
// hides it, it is no larger than that, and there is no reason to doubt what was seen before.
void fused_step::learn_curvature(double left_undone, double update) {
  const double seen = std::max(left_undone, noise) / (update * update);
  if (left_undone > noise) measured_ = seen;
  else measured_ = std::min(measured_, seen);
  acceptable_ = rounding;
  if (!has_power_) acceptable_ = std::max(rounding, std::min(last_update, std::sqrt(rounding / margin / measured_)));
}

double fused_step::curvature() const { return measured_ < unknown ? measured_ : 1; }

// How far the solution is from where the first iteration started, beside the unknowns. The kernel does not say what it
// predicted.
double fused_step::missed_by_guess(bool predicted) {
  if (predicted) {
    std::ranges::fill(guess_, 0.0);
    for (std::size_t i = 0; i <= order_; ++i) {
      const std::span<const double> past = kernel_->kept(i + 1);
      for (std::size_t j = 0; j < past.size(); ++j) guess_[j] += extrapolation[order_][i] * past[j];
    }
  }
  const std::span<const double> z = kernel_->solution();
  double largest = 0;
  for (std::size_t a = 0; a < n_; ++a) {
    double miss = 0, extent = 0;
    for (std::size_t j = a; j < z.size(); j += n_) {
      miss = std::max(miss, std::abs(z[j] - guess_[j]));
      extent = std::max(extent, std::abs(z[j]));
    }
    const double size = extent + 1e-3 * std::abs(number(rows_.left(a)));
    if (miss > largest * size) largest = miss / size;
  }
  return largest;
}

// After a first iteration whose update was too large to be the last.
fused_step::solution fused_step::go_on(phase_state<double>& state, const newton_state& left, bool predicted) {
  const double* const expected = &number(rows_.expected(0));
  const double missed = *size_;
  double size = missed;
  *acceptable_now_ = -1;  // what is acceptable is learnt here
  int k = 2;
  double worst = 0;
  if (predicted && !(curvature() * size <= astray)) {  // the last step's polynomial does not lead as far astray
    continue_polynomial(kernel_->kept(1), &number(rows_.unknown()));
    kernel_->iterate(left, false);
    size = *size_;
    predicted = false;
    ++k;
  }
  const double start = size;
  if (!predicted) std::copy_n(&number(rows_.unknown()), rows_.unknowns(), guess_.begin());
  for (; k <= most_iterations; ++k) {
    if (!(size <= largest_update)) return {false, k - 1, missed};
    const double previous = size;
    std::copy_n(expected, n_, expected_.begin());
    std::copy_n(kernel_->solution().data(), rows_.unknowns(), &number(rows_.unknown()));
    kernel_->iterate(left, false);
    size = *size_;
    if (!(size <= largest_update)) return {false, k, missed};
    learn_curvature(std::max(size, surprise(state)), previous);
    if (size > far_above_rounding) worst = std::max(worst, size / previous);
    const bool stalled = size > stalls * previous && size <= std::sqrt(rounding);
    if (size > acceptable_ && !stalled) continue;
    const double first = known_ > 0 && !(start <= surely_near) ? missed_by_guess(predicted) : start;
    const bool is_near = belongs_to_state({newton_outcome::converged, k, size, first, worst}, known_ > 0);
    if (!is_near && !general_.is_connected(state, kernel_->solution())) return {false, k, missed};
    std::copy_n(&number(rows_.position(0)), n_, state.position.value.begin());
    std::copy_n(&number(rows_.position_remainder(0)), n_, state.position.remainder.begin());
    std::copy_n(&number(rows_.momentum(0)), n_, state.momentum.value.begin());
    std::copy_n(&number(rows_.momentum_remainder(0)), n_, state.momentum.remainder.begin());
    return {true, k, missed};
  }
  return {false, most_iterations, missed};
}

step_status fused_step::advance(phase_state<double>& state) {
  const newton_state left{state.position.value.data(), state.position.remainder.data(), state.momentum.value.data(),
                          state.momentum.remainder.data(), state.time};
  if (is_steady_ && until_check_ > 0) [[likely]] {  // nothing but the counters changes
    --until_check_;
    if (kernel_->iterate(left, true) == update_outcome::accepted) [[likely]] {
      kernel_->keep();
      kernel_->take_sines();
      until_choice_ -= until_choice_ > 0;
      return one_step_on(state, 1);
    }
    return refine(state, left, true);
  }
  if (known_ == 0 && !guess_by_velocity(state)) return advance_generally(state, 0);
  const bool checks = until_check_ == 0, predicts = known_ > 0 && !continues_;
  until_check_ = checks ? steps_between_checks : until_check_ - 1;
  *acceptable_now_ = checks ? rounding : acceptable_;
  if (kernel_->iterate(left, predicts) == update_outcome::accepted) return ended(state, 1, 0);
  return refine(state, left, predicts);
}

step_status fused_step::refine(phase_state<double>& state, const newton_state& left, bool predicted) {
  const solution found = go_on(state, left, predicted);
  if (found.converged) return ended(state, found.iterations, found.missed);
  return advance_generally(state, found.iterations);
}

// Without a past.
bool fused_step::guess_by_velocity(const phase_state<double>& state) {
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_)) return false;
  for (std::size_t j = 0; j < rows_.unknowns(); ++j) {
    number(rows_.unknown() + j) = tableau_.control[1 + j / n_] * step_ * velocity_[j % n_];
  }
  return true;
}

step_status fused_step::ended(phase_state<double>& state, int iterations, double missed) {
  last_by_general_ = false;
  knows_sines_ = !continues_;
  keep_solution(missed);
  *acceptable_now_ = acceptable_;
  is_steady_ = known_ == newton_rows::depth && knows_sines_ && !continues_;
  return one_step_on(state, iterations);
}

step_status fused_step::one_step_on(phase_state<double>& state, int iterations) const {
  state.step_on(step_);
  return {step_code::ok, iterations, *size_};
}

step_status fused_step::advance_generally(phase_state<double>& state, int iterations) {
  last_by_general_ = true;
  is_steady_ = false;
  measured_ = unknown;
  acceptable_ = rounding;
  knows_sines_ = false;
  step_status status = general_.advance(state);
  status.iterations += iterations;
  if (!status) return status;
  std::copy(general_.unknowns().begin(), general_.unknowns().end(), kernel_->solution().begin());
  for (std::size_t a = 0; a < n_; ++a) number(rows_.weight(a)) = general_.weights()[a];
  keep_solution(unknown);
  set_factors();  // the kernel may not have seen this step
  return status;
}

// Puts the unknowns among those of earlier steps and prepares the next prediction. An order that made one iteration
// enough (it missed by nothing) is good enough.
void fused_step::keep_solution(double missed) {
  kernel_->keep();
  if (knows_sines_) kernel_->take_sines();
  else kernel_->forget_sines();
  if (until_choice_ > 0) --until_choice_;
  known_ = std::min(known_ + 1, newton_rows::depth);
  if (missed > 0 && (until_choice_ == 0 || (missed > broken * promised_ && curvature() * missed > harmless))) {
    const std::size_t before = order_;
    choose_order();
    until_choice_ = known_ < newton_rows::depth ? 0 : order_ == before ? steps_after_same_choice : steps_to_next_choice;
    if (order_ != before) set_factors();
  }
  if (continues_) continue_polynomial(kernel_->kept(1), &number(rows_.unknown()));
}

// Order m extrapolates the last m + 1 solutions; at the last step it would have missed by their difference of order
// m + 1. The last step's polynomial, continued, is better where steps are long.
void fused_step::choose_order() {
  for (std::size_t a = 0; a < n_; ++a) per_weight_[a] = 1 / number(rows_.weight(a));
  const auto size_of = [&](const double* difference) {
    double largest = 0;
    for (std::size_t k = 0; k < s_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) {
        largest = std::max(largest, std::abs(difference[k * n_ + a]) * per_weight_[a]);
      }
    }
    return largest;
  };
  const std::size_t size = rows_.unknowns(), solutions = std::min(known_, order_ + tries + 2);
  double* const differences = differences_.data();  // of one order, the last one first
  for (std::size_t i = 0; i < solutions; ++i) std::copy_n(kernel_->kept(i + 1).data(), size, differences + i * size);
  double best = unknown;
  order_ = 0;
  for (std::size_t m = 0; m + 1 < solutions && m <= order_ + tries; ++m) {
    const double* const older = differences + size;
    for (std::size_t k = 0; k < (solutions - m - 1) * size; ++k) differences[k] -= older[k];
    const double missed = size_of(differences);
    if (missed < best) {
      best = missed;
      order_ = m;
    }
  }
  promised_ = best;
  continues_ = known_ < 2;
  if (continues_) return;
  continue_polynomial(kernel_->kept(2), differences);
  for (std::size_t j = 0; j < size; ++j) differences[j] -= kernel_->kept(1)[j];
  const double missed = size_of(differences);
  continues_ = missed < best;
  promised_ = std::min(missed, best);
}

// The factors of earlier steps, and what all but the last of them contribute.
void fused_step::set_factors() {
  double* const foreseen = &number(rows_.foreseen());
  std::fill_n(foreseen, rows_.unknowns(), 0.0);
  for (std::size_t i = newton_rows::depth; i-- > 0;) {
    const double factor = extrapolation[order_][i];
    number(rows_.factor(newton_rows::depth - 1 - i)) = factor;
    const std::span<const double> past = kernel_->kept(i + 1);
    for (std::size_t j = 0; j < past.size() && i > 0; ++j) foreseen[j] += factor * past[j];
  }
}

// From a step's unknowns to those of its polynomial, continued over the next.
void fused_step::continue_polynomial(std::span<const double> z, double* next) const {
  for (std::size_t k = 0; k < s_; ++k) {
    for (std::size_t a = 0; a < n_; ++a) {
      double sum = 0;
      for (std::size_t l = 0; l < s_; ++l) sum += continuation_(k, l) * z[l * n_ + a];
      next[k * n_ + a] = sum;
    }
  }
}

double fused_step::work() const { return last_by_general_ ? general_.work() : number(rows_.work()); }

void fused_step::interpolate(const double& fraction, std::span<double> position) {
  if (last_by_general_) return general_.interpolate(fraction, position);
  const basis_values<double> basis = lagrange_basis<double>(tableau_.control, fraction);
  const std::span<const double> z = kernel_->kept(1);
  for (std::size_t a = 0; a < n_; ++a) {
    double sum = 0;
    for (std::size_t k = 1; k <= s_; ++k) sum += basis.value[k] * z[(k - 1) * n_ + a];
    position[a] = number(rows_.left(a)) + sum;
  }
}

// Counters, what was learnt of updates, the unknowns of earlier steps and what they contribute to the next
// prediction, where sines were looked up, and what the general step keeps.
void fused_step::remember(step_memory<double>& memory) {
  const std::size_t unknowns = rows_.unknowns();
  memory.count(known_, newton_rows::depth);
  memory.count(order_, newton_rows::depth - 1);
  memory.flag(continues_);
  memory.count(until_choice_, steps_after_same_choice);
  memory.count(until_check_, steps_between_checks);
  memory.flag(knows_sines_);
  for (double* const x : {&measured_, &acceptable_, &promised_}) memory.number(*x);
  for (std::size_t k = newton_rows::depth; k > 0; --k) {
    memory.numbers(kernel_->kept(k), kernel_->solution().first(unknowns));
    if (memory.reads()) kernel_->keep();
  }
  std::vector<double> foreseen(unknowns), place(n_ + 1 + unknowns);
  memory.numbers(std::span<const double>(&number(rows_.foreseen()), unknowns), foreseen);
  memory.numbers(std::span<const double>(&number(rows_.place_position(0)), place.size()), place);
  memory.inner(general_);
  if (!memory.reads()) return;
  *acceptable_now_ = acceptable_;
  is_steady_ = known_ == newton_rows::depth && knows_sines_ && !continues_;
  if (!knows_sines_) kernel_->forget_sines();
  else look_ahead_from(place);
  set_factors();
  std::ranges::copy(foreseen, &number(rows_.foreseen()));
  if (continues_) continue_polynomial(kernel_->kept(1), &number(rows_.unknown()));
}

// Position and time at the left end, unknowns.
void fused_step::look_ahead_from(std::span<const double> place) {
  std::copy_n(place.begin() + static_cast<std::ptrdiff_t>(n_ + 1), rows_.unknowns(), &number(rows_.unknown()));
  std::vector<double> position(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(n_)), nothing(n_, 0.0);
  kernel_->look_ahead({position.data(), nothing.data(), nothing.data(), nothing.data(), place[n_]});
  kernel_->take_sines();
}

}  // namespace actio
