#include "actio/simulate/ensemble_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "actio/backend/device_code.hpp"
#include "actio/base/error.hpp"
#include "actio/base/parallel.hpp"

namespace actio {

ensemble_engine::ensemble_engine(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan), options_(options), alone_(plan, options), lanes_(lane_engine::make(plan, alone_, options)) {
  if (!options.device || !options.device->uses_gpus) return;
  code_for_devices(lanes_.get(), plan, alone_, options);
  const trajectory_range range = range_of(options.part.value_or(ensemble_part()), plan.size());
  devices_ = std::make_unique<device_pool>(*lanes_, *options.device,
                                           range.size() - std::min(range.size(), options.earlier.count));
}

const kernel::trajectory_code& ensemble_engine::code_for_devices(const lane_engine* lanes, const ensemble_plan& plan,
                                                                 const lone_engine& alone,
                                                                 const ensemble_options& options) {
  const method& m = alone.flow().method();
  std::string obstacle = lane_engine::obstacle(plan, alone, options);
  if (obstacle.empty() && !m.text) obstacle = fmt::format("there are no kernels of '{}'", m.name);
  if (obstacle.empty() && !lanes)
    obstacle = fmt::format("the model has no Hamiltonian that can be written out, or is too large for '{}'", m.name);
  if (obstacle.empty() && !suits_devices(lanes->code())) obstacle = "it takes Bessel functions or signals";
  if (obstacle.empty()) return lanes->code();
  throw input_error("gpu-refuses", fmt::format("GPUs do not move this ensemble: {}", obstacle), options.device->place,
                    "GPUs take Gauss and Lobatto methods, simpson, midpoint and verlet on models that are no more than "
                    "a Lagrangian or a Hamiltonian with "
                    "forces; leave @device out to compute on the CPU");
}

std::size_t ensemble_engine::portions_at_once() const {
#ifdef ACTIO_NO_THREADS
  return 1;
#else
  return devices_ ? devices_->portions_at_once() : 1;
#endif
}

std::string ensemble_engine::name() const {
  if (devices_) return devices_->name();
  return lanes_ ? fmt::format("{} trajectories in lanes", lanes_->width()) : "trajectory by trajectory";
}

bool ensemble_engine::compute(std::span<trajectory_result> results, portion_memory& memory,
                              const std::function<void(std::size_t done)>& done) {
  // A task is long enough for what it allocates not to matter, and short enough for all threads to end together.
  constexpr std::size_t most_blocks = 16, tasks_a_thread = 8;
  const std::size_t width = lanes_ ? lanes_->width() : 1, blocks = (results.size() + width - 1) / width;
  const std::size_t size =
      width * std::clamp<std::size_t>(blocks / (tasks_a_thread * options_.threads), 1, most_blocks);
  const std::size_t tasks = (results.size() + size - 1) / size;
  const auto part = [&](std::size_t task) {
    return std::pair{task * size, std::min(size, results.size() - task * size)};
  };
  memory.complete.assign(results.size(), 0);
  if (devices_) begin(results);  // by a thread of many that have portions
  else {
    in_parallel(tasks, options_.threads, [&](std::size_t task) {
      const auto [first, count] = part(task);
      begin(results.subspan(first, count));
    });
  }
  std::vector<std::size_t>& order = memory.order;
  order.resize(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options_.own_paces) {
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return results[k].planned.steps; });
  }
  if (devices_) return compute_on_devices(results, memory);
  in_parallel(
      tasks, options_.threads,
      [&](std::size_t task) {
        const auto [first, count] = part(task);
        compute_some(results, std::span(order).subspan(first, count), memory.complete);
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
    result.planned =
        options_.own_paces ? options_.own_paces->of(result.start.values) : pace{alone_.flow().step(), options_.steps};
  }
}

// Where an accuracy is promised, an energy error that is out of what was measured on the sample breaks the promise.
void ensemble_engine::judge(trajectory_result& result) const {
  if (!options_.accuracy || result.status != trajectory_status::done) return;
  if (result.scaled_energy_error <= options_.accuracy->energy_limit || !flow().space().has_energy()) return;
  result.status = trajectory_status::inaccurate;
  result.reason =
      fmt::format("{}: its energy is off by {:.1e} of the kinetic energy, where {:.1e} was expected at most",
                  to_text(result.status), result.scaled_energy_error, options_.accuracy->energy_limit);
}

