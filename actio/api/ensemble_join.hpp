// Files of parts of one ensemble made into the file of the whole.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actio/io/ensemble_ledger.hpp"

namespace actio {

// A file with results of an ensemble.
struct ensemble_source {
  std::string path;
  ensemble_ledger ledger;
};

// Hands all results of the sources to `each` in the order of trajectories. Throws overlapping-parts where two sources
// hold the same trajectory, and what ensemble_reader throws.
void merge(const std::vector<ensemble_source>& sources, const std::function<void(const trajectory_result&)>& each);

// The report of all that the sources hold; `each` sees every result, with reasons of the first failures.
ensemble_report merged_report(const std::vector<ensemble_source>& sources,
                              const std::function<void(const trajectory_result&)>& each);

struct joined_ensemble {
  ensemble_report report;
  std::vector<std::string> files;
};

// Writes the file that an undivided run would have written, the same in all its tables. Throws input_error:
// no-part for a file that is no part of an ensemble, other-ensemble for parts of different ones, missing-parts,
// overlapping-parts, conflicting-options where the output is one of the parts, output-unwritable.
joined_ensemble join_ensemble(const std::vector<source_text>& parts, const source_text& output);

}  // namespace actio
