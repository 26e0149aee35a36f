// What can be said about a model without simulating it: its structure, its conserved momenta, its initial state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/integrate/stability.hpp"
#include "actio/mechanics/affine_symmetries.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/run_records.hpp"

namespace actio {

// Identities hold when they hold at random points, so cos² + sin² does not hide a constant mass.
struct model_structure {
  bool is_quadratic = false;       // in the velocities: ∂³L/∂v³ = 0
  bool has_constant_mass = false;  // ∂²L/∂v² is a constant matrix
  bool is_separable = false;       // ∂²L/∂q∂v = 0: kinetic energy of v alone, potential energy of q alone
  bool is_time_dependent = false;  // t occurs
  bool is_forced = false;
};

struct momentum_fact {
  std::string name;
  expr formula;
  double initial = 0;
  momentum_origin origin = momentum_origin::cyclic;
  std::vector<expr> generator = {};  // of its symmetry, one a coordinate
};

// The quadratic form φ = ½ p·ξp + p·ηq + ½ q·ζq that steps of this length conserve, q taken from the equilibrium.
struct form_facts {
  double step = 0, initial = 0;
  matrix<double> xi, eta, zeta;
};

// Solutions e^{−decay t} cos(frequency t + φ) of M q'' + C q' + K q = 0; without oscillation the frequency is 0.
struct damped_mode {
  double frequency = 0, decay = 0;
};

// Of a system with constant mass and stiffness; with damping and a load that may vary where [linear] gives these.
struct linear_facts {
  matrix<double> mass, stiffness;
  matrix<double> damping = {};                         // 0 × 0 where there is none
  std::vector<damped_mode> damped = {};                // by rising frequency, where there is damping
  std::vector<std::string> varying = {};               // the load as expressions, where it depends on t
  std::vector<double> load = {};                       // empty where there is none
  std::vector<double> frequencies = {};                // ω, ascending; 0 for rigid motions
  std::string method = {};                             // that of [run], or the default
  std::optional<double> stability = {};                // its limit of ωh, where it has one
  std::vector<stable_interval> stable_intervals = {};  // of ωh, up to interval_bound
  std::string longest_step = {};                       // that the limit leaves, "" where every step is as good
  // What the extreme eigenvalues of mass and stiffness leave for sure, for Simpson's rule eq. 40 of rojas2024; nothing
  // without a limit or without stiffness.
  std::optional<double> sure_step = {};
  std::optional<form_facts> form = {};  // with the step of [run], where there is one
};

struct model_facts {
  model_structure structure;
  std::optional<linear_facts> linear = {};
  std::vector<double> parameters;
  std::vector<expr> equations;                              // each is zero along a motion
  std::vector<std::string> cyclic;                          // coordinates
  std::vector<momentum_fact> momenta;                       // conserved
  search_extent searched = search_extent::nothing;          // which symmetries were looked for beside the declared ones
  std::size_t untracked_symmetries = 0;                     // that were found, and are not among the momenta
  std::vector<double> position, velocity, momentum;         // at t = 0
  std::optional<start_projection<double>> projection = {};  // how far they were moved, where they may be
  std::vector<double> multipliers = {};                     // of the constraints
  double energy = 0;
  std::size_t value_operations = 0;     // of the program for L, or for f where the system is y' = f(t, y)
  std::size_t gradient_operations = 0;  // of the program for ∂L/∂q and ∂L/∂v
};

// Where the system is of first order, what speaks of a Lagrangian is false, empty or 0: structure but for the
// dependence on time, cyclic coordinates, momenta, energy, operations of the gradient.

model_structure structure_of(const lagrangian_system& system);

// Chaos takes equations that are not linear, and three dimensions: of the phase space, and the time where it occurs.
bool may_be_chaotic(const lagrangian_system& system);

// Throws what the first step of a run would throw: degenerate-lagrangian, non-finite-start, ...
model_facts facts_of(const model& m);

}  // namespace actio
