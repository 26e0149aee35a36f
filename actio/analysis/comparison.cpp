#include "actio/analysis/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "actio/analysis/collocation.hpp"
#include "actio/analysis/convergence.hpp"

namespace actio {

namespace {

// The method of highest order that the system bears.
const char* reference_method(const model& m) { return m.system.is_constrained() ? "lobatto-9" : "gauss-10"; }
constexpr std::size_t collocation_stages = 10;

std::string reference_name(const model& m) {
  if (!m.system.is_first_order()) return reference_method(m);
  return fmt::format("Gauss collocation of order {}", 2 * collocation_stages);
}

// References are computed with more digits than the runs they judge, where there is such a scalar.
template <class S>
using reference_scalar = std::conditional_t<std::same_as<S, double>, quad, S>;

template <class S>
S step_value(const model& m, const source_text& text) {
  const S step = quantity_value<S>(m.system, parse_quantity(m, text));
  if (is_finite(step) && step > S(0)) return step;
  throw input_error("bad-step", fmt::format("the step '{}' is not a positive number", text.text), text.origin,
                    "give positive step sizes such as 0.1,0.05");
}

constexpr const char* interrupted_status = "interrupted";

// Says every so often how far a computation is, and asks whether it is to go on.
class step_counter {
 public:
  step_counter(const comparison_options& options, std::string what, std::size_t all)
      : options_(options), what_(std::move(what)), all_(all) {}
  void count(std::size_t done) const {
    constexpr std::size_t patience = 64;
    if (options_.progress && done % patience == 0) options_.progress(what_, done, all_);
  }
  bool goes_on() const { return !options_.interrupted(); }

 private:
  const comparison_options& options_;
  std::string what_;
  std::size_t all_;
};

template <class S>
class step_counting final : public observer<S> {
 public:
  explicit step_counting(step_counter counter) : counter_(std::move(counter)) {}
  void observe(const sample<S>& now) override { counter_.count(now.state.index); }

