// A model: a mechanical system with initial data and the defaults of a run, as a model file gives them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/option.hpp"
#include "actio/base/scalar.hpp"
#include "actio/expr/indices.hpp"
#include "actio/mechanics/initial_values.hpp"
#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/mechanics/model_events.hpp"
#include "actio/mechanics/model_view.hpp"

namespace actio {

// What a model gives beside initial positions; `next` are the positions after the first step.
enum class rate_kind { velocity, momentum, next };

struct initial_data {
  initial_values position;  // one a coordinate, in the order of the coordinates; in the parameters
  rate_kind rate = rate_kind::momentum;
  initial_values rates;  // none where the system is of first order
  // What the model does not give, as "x", "x'" or "p_x", and what is zero therefore; of many coordinates that form
  // arrays "q", "q'" or "p_q" for all of one.
  std::vector<std::string> left_out = {};
};

// "initial values that are not given are zero: x, y'"; empty where all are given.
std::string note_of_zeros(const initial_data& initial);

struct model {
  lagrangian_system system;
  initial_data initial;
  std::vector<model_event> events = {};
  std::vector<sampled_control> controls = {};
  option_values run;                                     // the [run] table as typed
  model_view view;                                       // what reports animate; empty where the file has no [view]
  std::shared_ptr<const index_names> indices = nullptr;  // its sizes and tables
  std::map<std::string, std::int64_t, std::less<>> given_sizes = {};  // that are not those of the text
  std::vector<source_text> assignments = {};                          // what set_parameter was given
  std::string text;  // the file's text, kept so that a run can be redone
  std::string file;  // its name, for messages
};

// Throws input_error for everything that is wrong with the file or its contents.
model parse_model(std::string text, std::string file);
// The same with other sizes than those of its text.
model parse_model(std::string text, std::string file, const std::map<std::string, std::int64_t, std::less<>>& sizes);
model read_model(const std::string& path);

// Applies "NAME=EXPRESSION" from --set: replaces the value of a parameter or a size, with which the model is read anew.
// Throws unknown-name, expression-syntax, bad-size, and what reading throws.
void set_parameter(model& m, const source_text& assignment);

// The value of an expression typed on the command line or in [run], in the model's parameters.
expr parse_quantity(const model& m, const source_text& source);

// Throws two-point-start where the model starts from two positions: its momentum then belongs to one method and one
// step, and `what` ("compare") asks for a start of its own.
void refuse_two_point_start(const model& m, const std::string& what);

// Values at the precision of S. A parameter that is not finite is an input_error (bad-number) that names it.
template <class S>
std::vector<S> parameter_values(const lagrangian_system& system);
// The same where some have other values than the model gives them, one place a parameter; what is defined by these
// follows.
template <class S>
std::vector<S> parameter_values(const lagrangian_system& system, std::span<const std::optional<S>> assigned);
template <class S>
S quantity_value(const lagrangian_system& system, const expr& quantity);

}  // namespace actio
