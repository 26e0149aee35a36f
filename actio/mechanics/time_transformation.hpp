// Time that runs with the motion: dt = σ dτ, with steps of equal length in τ.
#pragma once

#include "actio/mechanics/model.hpp"

namespace actio {

// The time within which the motion changes where it is, from the potential V = −L at rest, relative to that at the
// initial position: (Σ |∂²V/∂u²| ∇u·M⁻¹∇u)^(−1/2), summed over the terms of V and the bases u that they divide by, so
// that the nearest pair of a sum over pairs decides; where V has none, (Σ_ij (M⁻¹ ∂²V/∂q²)_ij² + what it is at the
// start)^(−1/4) with M at the start. Throws time-scale-unknown where V does not depend on positions, or the mass is not
// constant and diagonal.
expr automatic_time_scale(const model& m);

// dσ/dt along a motion, in q, p, t and the parameters: {σ, H} − Σ ∂σ/∂p F + ∂σ/∂t. Throws time-scale-unknown where σ
// depends on velocities or momenta and H cannot be written down.
struct time_scale_form {
  expr scale, rate;
};
time_scale_form time_scale_of(const lagrangian_system& system);

// ∂log e/∂x for x in symbols, e > 0: by factors, so that quotients and powers need no derivative of the whole.
std::vector<expr> logarithmic_gradient(const expr& e, std::span<const expr> symbols);

// That of K = σ (H − E), with t and −E as the last coordinate and its momentum. H can be written down.
lagrangian_system extended_system(const lagrangian_system& system);
bool is_extended(const lagrangian_system& system);

}  // namespace actio
