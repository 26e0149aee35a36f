#include "actio/analysis/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

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

// y after each of `steps` steps of y' = f(t, y), with `substeps` reference steps to each.
template <class S>
std::vector<exact_point<S>> collocation_grid(const model& m, const S& step, std::size_t steps, std::size_t substeps) {
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
    if ((k + 1) % substeps != 0) continue;
    exact_point<S> point;
    for (const R& x : y.value) point.position.push_back(static_cast<S>(x));
    grid.push_back(std::move(point));
  }
  return grid;
}

// (q, p) after each of `steps` steps, with `substeps` reference steps to each.
template <class S>
std::vector<exact_point<S>> reference_grid(const model& m, const S& step, std::size_t steps, std::size_t substeps,
                                           bool project) {
  using R = reference_scalar<S>;
  if (m.system.is_first_order()) return collocation_grid<S>(m, step, steps, substeps);
  const integrator<R> flow(m.system,
                           {.method = reference_method(m), .step = R(step) / R(substeps), .project = project});
  phase_state<R> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  std::vector<exact_point<S>> grid;
  for (std::size_t k = 0; k < steps * substeps; ++k) {
    if (!workspace->advance(state)) return {};
    if (state.index % substeps != 0) continue;
    exact_point<S> point;
    for (const R& x : state.position.value) point.position.push_back(static_cast<S>(x));
    for (const R& x : state.momentum.value) point.momentum.push_back(static_cast<S>(x));
    grid.push_back(std::move(point));
  }
  return grid;
}

// Reference steps per step, doubled until one more doubling moves the end by no more than rounding or nothing is
// gained.
template <class S>
std::size_t substeps_for(const model& m, const S& step, std::size_t steps, bool project) {
  std::size_t substeps = 1;
  std::vector<exact_point<S>> coarse = reference_grid(m, step, steps, substeps, project);
  double previous = std::numeric_limits<double>::infinity();
  for (; substeps < 64; substeps *= 2) {
    std::vector<exact_point<S>> fine = reference_grid(m, step, steps, 2 * substeps, project);
    if (coarse.empty() || fine.empty()) {
      coarse = std::move(fine);
      continue;
    }
    double size = 0;
    for (const S& x : fine.back().position) size += std::abs(to_double(x));
    const double change = to_double(distance<S>(coarse.back().position, fine.back().position));
    if (change <= 8 * to_double(epsilon<S>()) * size || change > previous / 4) break;
    previous = change;
    coarse = std::move(fine);
  }
  return 2 * substeps;
}

template <class S>
comparison_cell run_cell(const model& m, const source_text& method, const source_text& step_text, const S& step,
                         const S& until, const comparison_options& options,
                         typename largest_errors<S>::measure errors_at) {
  const integrator<S> flow(m.system, {.method = method_named(method).name,
                                      .step = step,
                                      .allow_unstable = options.allow_unstable,
                                      .project = options.project,
                                      .step_place = step_text.origin});
  phase_state<S> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  const std::size_t steps = steps_until(until, step);
  largest_errors<S> errors(2, {steps}, std::move(errors_at));
  const run_report<S> report = run(flow, *workspace, state, run_options<S>{.steps = steps, .observers = {&errors}});
  comparison_cell cell{.method = flow.method().name, .step = step_text.text, .step_value = to_double(step)};
  cell.steps = report.steps;
  cell.error = to_double(errors(0, 0));
  cell.momentum_error = to_double(errors(1, 0));
  cell.energy_error = to_double(report.energy.max_relative_error);
  cell.seconds = report.seconds;
  cell.mean_iterations = report.mean_iterations;
  if (report.status != run_status::done) cell.status = report.reason;
  return cell;
}

// The observed order between two cells, unless rounding has taken over.
std::optional<double> order_between(const comparison_cell& a, const comparison_cell& b, double floor) {
  if (a.status != "done" || b.status != "done" || a.step_value == b.step_value) return {};
  if (!(a.error > floor && b.error > floor)) return {};
  return std::log(a.error / b.error) / std::log(a.step_value / b.step_value);
}

}  // namespace

template <class S>
comparison compare(const model& m, const std::vector<source_text>& methods, const std::vector<source_text>& steps,
                   const S& until, const exact_motion<S>& exact, const comparison_options& options) {
  refuse_two_point_start(m, "a comparison");
  comparison result{.reference = exact ? "exact solution" : "", .until = to_double(until), .cells = {}};
  result.has_energy = !m.system.is_first_order();
  for (const source_text& method : methods) require_suited(method_named(method), m.system, method.origin);
  std::vector<std::vector<exact_point<S>>> grids(steps.size());
  std::vector<S> values;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    values.push_back(step_value<S>(m, steps[k]));
    if (exact) continue;
    const std::size_t count = steps_until(until, values[k]);
    const std::size_t substeps = substeps_for(m, values[k], count, options.project);
    grids[k] = reference_grid(m, values[k], count, substeps, options.project);
    result.reference +=
        fmt::format("{}{} with step {}", k ? ", " : "", reference_name(m), to_brief(S(values[k] / S(substeps)), 4));
  }
  const double floor = 2000 * to_double(epsilon<S>());
  exact_point<S> truth;
  for (const source_text& method : methods) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (!exact && grids[k].empty()) {
        result.cells.push_back({.method = method.text,
                                .step = steps[k].text,
                                .step_value = to_double(values[k]),
                                .status = "no reference: the motion cannot be followed up to the end"});
        continue;
      }
      const auto errors_at = [&](const sample<S>& now, std::span<S> errors) {
        if (exact) truth = exact(now.state.time);
        const exact_point<S>& right = exact ? truth : grids[k][now.state.index - 1];
        errors[0] = distance<S>(now.state.position.value, right.position);
        errors[1] = distance<S>(now.state.momentum.value, right.momentum);
      };
      result.cells.push_back(run_cell<S>(m, method, steps[k], values[k], until, options, errors_at));
      if (k > 0) {
        const std::size_t last = result.cells.size() - 1;
        result.cells[last].order = order_between(result.cells[last - 1], result.cells[last], floor);
      }
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S)                                                                                     \
  template comparison compare<S>(const model&, const std::vector<source_text>&, const std::vector<source_text>&, \
                                 const S&, const exact_motion<S>&, const comparison_options&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
