#include "actio/io/report_target.hpp"

#include <fmt/format.h>

#include "actio/io/append_file.hpp"

namespace actio {

report_target::report_target(const option_values& options) : path_(options.find("report")) {
  if (!path_) return;
  const std::string obstacle = replace_obstacle(path_->text);
  if (!obstacle.empty()) throw output_unwritable(*path_, obstacle);
}

std::string report_target::write(const std::string& page) const {
  const std::string error = replace_file(path_->text, page);
  return error.empty() ? "" : fmt::format("the report '{}' could not be written: {}", path_->text, error);
}

}  // namespace actio
