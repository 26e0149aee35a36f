#include "actio/simulate/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>

#include "actio/base/compensated.hpp"
#include "actio/base/largest.hpp"
#include "actio/base/parallel.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/lane_engine.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t listed_failures = 5;  // in a report

// How many trajectories are computed before their results are handed on: as many as take about half a second, so that
// little is lost with a process that is killed; fewer where each may have crossed a section many times, but enough for
// all threads. Results do not depend on it.
class portion_size {
 public:
  explicit portion_size(const ensemble_options& options)
      : fewest_(std::min(most(options), 8 * std::size_t(options.threads))), most_(most(options)) {}

  static std::size_t most(const ensemble_options& options) {
    constexpr std::size_t usual = 4096, with_crossings = 256, a_thread = 64;
    return options.poincare ? std::max(with_crossings, a_thread * options.threads) : usual;
  }
  std::size_t now() const { return now_; }
  void took(clock::duration time) {
    using namespace std::chrono_literals;
    if (time < 250ms) now_ = std::min(2 * now_, most_);
    if (time > 1s) now_ = std::max(now_ / 2, fewest_);
  }

 private:
  std::size_t fewest_, most_, now_ = 256;
};

// One ensemble on its way.
class ensemble_run {
 public:
  ensemble_run(const ensemble_plan& plan, const ensemble_options& options)
      : plan_(plan), options_(options), alone_(plan, options), lanes_(lane_engine::make(plan, alone_, options)) {}

  const integrator<double>& flow() const { return alone_.flow(); }
  std::string engine() const {
    return lanes_ ? fmt::format("{} trajectories in lanes", lanes_->width()) : "trajectory by trajectory";
  }

  // Trajectories `first` and those behind it that fit into `results`; false when it was interrupted: `complete` says
  // which are done.
  bool compute(std::size_t first, std::span<trajectory_result> results, std::vector<char>& complete) {
    // A task is long enough for what it allocates not to matter, and short enough for all threads to end together.
    constexpr std::size_t most_blocks = 16, tasks_a_thread = 8;
    const std::size_t width = lanes_ ? lanes_->width() : 1, blocks = (results.size() + width - 1) / width;
    const std::size_t size =
        width * std::clamp<std::size_t>(blocks / (tasks_a_thread * options_.threads), 1, most_blocks);
    complete.assign(results.size(), 0);
    in_parallel((results.size() + size - 1) / size, options_.threads,
                [&](std::size_t task) {
                  const std::size_t begin = task * size, count = std::min(size, results.size() - begin);
                  compute_some(first + begin, results.subspan(begin, count), &complete[begin]);
                },
                [&](std::size_t tasks, std::size_t) {
                  if (options_.progress) {
                    options_.progress(first + std::min(tasks * size, results.size()), plan_.size());
                  }
                });
    return !stop_;
  }

 private:
  bool is_interrupted() {
    if (!stop_ && options_.interrupted && options_.interrupted()) stop_ = true;
    return stop_;
  }

  void compute_some(std::size_t first, std::span<trajectory_result> results, char* complete) {
    if (is_interrupted()) return;
    const std::function<bool()> interrupted = [this] { return is_interrupted(); };
    start_maker starts(plan_);
    for (std::size_t k = 0; k < results.size(); ++k) {
      results[k].begin(first + k);
      starts.make(results[k].index, results[k].start);
    }
    std::optional<lane_block> lanes;
    if (lanes_) lanes.emplace(*lanes_);
    const std::size_t width = lanes_ ? lanes_->width() : 1;
    for (std::size_t begin = 0; begin < results.size(); begin += width) {
      const auto block = results.subspan(begin, std::min(width, results.size() - begin));
      bool solved[widest_block] = {};
      if (lanes && !lanes->run(block, solved, interrupted)) return;
      for (std::size_t l = 0; l < block.size(); ++l) {
        if (!solved[l] && !alone_.run(block[l], interrupted)) return;
        complete[begin + l] = 1;
      }
    }
  }

  const ensemble_plan& plan_;
  const ensemble_options& options_;
  const lone_engine alone_;
  const std::unique_ptr<const lane_engine> lanes_;
  std::atomic<bool> stop_{false};
};

// One quantity of all trajectories. Deviations are summed about the first value, so that little cancels.
class statistic_sum {
 public:
  void add(double x) {
    if (count_++ == 0) first_ = result_.smallest = result_.largest = x;
    sum_.add(x - first_);
    squares_.add((x - first_) * (x - first_));
    result_.smallest = std::min(result_.smallest, x);
    raise_to(result_.largest, x);
  }

  ensemble_statistic result() const {
    ensemble_statistic r = result_;
    if (count_ == 0) return r;
    const double n = static_cast<double>(count_), shift = sum_.value / n;
    r.mean = first_ + shift;
    r.deviation = std::sqrt(std::max(0.0, squares_.value / n - shift * shift));
    return r;
  }

 private:
  std::size_t count_ = 0;
  double first_ = 0;
  compensated<double> sum_, squares_;
  ensemble_statistic result_;
};

// Adds up results in their order, so that sums do not depend on who computed what.
class summary {
 public:
  summary(ensemble_report& report, const phase_space<double>& space)
      : report_(report), position_(space.size()), momentum_(space.momentum_size()) {}

