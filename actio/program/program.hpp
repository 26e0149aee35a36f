// Straight-line programs: what a set of expressions costs, written as a list of 16-byte instructions.
//
// Registers are numbered; constants, parameters and everything computed from them alone live in registers that are
// filled once (`setup`), the rest is computed at every evaluation (`body`), with registers reused when their value is
// no longer needed. Common subexpressions appear once because the DAG shares them. Integer powers become products,
// conditions 0 and 1, which not and and turn into 1 − c and c·d, and the samples of a signal the number under which
// `sample_table` finds them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

struct instruction {
  operation op;
  std::uint32_t target;
  std::uint32_t left;
  std::uint32_t right;  // equal to left for operations with one operand
};
static_assert(sizeof(instruction) == 16);

struct program {
  struct constant {
    std::uint32_t target;
    rational value;
  };
  std::size_t parameters = 0;  // registers 0 … parameters-1 hold the parameters
  std::size_t variables = 0;   // the next `variables` registers hold the variables
  std::vector<constant> constants;
  std::vector<std::uint32_t> pi_registers;  // registers that hold π
  std::vector<instruction> setup;           // depends on constants and parameters alone
  std::vector<instruction> body;
  std::vector<std::uint32_t> outputs;                       // register of each output, in the order of the expressions
  std::vector<std::shared_ptr<const sample_table>> tables;  // those that it looks into
  std::size_t registers = 0;
};

// Symbols of `outputs` must be among `parameters` and `variables`.
program lower(std::span<const expr> outputs, std::span<const expr> parameters, std::span<const expr> variables);

// A listing for people and tests: "r7 = sin r3".
std::string to_text(const program& p);

}  // namespace actio
