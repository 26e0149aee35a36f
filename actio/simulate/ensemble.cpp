#include "actio/simulate/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "actio/base/parallel.hpp"
#include "actio/simulate/ensemble_engine.hpp"

#ifndef ACTIO_NO_THREADS
#include <future>
#endif

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

// How many trajectories are computed before their results are handed on: as many as take about half a second, so that
// little is lost with a process that is killed; fewer where each may have crossed a section many times, but enough for
// all threads. Results do not depend on it.
class portion_size {
 public:
  // `fixed`, unless it is 0.
  portion_size(const ensemble_options& options, std::size_t fixed)
      : fewest_(std::min(most(options), 8 * std::size_t(options.threads))), most_(most(options)) {
    if (fixed > 0) fewest_ = most_ = now_ = fixed;
  }

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

// Trajectories that are computed together.
struct portion {
  trajectory_range range = {};
  std::vector<trajectory_result> all;  // keeps its memory
  std::span<trajectory_result> results = {};
  portion_memory memory = {};
  std::size_t complete = 0;  // of them, without a gap
  bool is_whole = true;
  ensemble_report report = {};  // what the complete ones add up to
  std::optional<ensemble_summary> sums = {};
#ifndef ACTIO_NO_THREADS
  std::future<void> is_done = {};  // where it is computed by a thread of its own
#endif
};

using portions = std::vector<std::unique_ptr<portion>>;

// Portions with the memory that results take, made while GPUs are opened, which takes much longer.
class portions_for_devices {
 public:
  portions_for_devices([[maybe_unused]] const ensemble_plan& plan, [[maybe_unused]] const ensemble_options& options,
                       [[maybe_unused]] std::size_t trajectories) {
#ifndef ACTIO_NO_THREADS
    if (!options.device || !options.device->uses_gpus) return;
    made_ = std::async(std::launch::async,
                       [&plan, trajectories, threads = options.threads] { return make(plan, trajectories, threads); });
#endif
  }
  portions take() {
#ifndef ACTIO_NO_THREADS
    if (made_.valid()) return made_.get();
#endif
    return {};
  }

#ifndef ACTIO_NO_THREADS
 private:
  static portions make(const ensemble_plan& plan, std::size_t trajectories, unsigned threads) {
    const std::size_t count = std::clamp<std::size_t>(trajectories, 1, lane_engine::largest_portion);
    portions all(std::min(2 * device_pool::blocks_a_gpu, (trajectories + count - 1) / count));
    in_parallel(all.size(), threads, [&](std::size_t k) {
      all[k] = std::make_unique<portion>();
      all[k]->all.resize(count);
      start_maker starts(plan);
      for (trajectory_result& result : all[k]->all) {
        starts.make(0, result.start);
        result.position.reserve(result.start.position.size());
        result.momentum.reserve(result.start.momentum.size());
      }
    });
    return all;
  }
  std::future<portions> made_;
#endif
};

// Portions one after the other; where the engine takes several at once, those behind are computed meanwhile.
class portion_line {
 public:
  // `idle` have memory already.
  portion_line(ensemble_engine& engine, const range_source& ranges, const portion_size& size,
               std::function<void(std::size_t)> progress, portions idle)
      : engine_(engine), ranges_(ranges), size_(size), progress_(std::move(progress)), idle_(std::move(idle)) {}

  // Valid until it is called again; null when there are no more.
  const portion* next() {
    if (now_) idle_.push_back(std::move(now_));
    begin_more();
    if (waiting_.empty()) return nullptr;
    now_ = std::move(waiting_.front());
    waiting_.pop_front();
    finish(*now_);
    return now_.get();
  }

 private:
  void finish(portion& p) {
#ifndef ACTIO_NO_THREADS
    if (p.is_done.valid()) {
      p.is_done.get();
      if (p.is_whole) begin_more();
      return;
    }
#endif
    compute(p, progress_);
  }

  void compute(portion& p, const std::function<void(std::size_t)>& progress = {}) {
    begin(p);
    p.is_whole = engine_.compute(p.results, p.memory, progress);
    add_up(p);
  }

  static void begin(portion& p) {
    if (p.all.size() < p.range.size()) p.all.resize(p.range.size());
    p.results = std::span(p.all).first(p.range.size());
    for (std::size_t k = 0; k < p.results.size(); ++k) p.results[k].begin(p.range.first + k);
  }

