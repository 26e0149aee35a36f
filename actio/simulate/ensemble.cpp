#include "actio/simulate/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "actio/simulate/ensemble_engine.hpp"

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

ensemble_report header_of(const ensemble_plan& plan, const ensemble_options& options, const ensemble_engine& engine) {
  ensemble_report report;
  report.model = plan.base().system.name;
  report.method = engine.flow().method().name;
  report.engine = engine.name();
  report.step = engine.flow().step();
  report.steps = options.steps;
  report.accuracy = options.accuracy;
  report.whole = plan.size();
  report.part = options.part;
  report.planned = range_of(options.part.value_or(ensemble_part()), plan.size()).size();
  report.coordinates = plan.base().system.coordinate_names();
  report.has_energy = engine.flow().space().has_energy();
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
  ensemble_engine engine(plan, options);
  const integrator<double>& flow = engine.flow();
  ensemble_report report = header_of(plan, options, engine);
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
      for (std::size_t k = 0; k < now.size(); ++k) now[k].begin(first + k);
      report.interrupted = !engine.compute(now, complete, [&](std::size_t done) {
        if (options.progress) options.progress(report.count + done, range.size());
      });
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
