// Looks after Python while the library works without the GIL: signals and progress, a few times a second, from the
// thread that called.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>

namespace actio::python {

namespace py = pybind11;

class python_watch {
 public:
  // `show(done, all, time)` is called about five times a second unless it is None. Needs the GIL, as the end does.
  explicit python_watch(py::object show) : show_(std::move(show)), caller_(std::this_thread::get_id()) {}
  python_watch(const python_watch&) = delete;
  python_watch& operator=(const python_watch&) = delete;

  // How far the work is; from any thread.
  void note(double done, double all, double time = 0) {
    done_.store(done, std::memory_order_relaxed);
    all_.store(all, std::memory_order_relaxed);
    time_.store(time, std::memory_order_relaxed);
  }

  // Whether to go on; from any thread, without the GIL. Costs a nanosecond except when it is time to look.
  bool go_on() {
    if (stopped_.load(std::memory_order_relaxed)) return false;
    if (std::this_thread::get_id() != caller_ || --patience_ > 0) return true;
    look_at_clock();
    return !stopped_.load(std::memory_order_relaxed);
  }

  // With the GIL, after the work: throws what a signal handler or `show` raised, other than KeyboardInterrupt.
  void rethrow() {
    if (error_) throw std::move(*std::exchange(error_, std::nullopt));
  }
  // Ctrl-C came to a callback; from the thread that called.
  void interrupt() { stopped_ = is_interrupted_ = true; }
  // Ctrl-C ended the work.
  bool was_interrupted() const { return is_interrupted_; }
  // The same for work of which nothing is kept.
  void rethrow_everything() {
    rethrow();
    if (!is_interrupted_) return;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }

 private:
  using clock = std::chrono::steady_clock;
  void look_at_clock();
  void look_after_python(clock::time_point now);

  py::object show_;
  const std::thread::id caller_;
  std::atomic<double> done_ = 0, all_ = 0, time_ = 0;
  std::atomic<bool> stopped_ = false;
  bool is_interrupted_ = false;
  std::optional<py::error_already_set> error_;
  long interval_ = 1, patience_ = 1;  // questions between two looks at the clock
  clock::time_point last_ = clock::now(), next_signal_ = last_, next_show_ = last_;
};

}  // namespace actio::python
