// Whose turn it is where several Python threads call the library at once.
//
// Steps in double and quad may be taken by any number of threads. Three things belong to the whole process: the digits
// of MPFR, the order in which expressions are made (on which the last bits of results depend), and HDF5.
// A turn is taken without the GIL, because whoever has it may need the GIL before its end.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <shared_mutex>
#include <string_view>

#include "actio/simulate/lone_engine.hpp"

namespace actio::python {

inline std::shared_mutex& library_turn() {
  static std::shared_mutex turn;
  return turn;
}

inline std::mutex& hdf5_turn() {
  static std::mutex turn;
  return turn;
}

// Counts the turns that this thread has, and refuses one that would wait for itself: a call inside a callback.
class own_turn {
 public:
  explicit own_turn(bool alone) : alone_(alone) {
    if (held() > 0 && (alone || held_alone())) {
      throw input_error("conflicting-options", "a call inside a control or a force would wait for its own run", {},
                        "compute what it needs before the run");
    }
    ++held();
    if (alone) held_alone() = true;
  }
  ~own_turn() {
    --held();
    if (alone_) held_alone() = false;
  }
  own_turn(const own_turn&) = delete;
  own_turn& operator=(const own_turn&) = delete;

 private:
  static int& held() {
    thread_local int count = 0;
    return count;
  }
  static bool& held_alone() {
    thread_local bool alone = false;
    return alone;
  }
  bool alone_;
};

// Sets something up: nobody else does, and no number of many digits is in use elsewhere.
class setup_turn {
 public:
  setup_turn() : library_(library_turn()), making_(setting_up()) {}
  // Everything is set up: others may begin while this one takes its steps.
  void end_setup() {
    if (making_.owns_lock()) making_.unlock();
  }

 private:
  own_turn own_{false};
  std::shared_lock<std::shared_mutex> library_;
  std::unique_lock<std::recursive_mutex> making_;
};

// Computes with many digits, or in ways that make expressions all along: alone.
class sole_turn {
 public:
  sole_turn() : library_(library_turn()) {}

 private:
  own_turn own_{true};
  std::unique_lock<std::shared_mutex> library_;
};

// Where `path` is an HDF5 file.
inline std::unique_lock<std::mutex> file_turn(std::string_view path) {
  if (!path.ends_with(".h5") && !path.ends_with(".hdf5")) return {};
  return std::unique_lock(hdf5_turn());
}

// Calls `work` without the GIL.
template <class Work>
auto without_gil(Work&& work) {
  const pybind11::gil_scoped_release released;
  return work();
}

}  // namespace actio::python
