#include "watch.hpp"

#include <algorithm>

namespace actio::python {

using namespace std::chrono_literals;

// Questions may be a nanosecond or a second apart: the number of them between two looks follows.
void python_watch::look_at_clock() {
  const auto now = clock::now();
  const auto spent = now - last_;
  last_ = now;
  if (spent < 500us) interval_ = std::min(2 * interval_, 1L << 20);
  else if (spent > 2ms) interval_ = std::max(interval_ / 4, 1L);
  patience_ = interval_;
  if (now >= next_signal_) look_after_python(now);
}

void python_watch::look_after_python(clock::time_point now) {
  next_signal_ = now + 40ms;
  const py::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!show_.is_none() && now >= next_show_) {
      next_show_ = now + 200ms;
      show_(done_.load(), all_.load(), time_.load());
    }
  } catch (py::error_already_set& error) {
    stopped_ = true;
    if (error.matches(PyExc_KeyboardInterrupt)) is_interrupted_ = true;
    else error_.emplace(std::move(error));
  }
}

}  // namespace actio::python
