#include "actio/integrate/extrapolation_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/tableaux/extrapolation.hpp"

namespace actio {

namespace {

constexpr std::size_t least_rows = 2, always_allowed = 6;
constexpr double most_stretch = 4, least_stretch = 0.1;
constexpr int longest_part = 16;    // of the time to the first end
constexpr double eventless = 1e-3;  // of what an error may be: steps could be much longer
constexpr int places_inside = 16;
constexpr double golden = 0.6180339887498949;
constexpr double swings_of_accuracy = 32;  // errors add up, and grow, on a way as long
constexpr double imperceptible = 1e-5;     // of the accuracy, in each of so many steps
constexpr double infinite = std::numeric_limits<double>::infinity();

// Beyond, rounding that weights make larger would be seen beside the accuracy.
template <class S>
constexpr std::size_t most_rows_of = std::same_as<S, double> ? 12 : 40;

template <class S>
double size_of(const S& x) {
  return std::abs(to_double(x));
}

}  // namespace

template <class S>
extrapolation_step<S>::extrapolation_step(const step_context<S>& context)
    : remembering_step<S>(context),
      given_step_(context.step),
      accuracy_(context.accuracy),
      tolerance_(std::max(accuracy_, least_chosen_accuracy<S>()) / swings_of_accuracy),
      slack_(std::min(2 * to_double(epsilon<S>()), imperceptible * accuracy_)),
      is_smooth_(is_smooth(context.space.system())),
      n_(context.space.size()),
      momenta_(context.space.momentum_size()),
      size_(n_ + momenta_),
      rows_(context.space, chooses_steps() ? most_rows_of<S> : usual_rows),
      branch_(context.space),
      left_(size_, S(0)),
      increment_(size_ + 1, S(0)),
      difference_(size_ + 1, S(0)),
      inside_(size_ + 1, S(0)),
      scale_(size_, 0.0),
      allowed_(size_, 0.0) {
  if (chooses_steps()) guard_.emplace(context.space);
  const double rounding = to_double(epsilon<S>());
  const std::size_t most = chooses_steps() ? most_rows_of<S> : usual_rows;
  std::vector<std::size_t> parts;
  for (std::size_t j = 0; j < most; ++j) parts.push_back(rows_.parts(j));
  const auto all = extrapolation_weights(parts), less = extrapolation_weights(std::span(parts).subspan(1));
  for (std::size_t count = 0; count <= most; ++count) {
    weights of;
    for (std::size_t j = 0; j < count; ++j) {
      of.end.push_back(from_rational<S>(all[count][j]));
      of.error.push_back(j == 0 ? of.end[0] : from_rational<S>(rational(all[count][j] - less[count - 1][j - 1])));
      of.size += size_of(of.end.back());
    }
    if (count <= always_allowed || 16 * rounding * of.size < tolerance_) most_rows_ = count;
    weights_.push_back(std::move(of));
  }
  control_ = first_control();
}

template <class S>
typename extrapolation_step<S>::control extrapolation_step<S>::first_control() const {
  using std::abs;
  control c;
  c.length = abs(given_step_);
  if (chooses_steps()) {
    const double wanted = 2 - 0.55 * std::log10(tolerance_);
    c.rows = std::clamp(static_cast<std::size_t>(std::max(0.0, wanted)), least_rows, most_rows_);
  }
  c.looks = S(leap_guard<S>::most_looks);
  c.lowest.assign(size_, S(0));
  c.highest.assign(size_, S(0));
  return c;
}

template <class S>
void extrapolation_step<S>::load(const phase_state<S>& state) {
  time_ = state.time;
  std::ranges::copy(state.position.value, left_.begin());
  std::ranges::copy(state.momentum.value, left_.begin() + static_cast<std::ptrdiff_t>(n_));
}

// To the time at which steps are to end, with what the clock's own rounding left over.
template <class S>
S extrapolation_step<S>::remaining(const phase_state<S>& state) const {
  return state.count == 0 ? S((*end_ - state.origin) - state.origin_remainder) : S(*end_ - state.time);
}

template <class S>
S extrapolation_step<S>::direction(const phase_state<S>& state) const {
  return S((end_ ? remaining(state) : given_step_) < 0 ? -1 : 1);
}

// Signed; not beyond the end.
template <class S>
S extrapolation_step<S>::next_length(const phase_state<S>& state, bool& reaches_end) {
  using std::abs;
  if (control_.length == 0) control_.length = (end_ ? S(abs(remaining(state))) : S(1)) / 1024;
  if (control_.span == 0 && end_) control_.span = abs(remaining(state));
  reaches_end = end_ && abs(remaining(state)) <= control_.length;
  return reaches_end ? remaining(state) : S(direction(state) * control_.length);
}

template <class S>
void extrapolation_step<S>::combine(std::span<const S> by_rows, std::span<S> sum) const {
  std::ranges::fill(sum, S(0));
  for (std::size_t j = 0; j < by_rows.size(); ++j) {
    const std::span<const S> row = rows_.row(j);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += by_rows[j] * row[i];
  }
}

// increment_ = T_k of a step of this length from left_; false where it is not finite.
template <class S>
bool extrapolation_step<S>::extrapolate(const S& length, std::size_t rows, std::span<const S> branch) {
  rows_.compute(time_, left_, length, rows, branch);
  combine(weights_[rows].end, increment_);
  return std::ranges::all_of(increment_, [](const S& x) { return is_finite(x); });
}

// Swings that include the end of the step. Below rounding of what they are swings of, errors mean nothing; components
// that hardly move beside others of their kind, positions or momenta, are as large as rounding of these makes them.
template <class S>
void extrapolation_step<S>::measure_scales() {
  const double rounding = to_double(epsilon<S>()) / tolerance_;
  const auto measure = [&](std::size_t first, std::size_t last) {
    double largest = 0;
    for (std::size_t i = first; i < last; ++i) {
      const S end = left_[i] + increment_[i];
      const S low = std::min(control_.begun ? control_.lowest[i] : left_[i], end),
              high = std::max(control_.begun ? control_.highest[i] : left_[i], end);
      scale_[i] = std::max(to_double(S(high - low)), rounding * size_of(left_[i]));
      largest = std::max(largest, scale_[i]);
    }
    for (std::size_t i = first; i < last; ++i) {
      if (scale_[i] < 0x1p-30 * largest) scale_[i] = std::max(scale_[i], rounding * largest);
    }
  };
  measure(0, n_);
  measure(n_, size_);
}

template <class S>
void extrapolation_step<S>::look_at_error(std::size_t rows, double allowed, double& ratio) {
  combine(weights_[rows].error, difference_);
  double worst = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double error = size_of(difference_[i]) - slack_ * size_of(left_[i]);
    if (error > 0) worst = std::max(worst, error / scale_[i]);
  }
  ratio = worst == 0 ? 0 : worst / allowed;
}

