// How long a step may be: what a method makes of the oscillator x'' = −ω²x, as a function of z = ωh.
//
// A step is a 2 × 2 map with half trace T and determinant D. Its eigenvalues stay in the unit circle where |D| ≤ 1 and
// |T| ≤ (1 + D)/2; symplectic methods have D = 1, and their limit is |T| = 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

template <class S>
struct oscillator_response {
  S half_trace, determinant, spectral_radius;
  S excess;  // max(D − 1, |T| − (1 + D)/2): positive where the map grows
  S noise;   // what rounding may make of it
};

// From the method's own tangent map at z > 0, in double where it does not compute in S; nothing where its step cannot
// be solved.
template <class S>
std::optional<oscillator_response<S>> response_of(const method& m, const S& z);

// The same of x'' + γx' + ω²x = 0 with steps of length one, from ω² and γ; for methods that suit such forces.
std::optional<oscillator_response<quad>> damped_response_of(const method& m, const quad& squared_frequency,
                                                            const quad& damping);

// How far the scans look: beyond it a method counts as stable for steps of any length.
inline constexpr double stability_bound = 100;

// The first z > 0 beyond which the spectral radius exceeds one by more than rounding, to about the precision of double;
// 0 where no step is stable; nothing where none was found up to `up_to`. Gaps are found wherever |T| has a local
// maximum above its limit, however narrow it is; `up_to` also bounds the work.
std::optional<double> stability_limit(const method& m, double up_to = stability_bound);

// from < ωh < to, both at borders where the map begins to grow.
struct stable_interval {
  double from, to;
};

// All of them up to `up_to`, in order, found as the limit is; the last may reach beyond and then ends there. Simpson's
// are (0, √8) and (√12, √24). None where no step is stable.
std::vector<stable_interval> stable_intervals(const method& m, double up_to = stability_bound);

// As far as intervals beyond the first count: steps that long are no use, whether or not they are stable.
inline constexpr double interval_bound = 12;

// "omega*h < 2.82842712 and 3.46410162 < omega*h < 4.89897949": the intervals up to there.
std::string interval_text(const method& m);

// "oscillations are stable for " with the intervals, or for steps of any length, or never.
std::string stability_text(const method& m);

// The eigenvalues λ = r e^{±iφ} of a step, beside those e^{±iz} of the motion: φ/z − 1 and r − 1.
struct oscillation_error {
  quad frequency, amplitude;
};

// Nothing where the step cannot be solved or the map does not turn (real eigenvalues: z is at or beyond a border).
std::optional<oscillation_error> oscillation_error_of(const method& m, const quad& z);

// "+4.2e-04 at omega*h = 0.1, ..." for some z below the limit; what may be rounding is 0.
std::string frequency_text(const method& m);
std::string amplitude_text(const method& m);

}  // namespace actio
