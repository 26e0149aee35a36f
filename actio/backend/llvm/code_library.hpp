// Where code comes from: memory, else disk, else LLVM. Equal programs share their code, in all threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "actio/backend/llvm/code_generator.hpp"
#include "actio/backend/llvm/loaded_code.hpp"
#include "actio/program/program.hpp"

namespace actio::machine_code {

// A program and its code of each shape, made when it is first asked for. Safe for several threads.
class program_code {
 public:
  explicit program_code(program p);

  const program& source() const { return source_; }
  // By register: the constants; zero elsewhere.
  const std::vector<double>& initial_fixed() const { return initial_fixed_; }
  // Valid as long as this object.
  entry_point entry(const code_shape& shape) const;

 private:
  program source_;
  std::string bytes_;  // what code depends on
  std::vector<double> initial_fixed_;
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<std::size_t, std::size_t, bool>, std::shared_ptr<const loaded_code>> codes_;
};

}  // namespace actio::machine_code
