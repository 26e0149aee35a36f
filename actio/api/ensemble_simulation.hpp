// An ensemble as one call: from a model, what varies and options as they are typed, to its summary and its files.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/api/rank_group.hpp"
#include "actio/api/simulation.hpp"
#include "actio/simulate/ensemble_statistics.hpp"

namespace actio {

// A sweep over these numbers, as it would be typed, "q=[0.1,0.2]": with `beside` along with the sweep before it, value
// for value, instead of across it. Throws bad-number for what is not finite, bad-count where there is none.
source_text sweep_over(std::string_view name, std::span<const double> values, bool beside = false);

struct ensemble_simulation_options {
  option_values given;                        // those of the model's [run] stand behind them
  std::vector<source_text> sweeps = {};       // NAME=FROM:TO:COUNT, or sweep_over
  std::vector<source_text> samples = {};      // NAME=DISTRIBUTION
  std::vector<source_text> assignments = {};  // that the model has gone through
  std::string model_path = {};                // a file that outputs must not overwrite
  std::string command = {};                   // that does it again, for the page
  std::function<void()> begins = {};          // everything is set up, the first trajectory comes
  std::function<void(std::size_t done, std::size_t all)> progress = {};
  std::function<bool()> interrupted = {};                      // true ends it early, with valid files
  std::function<void(const trajectory_result&)> collect = {};  // gets each result, in order
  std::function<void(const std::string&)> note = {};           // what is worth saying on the way
  rank_group* ranks = nullptr;                                 // the processes that do it together, if there are more
};

struct ensemble_simulation_result {
  ensemble_report report;
  std::vector<std::string> files = {};
  std::size_t kept_rows = 0;                                   // that the files are known to hold
  std::string write_error;                                     // what went wrong with them, or ""
  std::string page_error;                                      // or with the page
  std::shared_ptr<const ensemble_statistics> statistics = {};  // where they were asked for
};

// Throws input_error for what is wrong with model, variation or options; trajectories that fail are a status each.
// Among several processes all call it, and rank 0 has the report of all: each process writes a piece beside the output,
// OUTPUT.piece-N with the ending of the output, and rank 0 joins them. What a process has done that was killed stands
// in its piece, and the option resume goes on from there with any number of processes.
ensemble_simulation_result simulate_ensemble(const model& m, const ensemble_simulation_options& options);

// Writes kernels of the ensemble for GPUs into the code cache and says where they are. Throws as simulate_ensemble
// does, and gpu-refuses where this build writes none.
std::string prepare_devices(const model& m, const ensemble_simulation_options& options);

// The ensemble of a file, done once more and compared: rows, columns, crossings, summary. Of one that was interrupted,
// the rows that it has.
repetition repeat_ensemble(const std::string& path, const ensemble_simulation_options& options);

}  // namespace actio
