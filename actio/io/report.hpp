// Reports: one self-contained page about a run or a comparison, to be opened in a browser.
#pragma once

#include <string>

#include "actio/analysis/comparison.hpp"
#include "actio/io/report_recorder.hpp"
#include "actio/simulate/certificate.hpp"

namespace actio {

struct report_context {
  std::string command;  // the command that does it again
  std::string version;  // of actio
};

// The certificate, the motion, the model as mathematics, the method. `recorder` has looked on during the run.
template <class S>
std::string report_page(const run_report<S>& report, const report_recorder<S>& recorder, const model& m,
                        const report_context& context);

// Convergence and cost of every method.
std::string comparison_page(const comparison& result, const model& m, const report_context& context);

// The model as pages show it: names, formulas as LaTeX, its text; as JSON.
std::string model_data(const model& m);

}  // namespace actio
