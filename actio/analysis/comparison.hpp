// Methods side by side on one model: errors, orders and cost at several steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

struct comparison_cell {
  std::string method;
  std::string step;  // as typed
  double step_value = 0;
  std::size_t steps = 0;
  double error = 0;           // max over grid points of ‖q − q_ref‖₂
  double momentum_error = 0;  // likewise for p
  double energy_error = 0;    // max relative energy error, or that of the ledger
  double seconds = 0;         // stepping alone
  double mean_iterations = 0;
  std::optional<double> order = {};  // from this and the previous step of the same method, above the rounding floor
  std::string status = "done";       // or why the run failed
};

struct comparison {
  std::string reference;  // "exact solution" or the method and step that served instead
  double until = 0;
  std::vector<comparison_cell> cells;  // by method, then by step as given
  bool has_energy = true;              // false for equations y' = f(t, y): cells then measure positions alone
};

struct comparison_options {
  bool allow_unstable = false;  // as in integrator_options
  bool project = false;
};

// Runs every method with every step up to the first grid point at or after `until`. Without an exact motion the
// reference is gauss-10, lobatto-9 under constraints, or Gauss collocation where there is no Lagrangian, with steps
// short enough that halving them changes nothing that matters here. Throws input_error: unknown-method, bad-step,
// unstable-step unless it is allowed, two-point-start, and what a method requires of the system. A run that fails
// leaves its cell with a status.
template <class S>
comparison compare(const model& m, const std::vector<source_text>& methods, const std::vector<source_text>& steps,
                   const S& until, const exact_motion<S>& exact, const comparison_options& options = {});

}  // namespace actio