template <class S>
typename extrapolation_step<S>::errors extrapolation_step<S>::measure() {
  measure_scales();
  double way = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (scale_[i] > 0) way = std::max(way, size_of(increment_[i]) / scale_[i]);
  }
  for (std::size_t i = 0; i < size_; ++i) allowed_[i] = tolerance_ * way * scale_[i] + slack_ * size_of(left_[i]);
  errors found;
  look_at_error(count_, tolerance_ * way, found.with_all);
  found.relative = found.with_all * tolerance_;
  const double usual = std::max(1.0, size_of(control_.longest) / size_of(length_));  // steps that are not as short
  for (std::size_t i = 0; i < size_; ++i) {
    const double error = size_of(difference_[i]);
    const double size = std::max({scale_[i], size_of(left_[i]), usual * size_of(increment_[i])});
    if (error > 0) found.plain = std::max(found.plain, error / size);
  }
  if (count_ > least_rows) look_at_error(count_ - 1, tolerance_ * way, found.with_less);
  else found.with_less = infinite;
  return found;
}

// By how much a step may be longer: e_k is of order H^(2k−1), and what is allowed is proportional to H.
template <class S>
double extrapolation_step<S>::stretch(double ratio, std::size_t rows) const {
  if (!(ratio > 0)) return most_stretch;
  const double order = 2 * static_cast<double>(rows) - 2;
  return std::clamp(0.94 * std::pow(0.65 / ratio, 1 / order), least_stretch, most_stretch);
}

