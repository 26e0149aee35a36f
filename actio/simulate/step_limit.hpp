// The longest step with which a method keeps the oscillations of a linear system from growing.
#pragma once

#include <optional>
#include <string>

#include "actio/integrate/catalogue.hpp"
#include "actio/mechanics/linear_system.hpp"

namespace actio {

struct step_limit {
  double frequency = 0;      // the largest ω, or that of the mode that grows; 0 where there are no modes
  double stability = 0;      // the method's limit of ωh
  std::string longest_step;  // in a few digits, short enough to pass when typed
};

// The largest ω of a linear system.
template <class S>
double largest_frequency(const linear_system<S>& system);

// Whether a bound of the frequencies already says that steps of this length are stable. The method's limit is looked
// for once and remembered, so that asking again costs as much as the bound.
template <class S>
bool is_surely_stable(const linear_system<S>& system, const method& m, const S& step);

// Nothing where the method has no limit, or where no step of it is stable, as for the explicit Euler method: then no
// step is better than another.
template <class S>
std::optional<step_limit> step_limit_of(const linear_system<S>& system, const method& m);

// The limit, if ωh is at or beyond it. Looks no further than that, and at the frequencies themselves only when a bound
// does not settle it: milliseconds for a step that is fine.
template <class S>
std::optional<step_limit> exceeded_limit(const linear_system<S>& system, const method& m, const S& step);

// The same for M q'' + K q = 0 with any symmetric K, by its largest frequency.
std::optional<step_limit> exceeded_limit(const matrix<double>& mass, const matrix<double>& stiffness, const method& m,
                                         double step);

// The same where the largest frequency is all that is known: gaps beyond the method's limit are not looked into.
std::optional<step_limit> exceeded_limit(double frequency, const method& m, double step);

// `step` rounded down to as few digits as come close to it, but no longer than it.
std::string typed_below(double step);

}  // namespace actio
