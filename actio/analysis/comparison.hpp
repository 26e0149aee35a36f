// Methods side by side on one model: errors, orders and cost at several steps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/integrate/first_guess.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

struct comparison_cell {
  std::string method;
  std::string step;  // as typed
  double step_value = 0;
  std::size_t steps = 0;      // taken; 0 where the method does not suit the system or the step
  double error = 0;           // max over grid points of ‖q − q_ref‖₂; errors of steps that were not taken are NaN
  double momentum_error = 0;  // likewise for p
  double energy_error = 0;    // max relative energy error, or that of the ledger
  double seconds = 0;         // stepping alone: the least of several runs where one is short
  double mean_iterations = 0;
  std::optional<double> order = {};  // from this and the previous step of the same method, above the rounding floor
  std::string status = "done";       // or why the run failed or was not begun
};

struct comparison {
  std::string reference;  // "exact solution" or the method and steps that served instead
  double until = 0;
  std::vector<comparison_cell> cells;  // by method, then by step as given
  bool interrupted = false;            // what was not reached has this as its status
  bool has_energy = true;              // false for equations y' = f(t, y): cells then measure positions alone
};

struct comparison_options {
  bool allow_unstable = false;  // as in integrator_options
  bool project = false;
  first_guess guess = first_guess::extrapolation;
  // Told every so often what is being computed, and how many of its steps are done.
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress = {};
  std::function<bool()> interrupted = {};  // asked after each step; true ends the comparison early
};

// Runs every method with every step up to the first grid point at or after `until`. Without an exact motion the
// reference is gauss-10, lobatto-9 under constraints, or Gauss collocation where there is no Lagrangian, with steps
// short enough that halving them changes nothing that matters here. Throws input_error: unknown-method, bad-step,
// two-point-start, and what the integrator throws for initial data. A method that does not suit the system, a step that
// is unstable and not allowed, and a run that fails leave their cells with a status; the others go on.
template <class S>
comparison compare(const model& m, const std::vector<source_text>& methods, const std::vector<source_text>& steps,
                   const S& until, const exact_motion<S>& exact, const comparison_options& options = {});

}  // namespace actio
