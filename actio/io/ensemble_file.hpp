// An ensemble as a table: one row a trajectory (ensemble_layout), with a checkpoint beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actio/io/ensemble_ledger.hpp"
#include "actio/io/flush_rhythm.hpp"
#include "actio/io/row_sink.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

class ensemble_file {
 public:
  // Opens the file (and those beside it for crossings and events, where the format needs it), and goes on after the
  // rows of the ledger, if it has any. Throws what open_sink throws, and file-foreign for a checkpoint that is not
  // ours.
  ensemble_file(const source_text& path, ensemble_ledger ledger, std::shared_ptr<output_lock> lock = {});
  // Compares with the ensemble at `path` instead; the first difference is told to `difference`, which outlives it.
  // Throws what trajectory_file::open throws.
  ensemble_file(const std::string& path, ensemble_ledger ledger, std::string& difference);

  // What is known before the first result; from here on the file has a checkpoint.
  void begin(const ensemble_report& report);
  void append(const trajectory_result& result);
  // Brings rows and a checkpoint to the disk, unless that would take too much of the time. To be called when all
  // results are handed over that there are, before more are computed. `seconds` were spent on the rows so far.
  void pause(double seconds);
  // Adds the summary, where one is given, and ends; what went wrong with the writing, or "". The checkpoint stays
  // beside what is not complete, and beside a part unless the file itself tells the same.
  // `statistics`: those of ensemble_statistics as JSON, or "".
  std::string close(const ensemble_report* report, const std::string& statistics = "");
  bool failed() const { return sink_->failed(); }
  // Trajectories that the file is known to hold.
  std::size_t kept_rows() const { return sink_->kept_rows(); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  void take_checkpoint();
  ensemble_ledger ledger_;
  std::string checkpoint_;  // its path, or "" where there is none
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
  std::string count, seed, poincare, part;
  bool lyapunov = false;
  // Trajectories that were computed before it was interrupted.
  std::optional<std::size_t> interrupted_after;
};
// Throws trajectory-damaged where the file holds no ensemble, or does not say how it was made.
ensemble_recipe ensemble_recipe_in(const trajectory_file& file, const std::string& path);

}  // namespace actio