  // By the thread that computed them: they are at hand there.
  void add_up(portion& p) const {
    const phase_space<double>& space = engine_.flow().space();
    const std::size_t a_crossing = 1 + space.size() + space.momentum_size();
    p.report = {};
    p.report.has_energy = space.has_energy();
    p.sums.emplace(p.report);
    const auto gap = std::ranges::find(p.memory.complete, 0);
    p.complete = static_cast<std::size_t>(gap - p.memory.complete.begin());
    for (const trajectory_result& result : p.results.first(p.complete)) {
      p.sums->add(result, result.crossings.size() / a_crossing);
    }
  }

  void begin_more() {
    while (waiting_.size() < engine_.portions_at_once() && has_range()) {
      std::unique_ptr<portion> next = idle_.empty() ? std::make_unique<portion>() : std::move(idle_.back());
      if (!idle_.empty()) idle_.pop_back();
      const std::size_t count = std::min(size_.now(), range_->size());
      next->range = {range_->first, range_->first + count};
      range_->first += count;
#ifndef ACTIO_NO_THREADS
      if (engine_.portions_at_once() > 1) {
        next->is_done = std::async(std::launch::async, [this, &p = *next] { compute(p); });
      }
#endif
      waiting_.push_back(std::move(next));
    }
  }
  bool has_range() {
    while (!is_over_ && (!range_ || range_->size() == 0)) {
      range_ = ranges_();
      is_over_ = !range_;
    }
    return !is_over_;
  }

  ensemble_engine& engine_;
  const range_source& ranges_;
  const portion_size& size_;
  std::function<void(std::size_t)> progress_;
  std::optional<trajectory_range> range_;
  bool is_over_ = false;
  std::unique_ptr<portion> now_;
  portions idle_;
  std::deque<std::unique_ptr<portion>> waiting_;
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

void show(const ensemble_options& options, const trajectory_result& result) {
  for (ensemble_observer* observer : options.observers) observer->see(result);
}

void recall(const ensemble_options& options, ensemble_report& report, ensemble_summary& sums) {
  const earlier_results& earlier = options.earlier;
  report.ensemble_tally::add(earlier.tally);
  trajectory_result result;
  for (std::size_t k = 0; k < earlier.count; ++k) {
    std::size_t crossings = 0;
    earlier.next(result, crossings);
    sums.add_tallied(result, crossings);
    show(options, result);
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
  const auto begins = clock::now();
  const trajectory_range range = range_of(options.part.value_or(ensemble_part()), plan.size());
  portions_for_devices ahead(plan, options, range.size() - std::min(range.size(), options.earlier.count));
  ensemble_engine engine(plan, options);
  portions idle = ahead.take();
  ensemble_report report = header_of(plan, options, engine);
  const auto start = clock::now();
  report.setup_seconds = std::chrono::duration<double>(start - begins).count();
  ensemble_summary sums(report);
  recall(options, report, sums);
  if (options.begun) options.begun(report);
  const double before = report.seconds;
  const range_source next_range = options.hand_out ? options.hand_out : once({range.first + report.count, range.end});
  portion_size size(options, engine.device_portion());
  portion_line line(
      engine, next_range, size,
      [&](std::size_t done) {
        if (options.progress) options.progress(std::min(report.count + done, range.size()), range.size());
      },
      std::move(idle));
  while (!report.interrupted) {
    const auto began = clock::now();
    const portion* const now = line.next();
    if (now == nullptr) break;
    report.interrupted = !now->is_whole;
    sums.add(*now->sums);
    if (each || !options.observers.empty()) {
      for (const trajectory_result& result : now->results.first(now->complete)) {
        if (each) each(result);
        show(options, result);
      }
    }
    report.seconds = before + std::chrono::duration<double>(clock::now() - start).count();
    if (options.handed_on) options.handed_on(report.seconds);
    if (options.progress && engine.device_portion() > 0) options.progress(report.count, range.size());
    size.took(clock::now() - began);
  }
  sums.finish(options.lyapunov);
  report.seconds = before + std::chrono::duration<double>(clock::now() - start).count();
  return report;
}

}  // namespace actio
