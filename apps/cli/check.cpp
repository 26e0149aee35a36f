// actio check: the model as it was understood.
#include "actio/api/model_check.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/model_argument.hpp"

namespace actio::cli {

int check_command(const command_input& input) {
  const model_check_result result = check_model(requested_model(input), {.given = input.options});
  print_text(input.has_flag("json") ? result.json : result.text);
  return exit_done;
}

}  // namespace actio::cli
