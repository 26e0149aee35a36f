// The motion of a random model by a route that shares nothing with the library: Euler–Lagrange equations from jets,
// Gragg's extrapolation with steps of its own choice, 64-bit mantissas.
#pragma once

#include "tests/random_models/random_model.hpp"

namespace actio::random_models {

// Velocities, momenta and energy of a state.
struct measured {
  std::vector<real> velocity, momentum;
  real energy = 0;
  real energy_scale = 0;  // size of the terms that energy is the difference of
  bool good = false;      // numbers, all of them
};
measured at_velocity(const random_model& m, const std::vector<real>& position, const std::vector<real>& velocity,
                     real t);
// By Newton's method; `guess` is a velocity.
measured at_momentum(const random_model& m, const std::vector<real>& position, const std::vector<real>& momentum,
                     real t, const std::vector<real>& guess);

struct reference {
  bool starts = false;   // there is a motion at all
  bool arrives = false;  // it goes on to the end of the run
  real time = 0;         // where it ended
  std::vector<real> position, momentum, velocity;
  real largest_position = 0, largest_momentum = 0;  // on the way, by size
  real uncertainty = 0;                             // largest difference to the same with a hundred times the tolerance
};
reference reference_motion(const random_model& m);

}  // namespace actio::random_models
