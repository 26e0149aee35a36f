// Results of one ensemble that stand in several files, in the order of trajectories.
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

}  // namespace actio
