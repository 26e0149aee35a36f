// Motions over kinks of a potential: nothing may take a piecewise linear potential for a linear one.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/modal_motion.hpp"
#include "actio/api/simulation.hpp"
#include "actio/simulate/run.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

lagrangian_system valley() {
  return lagrangian_system::from("valley", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 - abs(q[0]); });
}

// From x = 1 at rest: parabolas x = 1 − t²/2 one after the other, up and down.
double exact_position(double t) {
  const double quarter = std::sqrt(2.0);
  const double in_turn = std::fmod(t + quarter, 4 * quarter) - quarter;  // −¼ … ¾ of a period
  if (in_turn <= quarter) return 1 - in_turn * in_turn / 2;
  const double below = in_turn - 2 * quarter;
  return below * below / 2 - 1;
}

TEST(kinks, a_piecewise_linear_potential_is_not_linear) {
  const phase_space<double> space(valley(), {});
  EXPECT_FALSE(linear_system_of(space));
  const auto stepped = lagrangian_system::from(
      "steps", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2 - sign(q[0]); });
  EXPECT_FALSE(linear_system_of(phase_space<double>(stepped, {})));
}

// A force that acts within a tenth of a thousandth turns a point with less energy than it takes away, whatever the
// step.
TEST(kinks, a_thin_slab_turns_a_point) {
  const model m = parse_model(R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2"
[forces]
x = "if(x > 5 and x < 5.0001, -1e4, 0)"
[initial.position]
x = -5
[initial.velocity]
x = 1
[run]
until = 20
)toml",
                              "slab.toml");
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"gauss-4", "0.05"}, {"gauss-10", "0.3125"}, {"simpson", "0.1"}}) {
    const simulation_result result = simulate(m, {.given = testing::typed_options({{"method", key}, {"step", value}})});
    const auto& report = std::get<simulated<double>>(result.numbers).report;
    EXPECT_EQ(report.status, run_status::done) << key << ": " << report.reason;
    EXPECT_NEAR(report.momentum[0], -1, 1e-6) << key;
    EXPECT_NEAR(report.position[0], -4.9998, 1e-6) << key;
  }
}

class over_kinks : public ::testing::TestWithParam<const char*> {};

// A kink inside a step costs all orders but the first.
TEST_P(over_kinks, methods_converge) {
  const lagrangian_system system = valley();
  double previous = 1;
  for (const double step : {0.0137, 0.00137, 0.000137}) {
    const integrator<double> flow(system, {.method = GetParam(), .step = step});
    const auto workspace = flow.make_workspace();
    phase_state<double> state = flow.at_velocity({1.0}, {0.0});
    double error = 0;
    while (state.time < 5) {
      ASSERT_TRUE(workspace->advance(state)) << "h = " << step << ", t = " << state.time;
      error = std::max(error, std::abs(state.position.value[0] - exact_position(state.time)));
    }
    EXPECT_LT(error, 4 * step) << step;
    EXPECT_LT(error, previous / 3) << step;
    previous = error;
  }
}

INSTANTIATE_TEST_SUITE_P(methods, over_kinks, ::testing::Values("simpson", "midpoint", "gauss-4", "verlet", "rk4"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace actio
