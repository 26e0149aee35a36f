#include "actio/simulate/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "actio/base/option_naming.hpp"
#include "actio/base/spectrum.hpp"

namespace actio {

namespace {

constexpr int most_halvings = 10;
constexpr double most_work = 400'000;           // steps times coordinates that a trial may take in double
constexpr std::size_t most_linearised = 50;     // coordinates
constexpr double tolerated_energy_error = 0.1;  // of the kinetic energy that the motion reaches

struct trial {
  bool passed = false;
  double time = 0;  // that it reached
};

// Kinetic energy, energy and work along a trial.
template <class S>
class energy_watch {
 public:
  void look(const phase_point<S>& point, const phase_state<S>& state, const S& work) {
    using std::abs;
    if (!point.space().has_energy()) return;
    S kinetic(0);
    for (std::size_t i = 0; i < state.momentum.value.size(); ++i) {
      kinetic += point.velocity()[i] * state.momentum.value[i] / S(2);
    }
    work_ += work;
    if (!first_) first_ = point.energy();
    largest_ = std::max<S>(largest_, abs(kinetic));
    error_ = std::max<S>(error_, abs(S(point.energy() - *first_ - work_)));
  }
  bool is_in_bounds() const { return error_ <= S(tolerated_energy_error) * largest_; }

 private:
  std::optional<S> first_;
  S work_{0}, largest_{0}, error_{0};
};

// log ρ of the step at `state`; nothing where it cannot be found.
template <class S>
std::optional<double> growth_at(const integrator<S>& flow, const phase_state<S>& state) {
  const matrix<S> map = flow.make_workspace()->tangent_map(state);
  if (map.rows() == 0 || map.rows() != map.columns()) return {};
  const std::size_t n = flow.space().has_energy() ? map.rows() / 2 : map.rows();
  matrix<double> plain(map.rows(), map.columns());
  double upper = 0, lower = 0;  // positions and momenta may differ much in size
  for (std::size_t i = 0; i < map.rows(); ++i) {
    for (std::size_t j = 0; j < map.columns(); ++j) {
      plain(i, j) = to_double(map(i, j));
      if (!std::isfinite(plain(i, j))) return {};
      if (i < n && j >= n) upper = std::max(upper, std::abs(plain(i, j)));
      if (i >= n && j < n) lower = std::max(lower, std::abs(plain(i, j)));
    }
  }
  const double unit = upper > 0 && lower > 0 ? std::sqrt(lower / upper) : 1;
  for (std::size_t i = 0; i < map.rows(); ++i) {
    for (std::size_t j = 0; j < map.columns(); ++j) {
      if (i < n && j >= n) plain(i, j) *= unit;
      if (i >= n && j < n) plain(i, j) /= unit;
    }
  }
  double radius = 0;
  for (const std::complex<double>& x : eigenvalues(plain)) radius = std::max(radius, std::abs(x));
  return radius > 0 ? std::optional(std::log(radius)) : std::nullopt;
}

// Whether neighbouring motions part no faster with such steps than with steps half as long.
template <class S>
bool is_stable_at(const integrator<S>& flow, const integrator<S>& finer, const phase_state<S>& state) {
  constexpr double slow = 1e-3;
  if (flow.space().size() > most_linearised) return true;
  const std::optional<double> here = growth_at(flow, state), there = growth_at(finer, state);
  return here && there && *here <= 4 * std::max(0.0, *there) + slow;
}

template <class S>
trial try_step(const integrator<S>& flow, const integrator<S>& finer, const phase_state<S>& start, const S& end) {
  phase_state<S> state = start;
  state.index = 0;
  state.begin_at(start.time);
  const auto workspace = flow.make_workspace();
  phase_point<S> point(flow.space());
  energy_watch<S> energy;
  if (!point.measure(state.time, state.position.value, state.momentum.value)) return {};
  energy.look(point, state, S(0));
  const auto is_before_end = [&] { return S(flow.step()) > S(0) ? state.time < end : state.time > end; };
  while (is_before_end()) {
    if (static_cast<double>(state.index) > most_work) return {false, to_double(state.time)};  // steps may become shorter
    const phase_state<S> before = state;
    const bool moved = static_cast<bool>(workspace->advance(state));
    if (!moved || !point.measure(state.time, state.position.value, state.momentum.value)) {
      return {false, to_double(before.time)};
    }
    energy.look(point, state, workspace->work());
  }
  const bool is_sound = energy.is_in_bounds() && is_stable_at(flow, finer, start) && is_stable_at(flow, finer, state);
  return {is_sound, to_double(state.time)};
}

// Nothing where the guard of linear systems refuses the step.
template <class S>
std::optional<integrator<S>> with_step_or_nothing(const integrator<S>& flow, const S& step) {
  try {
    return flow.with_step(step);
  } catch (const input_error&) {
    return std::nullopt;
  }
}

}  // namespace

template <class S>
std::string advice_after_failure(const integrator<S>& integrator, const phase_state<S>& start,
                                 const phase_state<S>& last) {
  const double work = most_work / (std::same_as<S, double> ? 1 : 100);
  using std::abs;
  const S elapsed = last.time - start.time, length = abs(integrator.step()),
          direction(integrator.step() > S(0) ? 1 : -1);
  const S end = last.time + direction * std::max<S>(S(64) * length, abs(elapsed) / S(4));
  const double first_failure = to_double(last.time), near = to_double(S(length + abs(elapsed) / S(50)));
  double latest = first_failure;
  bool any_passed_by = false;
  int tried = 0;
  S step = integrator.step();
  for (int k = 0; k < most_halvings; ++k) {
    step /= 2;
    const double steps = to_double(S((end - start.time) / step));
    if (!(steps * static_cast<double>(integrator.space().size()) <= work)) break;
    const auto flow = with_step_or_nothing(integrator, step), finer = with_step_or_nothing(integrator, S(step / 2));
    if (!flow || !finer) continue;
    const trial found = try_step(*flow, *finer, start, end);
    if (found.passed) {
      return named_options(
          fmt::format("try @step={}: with it the motion goes on from the start to t = {:.6g}, where this was tried",
                      to_brief(S(abs(step)), 6), found.time));
    }
    ++tried;
    latest = found.time;
    any_passed_by = any_passed_by || std::abs(found.time - first_failure) > near;
  }
  if (tried == 0) return "start again with a shorter step; none was tried, since the run is long";
  if (any_passed_by || tried < 3) {
    return fmt::format(
        "start again with a much shorter step: {} shorter ones were tried from the start, down to {}, "
        "and failed as well",
        tried, to_brief(S(abs(step)), 3));
  }
  return fmt::format(
      "shorter steps, tried from the start, end there as well: the motion itself seems to end in a singularity near "
      "t = {:.6g}; run up to an earlier time",
      latest);
}

#define ACTIO_INSTANTIATE(S) \
  template std::string advice_after_failure<S>(const integrator<S>&, const phase_state<S>&, const phase_state<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
