#include "apps/cli/report_target.hpp"

#include <fmt/format.h>

#include "actio/io/append_file.hpp"

namespace actio::cli {

namespace {

void refuse(const source_text& path, const std::string& reason) {
  if (reason.empty()) return;
  throw input_error("output-unwritable", fmt::format("cannot write '{}': {}", path.text, reason), path.origin,
                    "give a path in a folder that exists and may be written to");
}

}  // namespace

report_target::report_target(const option_values& options) : path_(options.find("report")) {
  if (path_) refuse(*path_, replace_obstacle(path_->text));
}

void report_target::write(const std::string& page) const { refuse(*path_, replace_file(path_->text, page)); }

}  // namespace actio::cli
