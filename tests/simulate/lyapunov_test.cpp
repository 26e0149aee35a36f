// Largest Lyapunov exponents of motions that are known to be regular or chaotic.
#include "actio/simulate/lyapunov.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

double exponent_of(const model& m, const integrator_options<double>& options, std::vector<double> q,
                   std::vector<double> p, double until) {
  const integrator<double> flow(m.system, options);
  auto state = flow.at_momentum(std::move(q), std::move(p));
  const auto workspace = flow.make_workspace();
  lyapunov_meter<double> meter(2 * flow.space().size());
  while (state.time < until) {
    EXPECT_TRUE(meter.add(*workspace, state));
    EXPECT_TRUE(workspace->advance(state));
  }
  return meter.exponent(state.time);
}

TEST(lyapunov, of_the_oscillator_vanishes) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  for (const char* method : {"simpson", "gauss-2", "rk4"}) {
    // Displacements stay bounded, so that the sum of logarithms does.
    for (const double until : {100.0, 1000.0}) {
      EXPECT_LT(std::abs(exponent_of(m, {.method = method, .step = 0.05}, {1}, {0}, until)) * until, 1) << method;
    }
  }
}

TEST(lyapunov, tells_regular_from_chaotic_stars) {
  const model m = load_model("henon-heiles");
  const integrator_options<double> options{.method = "simpson", .step = 0.1};
  // Both at the energy 1/8: y and p_y inside an island, and in the chaotic sea.
  const auto on_section = [](double y, double py) {
    const double rest = 2 * (0.125 - (y * y / 2 - y * y * y / 3)) - py * py;
    return std::vector<double>{std::sqrt(rest), py};
  };
  const double regular = exponent_of(m, options, {0, 0.3}, on_section(0.3, 0), 2000);
  const double chaotic = exponent_of(m, options, {0, -0.25}, on_section(-0.25, 0), 2000);
  EXPECT_LT(std::abs(regular), 0.006);
  EXPECT_GT(chaotic, 0.02);
}

TEST(lyapunov, of_a_high_double_pendulum_is_positive_whatever_the_step) {
  const model m = load_model("double-pendulum");
  const double coarse = exponent_of(m, {.method = "gauss-3", .step = 0.02}, {2.5, 2.5}, {0, 0}, 300);
  const double fine = exponent_of(m, {.method = "gauss-3", .step = 0.01}, {2.5, 2.5}, {0, 0}, 300);
  EXPECT_GT(coarse, 0.5);
  EXPECT_NEAR(coarse, fine, 0.3 * fine);
}

}  // namespace
}  // namespace actio
