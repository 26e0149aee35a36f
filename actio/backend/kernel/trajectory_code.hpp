// What a kernel of trajectories is written for.
#pragma once

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/program/field_code.hpp"

namespace actio::kernel {

struct trajectory_code {
  field_code field = {};
  gauss_tables tables = {};
  program certificate = {};  // see certificate_program
  trajectory_rows rows = {};
  bool has_power = false;
};

}  // namespace actio::kernel
