#include "actio/integrate/leap_guard.hpp"

#include <algorithm>
#include <cmath>

#include "actio/mechanics/hamilton_program.hpp"

namespace actio {

namespace {

constexpr double far_above = 4;  // times the pace that was seen, in swings for a time
constexpr double looks_at_a_stretch = 3;
constexpr double shortest = 0x1p-40;  // part of a step that is divided

// y' of y = (q, p) or y, and t, with the parameters of the system; nothing where it is no program.
template <class S>
std::optional<program> rates_of(const phase_space<S>& space) {
  const lagrangian_system& system = space.system();
  if (system.applied_force) return std::nullopt;
  if (system.is_first_order()) {
    std::vector<expr> variables = system.coordinates;
    variables.push_back(time_symbol());
    return lower(system.equations, system.parameter_symbols(), variables);
  }
  if (system.is_constrained()) return std::nullopt;
  const std::optional<field_code>& code = hamilton_program(*space.code());
  if (!code) return std::nullopt;
  program rates = code->field;
  rates.outputs.resize(2 * system.size());
  return rates;
}

}  // namespace

template <class S>
leap_guard<S>::leap_guard(const phase_space<S>& space) : parameters_(space.parameters()) {
  std::optional<program> rates = rates_of(space);
  if (!rates) return;
  size_ = rates->outputs.size();
  bounds_.emplace(std::move(*rates));
  for (std::vector<double>* each : {&begin_, &change_, &first_, &last_, &place_, &rate_}) each->resize(size_);
  box_.resize(size_ + 1);
  values_.resize(size_);
  waiting_.reserve(static_cast<std::size_t>(most_looks) + 2);
  revision_ = parameters_.revision() - 1;
}

// Place and rate on the cubic polynomial through the ends with their rates.
template <class S>
void leap_guard<S>::look_at(double part, std::span<double> place, std::span<double> rate) {
  const double x = part, y = 1 - part;
  for (std::size_t i = 0; i < size_; ++i) {
    const double bend = y * (first_[i] * length_ - change_[i]) - x * (last_[i] * length_ - change_[i]);
    place[i] = begin_[i] + x * change_[i] + x * y * bend;
    box_[i] = {place[i], place[i]};
  }
  const double t = time_ + part * length_;
  box_[size_] = {t, t};
  (*bounds_)(box_, values_);
  for (std::size_t i = 0; i < size_; ++i) rate[i] = values_[i].low;
}

// Bounds over this stretch: of a cubic polynomial, the straight line and what its second derivative adds to it.
template <class S>
double leap_guard<S>::excess_in(double from, double to) {
  const double d = to - from;
  for (std::size_t i = 0; i < size_; ++i) {
    const double a = first_[i] * length_ - change_[i], b = last_[i] * length_ - change_[i];
    const auto place = [&](double x) { return begin_[i] + x * change_[i] + x * (1 - x) * ((1 - x) * a - x * b); };
    const auto second = [&](double x) { return std::abs(-4 * a - 2 * b + 6 * x * (a + b)); };
    const double begin = place(from), end = place(to), bulge = std::max(second(from), second(to)) * d * d / 8;
    box_[i] = {std::min(begin, end) - bulge, std::max(begin, end) + bulge};
  }
  const double t0 = time_ + from * length_, t1 = time_ + to * length_;
  box_[size_] = {std::min(t0, t1), std::max(t0, t1)};
  return excess_in_box(d);
}

template <class S>
double leap_guard<S>::excess_in_box(double part) {
  (*bounds_)(box_, values_);
  double most = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double bound = largest_in(values_[i]);
    if (bound > far_above * pace_ * swings_[i]) most = std::max(most, bound * part * std::abs(length_) / allowed_[i]);
  }
  return most;
}

template <class S>
bool leap_guard<S>::is_far_above(std::span<const double> rate) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (std::abs(rate[i]) > far_above * pace_ * swings_[i] && std::abs(rate[i] * length_) > allowed_[i]) return true;
  }
  return false;
}

template <class S>
void leap_guard<S>::note(std::span<const double> rate) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (swings_[i] > 0) pace_ = std::max(pace_, std::abs(rate[i]) / swings_[i]);
  }
}

// What is on the way where nothing bends much: most steps need no closer look.
template <class S>
bool leap_guard<S>::is_clear_at_once() {
  constexpr double margin = 0.25;
  for (std::size_t i = 0; i < size_; ++i) {
    const double end = begin_[i] + change_[i], around = margin * std::abs(change_[i]);
    box_[i] = {std::min(begin_[i], end) - around, std::max(begin_[i], end) + around};
  }
  box_[size_] = {std::min(time_, time_ + length_), std::max(time_, time_ + length_)};
  return !(excess_in_box(1) > 1);
}

template <class S>
double leap_guard<S>::clear_part(const S& t, std::span<const S> left, std::span<const S> increment, const S& length,
                                 const step_scales& scales, double& looks) {
  if (!bounds_) return 1;
  if (revision_ != parameters_.revision()) {
    std::vector<double> values;
    for (const S& p : parameters_) values.push_back(to_double(p));
    bounds_->set_parameters(values);
    revision_ = parameters_.revision();
  }
  time_ = to_double(t);
  length_ = to_double(length);
  allowed_ = scales.allowed;
  swings_ = scales.swings;
  pace_ = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    begin_[i] = to_double(left[i]);
    change_[i] = to_double(increment[i]);
    first_[i] = last_[i] = change_[i] / length_;
  }
  note(first_);
  if (is_clear_at_once() || looks < 2 * looks_at_a_stretch) return 1;
  look_at(0, place_, rate_);
  first_.swap(rate_);
  look_at(1, place_, rate_);
  last_.swap(rate_);
  note(first_);
  note(last_);
  looks -= looks_at_a_stretch;
  waiting_.clear();
  const auto wait = [&](double from, double to) {
    const double excess = excess_in(from, to);
    if (!(excess > 1)) return;
    waiting_.push_back({from, to, excess});
    std::ranges::push_heap(waiting_, {}, &stretch::excess);
  };
  wait(0, 1);
  while (!waiting_.empty() && looks >= looks_at_a_stretch) {
    std::ranges::pop_heap(waiting_, {}, &stretch::excess);
    const stretch worst = waiting_.back();
    waiting_.pop_back();
    if (worst.to - worst.from < shortest) continue;
    looks -= looks_at_a_stretch;
    const double middle = worst.from + (worst.to - worst.from) / 2;
    look_at(middle, place_, rate_);
    if (is_far_above(rate_)) return worst.from > 0 ? worst.from : middle / 2;
    wait(worst.from, middle);
    wait(middle, worst.to);
  }
  return 1;
}

#define ACTIO_INSTANTIATE(S) template class leap_guard<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
