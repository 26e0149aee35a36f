// The body of a program as values instead of registers, prepared for machine code: several divisions by one value
// become products with its reciprocal, products are fused with the sums that read them, and independent calls of one
// elementary function are gathered, so that one vector computes several.
// Nothing here depends on the number of lanes: results have the same bits at every width.
#pragma once

#include <cstdint>
#include <vector>

#include "actio/program/program.hpp"

namespace actio::kernel {

using value_id = std::uint32_t;
inline constexpr value_id nowhere = UINT32_MAX;

enum class value_kind : std::uint8_t {
  variable,       // number `a` of the variables
  fixed,          // register `a`, which is filled before the body runs
  operation,      // op(a, b), not a call
  reciprocal,     // 1 / a
  product_plus,   // a b + c with one rounding
  product_minus,  // a b - c
  minus_product,  // c - a b
  call,           // result of an elementary function, computed with its group
};

struct value {
  value_kind kind;
  operation op;  // of `operation` and `call`
  value_id a = nowhere, b = nowhere, c = nowhere;
};

// Calls of one function that do not depend on each other. Sines and cosines share groups: op == sin, and an argument
// that needs both stands there once.
struct call_group {
  struct member {
    value_id argument, second;  // second == argument for functions of one argument
    value_id result, cosine;    // nowhere where it is not needed; cosine only in groups of sines
  };
  operation op;
  std::vector<member> members;
};

// One stage: `before` lists what the arguments of `calls` need, in an order in which operands come first.
struct stage {
  std::vector<value_id> before;
  std::vector<call_group> calls;
};

struct dataflow {
  std::vector<value> values;
  std::vector<stage> stages;  // the last one has no calls
  std::vector<value_id> outputs;
};

dataflow analyse(const program& p);

}  // namespace actio::kernel
