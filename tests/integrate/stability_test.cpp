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
      const integrator<double> flow(m.system, {.method = name, .step = 0.7});
      FAIL() << name;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "unstable-step");
      const std::string cure = error.cure(), before = "give --step ";
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
