// What a kernel of trajectories is written for.
#pragma once

#include <memory>

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/trajectory_method.hpp"
#include "actio/program/field_code.hpp"

namespace actio::kernel {

struct trajectory_code {
  std::shared_ptr<const trajectory_method> method = {};
  field_code field = {};
  program certificate = {};  // see certificate_program
  trajectory_rows rows = {};
  bool has_power = false;
};

// Gauss methods, by the tables of make_gauss_tables.
std::shared_ptr<const trajectory_method> gauss_trajectories(gauss_tables tables);

}  // namespace actio::kernel
