// Where code comes from: memory, else disk, else LLVM. Equal programs share their code, in all threads.
#pragma once

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "actio/backend/blocks.hpp"
#include "actio/backend/llvm/code_generator.hpp"
#include "actio/backend/llvm/dataflow_runner.hpp"
#include "actio/backend/llvm/loaded_code.hpp"
#include "actio/backend/program_bytes.hpp"

namespace actio::machine_code {

using object_maker = std::function<std::string()>;
// The code that `maker` makes an object of, named by all that it depends on but the target.
std::shared_ptr<const loaded_code> shared_code(const std::string& what, const object_maker& maker);

// Code for arguments of sines in the usual range, and code for any, which is made when it is first needed.
template <class Entry>
class two_codes {
 public:
  template <class Make>
  void use(const std::string& what, bool any_argument, Make&& make) {
    code_[any_argument] = shared_code(fmt::format("{} {}", any_argument, what), make);
    entry_[any_argument] = code_[any_argument]->template entry_as<Entry>();
  }
  Entry usual() const { return entry_[0]; }
  Entry any_argument() const { return entry_[1]; }

 private:
  std::shared_ptr<const loaded_code> code_[2];
  Entry entry_[2] = {nullptr, nullptr};
};

// A program and its code of each shape, made when it is first asked for. Safe for several threads.
class program_code {
 public:
  explicit program_code(program p);

  const program& source() const { return source_; }
  // By register: the constants; zero elsewhere.
  const std::vector<double>& initial_fixed() const { return initial_fixed_; }
  const dataflow_runner& runner() const { return runner_; }

  // Null when the code is neither in memory nor on disk. Valid as long as this object, as what `make` gives.
  entry_point find(const code_shape& shape) const { return obtain(shape, false); }
  entry_point make(const code_shape& shape) const { return obtain(shape, true); }

  // Reports that the runner is about to stand in for code of this shape; whether by now compiling costs less.
  bool compiling_pays(const code_shape& shape) const;

 private:
  entry_point obtain(const code_shape& shape, bool may_make) const;

  program source_;
  dataflow_runner runner_;
  std::string bytes_;  // what code depends on
  std::vector<double> initial_fixed_;
  mutable std::array<std::atomic<std::size_t>, 2 * (widest_lanes + 1)> times_run_{};
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<std::size_t, std::size_t, bool>, std::shared_ptr<const loaded_code>> codes_;
};

}  // namespace actio::machine_code
