#include "actio/simulate/ensemble_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "actio/base/parallel.hpp"

namespace actio {

ensemble_engine::ensemble_engine(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan), options_(options), alone_(plan, options), lanes_(lane_engine::make(plan, alone_, options)) {}

std::string ensemble_engine::name() const {
  return lanes_ ? fmt::format("{} trajectories in lanes", lanes_->width()) : "trajectory by trajectory";
}

bool ensemble_engine::compute(std::span<trajectory_result> results, std::vector<char>& complete,
                              const std::function<void(std::size_t done)>& done) {
  // A task is long enough for what it allocates not to matter, and short enough for all threads to end together.
  constexpr std::size_t most_blocks = 16, tasks_a_thread = 8;
  const std::size_t width = lanes_ ? lanes_->width() : 1, blocks = (results.size() + width - 1) / width;
  const std::size_t size = width * std::clamp<std::size_t>(blocks / (tasks_a_thread * options_.threads), 1, most_blocks);
  const std::size_t tasks = (results.size() + size - 1) / size;
  const auto part = [&](std::size_t task) {
    return std::pair{task * size, std::min(size, results.size() - task * size)};
  };
  complete.assign(results.size(), 0);
  in_parallel(tasks, options_.threads, [&](std::size_t task) {
    const auto [first, count] = part(task);
    begin(results.subspan(first, count));
  });
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options_.own_paces) {
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return results[k].planned.steps; });
  }
  in_parallel(tasks, options_.threads,
              [&](std::size_t task) {
                const auto [first, count] = part(task);
                compute_some(results, std::span(order).subspan(first, count), complete);
              },
              [&](std::size_t now, std::size_t) {
                if (done) done(std::min(now * size, results.size()));
              });
  return !stop_;
}

bool ensemble_engine::is_interrupted() {
  if (!stop_ && options_.interrupted && options_.interrupted()) stop_ = true;
  return stop_;
}

void ensemble_engine::begin(std::span<trajectory_result> results) {
  start_maker starts(plan_);
  for (trajectory_result& result : results) {
    starts.make(result.index, result.start);
    if (result.planned.steps > 0) continue;
    result.planned = options_.own_paces ? options_.own_paces->of(result.start.values)
                                        : pace{alone_.flow().step(), options_.steps};
  }
}

// Where an accuracy is promised, an energy error that is out of what was measured on the sample breaks the promise.
void ensemble_engine::judge(trajectory_result& result) const {
  if (!options_.accuracy || result.status != trajectory_status::done) return;
  if (result.scaled_energy_error <= options_.accuracy->energy_limit || !flow().space().has_energy()) return;
  result.status = trajectory_status::inaccurate;
  result.reason = fmt::format("{}: its energy is off by {:.1e} of the kinetic energy, where {:.1e} was expected at most",
                              to_text(result.status), result.scaled_energy_error, options_.accuracy->energy_limit);
}

void ensemble_engine::compute_some(std::span<trajectory_result> all, std::span<const std::size_t> which,
                                   std::vector<char>& complete) {
  if (is_interrupted()) return;
  const std::function<bool()> interrupted = [this] { return is_interrupted(); };
  const std::unique_ptr<lane_block> lanes = lanes_ ? lanes_->make_block() : nullptr;
  const std::size_t width = lanes_ ? lanes_->width() : 1;
  for (std::size_t begin = 0; begin < which.size(); begin += width) {
    const auto now = which.subspan(begin, std::min(width, which.size() - begin));
    trajectory_result* members[widest_block] = {};
    std::ranges::transform(now, members, [&](std::size_t k) { return &all[k]; });
    const lane_members block(members, now.size());
    bool solved[widest_block] = {};
    if (lanes && !lanes->run(block, solved, interrupted)) return;
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (!solved[l] && !alone_.run(*block[l], interrupted)) return;
      judge(*block[l]);
      complete[now[l]] = 1;
    }
  }
}

}  // namespace actio
