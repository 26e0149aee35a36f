#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "actio/mechanics/switching.hpp"
#include "actio/simulate/advice.hpp"
#include "actio/simulate/failure_reason.hpp"
#include "actio/simulate/run_begin.hpp"
#include "actio/simulate/run_loop.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

// Those of the first observer that wants the run to end.
template <class S>
std::string words_to_end(const std::vector<observer<S>*>& observers) {
  for (const observer<S>* o : observers) {
    if (std::string words = o->reason_to_end(); !words.empty()) return words;
  }
  return "";
}

}  // namespace

template <class S>
run_loop<S>::run_loop(const integrator<S>& flow, step_workspace<S>& workspace, phase_state<S>& state,
                      const run_options<S>& options)
    : flow_(flow),
      workspace_(workspace),
      state_(state),
      options_(options),
      report_(empty_report(flow, options)),
      point_(workspace.space()),
      meter_(options.meter ? *options.meter : own_meter_.emplace(flow)),
      parameters_(workspace.space().parameters().values()),
      first_(state),
      before_(state),
      milestones_(flow.options().start, flow.step(), options.until),
      kinks_(flow.step()),
      watches_kinks_(std::ranges::any_of(options.events, &model_event::ends_step)) {
  if (options.control || !options.sampled.empty() || changes_motion(options.events)) meter_.expect_supply();
  std::vector<std::size_t> sampled;
  for (const sampled_control& c : options.sampled) {
    milestones_.add_rhythm(interval_of(c));
    sampled.push_back(c.parameter);
  }
  require_still_constraints(flow.space().system(), sampled);
  milestones_.add_times(times_around(options.kink_times, flow));
  if (options.until) {
    require_signals<S>(flow.space().system(), state.time, *options.until);
  } else if (options.steps != unlimited_steps && options.steps > state.index) {
    const S steps(static_cast<double>(options.steps - state.index));
    require_signals<S>(flow.space().system(), state.time, S(state.time + steps * flow.step()));
  }
  if (!options.sampled.empty()) {
    std::vector<std::string> names;
    for (const sampled_control& c : options.sampled)
      names.push_back(flow.space().system().parameters[c.parameter].name);
    meter_.expect_samples(std::move(names));
    sampled_.emplace(workspace.space(), values_of(options.sampled));
  }
  shorter_.emplace(flow, workspace.space());
  if (options.events.empty()) return;
  if (watches_kinks_) {
    sticking_.emplace(flow, workspace.space(), options.events);
    if (!sticking_->any()) sticking_.reset();
  }
  watch_.emplace(flow, workspace.space(), options.events);
  actions_.emplace(workspace.space(), options.events);
}

template <class S>
run_report<S> run_loop<S>::go() {
  try {
    if (begin()) {
      while (goes_on() && step()) look_on();
    }
  } catch (const callback_interruption&) {
    state_ = before_;
    report_.status = run_status::interrupted;
  }
  report_.steps = state_.index;
  report_.time = state_.time;
  meter_.fill(report_);
  report_.trust = trust_in(report_);
  report_.position = state_.position.value;
  report_.momentum = state_.momentum.value;
  return std::move(report_);
}

template <class S>
std::vector<expr> run_loop<S>::values_of(std::span<const sampled_control> controls) {
  std::vector<expr> values;
  for (const sampled_control& c : controls) values.push_back(c.value);
  return values;
}

template <class S>
S run_loop<S>::interval_of(const sampled_control& c) const {
  const lagrangian_system& system = flow_.space().system();
  const S every = quantity_value<S>(system, c.every);
  if (is_finite(every) && every > S(0)) return every;
  throw input_error("bad-number",
                    fmt::format("the control '{}' is to be sampled after every {} of time",
                                system.parameters[c.parameter].name, to_brief(every, 6)),
                    c.place, "give a positive time, such as every = 0.01");
}

template <class S>
bool run_loop<S>::goes_on() const {
  if (report_.status != run_status::done || is_ended_ || state_.index >= options_.steps) return false;
  return !options_.until || !milestones_.reaches(state_.time, *options_.until);
}

