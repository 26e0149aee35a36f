// Poincaré sections: crossings lie on the surface to rounding, and are as accurate as the steps.
#include "actio/simulate/section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

template <class S>
std::vector<phase_state<S>> crossings_of(const integrator<S>& flow, phase_state<S> state, const section& where,
                                         std::size_t steps) {
  section_finder<S> finder(flow, where);
  const auto workspace = flow.make_workspace();
  phase_point<S> point(flow.space());
  const auto value = [&] {
    EXPECT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    return finder.value(state.time, state.position.value, point.velocity(), state.momentum.value);
  };
  std::vector<phase_state<S>> found;
  S last = value();
  while (state.index < steps) {
    const phase_state<S> before = state;
    EXPECT_TRUE(workspace->advance(state));
    const S now = value();
    if (crosses(where.direction, last, now)) {
      const auto at = finder.find(before, last, now);
      EXPECT_TRUE(at.has_value());
      if (at) found.push_back(*at);
    }
    last = now;
  }
  return found;
}

section section_of(const model& m, const char* text) { return section_from(m, {text, {"--poincare", 1, 1}, ""}); }

TEST(section, of_the_oscillator_is_where_the_cosine_vanishes) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const double pi = std::numbers::pi;
  for (const char* method : {"gauss-6", "midpoint", "rk4", "triple-jump"}) {
    if (find_method(method) == nullptr) continue;
    SCOPED_TRACE(method);
    const integrator<double> flow(m.system, {.method = method, .step = 0.01});
    const double accuracy = flow.method().traits.order > 4 ? 1e-13 : flow.method().traits.order > 2 ? 1e-8 : 1e-4;
    const auto crossing_times = [&](const char* text) {
      std::vector<double> times;
      for (const auto& s : crossings_of(flow, flow.at_momentum({1}, {0}), section_of(m, text), 1000)) {
        EXPECT_NEAR(s.position[0], 0, 1e-17);
        EXPECT_NEAR(std::abs(s.momentum[0]), 1, accuracy);
        times.push_back(s.time);
      }
      return times;
    };
    const auto down = crossing_times("x:down"), up = crossing_times("x"), both = crossing_times(" x : both");
    ASSERT_EQ(down.size(), 2U);
    ASSERT_EQ(up.size(), 1U);
    ASSERT_EQ(both.size(), 3U);
    EXPECT_NEAR(down[0], pi / 2, accuracy);
    EXPECT_NEAR(down[1], 5 * pi / 2, 5 * accuracy);
    EXPECT_NEAR(up[0], 3 * pi / 2, 3 * accuracy);
    EXPECT_EQ(both, (std::vector{down[0], up[0], down[1]}));
  }
}

TEST(section, knows_momenta_velocities_time_and_definitions) {
  const model m = load_model("double-pendulum");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  for (const char* text : {"p_q1", "q2'", "x2 - x1", "sin(3*t)", "q1*g - l1*q2'"}) {
    SCOPED_TRACE(text);
    const section where = section_of(m, text);
    section_finder<double> finder(flow, where);
    phase_point<double> point(flow.space());
    const auto found = crossings_of(flow, flow.at_start(m), where, 500);
    ASSERT_GT(found.size(), 0U);
    for (const phase_state<double>& s : found) {
      ASSERT_TRUE(point.measure(s.time, s.position.value, s.momentum.value));
      const double size = 10;  // of the terms, whose rounding is left
      EXPECT_NEAR(finder.value(s.time, s.position.value, point.velocity(), s.momentum.value), 0, 4e-15 * size);
    }
  }
}

TEST(section, has_all_the_digits_of_the_run) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const integrator<quad> flow(m.system, {.method = "gauss-8", .step = quad(1) / 10});
  const auto found = crossings_of(flow, flow.at_momentum({quad(1)}, {quad(0)}), section_of(m, "x:down"), 20);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(std::abs(to_double(found[0].position[0])), 1e-33);
  EXPECT_LT(std::abs(to_double(quad(found[0].time - acos(quad(-1)) / 2))), 1e-24);
}

TEST(section, takes_a_state_on_the_surface_for_the_end_of_a_crossing) {
  EXPECT_TRUE(crosses(crossing::up, -1.0, 0.0));
  EXPECT_FALSE(crosses(crossing::up, 0.0, 1.0));
  EXPECT_FALSE(crosses(crossing::up, 1.0, -1.0));
  EXPECT_TRUE(crosses(crossing::down, 1.0, 0.0));
  EXPECT_TRUE(crosses(crossing::both, 1.0, -1.0));
}

TEST(section, refuses_what_is_no_section) {
  const model m = load_model("double-pendulum");
  const auto id_of = [&](const char* text) {
    try {
      section_of(m, text);
    } catch (const input_error& error) {
      return std::string(error.id());
    }
    return std::string();
  };
  EXPECT_EQ(id_of("q1:sideways"), "unknown-option-value");
  EXPECT_EQ(id_of("3"), "expression-syntax");
  EXPECT_EQ(id_of("q7"), "unknown-name");
  EXPECT_EQ(id_of("q1''"), "acceleration-in-expression");
}

}  // namespace
}  // namespace actio
