// What it takes to repeat a run: the model, the parameters that were set, and every option.
#pragma once

#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/io/trajectory_file.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

struct run_recipe {
  std::string model_text, model_file;
  std::vector<std::string> assignments;  // NAME=VALUE of --set
  option_values options;                 // all that the numbers depend on, defaults included
};

// The recipe of a run of `m` (before its assignments) with merged options.
run_recipe recipe_of(const model& m, const std::vector<source_text>& assignments, const option_values& merged);

// As texts for a trajectory file, with version, machine and seed beside them.
run_metadata metadata_of(const run_recipe& recipe);
// Throws trajectory-damaged.
run_recipe recipe_in(const trajectory_file& file, const std::string& path);

// Throws conflicting-options where the program computes a force of the model, which `output` could not hold.
void require_repeatable(const model& m, const source_text& output);

// The model with its assignments applied.
model model_of(const run_recipe& recipe);

// "actio 0.1.0".
std::string program_version();

}  // namespace actio
