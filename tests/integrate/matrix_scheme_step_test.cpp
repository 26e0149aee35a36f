#include "actio/integrate/matrix_scheme_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/base/largest.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/linear_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

template <class S>
phase_state<S> some_state(std::size_t n) {
  phase_state<S> state;
  state.position = state.momentum = compensated_vector<S>(std::vector<S>(n, S(0)));
  for (std::size_t i = 0; i < n; ++i) {
    state.position.value[i] = S(0.5) - S(static_cast<double>(i % 3)) / S(4);
    state.momentum.value[i] = S(static_cast<double>(i % 2)) - S(0.25);
  }
  return state;
}

template <class S>
double difference(std::span<const S> a, std::span<const S> b) {
  using std::abs;
  S worst(0);
  for (std::size_t i = 0; i < a.size(); ++i) raise_to(worst, S(abs(S(a[i] - b[i]))));
  return to_double(worst);
}

// Both forms are the map of 'simpson', with its tangent map, with and without load.
template <class S>
void expect_the_map_of_simpson(double tolerance) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const bool loaded : {false, true}) {
      const linear_system<S> system = testing::random_linear_system<S>(n, loaded);
      const phase_space<S> space(testing::as_lagrangian(system), {});
      const step_context<S> context{.space = space, .step = S(0.375), .linear = &system};
      const auto simpson = find_method("simpson")->make<S>(context);
      phase_state<S> expected = some_state<S>(n);
      const matrix<S> tangent = simpson->tangent_map(expected);
      for (int k = 0; k < 10; ++k) ASSERT_TRUE(simpson->advance(expected));
      for (const char* name : {"simpson-linear-1", "simpson-linear-2"}) {
        SCOPED_TRACE(name + std::to_string(n));
        const auto step = find_method(name)->make<S>(context);
        phase_state<S> state = some_state<S>(n);
        EXPECT_LT(difference<S>(step->tangent_map(state).data(), tangent.data()), tolerance);
        for (int k = 0; k < 10; ++k) ASSERT_TRUE(step->advance(state));
        EXPECT_LT(difference<S>(state.position.value, expected.position.value), tolerance);
        EXPECT_LT(difference<S>(state.momentum.value, expected.momentum.value), tolerance);
      }
    }
  }
}

TEST(simpson_linear, is_the_map_of_simpson) {
  expect_the_map_of_simpson<double>(2e-14);
  expect_the_map_of_simpson<quad>(1e-31);
  const precision_scope digits(40);
  expect_the_map_of_simpson<multi>(1e-37);
}

TEST(simpson_linear, keeps_its_quadratic_form_over_a_million_steps) {
  const model m = load_model("linear-double-pendulum");
  for (const char* name : {"simpson", "simpson-linear-1", "simpson-linear-2"}) {
    const integrator<double> flow(m.system, {.method = name, .step = 0.05});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, 1'000'000);
    EXPECT_FALSE(report.energy.drift.grows) << name << " " << report.energy.drift.per_time;
  }
}

// Where a frequency is √8/h there is no middle value to be eliminated; with it as an unknown the step exists.
TEST(simpson_linear, has_no_reduced_form_where_the_middle_is_not_determined) {
  const auto system = lagrangian_system::from(
      "oscillator", {"x"}, [](const auto& q, const auto& v) { return v[0] * v[0] / 2 - 4 * q[0] * q[0]; });
  const phase_space<double> space(system, {});
  phase_state<double> state = some_state<double>(1);
  const auto reduced = find_method("simpson-linear-2")->make<double>({.space = space, .step = 1});
  EXPECT_EQ(reduced->advance(state).code, step_code::singular);
  EXPECT_EQ(reduced->tangent_map(state).rows(), 0u);
  EXPECT_TRUE(find_method("simpson-linear-1")->make<double>({.space = space, .step = 1})->advance(state));
}

TEST(simpson_linear, refuses_what_is_not_linear) {
  for (const char* name : {"pendulum", "foucault-pendulum", "damped-driven-pendulum", "spherical-pendulum-rod"}) {
    EXPECT_FALSE(suits(*find_method("simpson-linear-1"), load_model(name).system)) << name;
  }
  EXPECT_TRUE(suits(*find_method("simpson-linear-2"), load_model("linear-double-pendulum").system));
}

}  // namespace
}  // namespace actio
