#include "actio/backend/device_kernel.hpp"

#include <algorithm>
#include <array>

#include "actio/backend/device_code.hpp"
#include "actio/backend/program_bytes.hpp"

namespace actio {

namespace {

constexpr std::size_t line = 16;  // numbers of a cache line
constexpr std::chrono::duration<double> start_limit(60);

std::size_t odd_lines(std::size_t lanes) { return ((lanes + line - 1) / line | 1) * line; }

// Numbers that the GPU keeps until the program ends.
void copy_to(const std::shared_ptr<device::gpu>& gpu, device::cuda_place place, const std::vector<double>& numbers) {
  device::gpu_stream stream(gpu);
  stream.copy_in(place, numbers.data(), numbers.size());
  stream.wait(start_limit);
}

}  // namespace

device_program::device_program(std::shared_ptr<device::gpu> gpu, const kernel::trajectory_code& code,
                               const std::string& ptx, std::span<const double> parameters,
                               const std::optional<std::string>& beside)
    : gpu_(std::move(gpu)), rows_(code.rows), function_(gpu_, ptx, device_kernel_name) {
  copy_to(gpu_, function_.numbers(device_field_numbers), machine_code::fixed_with(code.step.equations, parameters));
  copy_to(gpu_, function_.numbers(device_certificate_numbers), machine_code::fixed_with(code.certificate, parameters));
  if (beside) beside_.emplace(gpu_, *beside, device_kernel_name);
  // For no trajectory: what a driver prepares at a first launch is not for the first step to wait for.
  device::cuda_place nowhere = 0;
  std::size_t nothing = 0;
  std::array<void*, 5> arguments{&nowhere, &nothing, &nothing, &nothing, &nothing};
  device::gpu_stream stream(gpu_);
  stream.launch(function_, 1, arguments);
  if (beside_) stream.launch(*beside_, 1, arguments);
  stream.wait(start_limit);
}

std::size_t device_program::thread_memory() const {
  const device::gpu_properties& gpu = gpu_->properties();
  return function_.local_bytes() * static_cast<std::size_t>(gpu.threads) * static_cast<std::size_t>(gpu.processors);
}

// Long enough to be worth it, short enough for those who wait for an answer.
void device_program::took(std::size_t steps, std::chrono::duration<double> time) const {
  constexpr double wanted = 0.1, most = 1U << 16;
  const std::size_t now = patience_;
  if (steps < now && time.count() < wanted) return;
  const double right = static_cast<double>(std::max<std::size_t>(steps, 1)) * wanted / std::max(time.count(), 1e-6);
  const bool differs = right > 2 * static_cast<double>(now) || 2 * right < static_cast<double>(now);
  if (differs) patience_ = static_cast<std::size_t>(std::clamp(right, 1.0, most));
}

std::size_t device_kernel::bytes(const kernel::trajectory_rows& rows, std::size_t lanes) {
  return rows.count() * odd_lines(lanes) * sizeof(double);
}

device_kernel::device_kernel(std::shared_ptr<const device_program> program, std::size_t lanes, double limit)
    : trajectory_kernel(program->rows(), odd_lines(lanes)),
      program_(std::move(program)),
      host_(program_->gpu(), bytes(rows_, lanes)),
      numbers_there_(program_->gpu(), bytes(rows_, lanes)),
      stream_(program_->gpu()),
      limit_(limit) {
  numbers_ = host_.numbers();
}

device::cuda_place device_kernel::place_of(std::size_t row) const {
  return numbers_there_.place() + row * lanes_ * sizeof(double);
}

void device_kernel::clear(std::size_t used) {
  program_->gpu()->enter();
  used_ = used;
  std::fill_n(row(0), rows_.memory(0) * lanes_, 0.0);  // all others come from there
  stream_.clear(place_of(0), rows_.count() * lanes_);
  is_changed_ = true;
}

void device_kernel::copy_out(std::size_t first, std::size_t end) {
  stream_.copy_out(row(first), place_of(first), (end - first) * lanes_);
}

void device_kernel::launch(const device::gpu_function& function, std::size_t threads, std::size_t a, std::size_t b) {
  device::cuda_place numbers = place_of(0);
  std::array<void*, 5> arguments{&numbers, &threads, &a, &b, &lanes_};
  stream_.launch(function, threads, arguments);
}

// Rates stay where they are.
void device_kernel::move(std::size_t first, std::size_t end, const std::function<void()>& launches) {
  program_->gpu()->enter();
  const auto began = std::chrono::steady_clock::now();
  if (is_changed_) stream_.copy_in(place_of(0), row(0), rows_.memory(0) * lanes_);
  is_changed_ = false;
  launches();
  copy_out(0, rows_.memory(0));
  copy_out(rows_.initial_energy(), rows_.count());
  stream_.wait(limit_);
  program_->took(end - first, std::chrono::steady_clock::now() - began);
}

void device_kernel::run(std::size_t first, std::size_t end) {
  move(first, end, [&] { launch(program_->function_, used_, first, end); });
}

void device_kernel::run_beside(std::size_t first, std::size_t end, std::size_t own) {
  move(first, end, [&] {
    for (std::size_t k = first; k < end; ++k) {
      launch(program_->function_, used_, k, k + 1);
      launch(*program_->beside_, used_ - own, own, k);
    }
  });
}

}  // namespace actio
