// Parameters that change between steps: from there on every method moves as one that was made with the new values.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

constexpr const char* swing = R"toml(
lagrangian = "1/2*m*q'^2 + 1/2*m*r'^2 + m*w^2*cos(q) - k*r^4 - 1/2*c*(q - r)^2 + d"
coordinates = ["q", "r"]
[parameters]
m = 1
w = 2
k = 1
c = 1
d = "3*m"
[initial]
position = {q = 1, r = 0.5}
velocity = {q = 0, r = 0.3}
)toml";

constexpr const char* springs = R"toml(
lagrangian = "1/2*m*q'^2 + 1/2*m*r'^2 - 1/2*w*q^2 - 1/2*c*(q - r)^2 - 1/2*k*r^2"
coordinates = ["q", "r"]
[parameters]
m = 1
w = 2
k = 1
c = 1
[initial]
position = {q = 1, r = 0.5}
velocity = {q = 0, r = 0.3}
)toml";

constexpr const char* orbit = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + m*mu/sqrt(x^2 + y^2)"
coordinates = ["x", "y"]
[parameters]
m = 1
mu = 1
[initial]
position = {x = 1, y = 0}
velocity = {x = 0, y = 1.1}
)toml";

constexpr const char* rod = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) - m*g*y"
coordinates = ["x", "y"]
[parameters]
m = 1
g = 9.81
[constraints]
length = "x^2 + y^2 - 1"
[initial]
position = {x = 0.6, y = -0.8}
velocity = {x = 0, y = 0}
)toml";

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) names.push_back(m.name);
  return names;
}

// Each parameter a tenth larger, and the first one even more.
template <class S>
std::vector<S> others(const integrator<S>& flow) {
  std::vector<S> values = flow.space().parameters().values();
  for (S& x : values) x *= S(11) / S(10);
  values.front() *= S(2);
  return values;
}

template <class S>
void expect_same_motion(const std::string& name, const model& m, double tolerance, bool velocity_state = false) {
  const integrator<S> flow(m.system, {.method = name, .step = S(1) / S(50), .velocity_state = velocity_state});
  const auto workspace = flow.make_workspace();
  phase_state<S> state = flow.at_start(m);
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(workspace->advance(state));
  const std::vector<S> values = others(flow);
  workspace->set_parameters(values);
  const auto fresh = flow.with_parameters(values).make_workspace();
  phase_state<S> expected = state;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    ASSERT_TRUE(fresh->advance(expected));
  }
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    EXPECT_NEAR(to_double(state.position[i]), to_double(expected.position[i]), tolerance) << name;
    EXPECT_NEAR(to_double(state.momentum[i]), to_double(expected.momentum[i]), tolerance) << name;
  }
  const matrix<S> moved = workspace->tangent_map(state), wanted = fresh->tangent_map(state);
  for (std::size_t k = 0; k < wanted.data().size(); ++k) {
    EXPECT_NEAR(to_double(moved.data()[k]), to_double(wanted.data()[k]), 10 * tolerance) << name;
  }
}

class changed_parameters : public ::testing::TestWithParam<std::string> {};

TEST_P(changed_parameters, make_the_motion_of_a_fresh_integrator) {
  const method& m = method_named({GetParam(), {}, "method"});
  std::size_t tried = 0;
  for (const char* text : {swing, springs, orbit, rod}) {
    const model made = testing::read(text);
    if (!suits(m, made.system)) continue;
    ++tried;
    expect_same_motion<double>(GetParam(), made, 2e-12);
    expect_same_motion<quad>(GetParam(), made, 1e-15);
  }
  EXPECT_GE(tried, 1u);
}

INSTANTIATE_TEST_SUITE_P(catalogue, changed_parameters, ::testing::ValuesIn(all_methods()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(changed_parameters_of, velocity_states_go_on_from_the_momentum) {
  expect_same_motion<double>("rk4", testing::read(swing), 2e-12, true);
}

TEST(changed_parameters_of, sixty_four_digits) {
  const precision_scope scope(64);
  expect_same_motion<multi>("simpson", testing::read(swing), 1e-15);
}

TEST(changed_parameters_of, one_workspace_leave_all_others_alone) {
  const model m = testing::read(swing);
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.02});
  const auto changed = flow.make_workspace(), other = flow.make_workspace();
  changed->set_parameters(others(flow));
  phase_state<double> state = flow.at_start(m), expected = state;
  ASSERT_TRUE(other->advance(state));
  ASSERT_TRUE(flow.make_workspace()->advance(expected));
  EXPECT_EQ(state.position.value, expected.position.value);
  EXPECT_EQ(flow.space().parameters()[1], 2.0);
}

