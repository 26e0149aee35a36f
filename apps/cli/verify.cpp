// actio verify: what methods declare, beside what is measured.
#include <optional>

#include "actio/api/method_verification.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/progress.hpp"

namespace actio::cli {

int verify_command(const command_input& input) {
  method_verification_options options{.methods = input.arguments, .given = input.options};
  std::optional<progress_line> progress(std::in_place, !input.has_flag("quiet"));
  options.progress = [&](std::size_t done, std::size_t all) { progress->show("method", done, all); };
  const method_verification_result result = verify_methods(options);
  progress.reset();
  print_text(input.has_flag("json") ? result.json : result.text);
  return result.failed == 0 ? exit_done : exit_numbers_failed;
}

}  // namespace actio::cli
