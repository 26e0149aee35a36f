// Carries out a dataflow number by number, with the bits of its machine code: what runs until compiling pays.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "actio/backend/llvm/dataflow.hpp"

namespace actio::machine_code {

// Immutable and shared; the numbers of one evaluation live in `workspace`, which holds workspace_size() of them.
class dataflow_runner {
 public:
  explicit dataflow_runner(const dataflow& flow);

  std::size_t workspace_size() const { return workspace_size_; }
  std::size_t operations() const { return steps_.size(); }
  // One point: variable k stands at in[k*stride], output k at out[k*stride].
  void run(const double* fixed, const double* in, double* out, std::size_t stride, double* workspace) const;

 private:
  enum class action : std::uint8_t {
    read_variable,
    read_fixed,
    add,
    subtract,
    multiply,
    divide,
    reciprocal,
    negate,
    sqrt,
    abs,
    sign,
    step,
    floor,
    where,
    product_plus,
    product_minus,
    minus_product,
    sine_and_cosine,
    call_of_one,
    call_of_two,
  };
  struct step {
    action what;
    operation op;
    value_id target, a, b, c;  // for sine_and_cosine the cosine goes to b
  };

  static step step_for(const value& v, value_id target);

  std::vector<step> steps_;
  std::vector<value_id> outputs_;
  std::size_t workspace_size_;
};

}  // namespace actio::machine_code
