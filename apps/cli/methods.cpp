// actio methods: the catalogue of methods as a table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "actio/integrate/catalogue.hpp"
#include "actio/io/json_report.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/text_table.hpp"

namespace actio::cli {

namespace {

std::string mark(bool holds) { return holds ? "yes" : "no"; }

}  // namespace

int methods_command(const command_input& input) {
  if (input.has_flag("json")) {
    print_text(to_json(method_catalogue()));
    return exit_done;
  }
  text_table table(
      {"method", "order", "symplectic", "symmetric", "momenta", "energy", "needs", "summary", "also called"});
  for (const method& m : method_catalogue()) {
    table.add({m.name, std::to_string(m.traits.order), mark(m.traits.symplectic), mark(m.traits.symmetric),
               mark(m.traits.conserves_momenta), mark(m.traits.conserves_energy), m.needs, m.summary,
               fmt::format("{}", fmt::join(m.aliases, ", "))});
  }
  print_text(table.text());
  return exit_done;
}

}  // namespace actio::cli