 private:
  step_counter counter_;
};

// y after each of `steps` steps of y' = f(t, y), with `substeps` reference steps to each.
template <class S>
std::vector<exact_point<S>> collocation_grid(const model& m, const S& step, std::size_t steps, std::size_t substeps,
                                             const step_counter& counter) {
  using R = reference_scalar<S>;
  const R substep = R(step) / R(substeps);
  const phase_space<R> space(m.system, parameter_values<R>(m.system));
  const auto field = equation_field<R>(space);
  collocation_flow<R> flow(*field, collocation_stages, substep);
  std::vector<R> start;
  for (const named_expr& y : m.initial.position) start.push_back(quantity_value<R>(m.system, y.value));
  compensated_vector<R> y(std::move(start));
  std::vector<exact_point<S>> grid;
  for (std::size_t k = 0; k < steps * substeps; ++k) {
    if (!flow.advance(R(static_cast<double>(k)) * substep, y)) return {};
    counter.count(k + 1);
    if (!counter.goes_on()) return {};
    if ((k + 1) % substeps != 0) continue;
    exact_point<S> point;
    for (const R& x : y.value) point.position.push_back(static_cast<S>(x));
    grid.push_back(std::move(point));
  }
  return grid;
}

// (q, p) after each of `steps` steps, with `substeps` reference steps to each. Empty where it cannot be followed.
template <class S>
std::vector<exact_point<S>> reference_grid(const model& m, const S& step, std::size_t steps, std::size_t substeps,
                                           const comparison_options& options) {
  using R = reference_scalar<S>;
  const std::string length = to_brief(S(step / S(static_cast<double>(substeps))), 4);
  const step_counter counter(options, fmt::format("reference with step {}:", length), steps * substeps);
  if (m.system.is_first_order()) return collocation_grid<S>(m, step, steps, substeps, counter);
  const integrator<R> flow(m.system,
                           {.method = reference_method(m), .step = R(step) / R(substeps), .project = options.project});
  phase_state<R> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  std::vector<exact_point<S>> grid;
  for (std::size_t k = 0; k < steps * substeps; ++k) {
    if (!workspace->advance(state)) return {};
    counter.count(k + 1);
    if (!counter.goes_on()) return {};
    if (state.index % substeps != 0) continue;
    exact_point<S> point;
    for (const R& x : state.position.value) point.position.push_back(static_cast<S>(x));
    for (const R& x : state.momentum.value) point.momentum.push_back(static_cast<S>(x));
    grid.push_back(std::move(point));
  }
  return grid;
}

template <class S>
struct reference_motion {
  std::size_t substeps = 0;
  std::vector<exact_point<S>> grid = {};
};

// Reference steps per step are doubled until one more doubling moves the end by no more than rounding or nothing is
// gained.
template <class S>
reference_motion<S> reference_for(const model& m, const S& step, std::size_t steps, const comparison_options& options) {
  constexpr std::size_t most_substeps = 64;
  reference_motion<S> coarse{1, reference_grid(m, step, steps, 1, options)};
  double previous = std::numeric_limits<double>::infinity();
  while (coarse.substeps < most_substeps && !options.interrupted()) {
    reference_motion<S> fine{2 * coarse.substeps, reference_grid(m, step, steps, 2 * coarse.substeps, options)};
    if (!coarse.grid.empty() && !fine.grid.empty()) {
      double size = 0;
      for (const S& x : fine.grid.back().position) size += std::abs(to_double(x));
      const double change = to_double(distance<S>(coarse.grid.back().position, fine.grid.back().position));
      if (change <= 8 * to_double(epsilon<S>()) * size || change > previous / 4) return fine;
      previous = change;
    }
    coarse = std::move(fine);
  }
  return coarse;
}

// Time for the steps of a run alone. Short runs are repeated until enough of it has passed; other work on the machine
// only adds to a time, so that the least is the one.
template <class S>
double stepping_seconds(const integrator<S>& flow, const phase_state<S>& start, std::size_t steps, double measured) {
  using clock = std::chrono::steady_clock;
  constexpr double enough = 0.03;
  double least = measured, passed = measured;
  for (int trial = 0; passed < enough && trial < 1000; ++trial) {
    phase_state<S> state = start;
    const auto workspace = flow.make_workspace();
    const auto begin = clock::now();
    while (state.index < steps && workspace->advance(state)) {
    }
    const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
    if (state.index < steps) break;
    least = std::min(least, seconds);
    passed += seconds;
  }
  return least;
}

// A row without a run, and why.
comparison_cell idle_cell(const std::string& method, const source_text& step, double step_value, std::string reason) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  return {.method = method,
          .step = step.text,
          .step_value = step_value,
          .error = nothing,
          .momentum_error = nothing,
          .energy_error = nothing,
          .status = std::move(reason)};
}

template <class S>
comparison_cell run_cell(const model& m, const method& chosen, const source_text& step_text, const S& step,
                         const S& until, const comparison_options& options,
                         typename largest_errors<S>::measure errors_at) {
  const integrator<S> flow(m.system, {.method = chosen.name,
                                      .step = step,
                                      .allow_unstable = options.allow_unstable,
                                      .project = options.project,
                                      .guess = options.guess,
                                      .step_place = step_text.origin});
  phase_state<S> state = flow.at_start(m);
  const phase_state<S> start = state;
  const auto workspace = flow.make_workspace();
  const std::size_t steps = steps_until(until, step);
  largest_errors<S> errors(2, {steps}, std::move(errors_at));
  step_counting<S> counting(step_counter(options, fmt::format("{} with step {}:", chosen.name, step_text.text), steps));
  const run_report<S> report =
      run(flow, *workspace, state,
          run_options<S>{.steps = steps, .observers = {&errors, &counting}, .interrupted = options.interrupted});
  comparison_cell cell{.method = chosen.name, .step = step_text.text, .step_value = to_double(step)};
  cell.steps = report.steps;
  cell.error = to_double(errors(0, 0));
  cell.momentum_error = to_double(errors(1, 0));
  cell.energy_error = to_double(report.energy.max_relative_error);
  cell.mean_iterations = report.mean_iterations;
  cell.seconds = report.seconds;
  if (report.status == run_status::done) cell.seconds = stepping_seconds(flow, start, steps, report.seconds);
  else cell.status = report.status == run_status::interrupted ? interrupted_status : report.reason;
  return cell;
}

// Why a method does not suit the system; "" where it does.
std::string unsuited_reason(const method& chosen, const lagrangian_system& system) {
  try {
    require_suited(chosen, system);
  } catch (const input_error& error) {
    return error.message();
  }
  return "";
}

// The observed order between two cells, unless rounding has taken over.
std::optional<double> order_between(const comparison_cell& a, const comparison_cell& b, double floor) {
  if (a.status != "done" || b.status != "done" || a.step_value == b.step_value) return {};
  if (!(a.error > floor && b.error > floor)) return {};
  return std::log(a.error / b.error) / std::log(a.step_value / b.step_value);
}

// "gauss-10 with steps 0.025, 0.0125": the method once, each step once.
template <class S>
std::string reference_text(const model& m, const std::vector<S>& steps,
                           const std::vector<reference_motion<S>>& references) {
  std::vector<std::string> lengths;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (references[k].grid.empty()) continue;
    std::string length = to_brief(S(steps[k] / S(static_cast<double>(references[k].substeps))), 4);
    if (std::ranges::find(lengths, length) == lengths.end()) lengths.push_back(std::move(length));
  }
  if (lengths.empty()) return "none: the motion cannot be followed up to the end";
  return fmt::format("{} with step{} {}", reference_name(m), lengths.size() > 1 ? "s" : "", fmt::join(lengths, ", "));
}

}  // namespace

