#include "actio/simulate/quadratic_form.hpp"

#include <gtest/gtest.h>

#include "actio/analysis/model_facts.hpp"
#include "actio/discrete/linear_schemes.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/linear_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

double value_at(quadratic_form<double>& form, const phase_state<double>& state) {
  form.evaluate(state.position, state.momentum);
  return form.value();
}

run_report<double> followed(const integrator<double>& flow, phase_state<double> state, std::size_t steps) {
  const auto workspace = flow.make_workspace();
  certificate_meter<double> meter(flow);
  meter.follow(quadratic_form<double>::of(flow));
  return run(flow, *workspace, state, run_options<double>{.steps = steps, .meter = &meter});
}

// [rojas2024, Proposition 7]
TEST(quadratic_form, is_that_of_the_blocks_of_newmark_and_simpson) {
  const linear_system<double> system = testing::random_linear_system<double>(3);
  const double h = 0.3;
  for (const std::string method : {"midpoint", "simpson"}) {
    const integrator<double> flow(testing::as_lagrangian(system), {.method = method, .step = h});
    auto form = quadratic_form<double>::of(flow);
    ASSERT_TRUE(form) << method;
    const conserved_form<double> expected(method == "simpson" ? simpson_blocks<double>(system, h)
                                                              : newmark_blocks<double>(system, h));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(form->xi()(i, j), expected.xi()(i, j), 1e-14) << method;
        EXPECT_NEAR(form->zeta()(i, j), expected.zeta()(i, j), 1e-14) << method;
        EXPECT_NEAR(form->eta()(i, j), 0, 1e-14) << method;
      }
    }
  }
}

TEST(quadratic_form, is_kept_by_every_symplectic_method_where_the_energy_is_not) {
  const lagrangian_system system = testing::as_lagrangian(testing::random_linear_system<double>(3));
  for (const char* method : {"euler-a", "verlet", "simpson", "lobatto-4", "midpoint", "gauss-2", "yoshida-4"}) {
    const integrator<double> flow(system, {.method = method, .step = 0.2});
    const auto report = followed(flow, flow.at_velocity({1, -0.5, 0.3}, {0, 1, 0.2}), 20000);
    ASSERT_TRUE(report.form) << method;
    EXPECT_LT(report.form->max_error, 2e-13 * report.form->scale) << method;
    EXPECT_EQ(report.form->drift.verdict, conservation::to_rounding) << method;
    const bool keeps_quadratic_energies =
        method == std::string("midpoint") || flow.method().solver == step_solver::fixed_point;
    EXPECT_EQ(report.energy.max_error < 1e-9 * report.energy.scale, keeps_quadratic_energies) << method;
  }
}

TEST(quadratic_form, is_about_the_equilibrium_where_there_is_a_load) {
  const lagrangian_system system = testing::as_lagrangian(testing::random_linear_system<double>(3, true));
  const integrator<double> flow(system, {.method = "simpson", .step = 0.2});
  const auto report = followed(flow, flow.at_velocity({1, -0.5, 0.3}, {0, 1, 0.2}), 5000);
  ASSERT_TRUE(report.form);
  EXPECT_LT(report.form->max_error, 1e-13 * report.form->scale);
  auto form = quadratic_form<double>::of(flow);
  EXPECT_NEAR(value_at(*form, flow.at_velocity(form->origin(), {0, 0, 0})), 0, 1e-15);
}

TEST(quadratic_form, is_shown_of_linear_systems_and_symplectic_methods_only) {
  const lagrangian_system linear = testing::as_lagrangian(testing::random_linear_system<double>(2));
  EXPECT_FALSE(quadratic_form<double>::of(integrator<double>(linear, {.method = "rk4", .step = 0.1})));
  const model pendulum = testing::read(testing::double_pendulum_in_angles);
  EXPECT_FALSE(quadratic_form<double>::of(integrator<double>(pendulum.system, {.method = "simpson", .step = 0.1})));
}

// What [run] names is a member of Newmark's family, which is not symplectic, and not the midpoint rule.
TEST(quadratic_form, is_not_shown_of_another_method_than_that_of_the_run) {
  const auto facts = [](const std::string& more) {
    return facts_of(
        parse_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - 2*x^2\"\n[initial.position]\nx = "
                    "1\n[initial.velocity]\nx = 0\n[run]\nmethod = 'newmark'\nstep = 0.1\n" +
                        more,
                    "test.toml"));
  };
  EXPECT_TRUE(facts("").linear->form);
  EXPECT_FALSE(facts("beta = 0.1\n").linear->form);
}

}  // namespace
}  // namespace actio
