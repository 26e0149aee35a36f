#include "actio/simulate/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>

#include "actio/base/compensated.hpp"
#include "actio/base/parallel.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/lane_engine.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t portion = 4096;       // trajectories whose results are kept before they are handed on
constexpr std::size_t listed_failures = 5;  // in a report

trajectory_status status_of(step_code code) {
  switch (code) {
    case step_code::ok: return trajectory_status::done;
    case step_code::no_convergence: return trajectory_status::no_convergence;
    case step_code::singular: return trajectory_status::singular;
    case step_code::left_domain: break;
  }
  return trajectory_status::left_domain;
}

void fail(trajectory_result& result, step_code code, const phase_state<double>& state) {
  result.status = status_of(code);
  result.reason = fmt::format("step {} at t = {:.6g}: {}", state.index + 1, state.time, to_text(result.status));
}

// One ensemble on its way.
class ensemble_run {
 public:
  ensemble_run(const ensemble_plan& plan, const ensemble_options& options)
      : plan_(plan), options_(options), flow_(plan.base().system, options.integrator) {
    if (options.width > 0) lanes_ = lane_engine::make(plan, flow_, options.width);
  }

  const integrator<double>& flow() const { return flow_; }
  std::string engine() const {
    return lanes_ ? fmt::format("{} trajectories in lanes", lanes_->width()) : "trajectory by trajectory";
  }

  // Trajectories `first` and those behind it that fit into `results`; false when it was interrupted: `complete` says
  // which blocks are done.
  bool compute(std::size_t first, std::span<trajectory_result> results, std::vector<char>& complete) {
    const std::size_t width = lanes_ ? lanes_->width() : 1;
    complete.assign(results.size(), 0);
    in_parallel((results.size() + width - 1) / width, options_.threads,
                [&](std::size_t b) {
                  const std::size_t begin = b * width, count = std::min(width, results.size() - begin);
                  if (is_interrupted()) return;
                  start_maker starts(plan_);
                  for (std::size_t l = 0; l < count; ++l) {
                    trajectory_result& result = results[begin + l];
                    result = trajectory_result{};
                    result.index = first + begin + l;
                    starts.make(result.index, result.start);
                  }
                  if (!compute_block(results.subspan(begin, count))) return;
                  std::fill_n(complete.begin() + static_cast<std::ptrdiff_t>(begin), count, 1);
                },
                [&](std::size_t blocks, std::size_t) {
                  if (options_.progress)
                    options_.progress(first + std::min(blocks * width, results.size()), plan_.size());
                });
    return !stop_;
  }

 private:
  bool is_interrupted() {
    if (!stop_ && options_.interrupted && options_.interrupted()) stop_ = true;
    return stop_;
  }

  bool compute_block(std::span<trajectory_result> block) {
    bool solved[8] = {};
    if (lanes_ && !lanes_->run(block, options_.steps, solved, [this] { return is_interrupted(); })) return false;
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (!solved[l] && !compute_alone(block[l])) return false;
    }
    return true;
  }

  // With the ordinary step of the method. Data that the integrator refuses make the trajectory fail, not the ensemble.
  bool compute_alone(trajectory_result& result) {
    const std::size_t momenta = flow_.space().momentum_names().size();
    result.position = result.start.position;
    result.momentum = result.start.momentum;
    result.momentum_errors.assign(momenta, 0.0);
    try {
      if (!plan_.varies_parameters()) return advance(flow_, result);
      lagrangian_system system = plan_.base().system;
      for (std::size_t k = 0; k < system.parameters.size(); ++k) {
        const double value = result.start.parameters[k];
        if (!std::isfinite(value)) {
          refuse(result, fmt::format("the parameter '{}' is {}", system.parameters[k].name, value));
          return true;
        }
        system.parameters[k].value = expr(rational(value));
      }
      return advance(integrator<double>(system, options_.integrator), result);
    } catch (const input_error& error) {
      refuse(result, error.message());
      return true;
    }
  }

  // What is not finite has no place among results.
  static void refuse(trajectory_result& result, std::string reason) {
    result.status = trajectory_status::bad_start;
    result.reason = std::move(reason);
    for (auto* values : {&result.position, &result.momentum, &result.start.position, &result.start.momentum}) {
      for (double& x : *values) x = std::isfinite(x) ? x : 0;
    }
  }

  bool advance(const integrator<double>& flow, trajectory_result& result) {
    phase_state<double> state = flow.at_momentum(result.start.position, result.start.momentum);
    const auto workspace = flow.make_workspace();
    phase_point<double> point(flow.space());
    certificate_meter<double> meter(flow);
    point.measure(state.time, state.position.value, state.momentum.value);
    meter.start(state, point);
    phase_state<double> last_good = state;
    while (result.status == trajectory_status::done && state.index < options_.steps) {
      if (state.index % 256 == 0 && is_interrupted()) return false;
      last_good = state;
      const step_status status = workspace->advance(state);
      if (!status) {
        fail(result, status.code, state);
      } else if (!point.measure(state.time, state.position.value, state.momentum.value)) {
        state = last_good;  // a step into nowhere is not taken
        fail(result, step_code::left_domain, state);
      } else {
        meter.add(state, point, workspace->work(), status.iterations);
      }
    }
    run_report<double> report;
    meter.fill(report);
    result.steps = state.index;
    result.position = state.position.value;
    result.momentum = state.momentum.value;
    result.energy_error = report.energy.max_relative_error;
    for (std::size_t k = 0; k < report.momenta.size(); ++k) result.momentum_errors[k] = report.momenta[k].max_error;
    return true;
  }

  const ensemble_plan& plan_;
  const ensemble_options& options_;
  integrator<double> flow_;
  std::unique_ptr<const lane_engine> lanes_;
  std::atomic<bool> stop_{false};
};