  void add(const trajectory_result& result, std::size_t crossings) {
    ++report_.count;
    ++report_.by_status[static_cast<std::size_t>(result.status)];
    report_.crossings += crossings;
    report_.tangencies += result.tangencies;
    report_.discontinuities += result.discontinuities;
    report_.events += result.events.size();
    if (result.status != trajectory_status::done) {
      if (report_.first_failures.size() < listed_failures) {
        report_.first_failures.push_back({result.index, result.reason});
      }
      return;
    }
    for (std::size_t i = 0; i < position_.size(); ++i) position_[i].add(result.position[i]);
    for (std::size_t i = 0; i < momentum_.size(); ++i) momentum_[i].add(result.momentum[i]);
    energy_error_.add(result.energy_error);
    if (report_.has_energy && !(result.scaled_energy_error < too_large_error)) ++report_.untrusted;
    lyapunov_.add(result.lyapunov);
  }

  void finish(bool with_lyapunov) {
    if (report_.done() == 0) return;
    for (const statistic_sum& s : position_) report_.position.push_back(s.result());
    for (const statistic_sum& s : momentum_) report_.momentum.push_back(s.result());
    report_.energy_error = energy_error_.result();
    if (with_lyapunov) report_.lyapunov = lyapunov_.result();
  }

 private:
  ensemble_report& report_;
  std::vector<statistic_sum> position_, momentum_;
  statistic_sum energy_error_, lyapunov_;
};

std::string to_text(const ensemble_statistic& s) {
  return fmt::format("mean {:.8g}, deviation {:.3g}, between {:.8g} and {:.8g}", s.mean, s.deviation, s.smallest,
                     s.largest);
}

std::string section_text(const ensemble_report& r) {
  std::string text = fmt::format("{} crossings of {}", r.crossings, r.section);
  if (r.tangencies > 0) text += fmt::format("; {} near-tangencies, not counted", r.tangencies);
  if (r.discontinuities > 0) {
    text += fmt::format("; {} changes of sign without a zero, not counted: it has poles or jumps", r.discontinuities);
  }
  return text;
}

}  // namespace

std::string to_text(trajectory_status status) {
  switch (status) {
    case trajectory_status::done: return "done";
    case trajectory_status::no_convergence: return "the equations could not be solved";
    case trajectory_status::singular: return "the equations are singular";
    case trajectory_status::left_domain: return "left the domain of the model";
    case trajectory_status::too_long: return "the step is too long";
    case trajectory_status::mass_singular: return "the mass matrix becomes singular";
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
  if (options.poincare) report.section = options.poincare->text;
  report.watches_events = !plan.base().events.empty();
  summary sums(report, flow.space());
  const std::size_t a_crossing = 1 + flow.space().size() + flow.space().momentum_size();
  portion_size portion(options);
  std::vector<trajectory_result> results(std::min(portion_size::most(options), plan.size()));
  std::vector<char> complete;
  for (std::size_t first = 0; first < plan.size() && !report.interrupted;) {
    const auto began = clock::now();
    const std::span<trajectory_result> now = std::span(results).first(std::min(portion.now(), plan.size() - first));
    report.interrupted = !ensemble.compute(first, now, complete);
    for (std::size_t k = 0; k < now.size() && complete[k] != 0; ++k) {
      sums.add(now[k], now[k].crossings.size() / a_crossing);
      if (each) each(now[k]);
    }
    if (options.handed_on) options.handed_on();
    first += now.size();
    portion.took(clock::now() - began);
  }
  sums.finish(options.lyapunov);
  report.seconds = std::chrono::duration<double>(clock::now() - start).count();
  return report;
}

std::string to_text(const ensemble_report& r) {
  std::string text =
      fmt::format("{}: {} trajectories, {}, step {:.8g}, {} steps each\n", r.model, r.count, r.method, r.step, r.steps);
  text += fmt::format("  done          {}\n  failed        {}\n", r.done(), r.failed());
  for (const ensemble_failure& f : r.first_failures) text += fmt::format("    {:<11} {}\n", f.index, f.reason);
  if (r.failed() > r.first_failures.size()) text += "    …\n";
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<13} {}\n", name, value);
  };
  for (std::size_t i = 0; i < r.position.size(); ++i) line(r.coordinates[i], to_text(r.position[i]));
  for (std::size_t i = 0; i < r.momentum.size(); ++i) line("p_" + r.coordinates[i], to_text(r.momentum[i]));
  if (r.has_energy && r.done() > 0) {
    line("energy",
         fmt::format("relative error {:.3g} on average, {:.3g} at most", r.energy_error.mean, r.energy_error.largest));
  }
  if (r.untrusted > 0) {
    line("not trusted",
         fmt::format("{}: they lose more than a tenth of their energy; try a shorter step", r.untrusted));
  }
  if (r.lyapunov) line("Lyapunov", to_text(*r.lyapunov));
  if (!r.section.empty()) line("section", section_text(r));
  if (r.watches_events) line("events", fmt::format("{} in all", r.events));
  const double steps = static_cast<double>(r.count) * static_cast<double>(r.steps);
  text += fmt::format("  time          {:.3g} s, {:.3g} steps per second, {}\n", r.seconds,
                      r.seconds > 0 ? steps / r.seconds : 0, r.engine);
  if (r.interrupted) text += fmt::format("  status        interrupted: {} of {} trajectories\n", r.count, r.planned);
  return text;
}

}  // namespace actio