void ensemble_engine::compute_some(std::span<trajectory_result> all, std::span<const std::size_t> which,
                                   std::vector<char>& complete) {
  if (is_interrupted()) return;
  const std::function<bool()> interrupted = [this] { return is_interrupted(); };
  const std::unique_ptr<lane_block> lanes = lanes_ && lanes_->runs_here() ? lanes_->make_block() : nullptr;
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

bool ensemble_engine::compute_on_devices(std::span<trajectory_result> results, portion_memory& memory) {
  const std::function<bool()> interrupted = [this] { return is_interrupted(); };
  const std::span<const std::size_t> order = memory.order;
  for (std::size_t first = 0; first < order.size(); first += devices_->portion()) {
    const auto now = order.subspan(first, std::min(devices_->portion(), order.size() - first));
    memory.members.clear();
    for (const std::size_t k : now) memory.members.push_back(&results[k]);
    const lane_members members = memory.members;
    const std::unique_ptr<bool[]> solved(new bool[members.size()]());
    const auto outcome = devices_->run(members, std::span(solved.get(), members.size()), interrupted);
    if (outcome == device_pool::outcome::interrupted) return false;
    if (outcome == device_pool::outcome::lost) {
      if (!compute_what_was_lost(results, now, memory.complete)) return false;
      continue;
    }
    memory.unsolved.clear();
    for (std::size_t l = 0; l < now.size(); ++l) {
      if (!solved[l]) memory.unsolved.push_back(l);
      else judge(*members[l]);
      memory.complete[now[l]] = solved[l] ? 1 : 0;
    }
    in_parallel(memory.unsolved.size(), options_.threads, [&](std::size_t task) {
      const std::size_t l = memory.unsolved[task];
      if (!alone_.run(*members[l], interrupted)) return;
      judge(*members[l]);
      memory.complete[now[l]] = 1;
    });
  }
  return !stop_;
}

// By the processor, where it has lanes: the ordinary step would give other bits.
bool ensemble_engine::compute_what_was_lost(std::span<trajectory_result> results, std::span<const std::size_t> which,
                                            std::vector<char>& complete) {
  const std::string what = devices_->take_note();
  const bool goes_on = lanes_->runs_here();
  if (options_.note && (!what.empty() || !goes_on)) {
    const std::scoped_lock lock(noting_);
    options_.note(fmt::format("{}; {}", what.empty() ? "no GPU is left" : what,
                              goes_on ? "its trajectories are done on the CPU"
                                      : "this machine has no lanes to go on with the same bits: ending early"));
  }
  if (!goes_on) {
    stop_ = true;
    return false;
  }
  for (const std::size_t k : which) {
    results[k].crossings.clear();
    results[k].tangencies = results[k].discontinuities = 0;
  }
  const std::size_t a_task = 16 * lanes_->width();
  in_parallel((which.size() + a_task - 1) / a_task, options_.threads, [&](std::size_t task) {
    compute_some(results, which.subspan(task * a_task, std::min(a_task, which.size() - task * a_task)), complete);
  });
  return !stop_;
}

std::string prepare_device_code(const ensemble_plan& plan, const ensemble_options& options) {
  const lone_engine alone(plan, options);
  const auto lanes = lane_engine::make(plan, alone, options);
  const kernel::trajectory_code& code = ensemble_engine::code_for_devices(lanes.get(), plan, alone, options);
  if (!writes_device_code()) {
    throw input_error("gpu-refuses", "this build of actio writes no kernels for GPUs", options.device->place,
                      "build actio with LLVM 19 that has the target NVPTX");
  }
  std::string names;
  for (const char* architecture : device_architectures) {
    make_device_code(code, architecture);
    if (code.rows.neighbours > 0) make_neighbour_code(code.rows, architecture);
    names += (names.empty() ? "" : " and ") + std::string(architecture);
  }
  return fmt::format("kernels for {} and later GPUs are in the code cache, '{}'\n", names, device_code_folder());
}

}  // namespace actio
