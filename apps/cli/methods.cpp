// actio methods: the catalogue of methods as a table.
#include "actio/api/method_list.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"

namespace actio::cli {

int methods_command(const command_input& input) {
  const listing methods = list_methods();
  print_text(input.has_flag("json") ? methods.json : methods.text);
  return exit_done;
}

}  // namespace actio::cli
