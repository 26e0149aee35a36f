// The trajectory kernel of a GPU: what trajectory_kernel promises, with a thread in the place of a lane and the same
// bits. Its rows are copied to the GPU and back.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "actio/backend/trajectory_kernel.hpp"
#include "actio/device/gpu.hpp"

namespace actio {

// A kernel that a GPU has translated, with the numbers that all trajectories share.
class device_program {
 public:
  // `beside`: what brings neighbours back, where there are any. Throws gpu_failure where the GPU does not take it.
  device_program(std::shared_ptr<device::gpu> gpu, const kernel::trajectory_code& code, const std::string& ptx,
                 std::span<const double> parameters, const std::optional<std::string>& beside = {});

  const std::shared_ptr<device::gpu>& gpu() const { return gpu_; }
  const kernel::trajectory_rows& rows() const { return rows_; }
  // Memory that threads take beside the rows when all that there can be run at once.
  std::size_t thread_memory() const;
  // Steps that calls take about a tenth of a second for, as far as they have shown.
  std::size_t patience() const { return patience_; }
  void took(std::size_t steps, std::chrono::duration<double> time) const;

 private:
  friend class device_kernel;
  std::shared_ptr<device::gpu> gpu_;
  kernel::trajectory_rows rows_;
  device::gpu_function function_;
  std::optional<device::gpu_function> beside_;
  mutable std::atomic<std::size_t> patience_ = 16;
};

class device_kernel final : public trajectory_kernel {
 public:
  // Lanes are rounded up, so that rows begin at cache lines and not all at the same set of a cache. A call that takes
  // longer than `limit` seconds gives the GPU up. Throws gpu_failure where there is not as much memory.
  device_kernel(std::shared_ptr<const device_program> program, std::size_t lanes, double limit = 60);

  // Bytes that `lanes` of them take on the GPU, and as much on the host.
  static std::size_t bytes(const kernel::trajectory_rows& rows, std::size_t lanes);

  // All throw gpu_failure.
  void clear(std::size_t used) override;
  void run(std::size_t first, std::size_t end) override;
  void run_beside(std::size_t first, std::size_t end, std::size_t own) override;
  void accept_changes() override { is_changed_ = true; }
  std::size_t patience() const override { return program_->patience(); }

 private:
  void move(std::size_t first, std::size_t end, const std::function<void()>& launches);
  void launch(const device::gpu_function& function, std::size_t threads, std::size_t a, std::size_t b);
  void copy_out(std::size_t first, std::size_t end);
  device::cuda_place place_of(std::size_t row) const;

  std::shared_ptr<const device_program> program_;
  device::transfer_memory host_;
  device::gpu_memory numbers_there_;
  device::gpu_stream stream_;
  std::chrono::duration<double> limit_;
  std::size_t used_ = 0;
  bool is_changed_ = false;
};

}  // namespace actio
