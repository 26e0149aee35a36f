#include "actio/api/method_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "actio/io/json_report.hpp"
#include "actio/io/text_table.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

namespace {

std::vector<const method*> requested_methods(const method_verification_options& options) {
  std::vector<const method*> methods;
  for (const source_text& name : options.methods) {
    if (name.text == "all" && !has_newmark_parameters(options.given)) {
      for (const method& m : method_catalogue()) methods.push_back(&m);
    } else {
      methods.push_back(&method_named(with_newmark_parameters(name, options.given)));
    }
  }
  return methods;
}

std::string to_text(const method_verification_result& result) {
  text_table table({"method", "property", "system", "precision", "declared", "measured", "criterion", ""});
  for (const verification_row& row : result.rows) {
    table.add({row.method, row.property, row.system, row.precision, row.declared, fmt::format("{:.3g}", row.measured),
               row.criterion, row.passed ? "ok" : "FAILED"});
  }
  return fmt::format("{}\n{} rows, {} failed{}\n", table.text(), result.rows.size(), result.failed,
                     result.interrupted ? ", interrupted" : "");
}

}  // namespace

method_verification_result verify_methods(const method_verification_options& options) {
  const std::vector<const method*> methods = requested_methods(options);
  method_verification_result result;
  verification_options settings{.threads = threads_from(options.given), .progress = options.progress};
  std::mutex mutex;
  settings.interrupted = [&] {
    const std::scoped_lock lock(mutex);
    if (options.interrupted && options.interrupted()) result.interrupted = true;
    return result.interrupted;
  };
  result.rows = verify(methods, settings);
  result.failed = static_cast<std::size_t>(std::ranges::count(result.rows, false, &verification_row::passed));
  result.text = to_text(result);
  result.json = to_json(result.rows);
  return result;
}

}  // namespace actio
