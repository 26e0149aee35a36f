// Systems of first order, y' = f(t, y): the same runs, without momenta and energy.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/collocation.hpp"
#include "actio/analysis/comparison.hpp"
#include "actio/analysis/model_facts.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

source_text typed(const char* text) { return {text, {"--methods", 0, 0}, "--methods"}; }

std::string id_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const input_error& e) {
    return e.id();
  }
  return "";
}

template <class S>
run_report<S> simulate(const model& m, const S& step, std::size_t steps) {
  const integrator<S> flow(m.system, {.method = "rk4", .step = step});
  phase_state<S> state = flow.at_start(m);
  return run(flow, state, steps);
}

// y' = f(t, y) with a known motion: y = sin(t) + exp(-t).
lagrangian_system driven_decay() {
  return lagrangian_system::from_equations("driven decay", {"y"},
                                           [](auto t, auto y) { return std::vector<expr>{-y[0] + sin(t) + cos(t)}; });
}

template <class S>
double error_of_driven_decay(int steps) {
  using std::abs, std::exp, std::sin;
  const S step = S(2) / S(steps);
  const integrator<S> flow(driven_decay(), {.method = "rk4", .step = step});
  phase_state<S> state = flow.at_position({S(1)});
  run(flow, state, static_cast<std::size_t>(steps));
  return to_double(S(abs(state.position[0] - (sin(S(2)) + exp(S(-2))))));
}

template <class S>
void expect_order_four_in_time() {
  const double coarse = error_of_driven_decay<S>(64), fine = error_of_driven_decay<S>(128);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.05);
}

TEST(equations, that_depend_on_time_are_followed_at_every_precision) {
  expect_order_four_in_time<double>();
  expect_order_four_in_time<quad>();
  const precision_scope scope(40);
  expect_order_four_in_time<multi>();
}

TEST(equations, reports_have_positions_and_observables_alone) {
  const model m = testing::read(testing::lotka_volterra);
  const auto report = simulate<double>(m, 0.01, 1000);
  EXPECT_EQ(report.status, run_status::done);
  EXPECT_FALSE(report.has_energy);
  EXPECT_EQ(report.position.size(), 2u);
  EXPECT_TRUE(report.momentum.empty());
  EXPECT_TRUE(report.momenta.empty());
  ASSERT_EQ(report.observables.size(), 2u);
  EXPECT_LT(report.observables[0].largest - report.observables[0].smallest, 1e-8);
  EXPECT_GT(report.observables[1].largest, 0.5);
  const std::string text = to_text(report);
  EXPECT_NE(text.find("energy        none"), std::string::npos) << text;
}

TEST(equations, velocities_in_observables_are_the_right_hand_sides) {
  const model m = testing::read(testing::lotka_volterra);
  const integrator<double> flow(m.system, {.method = "rk4", .step = 0.01});
  phase_point<double> point(flow.space());
  ASSERT_TRUE(point.measure(0.0, std::vector<double>{2.0, 3.0}, {}));
  EXPECT_NEAR(point.velocity()[0], 2.0 * (1.1 - 0.4 * 3.0), 1e-14);
  EXPECT_NEAR(point.observables()[1], point.velocity()[0] / 2.0, 1e-15);
}

TEST(equations, forty_digits_agree_with_quad) {
  const model m = testing::read(testing::lotka_volterra);
  const auto in_quad = simulate<quad>(m, quad(1) / 64, 128);
  const precision_scope scope(40);
  const auto in_digits = simulate<multi>(m, multi(1) / 64, 128);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(to_double(multi(in_digits.position[i] - multi(in_quad.position[i])))), 1e-31);
  }
}

TEST(equations, a_motion_that_leaves_their_domain_fails_with_a_reason) {
  const auto falling = lagrangian_system::from_equations(
      "falling", {"y"}, [](auto, auto y) { return std::vector<expr>{-1 / sqrt(y[0])}; });
  const integrator<double> flow(falling, {.method = "rk4", .step = 0.1});
  phase_state<double> state = flow.at_position({1.0});
  const auto report = run(flow, state, 100);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_NE(report.reason.find("domain of the equations"), std::string::npos) << report.reason;
  EXPECT_TRUE(std::isfinite(report.position[0]));
}

