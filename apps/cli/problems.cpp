// actio problems: the built-in problems as a table.
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "problems/problem_list.hpp"

namespace actio::cli {

int problems_command(const command_input& input) {
  const listing problems = list_problems();
  print_text(input.has_flag("json") ? problems.json : problems.text);
  return exit_done;
}

}  // namespace actio::cli
