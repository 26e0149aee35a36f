// What a kernel of trajectories is written for.
#pragma once

#include <memory>
#include <string>

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/newton_shape.hpp"
#include "actio/backend/kernel/trajectory_method.hpp"
#include "actio/program/field_code.hpp"

namespace actio::kernel {

// A method, and what its steps evaluate.
struct step_text {
  std::shared_ptr<const trajectory_method> method = {};
  program equations = {};
};

struct trajectory_code {
  step_text step = {};
  program certificate = {};  // see certificate_program
  trajectory_rows rows = {};
  bool has_power = false;
};

// A Gauss method on these equations of Hamilton, by the tables of make_gauss_tables.
step_text gauss_trajectories(gauss_tables tables, const field_code& field);
// A Galerkin method by Newton's method; `iteration` is newton_program of the scheme, whose name tells it from all
// others.
step_text newton_trajectories(const std::string& scheme, newton_tables tables, program iteration);

}  // namespace actio::kernel
