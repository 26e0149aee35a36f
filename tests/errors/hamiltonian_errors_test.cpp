// What models with a Hamiltonian cannot do.
#include <gtest/gtest.h>

#include "actio/simulate/ensemble_plan.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {
namespace {

template <class Action>
std::string refusal(const std::string& id, Action action) {
  try {
    action();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused: " << id;
  return "";
}

const std::string head = "coordinates = [\"x\"]\nhamiltonian = \"x*p_x\"\nname = \"flow\"\n";

TEST(hamiltonian_errors, velocities_that_no_momentum_belongs_to) {
  const model m = parse_model(head + "[initial.velocity]\nx = 1\n", "m.toml");
  const integrator<double> flow(m.system, {.method = "gauss-2", .step = 0.1});
  EXPECT_EQ(refusal("no-initial-momentum", [&] { flow.at_start(m); }),
            "no momentum is found that belongs to the initial velocity: q' = dH/dp is not solved for p at the initial "
            "state (x = 0), m.toml:2:1; give [initial.momentum] in the place of the velocity");
  refusal("no-initial-momentum", [&] { ensemble_plan(m, {.sweeps = {{"x", 0, 1, 3}}}); });
}

TEST(hamiltonian_errors, methods_and_options_that_need_a_lagrangian) {
  const model m = parse_model(head, "m.toml");
  EXPECT_EQ(
      refusal("method-needs-lagrangian", [&] { integrator<double>(m.system, {.method = "simpson", .step = 0.1}); }),
      "method 'simpson' discretises a Lagrangian, but 'flow' gives a Hamiltonian; choose method = gauss-4 or "
      "another Gauss method, midpoint, or rk4; strang and its compositions where H = T(p) + V(q)");
  EXPECT_EQ(refusal("method-needs-separable", [&] { integrator<double>(m.system, {.method = "strang", .step = 0.1}); }),
            "method 'strang' needs kinetic energy of momenta alone and potential energy of coordinates alone, but the "
            "Hamiltonian couples x with p_x, m.toml:2:1; choose gauss-4 or midpoint, which need no such form");
  refusal("needs-lagrangian",
          [&] { integrator<double>(m.system, {.method = "rk4", .step = 0.1, .velocity_state = true}); });
}

}  // namespace
}  // namespace actio
