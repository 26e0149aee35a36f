#include "actio/api/method_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/analysis/modal_motion.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/report.hpp"
#include "actio/io/report_target.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/text_table.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

namespace {

std::vector<source_text> required_list(const option_values& given, std::string_view option, std::string_view example) {
  std::vector<source_text> parts;
  if (const auto typed = given.find(option)) parts = list_from(*typed);
  if (!parts.empty()) return parts;
  throw input_error("missing-argument", fmt::format("the option @'{}' is missing or empty", option), {"@compare", 0, 0},
                    fmt::format("add @{}={}", option, example));
}

template <class S>
S end_of_comparison(const model& m, const option_values& options) {
  if (const auto until = options.find("until")) return time_from<S>(m, *until);
  const auto steps = options.find("steps"), step = options.find("step");
  if (steps && step) return step_from<S>(m, *step) * S(static_cast<double>(count_from(*steps, 0)));
  throw input_error("missing-key", "the comparison has no end", {m.file, 0, 0},
                    "add @until=T, or a line until = T to [run]");
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
std::vector<source_text> requested_methods(const option_values& given) {
  std::vector<source_text> methods = required_list(given, "methods", "simpson,midpoint,gauss-4,rk4");
  bool is_taken = false;
  for (source_text& name : methods) {
    if (family_named(name.text) == nullptr) continue;
    name = with_newmark_parameters(name, given);
    is_taken = true;
  }
  if (!is_taken) with_newmark_parameters(methods.front(), given);  // refuses them
  return methods;
}

// Errors are those of steps at times that all methods have in common, along a motion that nothing changes on the way.
void require_plain_motion(const model& m) {
  const std::string cure = "run the methods one by one";
  for (const model_event& event : m.events) {
    if (!event.stops && event.set.empty()) continue;
    throw input_error(
        "conflicting-options",
        fmt::format("methods are compared along undisturbed motions, but the event '{}' changes this one", event.name),
        event.place, cure);
  }
  if (!m.controls.empty()) {
    throw input_error("conflicting-options",
                      "methods are compared along undisturbed motions, but a control changes this one",
                      m.controls.front().place, cure);
  }
  if (m.system.time_scale) {
    throw input_error("conflicting-options",
                      "methods are compared at times that they have in common, but a scale of time gives each its own",
                      m.system.time_scale->place, "leave [time] out, or " + cure);
  }
}

template <class S>
comparison compared(const model& m, const method_comparison_options& options, const option_values& merged) {
  const auto methods = requested_methods(options.given);
  const auto steps = required_list(options.given, "step-sizes", "0.1,0.05,0.025");
  const exact_motion<S> exact = options.exact ? options.exact.of<S>(m) : modal_motion_of<S>(m);
  std::vector<const method*> named;
  for (const source_text& name : methods) named.push_back(&method_named(name));
  const first_guess guess = guess_from(merged, named);
  return compare<S>(m, methods, steps, end_of_comparison<S>(m, merged), exact,
                    {.allow_unstable = flag_from(merged, "allow-unstable"),
                     .project = flag_from(merged, "project"),
                     .guess = guess,
                     .progress = options.progress,
                     .interrupted = options.interrupted});
}

}  // namespace

bool method_comparison_result::is_done() const {
  return std::ranges::all_of(numbers.cells, [](const comparison_cell& cell) { return cell.status == "done"; });
}

method_comparison_result compare_methods(const model& m, const method_comparison_options& options) {
  option_values given = options.given;
  require_plain_motion(m);
  given.erase("beta");
  given.erase("gamma");
  const option_values merged = merged_options(m, given);
  set_backend_from(merged);
  require_files_apart(options.model_path, {}, merged.find("report"));
  const report_target page(merged);
  method_comparison_result result;
  result.numbers = with_scalar(precision_from(*merged.find("precision")),
                               [&]<class S>() { return compared<S>(m, options, merged); });
  result.text = to_text(result.numbers);
  result.json = to_json(result.numbers);
  if (page.is_wanted()) {
    result.page_error = page.write(comparison_page(result.numbers, m, {options.command, program_version()}));
  }
  return result;
}

}  // namespace actio
