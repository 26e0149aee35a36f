#include "actio/device/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>
#include <utility>

#include "actio/base/error.hpp"

namespace actio::device {

namespace {

// Numbers of the driver's interface.
constexpr int attribute_processors = 16, attribute_threads = 39, attribute_major = 75, attribute_minor = 76;
constexpr int function_threads = 0, function_local_bytes = 3;
constexpr int jit_error_log = 5, jit_error_log_size = 6;
constexpr unsigned own_stream = 1;  // does not wait for others
constexpr unsigned for_all_contexts = 1;

gpu_properties properties_of(const cuda_driver& driver, int number) {
  gpu_properties gpu{.number = number};
  int device = 0, major = 0, minor = 0;
  std::array<char, 256> name{};
  driver.require(driver.device(&device, number), "looking at a GPU");
  driver.require(driver.device_name(name.data(), name.size() - 1, device), "looking at a GPU");
  driver.require(driver.device_memory(&gpu.memory, device), "looking at a GPU");
  for (const auto& [value, attribute] :
       {std::pair{&gpu.processors, attribute_processors}, std::pair{&gpu.threads, attribute_threads},
        std::pair{&major, attribute_major}, std::pair{&minor, attribute_minor}}) {
    driver.require(driver.device_attribute(value, attribute, device), "looking at a GPU");
  }
  gpu.name = name.data();
  gpu.capability = 10 * major + minor;
  return gpu;
}

std::vector<gpu_properties> gpus_of(const cuda_driver& driver) {
  int count = 0;
  driver.require(driver.device_count(&count), "counting GPUs");
  std::vector<gpu_properties> gpus;
  for (int k = 0; k < count; ++k) gpus.push_back(properties_of(driver, k));
  return gpus;
}

// Before something is given back: what belongs to a GPU belongs to its context. False where it is not spoken to.
bool enters(const gpu& where) {
  if (where.is_lost()) return false;
  try {
    where.enter();
  } catch (const gpu_failure&) {
    return false;
  }
  return true;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::vector<gpu_properties> known_gpus() {
  const std::shared_ptr<const cuda_driver> driver = cuda_driver::load();
  try {
    return gpus_of(*driver);
  } catch (const gpu_failure& failure) {
    throw input_error("gpu-unavailable", fmt::format("the driver does not say what GPUs there are: {}", failure.what()),
                      {"@device", 0, 0}, "leave @device out to compute on the CPU, with the same results");
  }
}

std::string to_text(const gpu_properties& gpu) {
  return fmt::format("GPU {}: {}, {:.1f} GiB, {} multiprocessors, compute capability {}.{}", gpu.number, gpu.name,
                     static_cast<double>(gpu.memory) / (1 << 30), gpu.processors, gpu.capability / 10,
                     gpu.capability % 10);
}

std::shared_ptr<gpu> gpu::open(int number) {
  std::shared_ptr<const cuda_driver> driver = cuda_driver::load();
  const std::vector<gpu_properties> all = gpus_of(*driver);
  const source_place place{"@device", 0, 0};
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) {
    throw input_error("gpu-unavailable", fmt::format("there is no GPU {}: the driver knows {}", number, all.size()),
                      place, "see what there is with @device=list, or leave @device out to compute on the CPU");
  }
  const gpu_properties& properties = all[static_cast<std::size_t>(number)];
  if (properties.capability < oldest_capability) {
    throw input_error("gpu-unavailable",
                      fmt::format("{} is older than compute capability {}.{}", to_text(properties),
                                  oldest_capability / 10, oldest_capability % 10),
                      place, "name another GPU, or leave @device out to compute on the CPU, with the same results");
  }
  std::shared_ptr<gpu> result(new gpu(std::move(driver), properties));
  const cuda_driver& known = *result->driver_;
  known.require(known.device(&result->device_, number), "starting on the GPU");
  known.require(known.retain_context(&result->context_, result->device_), "starting on the GPU");
  result->enter();
  return result;
}

gpu::~gpu() {
  if (context_ != nullptr && !is_lost_) driver_->release_context(device_);
}

void gpu::enter() const { driver_->require(driver_->enter_context(context_), "turning to the GPU"); }

std::size_t gpu::free_memory() const {
  std::size_t left = 0, all = 0;
  driver_->require(driver_->memory_left(&left, &all), "asking for free memory");
  return left;
}

gpu_memory::gpu_memory(std::shared_ptr<gpu> where, std::size_t bytes) : where_(std::move(where)) {
  where_->driver().require(where_->driver().allocate(&place_, std::max<std::size_t>(bytes, 1)), "taking memory");
}
gpu_memory::~gpu_memory() {
  if (enters(*where_)) where_->driver().free(place_);
}

transfer_memory::transfer_memory(std::shared_ptr<gpu> where, std::size_t bytes) : where_(std::move(where)) {
  where_->driver().require(where_->driver().allocate_host(&first_, std::max<std::size_t>(bytes, 1), for_all_contexts),
                           "taking memory of the host");
}
transfer_memory::~transfer_memory() {
  if (enters(*where_)) where_->driver().free_host(first_);
}

gpu_function::gpu_function(std::shared_ptr<gpu> where, const std::string& ptx, const char* name)
    : where_(std::move(where)) {
  std::array<char, 2048> log{};
  std::array<int, 2> options{jit_error_log, jit_error_log_size};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size() - 1})};
  const cuda_driver& driver = where_->driver();
  const cuda_status loaded = driver.load_module(&module_, ptx.c_str(), options.size(), options.data(), values.data());
  if (loaded != 0) {
    const std::string says = first_line(log.data());
    throw gpu_failure(loaded, fmt::format("translating the kernel: {}{}{}", driver.words_for(loaded),
                                          says.empty() ? "" : "; ", says));
  }
  const cuda_status found = driver.function(&function_, module_, name);
  if (found != 0) driver.unload_module(module_);
  driver.require(found, "looking for the kernel");
  block_size_ = attribute(function_threads);
}
gpu_function::~gpu_function() {
  if (enters(*where_)) where_->driver().unload_module(module_);
}
std::size_t gpu_function::attribute(int which) const {
  int value = 0;
  where_->driver().require(where_->driver().function_attribute(&value, which, function_), "looking at the kernel");
  return static_cast<std::size_t>(value);
}
std::size_t gpu_function::local_bytes() const { return attribute(function_local_bytes); }

