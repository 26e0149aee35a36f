#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "actio/backend/backend.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/advice.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/event_action.hpp"
#include "actio/simulate/event_watch.hpp"
#include "actio/simulate/failure_reason.hpp"
#include "actio/simulate/kink_rhythm.hpp"
#include "actio/simulate/milestones.hpp"
#include "actio/simulate/run_begin.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

// Events that change the motion inside the length of one step: more of them have no end.
constexpr std::size_t most_events_in_a_step = 1000;
constexpr double kink_margin = 1024;  // roundings of a step between a kink and the steps beside it

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

// Those of the first observer that wants the run to end.
template <class S>
std::string words_to_end(const std::vector<observer<S>*>& observers) {
  for (const observer<S>* o : observers) {
    if (std::string words = o->reason_to_end(); !words.empty()) return words;
  }
  return "";
}

template <class S>
class run_loop {
 public:
  run_loop(const integrator<S>& flow, step_workspace<S>& workspace, phase_state<S>& state,
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
        shorter_(flow, workspace.space()),
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
    if (options.events.empty()) return;
    watch_.emplace(flow, workspace.space(), options.events);
    actions_.emplace(workspace.space(), options.events);
  }

  run_report<S> go() {
    try {
      if (begin()) {
        while (goes_on() && step()) look_on();
      }
    } catch (const callback_interruption&) {
      state_ = before_;
      report_.status = run_status::interrupted;
    }
    meter_.fill(report_);
    report_.trust = trust_in(report_);
    report_.steps = state_.index;
    report_.time = state_.time;
    report_.position = state_.position.value;
    report_.momentum = state_.momentum.value;
    return std::move(report_);
  }

 private:
  static std::vector<expr> values_of(std::span<const sampled_control> controls) {
    std::vector<expr> values;
    for (const sampled_control& c : controls) values.push_back(c.value);
    return values;
  }

  // Throws bad-number.
  S interval_of(const sampled_control& c) const {
    const lagrangian_system& system = flow_.space().system();
    const S every = quantity_value<S>(system, c.every);
    if (is_finite(every) && every > S(0)) return every;
    throw input_error("bad-number",
                      fmt::format("the control '{}' is to be sampled after every {} of time",
                                  system.parameters[c.parameter].name, to_brief(every, 6)),
                      c.place, "give a positive time, such as every = 0.01");
  }

  bool measure() { return point_.measure(state_.time, state_.position.value, state_.momentum.value, state_.velocity); }

  bool goes_on() const {
    if (report_.status != run_status::done || is_ended_ || state_.index >= options_.steps) return false;
    return !options_.until || !milestones_.reaches(state_.time, *options_.until);
  }

  bool fail(step_code code) {
    report_.status = run_status::failed;
    report_.failure = code;
    report_.reason = failure_reason(code, state_, status_, flow_.space());
    if (std::string scale = vanishing_scale(workspace_.space(), first_, state_); !scale.empty()) {
      report_.reason = fmt::format("step {}: {}", state_.index + 1, scale);
      report_.suggestion = "let the scale of [time] stay positive along the motion, or run up to an earlier time";
      return false;
    }
    const bool is_plain = options_.advises && !options_.control && options_.sampled.empty() && options_.events.empty();
    report_.suggestion =
        code == step_code::no_convergence && !held_at(flow_.space(), state_).empty() ? cure_for_sticking
        : code == step_code::mass_singular ? "run up to an earlier time, or start with a velocity on another branch"
        : is_plain                         ? advice_after_failure(flow_, first_, state_)
                                           : "shorten the step, or look at what controls and events ask for";
    return false;
  }

  bool fail_with(std::string reason, std::string suggestion) {
    report_.status = run_status::failed;
    report_.failure = step_code::no_convergence;
    report_.reason = std::move(reason);
    report_.suggestion = std::move(suggestion);
    return false;
  }

  // A run that goes on from a checkpoint has seen its state.
  bool begin() {
    if (!measure()) return fail(step_code::left_domain);
    if (!meter_.started()) {
      if (!take_samples(false)) return false;
      is_sampled_ = true;
      meter_.start(state_, point_);
      if (watch_ && !happen_at_start()) return false;
      look_on(nullptr);
    }
    if (watch_ && !has_happened_) watch_->start(state_, point_.velocity());
    has_happened_ = false;
    return true;
  }

  void look_on() { look_on(&before_); }

  void look_on(const phase_state<S>* before) {
    for (observer<S>* o : options_.observers) {
      o->observe({state_, point_, *last_, status_.iterations, meter_, report_.seconds, before});
    }
    if (const std::string words = words_to_end(options_.observers); !words.empty()) {
      report_.status = run_status::interrupted;
      report_.reason = fmt::format("an observer ended the run at step {}: {}", state_.index, words);
    }
    if (before != nullptr && options_.interrupted && options_.interrupted()) report_.status = run_status::interrupted;
  }

