// The exact motion of a model at given times, with all digits of the precision, as one call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/base/option.hpp"

namespace actio {

struct exact_states_options {
  option_values given;        // `times`, `precision`
  exact_solution exact = {};  // in the place of that of linear systems
};

// All digits are those of the exact number, the last one rounded.
struct exact_number {
  double value = 0;
  std::string digits;
};

struct exact_state {
  exact_number time;
  std::vector<exact_number> position, momentum;
};

struct exact_states_result {
  std::vector<exact_state> states;          // one a time, in the order given
  std::optional<exact_number> period = {};  // of what repeats in the motion
  std::string repeats = {};                 // what that is: "nutation"
  std::string text, json;
};

// Throws input_error: no-exact-motion where it is not known, missing-argument, bad-precision, and bad-number for times
// at which the motion cannot be computed to all digits.
exact_states_result exact_states(const model& m, const exact_states_options& options);

}  // namespace actio
