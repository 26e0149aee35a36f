// An ensemble as a table: one row a trajectory.
//
// Columns: trajectory, the parameters that vary, NAME(0) and p_NAME(0) where it started, NAME and p_NAME where it
// ended, energy_error, error(MOMENTUM) of each conserved momentum, steps, status. Status is 0 for done, 1 where the
// equations could not be solved, 2 where they were singular, 3 where the motion left the domain, 4 where the start was
// refused.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

std::vector<std::string> ensemble_columns(const ensemble_plan& plan);
void ensemble_row(const ensemble_plan& plan, const trajectory_result& result, std::vector<double>& row);

// What an ensemble needs so that it can be made again: model, what varied, the seed, how it was integrated.
run_metadata ensemble_metadata(const ensemble_plan& plan, const ensemble_options& options);

}  // namespace actio
