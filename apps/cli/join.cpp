// actio join: files of parts of an ensemble in, the file of the whole out.
#include <fmt/format.h>

#include "actio/api/ensemble_join.hpp"
#include "actio/io/json_report.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"

namespace actio::cli {

int join_command(const command_input& input) {
  const auto output = input.options.find("output");
  if (!output) {
    throw input_error("missing-argument", "there is no output for the whole ensemble", {"actio join", 0, 0},
                      "add --output FILE");
  }
  const joined_ensemble joined = join_ensemble(input.arguments, *output);
  print_text(input.has_flag("json") ? to_json(joined.report) : to_text(joined.report));
  if (!input.has_flag("json")) {
    for (const std::string& path : joined.files) print("  {:<13} {}\n", "output", path);
  }
  return exit_done;
}

}  // namespace actio::cli