TEST(equations, refuse_what_needs_a_lagrangian) {
  const lagrangian_system decay = driven_decay();
  EXPECT_EQ(id_of([&] { integrator<double>(decay, {.method = "gauss-3", .step = 0.1}); }), "method-needs-lagrangian");
  EXPECT_EQ(id_of([&] { integrator<double>(decay, {.method = "rk4", .step = 0.1, .velocity_state = true}); }),
            "needs-lagrangian");
  const integrator<double> flow(decay, {.method = "rk4", .step = 0.1});
  EXPECT_EQ(id_of([&] { flow.at_momentum({1.0}, {1.0}); }), "missing-initial-value");
  EXPECT_EQ(id_of([&] { flow.at_velocity({1.0}, {1.0}); }), "missing-initial-value");
  EXPECT_EQ(id_of([&] { flow.at_position({1.0, 2.0}); }), "missing-initial-value");
  lagrangian_system pushed = decay;
  pushed.forces = {expr(1)};
  EXPECT_EQ(id_of([&] { validate(pushed); }), "needs-lagrangian");
  lagrangian_system both = decay;
  both.lagrangian = velocity_symbol(decay.coordinates[0]);
  EXPECT_EQ(id_of([&] { validate(both); }), "two-descriptions");
  lagrangian_system short_of_one = decay;
  short_of_one.coordinates.push_back(expr::symbol("z"));
  EXPECT_EQ(id_of([&] { validate(short_of_one); }), "missing-equation");
  lagrangian_system implicit = decay;
  implicit.equations = {velocity_symbol(decay.coordinates[0])};
  EXPECT_EQ(id_of([&] { validate(implicit); }), "unknown-name");
}

TEST(equations, the_tangent_map_is_the_derivative_of_the_step) {
  const model m = testing::read(testing::lotka_volterra);
  const integrator<quad> flow(m.system, {.method = "rk4", .step = quad(0.125)});
  const phase_state<quad> start = flow.at_start(m);
  const matrix<quad> tangent = flow.make_workspace()->tangent_map(start);
  ASSERT_EQ(tangent.rows(), 2u);
  const quad shift = 1e-12;
  for (std::size_t j = 0; j < 2; ++j) {
    phase_state<quad> up = start, down = start;
    up.position.value[j] += shift;
    down.position.value[j] -= shift;
    ASSERT_TRUE(flow.make_workspace()->advance(up) && flow.make_workspace()->advance(down));
    for (std::size_t i = 0; i < 2; ++i) {
      const quad slope = (up.position[i] - down.position[i]) / (2 * shift);
      EXPECT_LT(to_double(quad(abs(slope - tangent(i, j)))), 1e-18);
    }
  }
}

TEST(equations, dense_output_meets_both_ends_and_the_slopes) {
  const integrator<double> flow(driven_decay(), {.method = "rk4", .step = 0.1});
  phase_state<double> state = flow.at_position({1.0});
  const auto workspace = flow.make_workspace();
  ASSERT_TRUE(workspace->advance(state));
  std::vector<double> y(1);
  for (const double x : {0.0, 0.3, 0.7, 1.0}) {
    workspace->interpolate(x, y);
    EXPECT_NEAR(y[0], std::sin(0.1 * x) + std::exp(-0.1 * x), 1e-6) << x;
  }
}

