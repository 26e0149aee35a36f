// Writes the machine code of steps with trajectories in lanes where a system is small: without loops over nodes or
// components, so that everything stands in registers or at fixed places and nodes overlap.
#pragma once

#include <llvm/IR/Module.h>

#include "actio/backend/lane_kernel.hpp"
#include "actio/backend/llvm/dataflow.hpp"

namespace actio::machine_code {

bool is_worth_unrolling(const collocation_code& code, const dataflow& flow);

// A lane_stage_entry that needs no storage for sines.
void write_unrolled_lanes(llvm::Module& module, const collocation_code& code, const dataflow& flow,
                          const lane_rows& rows);

}  // namespace actio::machine_code
