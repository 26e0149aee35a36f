// Files of parts of one ensemble made into the file of the whole.
#pragma once

#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/simulate/ensemble_summary.hpp"

namespace actio {

struct joined_ensemble {
  ensemble_report report;
  std::vector<std::string> files;
};

// Writes the file that an undivided run would have written, the same in all its tables. Throws input_error:
// no-part for a file that is no part of an ensemble, other-ensemble for parts of different ones, missing-parts,
// overlapping-parts, conflicting-options where the output is one of the parts, output-unwritable.
joined_ensemble join_ensemble(const std::vector<source_text>& parts, const source_text& output);

}  // namespace actio