cuda_place gpu_function::numbers(const char* name) const {
  cuda_place place = 0;
  std::size_t bytes = 0;
  where_->driver().require(where_->driver().global(&place, &bytes, module_, name), "looking for the kernel's numbers");
  return place;
}

gpu_stream::gpu_stream(std::shared_ptr<gpu> where) : where_(std::move(where)) {
  where_->driver().require(where_->driver().make_stream(&stream_, own_stream), "starting work");
}
gpu_stream::~gpu_stream() {
  if (enters(*where_)) where_->driver().end_stream(stream_);
}

void gpu_stream::copy_in(cuda_place to, const double* from, std::size_t numbers) {
  if (numbers == 0) return;
  where_->driver().require(where_->driver().copy_in(to, from, numbers * sizeof(double), stream_), "copying starts");
}
void gpu_stream::copy_out(double* to, cuda_place from, std::size_t numbers) {
  if (numbers == 0) return;
  where_->driver().require(where_->driver().copy_out(to, from, numbers * sizeof(double), stream_), "copying results");
}
void gpu_stream::clear(cuda_place from, std::size_t numbers) {
  if (numbers == 0) return;
  where_->driver().require(where_->driver().fill(from, 0, numbers * sizeof(double), stream_), "clearing memory");
}

void gpu_stream::launch(const gpu_function& function, std::size_t threads, std::span<void*> arguments) {
  const auto block_size = static_cast<unsigned>(function.block_size()),
             blocks = static_cast<unsigned>((threads + block_size - 1) / block_size);
  where_->driver().require(
      where_->driver().launch(function.handle(), blocks, 1, 1, block_size, 1, 1, 0, stream_, arguments.data(), nullptr),
      "launching the kernel");
}

void gpu_stream::wait(std::chrono::duration<double> patience) {
  using namespace std::chrono_literals;
  const auto began = std::chrono::steady_clock::now();
  std::chrono::microseconds pause = 10us;
  for (;;) {
    const cuda_status now = where_->driver().ask_stream(stream_);
    if (now == 0) return;
    if (now != cuda_not_ready) {
      where_->lose();
      where_->driver().require(now, "running the kernel");
    }
    if (std::chrono::steady_clock::now() - began > patience) {
      where_->lose();
      throw gpu_failure(now, fmt::format("running the kernel: no answer within {:g} seconds", patience.count()));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, 200us);
  }
}

}  // namespace actio::device
