// The files of a command: none may stand in for another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

// Throws conflicting-options where two of these are one file: the model, outputs, what stands beside them while they
// are written (checkpoint, lock, parts), the report.
void require_files_apart(const std::string& model, const std::vector<source_text>& outputs,
                         const std::optional<source_text>& report);

}  // namespace actio
