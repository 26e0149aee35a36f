// actio reproduce: papers done again, what they published beside what comes out here.
#include <optional>

#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/progress.hpp"
#include "papers/paper_reproduction.hpp"

namespace actio::cli {

int reproduce_command(const command_input& input) {
  const bool as_json = input.has_flag("json"), is_quiet = input.has_flag("quiet");
  paper_reproduction_options options{.papers = input.arguments, .given = input.options};
  std::optional<progress_line> progress(std::in_place, !is_quiet);
  options.progress = [&](const std::string& key, double part) { progress->show(key, part); };
  options.finished = [&](const paper_report&, const std::string& text) {
    progress.reset();
    if (!as_json) print_text(text);
    flush_console();
    progress.emplace(!is_quiet);
  };
  const paper_reproduction_result result = reproduce_papers(options);
  progress.reset();
  if (as_json) print_text(result.json);
  else print("{}{}\n", result.summary, input.options.has("output") ? "" : "; --output DIR writes pages and figures");
  if (!result.write_error.empty()) note("actio: {}\n", result.write_error);
  return result.status == "agrees" && result.write_error.empty() ? exit_done : exit_numbers_failed;
}

}  // namespace actio::cli
