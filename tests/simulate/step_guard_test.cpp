// Steps of linear systems on which forces act: refused where something grows, accepted where nothing does.
#include "actio/simulate/step_guard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"

namespace actio {
namespace {

model oscillator(const std::string& force, const std::string& more = "") {
  return parse_model("coordinates = [\"q\"]\nlagrangian = \"1/2*q'^2 - 50*q^2 " + more + "\"\n[forces]\nq = \"" +
                         force + "\"\n[initial.position]\nq = 1\n[initial.velocity]\nq = 0\n",
                     "m.toml");
}

// The step that the refusal names, or 0 where there is none.
double refused(const model& m, const std::string& method, double step) {
  try {
    const integrator<double> flow(m.system, {.method = method, .step = step});
    return 0;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "unstable-step") << error.what();
    const std::string cure = error.cure(), before = "give step = ";
    EXPECT_TRUE(cure.starts_with(before)) << cure;
    return std::stod(cure.substr(before.size()));
  }
}

double largest_after(const model& m, const std::string& method, double step, std::size_t steps) {
  const integrator<double> flow(m.system, {.method = method, .step = step, .allow_unstable = true});
  phase_state<double> state = flow.at_start(m);
  run(flow, state, steps);
  return std::abs(state.position[0]);
}

// ω = 10: verlet is stable up to h = 0.2, simpson up to 0.2828.
TEST(step_guard, is_there_whatever_forces_act) {
  for (const char* force : {"-0.01*q'", "sin(3*t)", "-0.1*q^3", "-0.3*tanh(5*q')", "-0.2*q", "0.1 - 0.1*q'"}) {
    const model m = oscillator(force);
    EXPECT_NEAR(refused(m, "verlet", 0.25), 0.2, 0.002) << force;
    EXPECT_NEAR(refused(m, "simpson", 0.3), 0.2828, 0.005) << force;
    EXPECT_EQ(refused(m, "verlet", 0.19), 0) << force;
    EXPECT_EQ(refused(m, "midpoint", 3), 0) << force;
    EXPECT_NO_THROW(integrator<double>(m.system, {.method = "verlet", .step = 0.25, .allow_unstable = true}));
  }
  EXPECT_NEAR(refused(oscillator("0", "+ q*cos(t)"), "verlet", 0.25), 0.2, 0.001);
}

TEST(step_guard, judges_the_stiffness_that_forces_leave) {
  EXPECT_EQ(refused(oscillator("75*q"), "verlet", 0.3), 0);                // ω = 5
  EXPECT_NEAR(refused(oscillator("-300*q"), "verlet", 0.15), 0.1, 0.001);  // ω = 20
  EXPECT_EQ(refused(oscillator("200*q"), "verlet", 0.05), 0);              // it grows by itself
}

TEST(step_guard, says_what_the_run_shows) {
  for (const char* method : {"simpson", "verlet", "lobatto-4", "rk4", "euler-b"}) {
    for (const double damping : {0.05, 1.0, 30.0, 200.0}) {
      const model m = oscillator(fmt::format("-{}*q'", damping));
      for (const double step : {0.05, 0.15, 0.25, 0.35}) {
        const double longest = refused(m, method, step);
        const double size = largest_after(m, method, step, 2000);
        if (longest == 0) {
          EXPECT_LT(size, 1.5) << method << " " << damping << " " << step;
        } else {
          EXPECT_FALSE(size < 1.5) << method << " " << damping << " " << step;
          EXPECT_LT(largest_after(m, method, longest, 2000), 1.5) << method << " " << damping << " " << longest;
        }
      }
    }
  }
}

TEST(step_guard, looks_at_the_whole_map_where_there_are_no_common_modes) {
  const auto pair = [](const char* more) {
    return parse_model(std::string("coordinates = [\"a\", \"b\"]\nlagrangian = \"1/2*a'^2 + 1/2*b'^2 - 50*a^2 - "
                                   "20*(b - a)^2\"\n[forces]\na = \"") +
                           more + "\"\n[initial.position]\na = 1\nb = 0\n[initial.velocity]\na = 0\nb = 0\n",
                       "m.toml");
  };
  EXPECT_GT(refused(pair("-0.1*a'"), "verlet", 0.25), 0.1);
  EXPECT_EQ(refused(pair("-0.1*a'"), "verlet", 0.15), 0);
  EXPECT_EQ(refused(pair("-0.1*a' + b"), "midpoint", 1), 0);
  EXPECT_GT(refused(pair("-0.1*a' + b"), "verlet", 0.3), 0.1);
  EXPECT_THROW(integrator<quad>(pair("-0.1*a'").system, {.method = "verlet", .step = quad(0.25)}), input_error);
}

}  // namespace
}  // namespace actio