// Adds up results in their order, so that sums do not depend on who computed what.
class summary {
 public:
  summary(ensemble_report& report, std::size_t n) : report_(report), sums_(n) { report.position.resize(n); }

  void add(const trajectory_result& result) {
    ++report_.count;
    ++report_.by_status[static_cast<std::size_t>(result.status)];
    if (result.status != trajectory_status::done) {
      if (report_.first_failures.size() < listed_failures) {
        report_.first_failures.push_back({result.index, result.reason});
      }
      return;
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double x = result.position[i];
      ensemble_statistic& s = report_.position[i];
      sums_[i].add(x);
      s.smallest = report_.done() == 1 ? x : std::min(s.smallest, x);
      s.largest = report_.done() == 1 ? x : std::max(s.largest, x);
    }
    report_.largest_energy_error = std::max(report_.largest_energy_error, result.energy_error);
  }

  void finish() {
    if (report_.done() == 0) report_.position.clear();
    for (std::size_t i = 0; i < report_.position.size(); ++i) {
      report_.position[i].mean = sums_[i].value / static_cast<double>(report_.done());
    }
  }

 private:
  ensemble_report& report_;
  std::vector<compensated<double>> sums_;
};

}  // namespace

std::string to_text(trajectory_status status) {
  switch (status) {
    case trajectory_status::done: return "done";
    case trajectory_status::no_convergence: return "the equations could not be solved";
    case trajectory_status::singular: return "the equations are singular";
    case trajectory_status::left_domain: return "left the domain of the model";
    case trajectory_status::bad_start: break;
  }
  return "the start was refused";
}

ensemble_report run_ensemble(const ensemble_plan& plan, const ensemble_options& options,
                             const std::function<void(const trajectory_result&)>& each) {
  const auto start = clock::now();
  ensemble_run ensemble(plan, options);
  const integrator<double>& flow = ensemble.flow();
  ensemble_report report;
  report.model = plan.base().system.name;
  report.method = flow.method().name;
  report.engine = ensemble.engine();
  report.step = flow.step();
  report.steps = options.steps;
  report.planned = plan.size();
  report.coordinates = plan.base().system.coordinate_names();
  report.has_energy = flow.space().has_energy();
  summary sums(report, flow.space().size());
  std::vector<trajectory_result> results(std::min(portion, plan.size()));
  std::vector<char> complete;
  for (std::size_t first = 0; first < plan.size() && !report.interrupted; first += portion) {
    const std::span<trajectory_result> now = std::span(results).first(std::min(portion, plan.size() - first));
    report.interrupted = !ensemble.compute(first, now, complete);
    for (std::size_t k = 0; k < now.size() && complete[k] != 0; ++k) {
      sums.add(now[k]);
      if (each) each(now[k]);
    }
  }
  sums.finish();
  report.seconds = std::chrono::duration<double>(clock::now() - start).count();
  return report;
}

std::string to_text(const ensemble_report& r) {
  std::string text =
      fmt::format("{}: {} trajectories, {}, step {:.8g}, {} steps each\n", r.model, r.count, r.method, r.step, r.steps);
  text += fmt::format("  done          {}\n  failed        {}\n", r.done(), r.failed());
  for (const ensemble_failure& f : r.first_failures) text += fmt::format("    {:<11} {}\n", f.index, f.reason);
  if (r.failed() > r.first_failures.size()) text += "    …\n";
  for (std::size_t i = 0; i < r.position.size(); ++i) {
    const ensemble_statistic& s = r.position[i];
    text += fmt::format("  {:<13} mean {:.8g}, between {:.8g} and {:.8g}\n", r.coordinates[i], s.mean, s.smallest,
                        s.largest);
  }
  if (r.has_energy && r.done() > 0)
    text += fmt::format("  energy        largest relative error {:.3g}\n", r.largest_energy_error);
  const double steps = static_cast<double>(r.count) * static_cast<double>(r.steps);
  text += fmt::format("  time          {:.3g} s, {:.3g} steps per second, {}\n", r.seconds,
                      r.seconds > 0 ? steps / r.seconds : 0, r.engine);
  if (r.interrupted) text += fmt::format("  status        interrupted: {} of {} trajectories\n", r.count, r.planned);
  return text;
}

}  // namespace actio