// Of a unit of time, in calls of the field; combining rows costs about as much as two.
template <class S>
double extrapolation_step<S>::cost(std::size_t rows, double stretched) const {
  return (2 + static_cast<double>(rows_.calls(rows))) / stretched;
}

// The next step after an accepted one.
template <class S>
void extrapolation_step<S>::learn(const errors& found) {
  using std::abs;
  control& c = control_;
  for (std::size_t i = 0; i < size_; ++i) {
    const S end = left_[i] + increment_[i];
    c.lowest[i] = std::min(c.begun ? c.lowest[i] : left_[i], end);
    c.highest[i] = std::max(c.begun ? c.highest[i] : left_[i], end);
  }
  c.begun = true;
  c.longest = std::max(c.longest, S(abs(length_)));
  if (is_shortened_) return;  // a short last step says little about the next
  const double limit = c.grows ? most_stretch : 1.0;
  if (found.with_all > 1) {  // rounding, which shorter steps would not lessen
    c.length = abs(length_) * S(std::min(limit, 1.25));
    c.rows = count_;
    c.grows = true;
    return;
  }
  const double all = std::min(limit, stretch(found.with_all, count_));
  const double less = count_ > least_rows ? std::min(limit, stretch(found.with_less, count_ - 1)) : least_stretch;
  double taken = all;
  if (count_ > least_rows && cost(count_ - 1, less) < 0.9 * cost(count_, all)) {
    c.rows = count_ - 1;
    taken = less;
  } else if (c.grows && count_ < most_rows_ && cost(count_, all) < 0.9 * cost(count_ - 1, less)) {
    c.rows = count_ + 1;
    taken = all * cost(count_ + 1, 1) / cost(count_, 1);
  } else {
    c.rows = count_;
  }
  c.grows = true;
  c.length = abs(length_) * S(taken);
  if (found.with_all < eventless && c.span > 0) c.length = std::min<S>(c.length, S(c.span / longest_part));
}

// Whether something lies between the places that the step looked at: a step to a place inside is not as accurate as it
// is itself.
template <class S>
bool extrapolation_step<S>::leaps(const errors& found, std::span<const S> branch) {
  using std::abs;
  const bool is_long = control_.span > 0 && abs(length_) * S(256) >= control_.span;
  if (!chooses_steps() || !(found.with_all < eventless) || !is_long) return false;
  kept_ = increment_;
  const S whole = length_;
  bool any = false;
  for (int k = 1; k <= places_inside && !any; ++k) {
    length_ = S(std::fmod(k * golden, 1.0)) * whole;
    any = !extrapolate(length_, count_, branch) || measure().with_all > 1;
  }
  length_ = whole;
  increment_ = kept_;
  return any;
}

// Of the step, before what it would leap over. In the long run looks cost less than the rows do.
template <class S>
double extrapolation_step<S>::clear_part() {
  if (!guard_) return 1;
  constexpr double calls_for_a_look = 48;
  double looks = to_double(control_.looks) + 1 + static_cast<double>(rows_.calls(count_)) / calls_for_a_look;
  const double clear = guard_->clear_part(time_, left_, increment_, length_, {allowed_, scale_}, looks);
  control_.looks = S(std::min(looks, leap_guard<S>::most_looks));
  return clear;
}

template <class S>
void extrapolation_step<S>::shrink(const errors& found) {
  using std::abs;
  control& c = control_;
  const double all = std::min(0.9, stretch(found.with_all, count_));
  const double less = count_ > least_rows ? std::min(0.9, stretch(found.with_less, count_ - 1)) : least_stretch;
  const bool fewer = count_ > least_rows && cost(count_ - 1, less) < cost(count_, all);
  c.rows = fewer ? count_ - 1 : count_;
  c.length = abs(length_) * S(fewer ? less : all);
  c.grows = false;
}

