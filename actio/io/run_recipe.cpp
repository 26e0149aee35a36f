#include "actio/io/run_recipe.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <sstream>

#include "actio/backend/backend.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/base/parallel.hpp"

namespace actio {

namespace {

// Options that say where results go or how the program behaves do not belong to the run itself.
bool belongs_to_run(const option_descriptor& option) { return option.in_model && option.type != option_type::path; }

std::string backend_text(const std::string& precision) {
  return to_text(precision == "double" ? backend_in_use<double>() : backend::interpreter);
}

std::string machine() {
  utsname names{};
  uname(&names);
  std::ifstream cpus("/proc/cpuinfo");
  std::string cpu = "unknown processor";
  for (std::string line; std::getline(cpus, line);) {
    if (!line.starts_with("model name")) continue;
    cpu = line.substr(line.find(':') + 2);
    break;
  }
  return fmt::format("{} {} {}; {}, {} threads", names.sysname, names.release, names.machine, cpu, available_threads());
}

}  // namespace

std::string program_version() { return "actio " ACTIO_VERSION; }

run_recipe recipe_of(const model& m, const std::vector<source_text>& assignments, const option_values& merged) {
  run_recipe recipe{m.text, m.file, {}, {}};
  for (const source_text& a : assignments) recipe.assignments.push_back(a.text);
  for (const option_descriptor& option : option_catalogue()) {
    const auto value = belongs_to_run(option) ? merged.find(option.name) : std::nullopt;
    if (value) recipe.options.set(option.name, *value);
  }
  return recipe;
}

void require_repeatable(const model& m, const source_text& output) {
  if (!m.system.applied_force) return;
  throw input_error("conflicting-options", "a file could not repeat a run in which the program computes a force",
                    output.origin, "leave @output out, or write the force as an expression of the model");
}

run_metadata metadata_of(const run_recipe& recipe) {
  std::string options, assignments;
  for (const auto& [name, value] : recipe.options.all()) options += fmt::format("{} = {}\n", name, value.text);
  for (const std::string& a : recipe.assignments) assignments += a + "\n";
  return {{"model", recipe.model_text},
          {"model_file", recipe.model_file},
          {"set", assignments},
          {"options", options},
          {"precision", recipe.options.find("precision")->text},
          {"backend", backend_text(recipe.options.find("precision")->text)},
          {"seed", "none: nothing in this run is random"},
          {"version", program_version()},
          {"machine", machine()}};
}

run_recipe recipe_in(const trajectory_file& file, const std::string& path) {
  run_recipe recipe{file.text("model"), file.text("model_file"), {}, {}};
  if (recipe.model_text.empty()) {
    throw input_error("trajectory-damaged", fmt::format("'{}' does not say which model it belongs to", path),
                      {path, 0, 0}, "give a file that a run with @output=FILE.h5 wrote");
  }
  std::istringstream assignments(file.text("set")), options(file.text("options"));
  for (std::string line; std::getline(assignments, line);) recipe.assignments.push_back(line);
  for (std::string line; std::getline(options, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos || !find_option(line.substr(0, equals))) continue;
    recipe.options.set(line.substr(0, equals), {line.substr(equals + 3), {path, 0, 0}, line.substr(0, equals)});
  }
  if (recipe.options.all().empty()) {
    throw input_error("trajectory-damaged", fmt::format("'{}' does not say with which options it was made", path),
                      {path, 0, 0}, "give a file that a run with @output=FILE.h5 wrote");
  }
  return recipe;
}

model model_of(const run_recipe& recipe) {
  model m = parse_model(recipe.model_text, recipe.model_file);
  for (const std::string& a : recipe.assignments) set_parameter(m, typed_option("set", a));
  return m;
}

}  // namespace actio
