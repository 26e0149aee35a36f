// Writes the machine code of one iteration of stages with trajectories in lanes.
#pragma once

#include <string>

#include "actio/backend/lane_kernel.hpp"

namespace actio::machine_code {

// `sines` keeps known sines between calls, as many numbers as sine_storage() says.
using lane_stage_entry = void (*)(const double* fixed, const lane_stage_arrays* arrays, double* sines,
                                  const void* const* functions);

std::size_t sine_storage(const collocation_code& code, std::size_t lanes);
std::string make_lane_stage_object(const collocation_code& code, std::size_t lanes, std::size_t stride);

}  // namespace actio::machine_code