// Where one more row makes a small error no smaller, what is left is rounding.
template <class S>
bool extrapolation_step<S>::is_rounding(const errors& found) const {
  return found.with_less < 4 * found.with_all && found.relative < 1e5 * to_double(epsilon<S>()) * weights_[count_].size;
}

// Over a kink or a jump of the model no step is short enough for what its length is allowed. A very short one whose
// error is nothing beside the tolerance goes over it; where many follow one another, the motion does not leave the
// place.
template <class S>
bool extrapolation_step<S>::passes_kink(const errors& found, const S& time) {
  using std::abs;
  constexpr double very_short = 1e-4, at_once = 0.5;  // beside the longest step
  constexpr double nothing = 1e-2, far = 1e-2;
  constexpr int most_in_a_row = 20;
  const double allowed = std::max(nothing * tolerance_, 64 * to_double(epsilon<S>()));
  if (is_smooth_ || !(found.plain <= allowed) || abs(length_) > S(very_short) * control_.longest) return false;
  for (std::size_t i = 0; i < size_; ++i) {  // in so short a time a singularity alone moves anything far
    const S reached = control_.begun ? S(control_.highest[i] - control_.lowest[i]) : S(0);
    if (!(abs(increment_[i]) <= S(far) * std::max(reached, S(abs(left_[i]))))) return false;
  }
  kinks_in_a_row_ = abs(S(time - last_kink_)) <= S(at_once) * control_.longest ? kinks_in_a_row_ + 1 : 1;
  last_kink_ = time;
  return kinks_in_a_row_ <= most_in_a_row;
}

template <class S>
step_status extrapolation_step<S>::failure(bool finite, const errors& found) const {
  if (rows_.branch_ended()) return {step_code::mass_singular, 0, 0};
  return {finite ? step_code::no_convergence : step_code::left_domain, 0, finite ? found.relative : 0};
}

// Finds a step from left_ that is accurate enough: increment_, length_ and count_.
template <class S>
step_status extrapolation_step<S>::settle(const phase_state<S>& state) {
  using std::abs;
  const double rounding = 8 * to_double(epsilon<S>());
  const auto least = [&] { return S(S(rounding) * std::max(S(abs(state.time)), control_.longest)); };
  for (int trials = 1;; ++trials) {
    const S wanted = control_.length;
    length_ = next_length(state, reaches_end_);
    is_shortened_ = reaches_end_ && wanted > 0 && abs(length_) < S(0.9) * wanted;
    count_ = control_.rows;
    const bool finite = extrapolate(length_, count_, state.velocity);
    errors found;
    if (finite) {
      found = measure();
      if (leaps(found, state.velocity)) {
        control_.length = abs(length_) / S(4);
        control_.grows = false;
        continue;
      }
      if (found.with_all <= 1 || is_rounding(found) || passes_kink(found, state.time)) {
        const S clear = S(clear_part()) * abs(length_);
        if (clear < abs(length_) && clear > least()) {
          control_.length = clear;
          control_.grows = false;
          continue;
        }
        learn(found);
        return {step_code::ok, trials * static_cast<int>(rows_.calls(count_)), 0};
      }
      shrink(found);
    } else {
      control_.length = abs(length_) * S(least_stretch);
      control_.grows = false;
    }
    if (!(control_.length > least()) || control_.length < std::numeric_limits<double>::min()) {
      return failure(finite, found);
    }
  }
}

template <class S>
step_status extrapolation_step<S>::advance(phase_state<S>& state) {
  load(state);
  step_status status;
  if (chooses_steps()) {
    if (end_ && remaining(state) == 0) {
      work_ = S(0);
      return status;
    }
    status = settle(state);
    if (!status) return status;
  } else {
    length_ = given_step_;
    count_ = usual_rows;
    const bool finite = extrapolate(length_, count_, state.velocity);
    if (!finite) return failure(false, {});
    status.iterations = static_cast<int>(rows_.calls(count_));
  }
  work_ = increment_[size_];
  branch_.start(state);
  velocity_ = state.velocity;
  for (std::size_t i = 0; i < n_; ++i) state.position.add(i, increment_[i]);
  for (std::size_t i = 0; i < momenta_; ++i) state.momentum.add(i, increment_[n_ + i]);
  if (!chooses_steps()) {
    state.step_on(length_);
  } else {
    state.step_by(length_);
    if (reaches_end_) state.begin_at(*end_);
  }
  if (!branch_.finish(state)) return {step_code::mass_singular, status.iterations, 0};
  return status;
}

