#include "actio/integrate/fused_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double noise = 2 * rounding;  // of an update that rounding alone makes
constexpr int most_iterations = 12;     // beyond, the general step knows better
constexpr double doubting = 1.01;       // how much the curvature may grow in a step unseen
constexpr double unknown = 1e300;
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
constexpr std::size_t steps_between_choices = 32, steps_between_checks = 128;

}  // namespace

fused_step::fused_step(const galerkin_scheme& scheme, std::unique_ptr<newton_kernel> kernel,
                       const step_context<double>& context)
    : tableau_(make_tableau<double>(scheme)),
      step_(context.step),
      kernel_(std::move(kernel)),
      rows_(kernel_->rows()),
      n_(context.space.size()),
      s_(scheme.degree),
      has_power_(context.space.jet().has_power()),
      general_(scheme, context),
      continuation_(polynomial_continuation(tableau_)),
      left_(n_, 0.0),
      expected_(n_, 0.0),
      differences_((newton_rows::depth + 1) * rows_.unknowns(), 0.0),
      curvature_(unknown),
      measured_(unknown) {
  fill_table();
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
double fused_step::surprise(std::span<const double> expected) const {
  double largest = 0;
  for (std::size_t a = 0; a < n_; ++a) {
    const double now = number(rows_.increment(a)), size = std::abs(now) + std::abs(number(rows_.momentum(a)));
    const double difference = std::abs(now - expected[a]);
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
  curvature_ = measured_;
}

fused_step::solution fused_step::solve() {
  double previous = 0;
  const bool checks = until_check_ == 0;
  until_check_ = checks ? steps_between_checks : until_check_ - 1;
  for (int k = 1; k <= most_iterations; ++k) {
    kernel_->iterate(k == 1 && !continues_);
    const double size = number(rows_.size());
    if (!(size <= 1e3)) return {false, k, size};
    if (k > 1) learn_curvature(std::max(size, surprise(expected_)), previous);
    const bool below_rounding = size <= rounding;
    const bool stalled = k > 1 && size > 0.5 * previous && size <= std::sqrt(rounding);
    const bool next_is_below = !has_power_ && size < 1e-4 && curvature_ * size * size <= rounding / 8;
    if (below_rounding || stalled || (next_is_below && !(checks && k == 1))) return {true, k, size};
    for (std::size_t a = 0; a < n_; ++a) expected_[a] = number(rows_.expected(a));
    previous = size;
  }
  return {false, most_iterations, previous};
}

step_status fused_step::advance(phase_state<double>& state) {
  double* const x = kernel_->numbers().data();
  for (std::size_t a = 0; a < n_; ++a) {
    left_[a] = x[rows_.position(a)] = state.position.value[a];
    x[rows_.position_remainder(a)] = state.position.remainder[a];
    x[rows_.momentum(a)] = state.momentum.value[a];
    x[rows_.momentum_remainder(a)] = state.momentum.remainder[a];
  }
  x[rows_.time()] = state.time;
  solution found{false, 0, 0};
  if (known_ > 0) found = solve();
  last_by_general_ = !found.converged;
  if (last_by_general_) {
    curvature_ = measured_ = unknown;
    step_status status = general_.advance(state);
    status.iterations += found.iterations;
    if (!status) return status;
    std::copy(general_.unknowns().begin(), general_.unknowns().end(), &number(rows_.unknown()));
    for (std::size_t a = 0; a < n_; ++a) number(rows_.weight(a)) = general_.weights()[a];
    remember();
    return status;
  }
  curvature_ *= doubting;
  for (std::size_t a = 0; a < n_; ++a) {
    state.position.value[a] = x[rows_.next(rows_.position(a))];
    state.position.remainder[a] = x[rows_.next(rows_.position_remainder(a))];
    state.momentum.value[a] = x[rows_.next(rows_.momentum(a))];
    state.momentum.remainder[a] = x[rows_.next(rows_.momentum_remainder(a))];
  }
  remember();
  ++state.index;
  state.time = state.origin + static_cast<double>(state.index) * step_;
  return {step_code::ok, found.iterations, found.update};
}

// Puts the unknowns among those of earlier steps and prepares the next prediction.
void fused_step::remember() {
  std::copy_n(&number(rows_.unknown()), rows_.unknowns(), &number(rows_.past(slot_)));
  slot_ = (slot_ + 1) % newton_rows::depth;
  if (known_ < newton_rows::depth) {
    ++known_;
    until_choice_ = 0;
  }
  if (until_choice_ == 0) choose_order();
  else --until_choice_;
  set_factors();
}

// Order m extrapolates the last m + 1 solutions; at the last step it would have missed by their difference of order
// m + 1. The last step's polynomial, continued, is better where steps are long.
void fused_step::choose_order() {
  until_choice_ = steps_between_choices;
  const std::size_t size = rows_.unknowns(), depth = newton_rows::depth;
  const auto past = [&](std::size_t back) { return &number(rows_.past((slot_ + 2 * depth - back) % depth)); };
  for (std::size_t i = 0; i < known_; ++i) std::copy_n(past(i + 1), size, &differences_[i * size]);
  const auto weighted_size = [&](auto&& difference) {
    double largest = 0;
    for (std::size_t j = 0; j < size; ++j) {
      largest = std::max(largest, std::abs(difference(j)) / number(rows_.weight(j % n_)));
    }
    return largest;
  };
  double best = unknown;
  order_ = 0;
  for (std::size_t m = 0; m + 1 < known_; ++m) {
    for (std::size_t i = 0; i + m + 1 < known_; ++i) {
      for (std::size_t j = 0; j < size; ++j) differences_[i * size + j] -= differences_[(i + 1) * size + j];
    }
    const double missed = weighted_size([&](std::size_t j) { return differences_[j]; });
    if (missed < best) {
      best = missed;
      order_ = m;
    }
  }
  if (known_ < 2) {
    continues_ = true;
    return;
  }
  const double* const last = past(1);
  const double* const before = past(2);
  continues_ = weighted_size([&](std::size_t j) {
                 double sum = 0;
                 for (std::size_t l = 0; l < s_; ++l) sum += continuation_(j / n_, l) * before[l * n_ + j % n_];
                 return last[j] - sum;
               }) < best;
}

// The factors of earlier steps; or the unknowns of the continued polynomial themselves.
void fused_step::set_factors() {
  const std::size_t depth = newton_rows::depth;
  if (continues_) {
    const double* const last = &number(rows_.past((slot_ + depth - 1) % depth));
    for (std::size_t j = 0; j < rows_.unknowns(); ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < s_; ++l) sum += continuation_(j / n_, l) * last[l * n_ + j % n_];
      number(rows_.unknown() + j) = sum;
    }
    return;
  }
  double* const factors = &number(rows_.factor(0));
  const double* const of_order = extrapolation[order_].data();
  for (std::size_t i = 0; i < depth; ++i) factors[(slot_ + depth - 1 - i) % depth] = of_order[i];
}

double fused_step::work() const { return last_by_general_ ? general_.work() : number(rows_.work()); }

void fused_step::interpolate(const double& fraction, std::span<double> position) {
  if (last_by_general_) return general_.interpolate(fraction, position);
  const basis_values<double> basis = lagrange_basis<double>(tableau_.control, fraction);
  const double* const z = &number(rows_.past((slot_ + newton_rows::depth - 1) % newton_rows::depth));
  for (std::size_t a = 0; a < n_; ++a) {
    double sum = 0;
    for (std::size_t k = 1; k <= s_; ++k) sum += basis.value[k] * z[(k - 1) * n_ + a];
    position[a] = left_[a] + sum;
  }
}

// Counters, curvature, the unknowns of earlier steps, and what the general step keeps.
std::vector<double> fused_step::history() const {
  std::vector<double> saved;
  for (const std::size_t count : {known_, slot_, order_, std::size_t{continues_}, until_choice_, until_check_}) {
    saved.push_back(static_cast<double>(count));
  }
  saved.push_back(curvature_);
  saved.push_back(measured_);
  for (std::size_t k = 0; k < newton_rows::depth; ++k) {
    for (std::size_t j = 0; j < rows_.unknowns(); ++j) saved.push_back(number(rows_.past(k) + j));
  }
  const std::vector<double> general = general_.history();
  saved.insert(saved.end(), general.begin(), general.end());
  return saved;
}

void fused_step::restore_history(std::span<const double> saved) {
  const std::size_t counters = 6, kept = counters + 2 + newton_rows::depth * rows_.unknowns();
  const auto is_count = [](double x, std::size_t most) { return x >= 0 && x <= static_cast<double>(most); };
  const std::size_t most[counters] = {newton_rows::depth,    newton_rows::depth - 1, newton_rows::depth - 1, 1,
                                      steps_between_choices, steps_between_checks};
  bool fits = saved.size() >= kept;
  for (std::size_t k = 0; fits && k < counters; ++k) fits = is_count(saved[k], most[k]);
  if (!fits) throw snapshot_error("its memory of earlier steps does not fit");
  const auto count = [&](std::size_t k) { return static_cast<std::size_t>(saved[k]); };
  known_ = count(0);
  slot_ = count(1);
  order_ = count(2);
  continues_ = count(3) != 0;
  until_choice_ = count(4);
  until_check_ = count(5);
  curvature_ = saved[counters];
  measured_ = saved[counters + 1];
  for (std::size_t k = 0; k < newton_rows::depth; ++k) {
    std::copy_n(saved.begin() + static_cast<std::ptrdiff_t>(counters + 2 + k * rows_.unknowns()), rows_.unknowns(),
                &number(rows_.past(k)));
  }
  if (known_ > 0) set_factors();
  general_.restore_history(saved.subspan(kept));
}

}  // namespace actio
