// actio problems: the built-in problems as a table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/text_table.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

namespace {

std::string problems_json() {
  using json = nlohmann::ordered_json;
  json problems = json::array();
  for (const problem& p : problem_catalogue()) {
    problems.push_back(
        {{"name", p.name}, {"summary", p.summary}, {"source", p.source}, {"exact", static_cast<bool>(p.exact)}});
  }
  return json{{"problems", problems}}.dump(2) + "\n";
}

}  // namespace

int problems_command(const command_input& input) {
  if (input.has_flag("json")) {
    print_text(problems_json());
    return exit_done;
  }
  text_table table({"problem", "exact solution", "summary"});
  for (const problem& p : problem_catalogue()) {
    table.add({std::string(p.name), p.exact ? "yes" : "no", std::string(p.summary)});
  }
  print_text(table.text());
  return exit_done;
}

}  // namespace actio::cli
