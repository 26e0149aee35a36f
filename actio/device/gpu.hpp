// GPUs: what there is, and what a program has of one. Everything is given back where it is no longer needed, except of
// a GPU that was lost, which is not spoken to any more.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/device/cuda_driver.hpp"

namespace actio::device {

struct gpu_properties {
  int number = 0;
  std::string name = {};
  std::size_t memory = 0;  // bytes
  int capability = 0;      // 90 is 9.0
  int processors = 0;      // multiprocessors
  int threads = 0;         // that a multiprocessor holds at once
};

// The oldest architecture that actio writes code for: 7.0.
inline constexpr int oldest_capability = 70;

// Those that the driver knows, also such as are too old. Throws gpu-unavailable where there is no driver.
std::vector<gpu_properties> known_gpus();
// "GPU 0: NVIDIA H200, 139.8 GiB, 132 multiprocessors, compute capability 9.0".
std::string to_text(const gpu_properties& gpu);

// A GPU with a context. Threads enter before they use what belongs to it. What belongs to it keeps it.
class gpu {
 public:
  // Throws gpu-unavailable where there is no such GPU, or it is too old.
  static std::shared_ptr<gpu> open(int number);
  ~gpu();
  gpu(const gpu&) = delete;
  gpu& operator=(const gpu&) = delete;

  const gpu_properties& properties() const { return properties_; }
  const cuda_driver& driver() const { return *driver_; }
  void enter() const;
  std::size_t free_memory() const;
  // It does not answer, or what it says is of no use any more.
  void lose() { is_lost_ = true; }
  bool is_lost() const { return is_lost_; }

 private:
  gpu(std::shared_ptr<const cuda_driver> driver, gpu_properties properties)
      : driver_(std::move(driver)), properties_(std::move(properties)) {}
  std::shared_ptr<const cuda_driver> driver_;
  gpu_properties properties_;
  int device_ = 0;  // as the driver counts
  cuda_handle context_ = nullptr;
  std::atomic<bool> is_lost_ = false;
};

// Memory of a GPU. Throws gpu_failure where there is not as much.
class gpu_memory {
 public:
  gpu_memory(std::shared_ptr<gpu> where, std::size_t bytes);
  ~gpu_memory();
  gpu_memory(const gpu_memory&) = delete;
  gpu_memory& operator=(const gpu_memory&) = delete;
  cuda_place place() const { return place_; }

 private:
  std::shared_ptr<gpu> where_;
  cuda_place place_ = 0;
};

// Memory of the host that a GPU copies from and to while others work.
class transfer_memory {
 public:
  transfer_memory(std::shared_ptr<gpu> where, std::size_t bytes);
  ~transfer_memory();
  transfer_memory(const transfer_memory&) = delete;
  transfer_memory& operator=(const transfer_memory&) = delete;
  double* numbers() const { return static_cast<double*>(first_); }

 private:
  std::shared_ptr<gpu> where_;
  void* first_ = nullptr;
};

// PTX made into a function of a GPU. Throws gpu_failure with what the driver says against it.
class gpu_function {
 public:
  gpu_function(std::shared_ptr<gpu> where, const std::string& ptx, const char* name);
  ~gpu_function();
  gpu_function(const gpu_function&) = delete;
  gpu_function& operator=(const gpu_function&) = delete;
  cuda_handle handle() const { return function_; }
  std::size_t block_size() const { return block_size_; }  // threads that a multiprocessor takes together
  std::size_t local_bytes() const;                        // of memory, a thread
  cuda_place numbers(const char* name) const;             // of the module that it came with

 private:
  std::size_t attribute(int which) const;
  std::shared_ptr<gpu> where_;
  cuda_handle module_ = nullptr, function_ = nullptr;
  std::size_t block_size_ = 0;
};

// Work that is done in its order. All but `wait` only ask for it.
class gpu_stream {
 public:
  explicit gpu_stream(std::shared_ptr<gpu> where);
  ~gpu_stream();
  gpu_stream(const gpu_stream&) = delete;
  gpu_stream& operator=(const gpu_stream&) = delete;

  void copy_in(cuda_place to, const double* from, std::size_t numbers);
  void copy_out(double* to, cuda_place from, std::size_t numbers);
  void clear(cuda_place from, std::size_t numbers);
  // `threads` of them at least; arguments are addresses of their values.
  void launch(const gpu_function& function, std::size_t threads, std::span<void*> arguments);
  // Until all is done. After `patience` the GPU is lost: throws gpu_failure, as it does for what went wrong before.
  void wait(std::chrono::duration<double> patience);

 private:
  std::shared_ptr<gpu> where_;
  cuda_handle stream_ = nullptr;
};

}  // namespace actio::device
