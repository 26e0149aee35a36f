// Carries out a dataflow number by number, with the bits of its machine code: what runs until compiling pays.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "actio/backend/kernel/dataflow.hpp"

namespace actio::machine_code {

// Immutable and shared; the numbers of one evaluation live in `workspace`, which holds workspace_size() of them.
class dataflow_runner {
 public:
  explicit dataflow_runner(const kernel::dataflow& flow);

  std::size_t workspace_size() const { return workspace_size_; }
  std::size_t operations() const { return steps_.size(); }
  // One point: variable k stands at in[k*stride], output k at out[k*stride].
  void run(const double* fixed, const double* in, double* out, std::size_t stride, double* workspace) const;

 private:
  struct step {
    kernel::value_kind kind;
    operation op;
    kernel::value_id target, a, b, c;  // the cosine of a call of a sine goes to b
  };

  std::vector<step> steps_;
  std::vector<kernel::value_id> outputs_;
  std::size_t workspace_size_;
};

}  // namespace actio::machine_code
