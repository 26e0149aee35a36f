#include "actio/integrate/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/linear_systems.hpp"

namespace actio {
namespace {

double limit_of(const char* name) { return stability_limit(*find_method(name)).value_or(-1); }

TEST(stability_limit, of_methods_that_have_one) {
  EXPECT_NEAR(limit_of("simpson"), std::sqrt(8.0), 4e-15);
  EXPECT_NEAR(limit_of("lobatto-3"), std::sqrt(8.0), 4e-15);
  EXPECT_NEAR(limit_of("verlet"), 2, 4e-15);
  EXPECT_NEAR(limit_of("euler-a"), 2, 4e-15);
  EXPECT_NEAR(limit_of("euler-b"), 2, 4e-15);
  EXPECT_NEAR(limit_of("rk4"), std::sqrt(8.0), 1e-13);
}

TEST(stability_limit, of_gauss_methods_is_none) {
  for (const char* name : {"midpoint", "gauss-1", "gauss-2", "gauss-3", "gauss-5"}) {
    EXPECT_FALSE(stability_limit(*find_method(name))) << name;
  }
}

// The half traces of Lobatto methods pass ±1 near multiples of π: beyond the limit the map grows, before it never does.
TEST(stability_limit, finds_narrow_gaps) {
  for (const char* name : {"lobatto-4", "lobatto-5", "lobatto-6"}) {
    const method& m = *find_method(name);
    const double limit = limit_of(name);
    ASSERT_GT(limit, 3) << name;
    ASSERT_LT(limit, 20) << name;
    EXPECT_GT(response_of<quad>(m, quad(limit * (1 + 1e-10)))->spectral_radius, 1) << name;
    for (int k = 1; k <= 200; ++k) {
      const auto response = *response_of<quad>(m, quad(limit * k / 200.5));
      EXPECT_LE(response.excess, response.noise) << name << " " << k;
    }
  }
}

TEST(stability_limit, looks_no_further_than_it_is_asked_to) {
  const method& simpson = *find_method("simpson");
  EXPECT_FALSE(stability_limit(simpson, 1));
  EXPECT_FALSE(stability_limit(simpson, 2.8284));
  EXPECT_TRUE(stability_limit(simpson, 2.8285));
}

// A gap just before the place up to which one looks, and the border itself.
TEST(stability_limit, is_found_wherever_one_stops_looking) {
  for (const char* name : {"lobatto-4", "lobatto-5", "lobatto-6", "lobatto-7", "simpson", "verlet"}) {
    const method& m = *find_method(name);
    const double limit = limit_of(name);
    for (const double beyond : {1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1}) {
      EXPECT_EQ(stability_limit(m, limit * (1 + beyond)).value_or(0), limit) << name << " " << beyond;
    }
    EXPECT_FALSE(stability_limit(m, limit * (1 - 1e-12))) << name;
  }
}

TEST(stable_intervals, of_simpson_are_two) {
  const auto intervals = stable_intervals(*find_method("simpson"), 12);
  ASSERT_EQ(intervals.size(), 2u);
  EXPECT_EQ(intervals[0].from, 0);
  EXPECT_NEAR(intervals[0].to, std::sqrt(8.0), 4e-15);
  EXPECT_NEAR(intervals[1].from, std::sqrt(12.0), 4e-15);
  EXPECT_NEAR(intervals[1].to, std::sqrt(24.0), 1e-14);
  EXPECT_EQ(interval_text(*find_method("simpson")), "omega*h < 2.82842712 and 3.46410162 < omega*h < 4.89897949");
}

TEST(stable_intervals, of_other_methods) {
  EXPECT_EQ(stable_intervals(*find_method("verlet"), 12).size(), 1u);
  EXPECT_EQ(stable_intervals(*find_method("rk4"), 12).size(), 1u);
  const auto all = stable_intervals(*find_method("gauss-2"), 12);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].to, 12);
  EXPECT_TRUE(stable_intervals(*find_method("newmark-beta:1/4:0.4"), 12).empty());
}

