// A model as it was understood, as one call.
#pragma once

#include <string>

#include "actio/analysis/model_facts.hpp"
#include "actio/base/option.hpp"

namespace actio {

struct model_check_options {
  option_values given = {};  // `project`
};

struct model_check_result {
  model_facts facts;
  std::string text, json;
};

// Throws input_error for what a run would refuse: in the model, in its [run], at its start.
model_check_result check_model(const model& m, const model_check_options& options = {});

}  // namespace actio