  // New values of the parameters for what follows; the energy that they bring is supplied. False where the state is
  // outside of what they allow.
  bool assign_parameters(bool counts_energy) {
    if (std::ranges::equal(parameters_, workspace_.space().parameters())) return true;
    refuse_moving_constraints();
    const S before = report_.has_energy ? point_.energy_change() : S(0);
    workspace_.set_parameters(parameters_);
    if (!measure()) return fail(step_code::left_domain);
    if (report_.has_energy && counts_energy) meter_.supply(point_.energy_change() - before);
    return true;
  }

  void refuse_moving_constraints() const {
    std::vector<std::size_t> changed;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (parameters_[k] != workspace_.space().parameters()[k]) changed.push_back(k);
    }
    require_still_constraints(flow_.space().system(), changed);
  }

  bool take_samples(bool counts_energy) {
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

  bool control() {
    if (!std::exchange(is_sampled_, false) && !take_samples(true)) return false;
    if (!options_.control) return true;
    std::ranges::copy(workspace_.space().parameters(), parameters_.begin());
    options_.control(state_, point_, parameters_);
    return assign_parameters(true);
  }

  // One step of the method, or a shorter one to the next milestone.
  step_status advance() {
    const std::optional<S> next = milestones_.any() ? milestones_.after(state_.time) : std::nullopt;
    last_ = &workspace_;
    is_regular_ = true;
    if (workspace_.chooses_steps()) {
      is_regular_ = false;
      if (next) workspace_.end_at(*next);
      return workspace_.advance(state_);
    }
    if (!next || milestones_.reaches(*next, state_.time_after(flow_.step()))) return workspace_.advance(state_);
    is_regular_ = false;
    if (options_.until && *next == *options_.until && options_.before_short_end) {
      options_.before_short_end({state_, point_, workspace_, status_.iterations, meter_, report_.seconds, &before_});
    }
    const step_status status = shorter_.advance_to(state_, *next);
    if (status) workspace_.forget(), last_ = &shorter_.workspace();
    return status;
  }

  // Over a jump of the forces the equations of a step may have no solution, though those of shorter ones up to it do.
  void advance_a_part() {
    constexpr int most_halvings = 48, most_in_a_row = 60;
    S length = flow_.step();
    for (int k = 0; k < most_halvings && parts_in_a_row_ < most_in_a_row; ++k) {
      length /= S(2);
      status_ = shorter_.advance(state_, length);
      if (status_.code == step_code::no_convergence) continue;
      ++parts_in_a_row_;
      is_regular_ = false;
      if (status_) workspace_.forget(), last_ = &shorter_.workspace();
      return;
    }
  }

  bool step() {
    before_ = state_;
    if (!control()) return false;
    const auto start = clock::now();
    status_ = advance();
    if (status_.code == step_code::no_convergence && watches_kinks_) advance_a_part();
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
    return true;
  }

  // Events of the step that was taken. The first that changes the motion ends the step where it happens.
  bool happen() {
    const event_search seen = watch_->look(before_, state_, point_.velocity(), *last_, hits_);
    if (seen == event_search::again) return refuse_events_without_end();
    if (seen == event_search::unreachable) {
      return fail_with(fmt::format("an event in step {} at t = {:.6g} cannot be reached by shorter steps", state_.index,
                                   to_double(before_.time)),
                       "shorten the step");
    }
    for (std::size_t k = 0; k < hits_.size(); ++k) {
      const model_event& event = options_.events[hits_[k].event];
      if (event.only_records()) {
        meter_.note(event.name, hits_[k].state);
        continue;
      }
      const kink_verdict verdict = event.ends_step ? verdict_on(hits_[k]) : kink_verdict::ends_step;
      if (verdict == kink_verdict::sticks) return refuse_to_stick(event);
      if (verdict == kink_verdict::crowded) continue;
      return is_met(hits_[k]) && carry_out_from(k);
    }
    return true;
  }

  // Events on whose surface the run starts, where the motion goes on in their direction.
  bool happen_at_start() {
    const auto here = watch_->at(state_);
    for (const std::size_t e : here.unclear) {
      if (!options_.events[e].only_records()) meter_.note_unclear_start(options_.events[e].name);
    }
    hits_.clear();
    for (const std::size_t e : here.happening) hits_.push_back({e, {state_, S(0)}});
    if (hits_.empty()) return true;
    has_happened_ = true;
    return carry_out_from(0);
  }

  kink_verdict verdict_on(const event_hit<S>& kink) {
    const lagrangian_system& system = flow_.space().system();
    const bool may_hold = depends_on_any(options_.events[kink.event].when,
                                         system.is_first_order() ? system.coordinates : system.velocities());
    return kinks_.meet(kink.event, kink.state.time, may_hold);
  }

  bool refuse_to_stick(const model_event& kink) {
    state_ = before_;
    return fail_with(sticking_reason(to_double(state_.time), kink.name), cure_for_sticking);
  }

  bool refuse_events_without_end() {
    state_ = before_;
    return fail_with(
        fmt::format("events follow one another without end near t = {:.9g}", to_double(state_.time)),
        "let an event stop the run or change its mode before motions between two of them become too short");
  }

  // A step of another length that counts.
  bool advance_within(const S& length) {
    status_ = shorter_.advance(state_, length);
    if (!status_) return fail(status_.code);
    last_ = &shorter_.workspace();
    if (!measure()) return fail(step_code::left_domain);
    meter_.add(state_, point_, *last_, status_, false);
    return true;
  }

  // The step up to the event.
  bool is_met(const event_hit<S>& hit) {
    using std::abs;
    if (events_in_a_row_++ == 0 || abs(S(hit.state.time - row_began_)) > abs(flow_.step())) {
      row_began_ = hit.state.time;
      events_in_a_row_ = 1;
    }
    if (events_in_a_row_ > most_events_in_a_step) return refuse_events_without_end();
    has_happened_ = true;
    if (!options_.events[hit.event].ends_step && hit.state.time == state_.time) {  // at the end of the step
      meter_.add(state_, point_, *last_, status_, is_regular_);
      return true;
    }
    state_ = before_;
    if (!options_.events[hit.event].ends_step) {
      if (!advance_within(hit.state.length)) return false;
    } else {
      // A step ends before a kink and the next one begins behind it: nodes at their ends are each on their side.
      const S size = std::max<S>(abs(flow_.step()), abs(state_.time) / S(16));
      const S margin = S(kink_margin) * epsilon<S>() * (flow_.step() < S(0) ? S(-size) : size);
      const std::size_t index = state_.index + 1;
      if (abs(hit.state.length) > S(4) * abs(margin) && !advance_within(S(hit.state.length - margin))) return false;
      if (!advance_within(S(S(2) * margin))) return false;
      state_.index = index;
    }
    return true;
  }

  // The event of this place among the hits, and those that happen at the same time within rounding, in their order;
  // then those on whose surface they leave the motion. Each happens once.
  bool carry_out_from(std::size_t first) {
    using std::abs;
    const S length = hits_[first].state.length;
    const S apart = S(1024) * epsilon<S>() * std::max<S>(abs(length), abs(flow_.step()));
    std::vector<event_hit<S>> done;
    const auto is_done = [&](std::size_t event) {
      return std::ranges::any_of(done, [&](const event_hit<S>& hit) { return hit.event == event; });
    };
    bool has_changed = false;
    for (std::size_t k = first; k < hits_.size() && abs(S(hits_[k].state.length - length)) <= apart; ++k) {
      if (is_done(hits_[k].event)) continue;
      has_changed = has_changed || !options_.events[hits_[k].event].set.empty();
      if (!carry_out(hits_[k])) return false;
      done.push_back(hits_[k]);
    }
    while (has_changed && !is_ended_) {
      const auto here = watch_->at(state_);
      const auto next = std::ranges::find_if_not(here.happening, is_done);
      if (next == here.happening.end()) break;
      done.push_back({*next, {state_, length}});
      if (!carry_out(done.back())) return false;
    }
    workspace_.forget();
    watch_->start(state_, point_.velocity(), done);
    return true;
  }

  bool carry_out(const event_hit<S>& hit) {
    const model_event& event = options_.events[hit.event];
    if (!event.set.empty() && !assign(hit.event)) return false;
    if (!event.ends_step) meter_.note(event.name, state_);
    if (event.stops && !is_ended_) {
      is_ended_ = true;
      report_.reason = fmt::format("the event '{}' ended the run at t = {}", event.name, to_brief(state_.time, 10));
    }
    return true;
  }

  bool assign(std::size_t event) {
    meter_.before_change(point_);
    const std::string obstacle = actions_->carry_out(event, workspace_, point_, state_);
    if (obstacle.empty() && measure()) {
      meter_.after_change(state_, point_);
      return true;
    }
    return fail_with(fmt::format("the event '{}' at t = {:.6g} cannot set its values{}{}", options_.events[event].name,
                                 to_double(state_.time), obstacle.empty() ? "" : ": ", obstacle),
                     "let it lead to a state of the system");
  }

  const integrator<S>& flow_;
  step_workspace<S>& workspace_;
  phase_state<S>& state_;
  const run_options<S>& options_;
  run_report<S> report_;
  phase_point<S> point_;
  std::optional<certificate_meter<S>> own_meter_;
  certificate_meter<S>& meter_;
  std::vector<S> parameters_;
  phase_state<S> first_, before_;
  milestones<S> milestones_;
  free_step<S> shorter_;
  step_workspace<S>* last_ = &workspace_;  // that took the last step
  std::optional<state_function<S>> sampled_;
  std::optional<event_watch<S>> watch_;
  std::optional<event_actions<S>> actions_;
  std::vector<event_hit<S>> hits_;
  step_status status_;
  std::size_t events_in_a_row_ = 0;  // that changed the motion, in the time of one step
  kink_rhythm<S> kinks_;
  bool watches_kinks_;
  int parts_in_a_row_ = 0;  // of steps that could not be solved
  S row_began_{0};
  bool is_regular_ = true, has_happened_ = false, is_ended_ = false, is_sampled_ = false;
};

}  // namespace

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
  template run_report<S> run<S>(const integrator<S>&, step_workspace<S>&, phase_state<S>&, const run_options<S>&); \
  template run_report<S> run<S>(const integrator<S>&, phase_state<S>&, std::size_t);                               \
  template std::size_t steps_until<S>(const S&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