template <class S>
comparison compare(const model& m, const std::vector<source_text>& methods, const std::vector<source_text>& steps,
                   const S& until, const exact_motion<S>& exact, const comparison_options& wanted) {
  refuse_two_point_start(m, "a comparison");
  comparison result{.reference = exact ? "exact solution" : "", .until = to_double(until), .cells = {}};
  comparison_options options = wanted;  // once interrupted, it stays so
  options.interrupted = [&] {
    return result.interrupted = result.interrupted || (wanted.interrupted && wanted.interrupted());
  };
  result.has_energy = !m.system.is_first_order();
  std::vector<std::string> reasons;  // why a method has no runs
  for (const source_text& typed : methods) reasons.push_back(unsuited_reason(method_named(typed), m.system));
  std::vector<S> values;
  for (const source_text& typed : steps) values.push_back(step_value<S>(m, typed));
  std::vector<reference_motion<S>> references(steps.size());
  if (!exact && std::ranges::count(reasons, "") > 0) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      references[k] = reference_for(m, values[k], steps_until(until, values[k]), options);
    }
    result.reference = reference_text(m, values, references);
  }
  const double floor = 2000 * to_double(epsilon<S>());
  exact_point<S> truth;
  for (std::size_t j = 0; j < methods.size(); ++j) {
    const method& chosen = method_named(methods[j]);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const auto idle = [&](std::string reason) {
        result.cells.push_back(idle_cell(chosen.name, steps[k], to_double(values[k]), std::move(reason)));
      };
      const auto errors_at = [&](const sample<S>& now, std::span<S> errors) {
        if (exact) truth = exact(now.state.time);
        const exact_point<S>& right = exact ? truth : references[k].grid[now.state.index - 1];
        errors[0] = distance<S>(now.state.position.value, right.position);
        errors[1] = distance<S>(now.state.momentum.value, right.momentum);
      };
      if (!reasons[j].empty()) {
        idle(reasons[j]);
      } else if (result.interrupted) {
        idle(interrupted_status);
      } else if (!exact && references[k].grid.empty()) {
        idle("no reference: the motion cannot be followed up to the end");
      } else {
        try {
          result.cells.push_back(run_cell<S>(m, chosen, steps[k], values[k], until, options, errors_at));
        } catch (const input_error& error) {
          if (error.id() != "unstable-step") throw;
          idle(error.message());
        }
      }
      const std::size_t last = result.cells.size() - 1;
      if (k > 0) result.cells[last].order = order_between(result.cells[last - 1], result.cells[last], floor);
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S)                                                                                     \
  template comparison compare<S>(const model&, const std::vector<source_text>&, const std::vector<source_text>&, \
                                 const S&, const exact_motion<S>&, const comparison_options&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