template <class S>
void extrapolation_step<S>::interpolate(const S& fraction, std::span<S> position) {
  rows_.compute(time_, left_, S(fraction * length_), count_, velocity_);
  combine(weights_[count_].end, inside_);
  for (std::size_t i = 0; i < n_; ++i) position[i] = left_[i] + inside_[i];
}

// The derivative of a row: D_{m+1} = D_{m−1} + 2h A(y_m) D_m, or that of kicks and drifts.
template <class S>
matrix<S> extrapolation_step<S>::row_tangent(std::size_t row, std::span<const S> branch) {
  const std::size_t n = rows_.parts(row), size = size_;
  const S h = length_ / S(static_cast<double>(n));
  matrix<S> now = matrix<S>::identity(size), A(size, size), before = now;
  std::vector<S> y = left_, earlier = left_, rate(size, S(0));
  S power(0);
  field_->set_branch(branch);
  for (std::size_t m = 0; m <= n; ++m) {
    const S t = time_ + S(static_cast<double>(m)) * h;
    if (m == n && !rows_.is_leapfrog()) break;
    if (!field_->evaluate(t, y, rate, power) || !field_->jacobian(t, y, A)) return {};
    if (!rows_.is_leapfrog()) {
      const S a = m == 0 ? h : S(2 * h);
      matrix<S> next = A * now;
      for (std::size_t i = 0; i < size; ++i) {
        const S moved = earlier[i] + a * rate[i];
        earlier[i] = y[i];
        y[i] = moved;
      }
      for (std::size_t i = 0; i < size * size; ++i) next.data()[i] = before.data()[i] + a * next.data()[i];
      before = std::move(now);
      now = std::move(next);
      continue;
    }
    const S a = m == 0 || m == n ? S(h / 2) : h;
    const matrix<S> rates = A * now;
    for (std::size_t i = n_; i < size; ++i) {
      y[i] += a * rate[i];
      for (std::size_t j = 0; j < size; ++j) now(i, j) += a * rates(i, j);
    }
    if (m == n) break;
    if (!field_->evaluate(t, y, rate, power)) return {};
    const matrix<S> drifts = A * now;
    for (std::size_t i = 0; i < n_; ++i) {
      y[i] += h * rate[i];
      for (std::size_t j = 0; j < size; ++j) now(i, j) += h * drifts(i, j);
    }
  }
  return now;
}

template <class S>
matrix<S> extrapolation_step<S>::tangent_map(const phase_state<S>& state) {
  const control before = control_;
  if (!field_) field_ = first_order_form<S>(this->space());
  load(state);
  bool found = true;
  if (chooses_steps()) found = static_cast<bool>(settle(state));
  else length_ = given_step_;
  control_ = before;
  if (!found) return {};
  matrix<S> tangent(size_, size_);
  for (std::size_t j = 0; j < count_; ++j) {
    const matrix<S> row = row_tangent(j, state.velocity);
    if (row.rows() == 0) return {};
    for (std::size_t i = 0; i < size_ * size_; ++i) tangent.data()[i] += weights_[count_].end[j] * row.data()[i];
  }
  return tangent;
}

template <class S>
void extrapolation_step<S>::remember(step_memory<S>& memory) {
  control& c = control_;
  memory.number(c.length);
  memory.number(c.longest);
  memory.count(c.rows, most_rows_);
  memory.require(c.rows >= least_rows);
  memory.flag(c.grows);
  memory.flag(c.begun);
  memory.number(c.span);
  memory.number(c.looks);
  S end = end_.value_or(S(0));
  memory.number(end);
  if (memory.reads() && c.span != 0) end_ = end;
  memory.numbers(c.lowest);
  memory.numbers(c.highest);
}

#define ACTIO_INSTANTIATE(S) template class extrapolation_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
