// The page that --report asks for: checked before anything is computed, written at the end.
#pragma once

#include <optional>
#include <string>

#include "actio/base/option.hpp"

namespace actio {

class report_target {
 public:
  // Throws output-unwritable where the page cannot be written.
  explicit report_target(const option_values& options);

  bool is_wanted() const { return path_.has_value(); }
  const std::string& path() const { return path_->text; }
  // What went wrong, or "": the disk may have become full in the meantime.
  std::string write(const std::string& page) const;

 private:
  std::optional<source_text> path_;
};

}  // namespace actio
