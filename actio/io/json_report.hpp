// Results as JSON, for programs. Numbers in double precision are JSON numbers; in higher precision they are decimal
// strings with all their digits. What is not finite is null.
#pragma once

#include <string>
#include <vector>

#include "actio/analysis/comparison.hpp"
#include "actio/analysis/model_facts.hpp"
#include "actio/analysis/verification.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

// One object, indented, with a line end after it.
template <class S>
std::string to_json(const run_report<S>& report);

std::string to_json(const comparison& result);
// Without the time that it took where a text is wanted that repetitions give again.
std::string to_json(const ensemble_report& report, bool with_seconds = true);
class ensemble_statistics;
std::string to_json(const ensemble_statistics& statistics);
// The report with the statistics in it.
std::string to_json(const ensemble_report& report, const ensemble_statistics& statistics);
std::string to_json(const std::vector<verification_row>& rows);
std::string to_json(const model& m, const model_facts& facts);
std::string to_json(const std::vector<std::reference_wrapper<const method>>& methods);

}  // namespace actio