template <class S>
bool run_loop<S>::fail(step_code code) {
  report_.status = run_status::failed;
  report_.failure = code;
  report_.reason = failure_reason(code, state_, status_, flow_.space());
  if (std::string scale = vanishing_scale(workspace_.space(), first_, state_); !scale.empty()) {
    report_.reason = fmt::format("step {}: {}", state_.index + 1, scale);
    report_.suggestion = "let the scale of [time] stay positive along the motion, or run up to an earlier time";
    return false;
  }
  const bool is_plain = options_.advises && !options_.control && options_.sampled.empty() && options_.events.empty();
  report_.suggestion = code == step_code::no_convergence && !held_at(flow_.space(), state_).empty() ? cure_for_sticking
                       : code == step_code::mass_singular
                           ? "run up to an earlier time, or start with a velocity on another branch"
                       : is_plain ? advice_after_failure(flow_, first_, state_)
                                  : "shorten the step, or look at what controls and events ask for";
  return false;
}

template <class S>
bool run_loop<S>::fail_with(std::string reason, std::string suggestion) {
  report_.status = run_status::failed;
  report_.failure = step_code::no_convergence;
  report_.reason = std::move(reason);
  report_.suggestion = std::move(suggestion);
  return false;
}

template <class S>
bool run_loop<S>::begin() {
  if (!measure()) return fail(step_code::left_domain);
  if (!meter_.started()) {
    if (!take_samples(false)) return false;
    is_sampled_ = true;
    meter_.start(state_, point_);
    if (watch_ && !happen_at_start()) return false;
    look_on(nullptr);
  }
  if (stick()) return measure() || fail(step_code::left_domain);
  if (watch_ && !has_happened_) watch_->start(state_, point_.velocity());
  has_happened_ = false;
  return true;
}

template <class S>
void run_loop<S>::look_on(const phase_state<S>* before) {
  for (observer<S>* o : options_.observers) {
    o->observe({state_, point_, *last_, status_.iterations, meter_, report_.seconds, before, &workspace_, moved_by_,
                moved_with_});
  }
  if (const std::string words = words_to_end(options_.observers); !words.empty()) {
    report_.status = run_status::interrupted;
    report_.reason = fmt::format("an observer ended the run at step {}: {}", state_.index, words);
  }
  if (before != nullptr && options_.interrupted && options_.interrupted()) report_.status = run_status::interrupted;
}

template <class S>
bool run_loop<S>::assign_parameters(bool counts_energy) {
  if (std::ranges::equal(parameters_, workspace_.space().parameters())) return true;
  refuse_moving_constraints();
  const S before = report_.has_energy ? point_.energy_change() : S(0);
  workspace_.set_parameters(parameters_);
  if (!measure()) return fail(step_code::left_domain);
  if (report_.has_energy && counts_energy) meter_.supply(point_.energy_change() - before);
  if (watch_) jumped_ = watch_->jumped(state_, point_.velocity());
  if (held_ && stick_after_change()) return measure() || fail(step_code::left_domain);
  return true;
}

template <class S>
void run_loop<S>::refuse_moving_constraints() const {
  std::vector<std::size_t> changed;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    if (parameters_[k] != workspace_.space().parameters()[k]) changed.push_back(k);
  }
  require_still_constraints(flow_.space().system(), changed);
}

template <class S>
bool run_loop<S>::take_samples(bool counts_energy) {
  if (!sampled_) return true;
  std::ranges::copy(workspace_.space().parameters(), parameters_.begin());
  sampled_->evaluate(state_.time, state_.position.value, point_.velocity(), state_.momentum.value);
  bool any = false;
  for (std::size_t k = 0; k < options_.sampled.size(); ++k) {
    if (!milestones_.is_sample(k, state_.time)) continue;
    any = true;
    const std::size_t which = options_.sampled[k].parameter;
    parameters_[which] = (*sampled_)[k];
    if (is_finite(parameters_[which])) continue;
    return fail_with(fmt::format("the control '{}' has no value at t = {:.6g}",
                                 flow_.space().system().parameters[which].name, to_double(state_.time)),
                     "let its expression be finite along the motion");
  }
  if (any) {
    std::vector<S> now;
    for (const sampled_control& c : options_.sampled) now.push_back(parameters_[c.parameter]);
    meter_.note_samples(state_.time, now);
  }
  return assign_parameters(counts_energy);
}

template <class S>
bool run_loop<S>::control() {
  if (!std::exchange(is_sampled_, false) && !take_samples(true)) return false;
  if (!happen_by_control()) return false;
  if (!options_.control) return true;
  std::ranges::copy(workspace_.space().parameters(), parameters_.begin());
  options_.control(state_, point_, parameters_);
  return assign_parameters(true) && happen_by_control();
}

