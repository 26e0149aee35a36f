// Dataflows written as LLVM instructions: their text over machine numbers.
#pragma once

#include <vector>

#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/llvm/machine_builder.hpp"

namespace actio::machine_code {

inline kernel::fixed_numbers<machine_number> fixed_at(machine_builder& b, llvm::Value* first) {
  return [&b, first](std::size_t k) { return b.shared(first, k); };
}

// The outputs for these variables, and whether arguments of sines were too large for the code that was asked for.
struct written_flow {
  std::vector<machine_number> outputs;
  machine_truth too_large;
};
inline written_flow write_flow(machine_builder& b, const kernel::dataflow& flow, llvm::Value* fixed,
                               const std::vector<machine_number>& variables, bool any_argument) {
  kernel::flow_text text(b, flow, fixed_at(b, fixed));
  kernel::computed_values<machine_builder> source(b, kernel::exact_sines(flow, b.together()), any_argument);
  std::vector<machine_number> outputs = text.evaluate(variables, source);
  return {std::move(outputs), source.too_large()};
}

}  // namespace actio::machine_code
