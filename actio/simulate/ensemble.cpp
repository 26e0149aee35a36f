#include "actio/simulate/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

#include "actio/base/parallel.hpp"
#include "actio/simulate/lane_engine.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

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
  ensemble_run(const ensemble_plan& plan, const ensemble_options& options, std::size_t planned)
      : plan_(plan),
        options_(options),
        planned_(planned),
        alone_(plan, options),
        lanes_(lane_engine::make(plan, alone_, options)) {}

  const integrator<double>& flow() const { return alone_.flow(); }
  std::string engine() const {
    return lanes_ ? fmt::format("{} trajectories in lanes", lanes_->width()) : "trajectory by trajectory";
  }

  // Trajectories `first` and those behind it that fit into `results`; false when it was interrupted: `complete` says
  // which are done. `before`: how many were computed before.
  bool compute(std::size_t first, std::size_t before, std::span<trajectory_result> results,
               std::vector<char>& complete) {
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
                    options_.progress(before + std::min(tasks * size, results.size()), planned_);
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
    const std::unique_ptr<lane_block> lanes = lanes_ ? lanes_->make_block() : nullptr;
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
  const std::size_t planned_;
  const lone_engine alone_;
  const std::unique_ptr<const lane_engine> lanes_;
  std::atomic<bool> stop_{false};
};

ensemble_report header_of(const ensemble_plan& plan, const ensemble_options& options, const ensemble_run& ensemble) {
  ensemble_report report;
  report.model = plan.base().system.name;
  report.method = ensemble.flow().method().name;
  report.engine = ensemble.engine();
  report.step = ensemble.flow().step();
  report.steps = options.steps;
  report.whole = plan.size();
  report.part = options.part;
  report.planned = range_of(options.part.value_or(ensemble_part()), plan.size()).size();
  report.coordinates = plan.base().system.coordinate_names();
  report.has_energy = ensemble.flow().space().has_energy();
  if (options.poincare) report.section = options.poincare->text;
  report.watches_events = !plan.base().events.empty();
  return report;
}

void recall(const earlier_results& earlier, ensemble_report& report, ensemble_summary& sums) {
  report.ensemble_tally::add(earlier.tally);
  trajectory_result result;
  for (std::size_t k = 0; k < earlier.count; ++k) {
    std::size_t crossings = 0;
    earlier.next(result, crossings);
    sums.add_tallied(result, crossings);
  }
}

range_source once(const trajectory_range& range) {
  return [range, given = range.size() == 0]() mutable -> std::optional<trajectory_range> {
    if (given) return {};
    given = true;
    return range;
  };
}

}  // namespace

ensemble_report run_ensemble(const ensemble_plan& plan, const ensemble_options& options,
                             const std::function<void(const trajectory_result&)>& each) {
  const auto start = clock::now();
  const trajectory_range range = range_of(options.part.value_or(ensemble_part()), plan.size());
  ensemble_run ensemble(plan, options, range.size());
  const integrator<double>& flow = ensemble.flow();
  ensemble_report report = header_of(plan, options, ensemble);
  ensemble_summary sums(report);
  recall(options.earlier, report, sums);
  if (options.begun) options.begun(report);
  const double before = report.seconds;
  const std::size_t a_crossing = 1 + flow.space().size() + flow.space().momentum_size();
  const range_source next_range = options.hand_out ? options.hand_out : once({range.first + report.count, range.end});
  portion_size portion(options);
  std::vector<trajectory_result> results(std::min(portion_size::most(options), range.size()));
  std::vector<char> complete;
  for (auto now_at = next_range(); now_at && !report.interrupted; now_at = next_range()) {
    for (std::size_t first = now_at->first; first < now_at->end && !report.interrupted;) {
      const auto began = clock::now();
      const std::span<trajectory_result> now = std::span(results).first(std::min(portion.now(), now_at->end - first));
      report.interrupted = !ensemble.compute(first, report.count, now, complete);
      for (std::size_t k = 0; k < now.size() && complete[k] != 0; ++k) {
        sums.add(now[k], now[k].crossings.size() / a_crossing);
        if (each) each(now[k]);
      }
      report.seconds = before + std::chrono::duration<double>(clock::now() - start).count();
      if (options.handed_on) options.handed_on(report.seconds);
      first += now.size();
      portion.took(clock::now() - began);
    }
  }
  sums.finish(options.lyapunov);
  report.seconds = before + std::chrono::duration<double>(clock::now() - start).count();
  return report;
}

}  // namespace actio
