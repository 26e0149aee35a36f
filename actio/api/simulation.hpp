// A run as one call: from a model and options, as they are typed or stand in [run], to its certificate, its files and,
// where it is wanted, its trajectory in memory. Whoever has options as texts only translates.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "actio/mechanics/force_function.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// Options as they would be typed: typed_options({{"method", "gauss-4"}, {"output", "run.h5"}}). Flags are "true".
// Throws unknown-command-option.
option_values typed_options(std::initializer_list<std::pair<std::string_view, std::string>> values);

// The columns of a trajectory file, in memory.
template <class S>
struct trajectory_table {
  std::vector<std::string> names;
  std::vector<std::vector<S>> columns;
  // nullptr where there is none of this name.
  const std::vector<S>* find(std::string_view name) const;
};

// Who looks on, for each kind of numbers that a run may have. None is owned.
struct run_observers {
  std::vector<observer<double>*> in_double = {};
  std::vector<observer<quad>*> in_quad = {};
  std::vector<observer<multi>*> in_multi = {};

  template <class S>
  const std::vector<observer<S>*>& of() const {
    if constexpr (std::same_as<S, double>) return in_double;
    else if constexpr (std::same_as<S, quad>) return in_quad;
    else return in_multi;
  }
};

// Asked before each step with the time and the state that it starts from: new values of the parameters, in the order of
// the model, which are held over the step. Numbers of other precisions are rounded for it.
using parameter_control = std::function<void(double time, std::span<const double> position,
                                             std::span<const double> momentum, std::span<double> parameters)>;

struct simulation_options {
  option_values given;                        // those of the model's [run] stand behind them
  std::vector<source_text> assignments = {};  // that the model has gone through, for who repeats the run from its file
  std::string model_path = {};                // a file that outputs must not overwrite
  std::string command = {};                   // what was typed, for the report
  bool resumes = false;                       // goes on from the checkpoint beside the output
  bool keeps_trajectory = false;              // in memory
  run_observers observers = {};               // that may end the run, with valid files
  parameter_control control = {};             // the certificate counts the energy that it supplies
  // Forces beside those of the model, asked at every node; the certificate counts their work. Files, which others could
  // not repeat, are refused beside them.
  std::shared_ptr<const force_function> force = {};
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  // when setting up began

  std::function<void(std::string_view)> rows = {};  // takes those of the output "-", as lines of a CSV file
  // What people may be told while it runs.
  std::function<void(const std::string&)> note = {};
  // The command that repeats a run whose method and step were chosen.
  std::function<std::string(const option_values&)> repeating = {};
  // Called after the set-up and after each step; false ends the run there, with valid files.
  std::function<bool(std::size_t step, std::size_t steps, double time)> proceed = {};
};

template <class S>
struct simulated {
  run_report<S> report;
  trajectory_table<S> trajectory;  // empty unless it was to be kept
};

struct simulation_result {
  std::variant<simulated<double>, simulated<quad>, simulated<multi>> numbers;
  run_status status = run_status::done;
  bool is_trusted = false;
  std::size_t steps = 0;
  std::string reason, suggestion;  // where it failed; the reason also where an observer ended it
  std::string text, json;          // the certificate, for people and for programs
  std::string page_error;          // why the report is not there, or ""
  bool can_resume = false;         // an interrupted run left a checkpoint
  option_values options;           // all of them, as they were used
};

// Throws input_error for what is wrong with model or options; numbers that fail are a status.
simulation_result simulate(const model& m, const simulation_options& options);

// A run that stands in a file, done once more and compared: rows, columns, certificate.
struct repetition {
  std::string difference = {};  // the first one, or ""
  std::size_t rows = 0;
  std::optional<std::size_t> interrupted_at = {};  // the step at which the run was, if it was
};
repetition repeat_simulation(const std::string& path);

}  // namespace actio
