// Results of runs brought to files after the run, and back: the same files that a run with an output writes.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "actio/api/simulation.hpp"

namespace actio {

// Writes the trajectory that `result` keeps in memory, with the certificate and all that repeats the run; `m` and
// `assignments` are those of the run. Throws input_error where the file cannot be made: unknown-option-value,
// output-in-use, output-unwritable, file-foreign, and output-unwritable where it cannot be completed.
void save_trajectory(const model& m, const std::vector<source_text>& assignments, const simulation_result& result,
                     const source_text& path);

// A table of a file (.h5), of a run or of an ensemble.
struct stored_table {
  std::vector<std::string> names;
  // One a name: numbers in double, or decimal texts with all digits where they have more.
  std::vector<std::variant<std::vector<double>, std::vector<std::string>>> columns;
};

struct stored_trajectory {
  std::string kind;         // "run" or "ensemble"
  std::string certificate;  // as JSON, or the summary of an ensemble; "" where the run never ended
  std::string model_text, model_file;
  std::vector<std::string> assignments;
  option_values options;
  stored_table table;
  stored_table crossings;  // of an ensemble with a Poincaré section
  stored_table events;     // of an ensemble whose model has some
};

// Throws input_error: file-unreadable, trajectory-damaged, format-unavailable.
stored_trajectory load_trajectory(const std::string& path);

}  // namespace actio