template <class S>
void run_loop<S>::note_mover() {
  moved_by_ = held_ ? &sticking_->flow() : &flow_;
  const shared_parameters<S>& parameters = workspace_.space().parameters();
  if (moved_revision_ == parameters.revision()) return;
  moved_with_ = parameters.values();
  moved_revision_ = parameters.revision();
}

template <class S>
step_status run_loop<S>::advance() {
  note_mover();
  const std::optional<S> next = milestones_.any() ? milestones_.after(state_.time) : std::nullopt;
  last_ = &mover();
  is_regular_ = !held_;
  if (mover().chooses_steps()) {
    is_regular_ = false;
    if (next) mover().end_at(*next);
    return mover().advance(state_);
  }
  if (!next || milestones_.reaches(*next, state_.time_after(flow_.step()))) return mover().advance(state_);
  is_regular_ = false;
  if (options_.until && *next == *options_.until && options_.before_short_end) {
    options_.before_short_end({state_, point_, workspace_, status_.iterations, meter_, report_.seconds, &before_});
  }
  const step_status status = shorter_->advance_to(state_, *next);
  if (status) workspace_.forget(), last_ = &shorter_->workspace();
  return status;
}

template <class S>
void run_loop<S>::advance_a_part() {
  constexpr int most_halvings = 48, most_in_a_row = 60;
  S length = flow_.step();
  for (int k = 0; k < most_halvings && parts_in_a_row_ < most_in_a_row; ++k) {
    length /= S(2);
    status_ = shorter_->advance(state_, length);
    if (has_no_solution()) continue;
    ++parts_in_a_row_;
    is_regular_ = false;
    if (status_) workspace_.forget(), last_ = &shorter_->workspace();
    return;
  }
}

template <class S>
bool run_loop<S>::step() {
  before_ = state_;
  return control() && approach_friction() && move();
}

template <class S>
bool run_loop<S>::move() {
  const auto start = clock::now();
  status_ = advance();
  if (has_no_solution() && stick_nearly()) return move();
  if (has_no_solution() && watches_kinks_) advance_a_part();
  report_.seconds += seconds_since(start);
  if (!status_) return fail(status_.code);
  if (is_regular_) parts_in_a_row_ = 0;
  if (!measure()) {
    state_ = before_;  // a step into nowhere is not taken
    return fail(step_code::left_domain);
  }
  if (watch_ && !happen()) return false;
  if (!has_happened_) meter_.add(state_, point_, *last_, status_, is_regular_);
  has_happened_ = false;
  if (held_ && sticking_->has_sides() && state_.index > sides_since_) stick_again();
  return true;
}

template <class S>
bool run_loop<S>::advance_within(const S& length) {
  note_mover();
  status_ = shorter_->advance(state_, length);
  if (!status_) return fail(status_.code);
  last_ = &shorter_->workspace();
  if (!measure()) return fail(step_code::left_domain);
  meter_.add(state_, point_, *last_, status_, false);
  return true;
}

template <class S>
run_report<S> run(const integrator<S>& integrator, step_workspace<S>& workspace, phase_state<S>& state,
                  const run_options<S>& options) {
  run_loop<S> loop(integrator, workspace, state, options);
  if (options.is_set_up) options.is_set_up();
  return loop.go();
}

template <class S>
run_report<S> run(const integrator<S>& integrator, phase_state<S>& state, std::size_t steps) {
  const auto start = clock::now();
  const auto workspace = integrator.make_workspace();
  const double setup = seconds_since(start);
  run_report<S> report = run(integrator, *workspace, state, run_options<S>{.steps = steps});
  report.setup_seconds = setup;
  return report;
}

template <class S>
std::size_t steps_until(const S& length, const S& step) {
  using std::floor;
  const S ratio = length / step;
  const S nearest = floor(ratio + S(0.5));
  const S slack = S(64) * epsilon<S>() * (ratio > S(1) ? ratio : S(1));
  S count = ratio - nearest <= slack ? nearest : S(nearest + S(1));
  return static_cast<std::size_t>(to_double(count));
}

#define ACTIO_INSTANTIATE(S)                                                                                       \
  template class run_loop<S>;                                                                                      \
  template run_report<S> run<S>(const integrator<S>&, step_workspace<S>&, phase_state<S>&, const run_options<S>&); \
  template run_report<S> run<S>(const integrator<S>&, phase_state<S>&, std::size_t);                               \
  template std::size_t steps_until<S>(const S&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
