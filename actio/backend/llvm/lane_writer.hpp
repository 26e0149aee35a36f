// Writes the machine code of steps with trajectories in lanes.
#pragma once

#include <string>

#include "actio/backend/lane_kernel.hpp"
#include "actio/backend/llvm/dataflow.hpp"

namespace llvm {
class Module;
}

namespace actio::machine_code {

// `table` and `numbers` as lane_rows says; `sines` keeps known sines between calls, as many numbers as sine_storage()
// says. With `only_rates` not zero the field is evaluated at the prediction, and nothing else is done.
using lane_stage_entry = void (*)(const double* fixed, const double* table, double* numbers, lane_rates* rates,
                                  double* sines, const void* const* functions, int only_rates);

std::size_t sine_storage(const collocation_code& code, std::size_t lanes);
std::string make_lane_stage_object(const collocation_code& code, const lane_rows& rows);

// Where a system is small: without loops over nodes or components, so that everything stands in registers or at fixed
// places and nodes overlap. It needs no storage for sines.
bool is_worth_unrolling(const collocation_code& code, const dataflow& flow);
void write_unrolled_lanes(llvm::Module& module, const collocation_code& code, const dataflow& flow,
                          const lane_rows& rows);

}  // namespace actio::machine_code
