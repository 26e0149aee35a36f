// actio compare: several methods with several steps on one model, side by side.
#include <fmt/format.h>

#include "actio/analysis/comparison.hpp"
#include "actio/analysis/modal_motion.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/report.hpp"
#include "actio/io/report_target.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/text_table.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

namespace {

std::vector<source_text> required_list(const command_input& input, std::string_view option, std::string_view example) {
  std::vector<source_text> parts;
  if (const auto typed = input.options.find(option)) parts = list_from(*typed);
  if (!parts.empty()) return parts;
  throw input_error("missing-argument", fmt::format("the option '--{}' is missing or empty", option),
                    {"actio compare", 0, 0}, fmt::format("add --{} {}", option, example));
}

template <class S>
S end_of_comparison(const model& m, const option_values& options) {
  if (const auto until = options.find("until")) return time_from<S>(m, *until);
  const auto steps = options.find("steps"), step = options.find("step");
  if (steps && step) return step_from<S>(m, *step) * S(static_cast<double>(count_from(*steps, 0)));
  throw input_error("missing-key", "the comparison has no end", {m.file, 0, 0},
                    "add --until T, or a line until = T to [run]");
}

std::string cell_status(const comparison_cell& cell) { return cell.status == "done" ? "" : cell.status; }

std::string to_text(const comparison& result) {
  text_table table({"method", "step", "error", "order", "energy error", "iterations", "us/step", "seconds", ""});
  for (const comparison_cell& cell : result.cells) {
    if (cell.steps == 0 && cell.status != "done") {
      table.add({cell.method, cell.step, "", "", "", "", "", "", cell.status});
      continue;
    }
    const double per_step = cell.steps > 0 ? 1e6 * cell.seconds / static_cast<double>(cell.steps) : 0;
    table.add({cell.method, cell.step, fmt::format("{:.3e}", cell.error),
               cell.order ? fmt::format("{:.2f}", *cell.order) : "",
               result.has_energy ? fmt::format("{:.2e}", cell.energy_error) : "",
               fmt::format("{:.2f}", cell.mean_iterations), fmt::format("{:.3g}", per_step),
               fmt::format("{:.3g}", cell.seconds), cell_status(cell)});
  }
  const std::string reference = result.reference.empty() ? "" : fmt::format("reference: {}\n", result.reference);
  return fmt::format("{}\nerror: largest distance of positions from the reference up to t = {:g}\n{}", table.text(),
                     result.until, reference);
}

// Newmark's parameters belong to the methods of the list that take them, of which there must be one.
std::vector<source_text> requested_methods(const command_input& input) {
  std::vector<source_text> methods = required_list(input, "methods", "simpson,midpoint,gauss-4,rk4");
  bool is_taken = false;
  for (source_text& name : methods) {
    if (family_named(name.text) == nullptr) continue;
    name = with_newmark_parameters(name, input.options);
    is_taken = true;
  }
  if (!is_taken) with_newmark_parameters(methods.front(), input.options);  // refuses them
  return methods;
}

template <class S>
comparison compared(const command_input& input, const model& m, const option_values& options) {
  const auto methods = requested_methods(input);
  const auto steps = required_list(input, "step-sizes", "0.1,0.05,0.025");
  const exact_answer<S> exact = exact_answer_of<S>(input.arguments.front().text, m);
  std::vector<const method*> named;
  for (const source_text& name : methods) named.push_back(&method_named(name));
  const first_guess guess = guess_from(options, named);
  progress_line progress(!input.has_flag("quiet"));
  return compare<S>(m, methods, steps, end_of_comparison<S>(m, options), exact.motion,
                    {.allow_unstable = flag_from(options, "allow-unstable"),
                     .project = flag_from(options, "project"),
                     .guess = guess,
                     .progress = [&](const std::string& what, std::size_t done, std::size_t all) {
                       progress.show(what + " step", done, all);
                     }});
}

}  // namespace

int compare_command(const command_input& input) {
  const model m = requested_model(input);
  option_values typed = input.options;
  typed.erase("beta");
  typed.erase("gamma");
  const option_values options = merged_options(m, typed);
  set_backend_from(options);
  require_files_apart(input.arguments.front().text, {}, options.find("report"));
  const report_target page(options);
  const comparison result = with_scalar(precision_from(*options.find("precision")),
                                        [&]<class S>() { return compared<S>(input, m, options); });
  print_text(input.has_flag("json") ? to_json(result) : to_text(result));
  if (page.is_wanted()) {
    const std::string error = page.write(comparison_page(result, m, {input.typed, program_version()}));
    if (!error.empty()) {
      note("actio: {}\n", error);
      return exit_numbers_failed;
    }
  }
  for (const comparison_cell& cell : result.cells) {
    if (cell.status != "done") return exit_numbers_failed;
  }
  return exit_done;
}

}  // namespace actio::cli