// Inside the map does not grow, between it does; gaps are at most a few thousandths wide.
TEST(stable_intervals, have_gaps_between_them) {
  for (const char* name : {"simpson", "lobatto-4", "lobatto-5", "lobatto-6"}) {
    const method& m = *find_method(name);
    const auto intervals = stable_intervals(m, 12);
    ASSERT_GE(intervals.size(), 2u) << name;
    for (std::size_t k = 0; k < intervals.size(); ++k) {
      for (int j = 1; j < 20; ++j) {
        const double z = intervals[k].from + (intervals[k].to - intervals[k].from) * j / 20;
        const auto inside = *response_of<quad>(m, quad(z));
        EXPECT_LE(inside.excess, inside.noise) << name << " " << z;
      }
      if (k + 1 == intervals.size()) continue;
      const double between = (intervals[k].to + intervals[k + 1].from) / 2;
      const auto response = response_of<quad>(m, quad(between));
      EXPECT_TRUE(!response || response->excess > response->noise) << name << " " << between;
    }
  }
}

// Far beyond the first border, where a step is longer than half a period: the energy stays where it is for good.
TEST(stable_intervals, of_simpson_hold_for_a_hundred_thousand_steps) {
  const auto system = lagrangian_system::from(
      "oscillator", {"x"}, [](const auto& q, const auto& v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  for (const char* name : {"simpson", "simpson-linear-1", "simpson-linear-2", "lobatto-iiia-iiib-3"}) {
    for (const double z : {3.5, 4.0, 4.8}) {
      const integrator<double> flow(system, {.method = name, .step = z});
      phase_state<double> state = flow.at_momentum({1.0}, {0.5});
      const auto workspace = flow.make_workspace();
      double largest = 0;
      for (int k = 0; k < 100'000; ++k) {
        ASSERT_TRUE(workspace->advance(state));
        largest = std::max({largest, std::abs(state.position[0]), std::abs(state.momentum[0])});
      }
      EXPECT_LT(largest, 20) << name << " " << z;
    }
    for (const double z : {2.9, 3.3, 5.0}) {
      EXPECT_THROW(integrator<double>(system, {.method = name, .step = z}), input_error) << name << " " << z;
    }
  }
}

// ω = 1 and 1.7: one inside each interval is as good as both inside the first; one in the gap is not.
TEST(unstable_step, is_judged_by_every_frequency) {
  const auto system = lagrangian_system::from("two oscillators", {"x", "y"}, [](const auto& q, const auto& v) {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - q[0] * q[0] / 2 - expr(289) * q[1] * q[1] / 200;
  });
  const auto with_step = [&](double h) { return integrator<double>(system, {.step = h}); };
  EXPECT_NO_THROW(with_step(1.6));            // 1.6, 2.72
  EXPECT_THROW(with_step(1.8), input_error);  // 1.8, 3.06
  EXPECT_NO_THROW(with_step(2.3));            // 2.3, 3.91
  try {
    with_step(2.85);  // 2.85, 4.845: the slower one grows
    FAIL();
  } catch (const input_error& error) {
    EXPECT_NE(error.message().find("an oscillation has omega = 1, and omega*h = 2.85 is not"), std::string::npos)
        << error.message();
    EXPECT_NE(error.cure().find("give step = 1.663 or less"), std::string::npos) << error.cure();
  }
}

TEST(unstable_step, is_refused_at_the_limit_itself) {
  const auto system = lagrangian_system::from(
      "oscillator", {"x"}, [](const auto& q, const auto& v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  EXPECT_THROW(integrator<double>(system, {.method = "verlet", .step = 2}), input_error);
  EXPECT_THROW(integrator<double>(system, {.method = "lobatto-5", .step = 3.1409}), input_error);
  EXPECT_NO_THROW(integrator<double>(system, {.method = "lobatto-5", .step = 3.1404}));
}

TEST(response_of, is_the_step_of_the_oscillator) {
  const auto response = *response_of<double>(*find_method("verlet"), 0.5);
  EXPECT_NEAR(response.half_trace, 1 - 0.125, 1e-15);
  EXPECT_NEAR(response.determinant, 1, 1e-15);
  EXPECT_NEAR(response.spectral_radius, 1, 1e-15);
  EXPECT_NEAR(response_of<double>(*find_method("verlet"), 2.5)->spectral_radius, 4, 1e-13);
  const double z = 0.5, det = 1 - std::pow(z, 6) / 72 + std::pow(z, 8) / 576;
  EXPECT_NEAR(response_of<double>(*find_method("rk4"), z)->determinant, det, 1e-15);
}

TEST(oscillation_error, is_that_of_the_formulas) {
  const auto errors = [](const char* name, double z) { return *oscillation_error_of(*find_method(name), quad(z)); };
  const auto frequency = [&](const char* name, double z) { return to_double(errors(name, z).frequency); };
  for (const double z : {0.1, 1.0, 1.9}) {
    EXPECT_NEAR(frequency("verlet", z), 2 * std::asin(z / 2) / z - 1, 4e-16) << z;
    EXPECT_NEAR(frequency("midpoint", z), 2 * std::atan(z / 2) / z - 1, 4e-16) << z;
    const double z2 = z * z;
    const quad w2 = quad(z) * z, simpson = acos(quad((1 - 11 * w2 / 24 + w2 * w2 / 48) / (1 + w2 / 24)));
    EXPECT_NEAR(frequency("simpson", z), to_double(quad(simpson / z - 1)), 4e-16) << z;
    const double real = 1 - z2 / 2 + z2 * z2 / 24, imaginary = z - z * z2 / 6;
    EXPECT_NEAR(to_double(errors("rk4", z).amplitude), std::hypot(real, imaginary) - 1, 4e-16) << z;
    EXPECT_LT(std::abs(to_double(errors("simpson", z).amplitude)), 1e-31) << z;
  }
  EXPECT_FALSE(oscillation_error_of(*find_method("verlet"), quad(2.5)));
}

TEST(unstable_step, is_refused_with_a_step_that_works) {
  const model m = load_model("linear-double-pendulum");
  for (const char* name : {"simpson", "verlet", "rk4", "lobatto-4"}) {
    try {
      const integrator<double> flow(m.system, {.method = name, .step = 0.9});
      FAIL() << name;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "unstable-step");
      const std::string cure = error.cure(), before = "give step = ";
      ASSERT_TRUE(cure.starts_with(before)) << cure;
      const double longest = std::stod(cure.substr(before.size()));
      const integrator<double> flow(m.system, {.method = name, .step = longest});
      phase_state<double> state = flow.at_start(m);
      EXPECT_EQ(run(flow, state, 2000).status, run_status::done);
      EXPECT_LT(std::abs(state.position[0]), 100) << name;
      EXPECT_THROW(flow.with_step(longest * 1.001), input_error) << name;
    }
  }
}

TEST(unstable_step, is_allowed_on_request_and_where_nothing_is_linear) {
  const model m = load_model("linear-double-pendulum");
  const integrator<double> flow(m.system, {.step = 0.5, .allow_unstable = true});
  phase_state<double> state = flow.at_start(m);
  run(flow, state, 60);
  EXPECT_GT(std::abs(state.position[0]), 1e3);
  EXPECT_NO_THROW(integrator<double>(m.system, {.method = "midpoint", .step = 5}));
  EXPECT_NO_THROW(integrator<double>(load_model("pendulum").system, {.step = 5}));
}

TEST(unstable_step, is_found_in_other_precisions_and_units) {
  const model m = load_model("linear-double-pendulum");
  EXPECT_THROW(integrator<quad>(m.system, {.step = quad(0.5)}), input_error);
  const precision_scope digits(30);
  EXPECT_THROW(integrator<multi>(m.system, {.step = multi(0.5)}), input_error);
  EXPECT_NO_THROW(integrator<multi>(m.system, {.step = multi(0.1)}));
}

}  // namespace
}  // namespace actio
