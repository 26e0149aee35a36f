#include "actio/simulate/device_pool.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "actio/backend/device_code.hpp"
#include "actio/backend/device_kernel.hpp"

namespace actio {

namespace {

constexpr const char* cpu_instead = "leave @device out to compute on the CPU, with the same results";

[[noreturn]] void refuse(const device_choice& choice, const std::string& message, const std::string& cure) {
  throw input_error("gpu-refuses", message, choice.place, cure);
}

double gibibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

// What the GPUs have to translate.
std::string kernel_text(const std::optional<std::string>& ptx, const std::string& architecture,
                        const device_choice& choice) {
  if (ptx) return *ptx;
  const std::string folder = device_code_folder();
  refuse(
      choice,
      fmt::format("this build of actio writes no kernels, and the code cache{} has none for this model and {}",
                  folder.empty() ? "" : fmt::format(" '{}'", folder), architecture),
      "run the same command with @device=prepare where actio is built with LLVM and copy the files of its code cache "
      "here, or leave @device out to compute on the CPU");
}

// Trajectories that a block of each GPU can have.
std::size_t members_for(const device_program& program, std::size_t most, std::size_t lanes_each,
                        const device_choice& choice) {
  const kernel::trajectory_rows& rows = program.rows();
  const device::gpu& gpu = *program.gpu();
  const std::size_t left = gpu.free_memory(), taken = program.thread_memory();
  const std::size_t usable = left > taken ? (left - taken) / 10 * 8 / device_pool::blocks_a_gpu : 0;
  std::size_t members = most;
  while (members > 0 && device_kernel::bytes(rows, lanes_each * members) > usable) members /= 2;
  if (members > 0) return members;
  refuse(
      choice,
      fmt::format("the memory of {} does not suffice: {:.3f} GiB are free, the threads of this model take {:.3f} and "
                  "its smallest portion {:.3f}",
                  to_text(gpu.properties()), gibibytes(left), gibibytes(taken),
                  gibibytes(device_pool::blocks_a_gpu * device_kernel::bytes(rows, 1))),
      "end what else runs there, take a method with fewer stages, or leave @device out to compute on the CPU");
}

}  // namespace

device_pool::device_pool(const lane_engine& lanes, const device_choice& choice, std::size_t trajectories) {
  try {
    open(choice);
    make_blocks(lanes, choice, std::max<std::size_t>(trajectories, 1));
  } catch (const device::gpu_failure& failure) {
    refuse(choice, fmt::format("the GPU does not take this ensemble: {}", failure.what()), cpu_instead);
  }
}

void device_pool::open(const device_choice& choice) {
  std::vector<int> numbers = choice.numbers;
  if (numbers.empty()) numbers = usable_gpus();
  if (numbers.empty()) numbers.push_back(0);  // and hear what is wrong with it
  for (const int number : numbers) gpus_.push_back(device::gpu::open(number));
}

void device_pool::make_blocks(const lane_engine& lanes, const device_choice& choice, std::size_t trajectories) {
  std::vector<std::shared_ptr<const device_program>> programs;
  struct kernel_texts {
    std::string steps;
    std::optional<std::string> beside;
  };
  std::map<std::string, kernel_texts> texts;
  portion_ = lanes.most_members();
  for (const auto& gpu : gpus_) {
    const std::string architecture = device_architecture(gpu->properties().capability);
    if (!texts.contains(architecture)) {
      kernel_texts& made = texts[architecture];
      made.steps = kernel_text(make_device_code(lanes.code(), architecture), architecture, choice);
      if (lanes.code().rows.neighbours > 0) {
        made.beside = kernel_text(make_neighbour_code(lanes.code().rows, architecture), architecture, choice);
      }
    }
    const kernel_texts& text = texts.at(architecture);
    gpu->enter();
    programs.push_back(
        std::make_shared<device_program>(gpu, lanes.code(), text.steps, lanes.shared_parameters(), text.beside));
    portion_ = std::min(portion_, members_for(*programs.back(), portion_, lanes.lanes_a_trajectory(), choice));
  }
  const std::size_t blocks = blocks_a_gpu * gpus_.size();
  portion_ = std::min(portion_, (trajectories + blocks - 1) / blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t k = b % gpus_.size();
    gpus_[k]->enter();
    blocks_.push_back({k, make_kernel_block(lanes, std::make_unique<device_kernel>(
                                                       programs[k], lanes.lanes_a_trajectory() * portion_))});
  }
}

std::string device_pool::name() const {
  std::vector<std::string> names;
  for (const auto& gpu : gpus_) names.push_back(gpu->properties().name);
  return fmt::format("a trajectory a thread on {}", fmt::join(names, ", "));
}

device_pool::device_block* device_pool::take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    bool any_works = false;
    for (device_block& block : blocks_) {
      if (gpus_[block.gpu]->is_lost()) continue;
      any_works = true;
      if (!block.is_free) continue;
      block.is_free = false;
      return &block;
    }
    if (!any_works) return nullptr;
    freed_.wait(lock);
  }
}

void device_pool::give_back(device_block& block) {
  {
    const std::scoped_lock lock(mutex_);
    block.is_free = true;
  }
  freed_.notify_all();
}

device_pool::outcome device_pool::run(lane_members members, std::span<bool> solved,
                                      const std::function<bool()>& interrupted) {
  device_block* const block = take();
  if (block == nullptr) return outcome::lost;
  outcome result = outcome::lost;
  try {
    result = block->lanes->run(members, solved, interrupted) ? outcome::moved : outcome::interrupted;
  } catch (const device::gpu_failure& failure) {
    device::gpu& gpu = *gpus_[block->gpu];
    const std::scoped_lock lock(mutex_);
    gpu.lose();
    if (given_up_.insert(block->gpu).second)
      note_ += fmt::format("{}GPU {} ({}) was given up: {}", note_.empty() ? "" : "; ", gpu.properties().number,
                           gpu.properties().name, failure.what());
  }
  give_back(*block);
  return result;
}

std::string device_pool::take_note() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(note_, {});
}

}  // namespace actio