TEST(changed_parameters_of, a_step_allocate_nothing) {
  const model m = testing::read(swing);
  for (const char* name : {"simpson", "gauss-4", "verlet"}) {
    const integrator<double> flow(m.system, {.method = name, .step = 0.01});
    const auto workspace = flow.make_workspace();
    phase_state<double> state = flow.at_start(m);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(workspace->advance(state));
    std::vector<double> values = flow.space().parameters().values();
    values[1] = 2.001;
    workspace->set_parameters(values);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(workspace->advance(state));
    const testing::allocation_count allocations;
    workspace->set_parameters(flow.space().parameters());
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(workspace->advance(state));
    EXPECT_EQ(allocations.since_start(), 0u) << name;
  }
}

TEST(changed_parameters_of, wrong_values_are_refused_and_nothing_is_lost) {
  const model m = testing::read(springs);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.02});
  const auto workspace = flow.make_workspace();
  const std::vector<double> before = workspace->space().parameters().values();
  EXPECT_THROW(workspace->set_parameters(std::vector<double>{1}), input_error);
  EXPECT_THROW(workspace->set_parameters(std::vector<double>{1, NAN, 1, 1}), input_error);
  try {
    workspace->set_parameters(std::vector<double>{1, -2, 1, 1});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "parameters-unsuited");
  }
  EXPECT_EQ(workspace->space().parameters().values(), before);
  phase_state<double> state = flow.at_start(m), expected = state;
  ASSERT_TRUE(workspace->advance(state));
  ASSERT_TRUE(flow.make_workspace()->advance(expected));
  EXPECT_EQ(state.position.value, expected.position.value);
}

// Separable with e = 0 only: a splitting that is asked for another value refuses it, by hand, in ensembles and in
// controls.
TEST(changed_parameters_of, a_method_for_some_values_alone_are_asked_for_again) {
  const model m = testing::read(R"toml(
lagrangian = "1/2*q'^2*(1 + e*r^2) + 1/2*r'^2 - q^2/2 - r^4/4"
coordinates = ["q", "r"]
[parameters]
e = 0
[initial]
position = {q = 1, r = 0.5}
momentum = {q = 0, r = 0.1}
)toml");
  const integrator<double> flow(m.system, {.method = "strang", .step = 0.01});
  const auto workspace = flow.make_workspace();
  EXPECT_THROW(workspace->set_parameters(std::vector<double>{0.3}), input_error);
  EXPECT_NO_THROW(workspace->set_parameters(std::vector<double>{0}));
  EXPECT_THROW(flow.with_parameters(std::vector<double>{0.3}), input_error);
  EXPECT_NO_THROW(flow.with_method(method_named({"simpson", {}, "method"}), 0.01)
                      .make_workspace()
                      ->set_parameters(std::vector<double>{0.3}));
}

TEST(controlled_run, refuses_a_control_that_moves_a_constraint) {
  const model m = testing::read(R"toml(
lagrangian = "1/2*(x'^2 + y'^2) - y"
coordinates = ["x", "y"]
[parameters]
l = 1
[constraints]
rod = "x^2 + y^2 - l^2"
[initial]
position = {x = 0.6, y = -0.8}
velocity = {x = 0, y = 0}
)toml");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  const auto workspace = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  run_options<double> options{.steps = 10};
  options.control = [](const phase_state<double>& at, const phase_point<double>&, std::span<double> parameters) {
    parameters[0] = 1 + 0.1 * at.time;
  };
  EXPECT_THROW(run(flow, *workspace, state, options), input_error);
}

// A stiffness that is switched at every step: the certificate knows the energy that this brings.
TEST(controlled_run, certifies_the_energy_that_the_control_supplies) {
  const model m = testing::read(swing);
  const integrator<double> flow(m.system, {.method = "gauss-6", .step = 0.02});
  const auto workspace = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  std::size_t asked = 0;
  run_options<double> options{.steps = 500};
  options.control = [&](const phase_state<double>& at, const phase_point<double>& point, std::span<double> parameters) {
    ++asked;
    parameters[3] = 1 + 0.3 * std::sin(at.time) * point.velocity()[1];
  };
  const run_report<double> report = run(flow, *workspace, state, options);
  EXPECT_EQ(report.status, run_status::done);
  EXPECT_EQ(asked, 500u);
  EXPECT_TRUE(report.energy.supplied);
  EXPECT_GT(std::abs(report.energy.work), 1e-3);
  EXPECT_LT(report.energy.max_relative_error, 1e-11);
}

}  // namespace
}  // namespace actio
