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
section_findings<S> found_along(const integrator<S>& flow, const phase_state<S>& start, const section& where,
                                std::size_t steps) {
  section_finder<S> finder(flow, flow.space(), where);
  section_track<S> track(where.direction);
  const auto workspace = flow.make_workspace();
  phase_point<S> point(flow.space());
  phase_state<S> state = start, before = start;
  const auto value = [&] {
    EXPECT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    return finder.value(state.time, state.position.value, point.velocity(), state.momentum.value);
  };
  section_findings<S> all;
  const auto search = [&] {
    while (const auto step = track.next()) {
      all.ends_on_surface = false;
      EXPECT_TRUE(finder.search(step->is_first ? start : before, flow.step(), *step, all));
      if (all.ends_on_surface) track.settle();
    }
  };
  track.start(value());
  while (state.index < steps) {
    before = state;
    EXPECT_TRUE(workspace->advance(state));
    track.add(value());
    search();
  }
  track.finish();
  search();
  all.discontinuities += track.borders();
  return all;
}

template <class S>
std::vector<section_point<S>> crossings_of(const integrator<S>& flow, const phase_state<S>& start, const section& where,
                                           std::size_t steps) {
  return found_along(flow, start, where, steps).crossings;
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
    section_finder<double> finder(flow, flow.space(), where);
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

// x = cos t goes through 0.999 twice around every multiple of 2π, 0.0894 apart: within one step of 0.1 most times.
TEST(section, finds_pairs_of_crossings_inside_one_step) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const double pi = std::numbers::pi, apart = std::acos(0.999);
  for (const char* method : {"gauss-6", "verlet", "rk4", "strang"}) {
    for (const double step : {0.1, 0.35}) {
      if (step > 0.2 && find_method(method)->traits.order == 4) continue;  // loses its amplitude
      SCOPED_TRACE(::testing::Message() << method << " " << step);
      const integrator<double> flow(m.system, {.method = method, .step = step});
      const auto steps = static_cast<std::size_t>(98 / step);
      const auto found = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "x - 0.999:both"), steps);
      if (flow.method().traits.order < 6) {
        EXPECT_GE(found.crossings.size(), 29U);
        continue;
      }
      ASSERT_EQ(found.crossings.size(), 31U);
      EXPECT_EQ(found.touches.size(), 0U);
      for (std::size_t k = 0; k < 31; ++k) {
        const double exact = 2 * pi * static_cast<double>((k + 1) / 2) + (k % 2 == 0 ? apart : -apart);
        EXPECT_NEAR(found.crossings[k].time, exact, step > 0.2 ? 1e-5 : 1e-9) << k;
      }
      EXPECT_EQ(found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "x - 0.999"), steps).crossings.size(), 15U);
    }
  }
}

TEST(section, sees_several_crossings_in_one_step_in_their_order) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const integrator<double> flow(m.system, {.method = "gauss-8", .step = 1});
  const auto found = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "sin(9*t):both"), 6);
  ASSERT_EQ(found.crossings.size(), 17U);  // π/9, 2π/9 … below 6
  for (std::size_t k = 0; k < 17; ++k) {
    EXPECT_NEAR(found.crossings[k].time, std::numbers::pi / 9 * static_cast<double>(k + 1), 1e-14);
  }
}

TEST(section, does_not_take_a_pole_or_a_jump_for_a_crossing) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.1});
  for (const char* text : {"1/x:both", "1/x^3:both", "x/abs(x):both", "p_x/x + 5/x:both"}) {
    SCOPED_TRACE(text);
    const auto found = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, text), 100);
    EXPECT_EQ(found.crossings.size(), 0U);
    EXPECT_EQ(found.discontinuities, 3U);
  }
  const auto both = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "tan(t):both"), 100);
  EXPECT_EQ(both.crossings.size(), 3U);  // π, 2π, 3π; the start is none
  EXPECT_EQ(both.discontinuities, 3U);   // π/2, 3π/2, 5π/2
  const auto border = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "log(x) + 9:both"), 100);
  EXPECT_EQ(border.discontinuities, 3U);
}

TEST(section, reports_tangencies) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  for (const double step : {0.1, std::numbers::pi / 32, 0.7}) {
    SCOPED_TRACE(step);
    const integrator<double> flow(m.system, {.method = "gauss-6", .step = step});
    const auto steps = static_cast<std::size_t>(20 / step);
    for (const char* text : {"x - 1:both", "x - 1", "1 - x:down"}) {
      const auto found = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, text), steps);
      EXPECT_EQ(found.crossings.size(), 0U) << text;
      EXPECT_EQ(found.touches.size(), 3U) << text;  // 2π, 4π, 6π
    }
    const auto squares = found_along(flow, flow.at_momentum({1}, {0}), section_of(m, "x^2:both"), steps);
    EXPECT_EQ(squares.crossings.size(), 0U);
    EXPECT_EQ(squares.touches.size(), 6U);
  }
}

TEST(section, takes_a_state_on_the_surface_for_the_end_of_a_crossing) {
  section_track<double> track(crossing::both);
  const auto wanted = [&](std::initializer_list<double> values) {
    std::size_t count = 0;
    track.start(*values.begin());
    for (auto v = values.begin() + 1; v != values.end(); ++v) {
      track.add(*v);
      while (const auto step = track.next()) ++count;
    }
    return count;
  };
  EXPECT_EQ(wanted({-3, -2, -1, 0}), 1U);
  EXPECT_EQ(wanted({-2.5, -1.5, -0.5, 0.5, 1.5}), 1U);
  EXPECT_GE(wanted({-3, -2, -1, -2, -3}), 1U);  // it may have been beyond
  EXPECT_EQ(wanted({-9, -8, -7, -8, -9}), 0U);
}

// A motion that stays in the surface, exactly or to rounding, crosses nothing and touches nothing.
TEST(section, counts_nothing_of_a_motion_inside_the_surface) {
  const model plane = parse_model(
      "coordinates = [\"x\", \"z\"]\nlagrangian = \"1/2*(x'^2 + z'^2) - 1/2*(x^2 + z^2)\"\n"
      "[initial]\nposition = {x = 1, z = 0}\nvelocity = {x = 0, z = 0}\n",
      "m.toml");
  const integrator<double> flow(plane.system, {.method = "gauss-4", .step = 0.1});
  for (const char* text : {"z:both", "x^2 + p_x^2 - 1:both"}) {
    const auto found = found_along(flow, flow.at_start(plane), section_of(plane, text), 200);
    EXPECT_EQ(found.crossings.size() + found.touches.size() + found.discontinuities, 0U) << text;
  }
}

TEST(section, does_not_count_a_start_on_the_surface) {
  const model free = parse_model(
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2\"\n[initial]\nposition = {x = 1}\nvelocity = {x = -1}\n",
      "m.toml");
  const integrator<double> flow(free.system, {.method = "gauss-2", .step = 0.1});
  const auto crossings_from = [&](double x) {
    return found_along(flow, flow.at_momentum({x}, {-1}), section_of(free, "x - 1:both"), 20).crossings.size();
  };
  for (const double x : {1.0, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0)}) EXPECT_EQ(crossings_from(x), 0U);
  EXPECT_EQ(crossings_from(1 + 1e-9), 1U);
  EXPECT_EQ(crossings_from(1 - 1e-9), 0U);
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
