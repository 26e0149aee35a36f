// How the errors of methods depend on the step, found by short trials in double precision.
//
// A scan looks at the first part of a motion, long enough to show its time scales. There a reference of high order is
// refined until only rounding is left, and each method runs with one step after the other until its error is near a
// target. What it finds, error = C·hᵖ, holds in every precision.
#pragma once

#include <optional>
#include <vector>

#include "actio/analysis/trial.hpp"

namespace actio {

// error(h) = error · (h / step)^order at the end of the scanned span.
struct error_law {
  double step = 0, error = 0;
  double order = 0;     // as measured near that error
  double declared = 0;  // what holds for much smaller errors
  solver_effort effort;
  double longest = 0;  // beyond this step the law is not known to hold

  double step_for(double target) const;
  double error_at(double step) const;
};

class error_scan {
 public:
  // Errors of interest are near `target` at the end of the span.
  error_scan(const integrator<double>& flow, const phase_state<double>& start, double until, double target);

  // What could be scanned: the first part of the motion, or all of it. False where no reference was found.
  bool succeeded() const { return succeeded_; }
  double span() const { return span_; }
  const motion_size& size() const { return size_; }
  // What rounding leaves of the differences between two references.
  double floor() const { return floor_; }

  // Nothing where no step that was tried gives a motion. `worthwhile(step, effort)` is asked after each trial with
  // what the law so far predicts for the target; false ends the search, and there is no law.
  template <class Predicate>
  std::optional<error_law> law_of(const method& m, double target, Predicate&& worthwhile) {
    search found(m, wanted(target));
    while (try_next(found)) {
      if (found.law && !worthwhile(found.law->step_for(target), found.law->effort)) return std::nullopt;
    }
    return found.law;
  }

 private:
  struct search {
    search(const method& judged, double wanted_error) : m(&judged), target(wanted_error) {}
    const method* m;
    double target;
    std::size_t density = 0;      // steps between two checkpoints
    std::size_t failed = 0;       // the largest density that gave no motion, or one far off
    std::size_t law_density = 0;  // of the law
    int tries = 0;
    std::optional<error_law> law = {};
  };

  double wanted(double target) const;
  bool try_next(search& s) const;
  double natural_step() const;
  std::vector<phase_state<double>> checkpoints(const integrator<double>& flow, std::size_t density) const;
  bool find_reference(double target);

  integrator<double> flow_;
  phase_state<double> start_;
  double until_, span_ = 0, floor_ = 0;
  motion_size size_;
  std::vector<phase_state<double>> reference_;
  bool succeeded_ = false;
};

}  // namespace actio
