// A comparison of methods as one call: from a model and options as they are typed to errors, orders and costs.
#pragma once

#include <functional>
#include <string>

#include "actio/analysis/comparison.hpp"
#include "actio/base/option.hpp"

namespace actio {

struct method_comparison_options {
  option_values given;          // `methods` and `step-sizes` among them; those of the model's [run] stand behind them
  exact_solution exact = {};    // in the place of that of linear systems
  std::string model_path = {};  // a file that the report must not overwrite
  std::string command = {};     // what was typed, for the report
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress = {};
  std::function<bool()> interrupted = {};  // asked after each step; true ends it early
};

struct method_comparison_result {
  comparison numbers;
  std::string text, json;
  std::string page_error;  // why the report is not there, or ""
  bool is_done() const;    // every method went through with every step
};

// Throws input_error for what is wrong with model or options, as `compare` does; a run that fails is a status.
method_comparison_result compare_methods(const model& m, const method_comparison_options& options);

}  // namespace actio
