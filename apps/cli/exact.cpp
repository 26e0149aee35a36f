// actio exact: the exact motion of a model at given times, with all digits of the precision.
#include "actio/api/exact_states.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/model_argument.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

int exact_command(const command_input& input) {
  const exact_states_result result = exact_states(
      requested_model(input), {.given = input.options, .exact = exact_solution_of(input.arguments.front().text)});
  print_text(input.has_flag("json") ? result.json : result.text);
  return exit_done;
}

}  // namespace actio::cli
