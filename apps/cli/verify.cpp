// actio verify: what methods declare, beside what is measured.
#include <fmt/format.h>

#include <algorithm>

#include "actio/analysis/verification.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/text_table.hpp"

namespace actio::cli {

namespace {

std::vector<const method*> requested_methods(const command_input& input) {
  std::vector<const method*> methods;
  for (const source_text& name : input.arguments) {
    if (name.text == "all" && !has_newmark_parameters(input.options)) {
      for (const method& m : method_catalogue()) methods.push_back(&m);
    } else {
      methods.push_back(&method_named(with_newmark_parameters(name, input.options)));
    }
  }
  return methods;
}

std::string to_text(const std::vector<verification_row>& rows, std::size_t failed) {
  text_table table({"method", "property", "system", "precision", "declared", "measured", "criterion", ""});
  for (const verification_row& row : rows) {
    table.add({row.method, row.property, row.system, row.precision, row.declared, fmt::format("{:.3g}", row.measured),
               row.criterion, row.passed ? "ok" : "FAILED"});
  }
  return fmt::format("{}\n{} rows, {} failed\n", table.text(), rows.size(), failed);
}

}  // namespace

int verify_command(const command_input& input) {
  const std::vector<const method*> methods = requested_methods(input);
  verification_options options{.threads = threads_from(input.options)};
  std::vector<verification_row> rows;
  {
    progress_line progress(!input.has_flag("quiet"));
    options.progress = [&](std::size_t done, std::size_t all) { progress.show("method", done, all); };
    rows = verify(methods, options);
  }
  const auto failed = static_cast<std::size_t>(std::ranges::count(rows, false, &verification_row::passed));
  print_text(input.has_flag("json") ? to_json(rows) : to_text(rows, failed));
  return failed == 0 ? exit_done : exit_numbers_failed;
}

}  // namespace actio::cli
