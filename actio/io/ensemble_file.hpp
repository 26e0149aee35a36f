// An ensemble as a table: one row a trajectory.
//
// Columns: trajectory, the parameters that vary, NAME(0) and p_NAME(0) where it started, NAME and p_NAME where it
// ended, energy_error, error(MOMENTUM) of each conserved momentum, lyapunov where it was asked for, steps, status.
// Status is 0 for done, 1 where the equations could not be solved, 2 where they were singular, 3 where the motion left
// the domain, 4 where the start was refused.
//
// Crossings of a Poincaré section are a second table, `poincare`: trajectory, t, NAME, p_NAME. So are events, where the
// model has some, `events`: trajectory, event, t, NAME, p_NAME; event is the place among the events of the model, from 0.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actio/io/flush_rhythm.hpp"
#include "actio/io/row_sink.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

class ensemble_file {
 public:
  // Opens the file (and those beside it for crossings and events, where the format needs it). Throws what open_sink throws.
  ensemble_file(const source_text& path, const ensemble_plan& plan, const ensemble_options& options,
                const run_recipe& recipe);
  // Compares with the ensemble at `path` instead; the first difference is told to `difference`, which outlives it.
  // Throws what trajectory_file::open throws.
  ensemble_file(const std::string& path, const ensemble_plan& plan, const ensemble_options& options,
                std::string& difference);

  void append(const trajectory_result& result);
  // Brings rows to the disk, unless that would take too much of the time. To be called when all results are handed over
  // that there are, before more are computed.
  void pause();
  // Adds the summary, where one is given, and ends; what went wrong with the writing, or "".
  std::string close(const ensemble_report* report);
  bool failed() const { return sink_->failed(); }
  // Trajectories that the file is known to hold.
  std::size_t kept_rows() const { return sink_->kept_rows(); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  ensemble_file(const ensemble_plan& plan, const ensemble_options& options);
  void flush();
  void append_events(const trajectory_result& result);
  const ensemble_plan& plan_;
  bool with_lyapunov_, with_crossings_;
  std::size_t a_crossing_;           // numbers of one
  std::vector<std::size_t> varied_;  // places of parameters among the values that vary
  std::vector<std::string> files_;
  std::unique_ptr<row_sink<double>> sink_;
  std::vector<double> row_;
  flush_rhythm rhythm_;
};

// The files that an ensemble makes, the main one first.
std::vector<std::string> files_of(const source_text& path, const ensemble_plan& plan, const ensemble_options& options);

// What varied in the ensemble of a file, as it can be typed; nothing in the files of runs.
struct ensemble_recipe {
  run_recipe run;
  std::vector<std::string> sweeps, samples;
  std::string count, seed, poincare;
  bool lyapunov = false;
  // Trajectories that were computed before it was interrupted.
  std::optional<std::size_t> interrupted_after;
};
// Throws trajectory-damaged where the file holds no ensemble, or does not say how it was made.
ensemble_recipe ensemble_recipe_in(const trajectory_file& file, const std::string& path);

}  // namespace actio
