// actio compare: several methods with several steps on one model, side by side.
#include <optional>

#include "actio/api/method_comparison.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

int compare_command(const command_input& input) {
  const std::string& name = input.arguments.front().text;
  method_comparison_options options{
      .given = input.options, .exact = exact_solution_of(name), .model_path = name, .command = input.typed};
  const model m = requested_model(input);
  std::optional<progress_line> progress(std::in_place, !input.has_flag("quiet"));
  options.progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    progress->show(what + " step", done, all);
  };
  const method_comparison_result result = compare_methods(m, options);
  progress.reset();
  print_text(input.has_flag("json") ? result.json : result.text);
  if (!result.page_error.empty()) note("actio: {}\n", result.page_error);
  return result.page_error.empty() && result.is_done() ? exit_done : exit_numbers_failed;
}

}  // namespace actio::cli
