#include "apps/cli/model_argument.hpp"

#include "problems/problem.hpp"

namespace actio::cli {

model requested_model(const command_input& input) {
  model m = load_model(input.arguments.front().text);
  for (const source_text& assignment : input.assignments) set_parameter(m, assignment);
  return m;
}

}  // namespace actio::cli
