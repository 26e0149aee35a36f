// An ensemble as a table: one row a trajectory.
//
// Columns: trajectory, the parameters that vary, NAME(0) and p_NAME(0) where it started, NAME and p_NAME where it
// ended, energy_error, error(MOMENTUM) of each conserved momentum, lyapunov where it was asked for, steps, status.
// Status is 0 for done, 1 where the equations could not be solved, 2 where they were singular, 3 where the motion left
// the domain, 4 where the start was refused.
//
// Crossings of a Poincaré section are a second table, `poincare`: trajectory, t, NAME, p_NAME.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

class ensemble_file {
 public:
  // Opens the file (and one beside it for crossings, where the format needs it). Throws what open_sink throws.
  ensemble_file(const source_text& path, const ensemble_plan& plan, const ensemble_options& options);

  void append(const trajectory_result& result);
  // Adds the summary and ends; what went wrong with the writing, or "".
  std::string close(const ensemble_report& report);
  const std::vector<std::string>& files() const { return files_; }

 private:
  const ensemble_plan& plan_;
  bool with_lyapunov_;
  std::size_t a_crossing_;           // numbers of one
  std::vector<std::size_t> varied_;  // places of parameters among the values that vary
  std::vector<std::string> files_;
  std::unique_ptr<row_sink<double>> sink_;
  std::vector<double> row_;
};

}  // namespace actio
