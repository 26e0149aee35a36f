// One fixed-point iteration of Gauss stages with trajectories in lanes, in one piece of machine code: rates at all
// nodes, new momenta, velocities with these, new positions, and how much all that changes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"

namespace actio {

// Node i of component c stands at [c * stride + i * lanes], one number a trajectory.
struct lane_stage_arrays {
  const double* in;               // arguments of the field
  double* rates;                  // its values
  const double* increments;       // Z
  double* next;                   // the Z that the rates lead to
  const double* inverse_weights;  // a row a component
  const double* stages;           // h a_ij, row by row
  double* squares;                // a row: Σ ((next − Z) weight⁻¹)²
};

class lane_stage_kernel {
 public:
  virtual ~lane_stage_kernel() = default;
  virtual void iterate(const lane_stage_arrays& arrays) = 0;
};

// Sines near those of an earlier iteration are turned from these; whether they are is decided for each lane by itself.
// Nothing where there is no machine code.
std::unique_ptr<lane_stage_kernel> make_lane_stage_kernel(const collocation_code& code,
                                                          std::span<const double> parameters, std::size_t lanes,
                                                          std::size_t stride);

}  // namespace actio