TEST(equations, a_step_allocates_nothing) {
  const model m = testing::read(testing::lotka_volterra);
  const integrator<double> flow(m.system, {.method = "rk4", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  ASSERT_TRUE(workspace->advance(state));
  const testing::allocation_count allocations;
  ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(allocations.since_start(), 0u);
}

TEST(equations, facts_are_about_the_right_hand_sides) {
  const model_facts facts = facts_of(testing::read(testing::lotka_volterra));
  ASSERT_EQ(facts.equations.size(), 2u);
  EXPECT_TRUE(facts.cyclic.empty() && facts.momenta.empty() && facts.momentum.empty());
  EXPECT_FALSE(facts.structure.is_time_dependent || facts.structure.is_forced);
  EXPECT_GT(facts.value_operations, 0u);
  EXPECT_TRUE(structure_of(driven_decay()).is_time_dependent);
}

// Order 2 · stages, above rounding in quad.
TEST(collocation, has_twice_the_order_of_its_stages) {
  const phase_space<quad> space(driven_decay(), {});
  const auto field = equation_field<quad>(space);
  const auto error = [&](int steps) {
    const quad step = quad(2) / steps;
    collocation_flow<quad> flow(*field, 3, step);
    compensated_vector<quad> y(std::vector<quad>{1});
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(flow.advance(k * step, y));
    return to_double(quad(abs(y[0] - (sin(quad(2)) + exp(quad(-2))))));
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 6, 0.1);
}

TEST(collocation, says_where_it_does_not_converge) {
  const auto stiff =
      lagrangian_system::from_equations("stiff", {"y"}, [](auto, auto y) { return std::vector<expr>{-1000 * y[0]}; });
  const phase_space<double> space(stiff, {});
  const auto field = equation_field<double>(space);
  collocation_flow<double> flow(*field, 4, 1.0);
  compensated_vector<double> y(std::vector<double>{1.0});
  EXPECT_FALSE(flow.advance(0.0, y));
  EXPECT_EQ(y[0], 1.0);
}

TEST(comparison_of_equations, finds_order_four_of_rk4_without_an_exact_solution) {
  const model m = testing::read(testing::lotka_volterra);
  const comparison result = compare<double>(m, {typed("rk4")}, {typed("0.02"), typed("0.01")}, 4.0, {});
  EXPECT_FALSE(result.has_energy);
  EXPECT_NE(result.reference.find("Gauss collocation of order 20"), std::string::npos) << result.reference;
  ASSERT_EQ(result.cells.size(), 2u);
  EXPECT_EQ(result.cells[1].status, "done");
  EXPECT_NEAR(result.cells[1].order.value(), 4, 0.1);
  const std::string json = to_json(result);
  EXPECT_NE(json.find("\"momentum_error\": null"), std::string::npos);
  EXPECT_NE(json.find("\"energy_error\": null"), std::string::npos);
  const comparison refused = compare<double>(m, {typed("simpson")}, {typed("0.1")}, 1.0, {});
  ASSERT_EQ(refused.cells.size(), 1u);
  EXPECT_NE(refused.cells[0].status.find("discretises a Lagrangian"), std::string::npos) << refused.cells[0].status;
}

// The errors that the reference finds are those of the exact solution.
TEST(comparison_of_equations, the_reference_agrees_with_a_motion_that_is_known) {
  const model m = testing::read(R"toml(
coordinates = ["y"]
[equations]
y = "-y + sin(t) + cos(t)"
[initial.position]
y = 1
)toml");
  const exact_motion<double> exact = [](const double& t) {
    return exact_point<double>{{to_double(quad(sin(quad(t)) + exp(quad(-t))))}, {}};
  };
  const comparison known = compare<double>(m, {typed("rk4")}, {typed("0.1")}, 2.0, exact);
  const comparison found = compare<double>(m, {typed("rk4")}, {typed("0.1")}, 2.0, {});
  EXPECT_NEAR(found.cells[0].error / known.cells[0].error, 1, 1e-7);
}

// Largest difference over [0, 1] between the nutation of the complete top (Simpson) and of the reduced one (RK4).
// [rojas2025, Section 4.3.2]
double nutation_difference(std::size_t steps) {
  const double step = 1.0 / static_cast<double>(steps);
  const model complete = load_model("cusped-lagrange-top"), reduced = load_model("reduced-lagrange-top");
  const integrator<double> simpson(complete.system, {.method = "simpson", .step = step});
  const integrator<double> rk4(reduced.system, {.method = "rk4", .step = step});
  phase_state<double> a = simpson.at_start(complete), b = rk4.at_start(reduced);
  const auto a_step = simpson.make_workspace(), b_step = rk4.make_workspace();
  double largest = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    EXPECT_TRUE(a_step->advance(a) && b_step->advance(b));
    largest = std::max(largest, std::abs(a.position[1] - b.position[1]));
  }
  return largest;
}

TEST(reduced_lagrange_top, simpson_on_the_complete_top_differs_from_rk4_with_order_four) {
  double previous = nutation_difference(160);
  for (const std::size_t steps : {320U, 640U, 1280U}) {
    const double difference = nutation_difference(steps);
    EXPECT_NEAR(std::log2(previous / difference), 4, steps > 320 ? 0.02 : 0.1) << steps;
    previous = difference;
  }
}

TEST(reduced_lagrange_top, keeps_what_remains_of_the_energy) {
  const auto report = simulate<double>(load_model("reduced-lagrange-top"), 0.001, 1000);
  ASSERT_EQ(report.observables.size(), 1u);
  EXPECT_NEAR(report.observables[0].initial, 2 * std::sqrt(3.0) * M_PI * M_PI, 1e-12);
  EXPECT_LT(report.observables[0].largest - report.observables[0].smallest, 1e-7);
}

TEST(cusped_lagrange_top, has_the_momenta_of_the_table) {
  const model m = load_model("cusped-lagrange-top");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  const phase_state<double> start = flow.at_start(m);
  EXPECT_NEAR(start.momentum[0], 2 * M_PI * std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(start.momentum[2], 4 * M_PI, 1e-14);
}

}  // namespace
}  // namespace actio
