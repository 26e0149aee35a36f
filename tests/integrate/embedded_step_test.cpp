#include "actio/integrate/embedded_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/verification.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/tangent_maps.hpp"

namespace actio {
namespace {

// A model in the coordinates of its chart, with a method that discretises in the ambient space.
template <class S>
struct charted_flow {
  charted_flow(const model& m, const std::string& name, const S& h)
      : charted(intrinsic_model(m)),
        in_chart(intrinsic_method(*find_method(name), charted.space)),
        flow(integrator<S>(charted.intrinsic.system, {.method = name, .step = h}).with_method(in_chart, h)) {}
  phase_state<S> start() const { return flow.at_start(charted.intrinsic); }

  charted_model charted;
  method in_chart;
  integrator<S> flow;
};

class charted_method : public ::testing::TestWithParam<std::string> {};

// [marsden1997, Theorem 6.1]: the points of both formulations are the same.
template <class S>
void expect_same_points(const model& m, const std::string& method, const S& h, std::size_t steps, double tolerance) {
  const integrator<S> constrained(m.system, {.method = method, .step = h});
  const charted_flow<S> charted(m, method, h);
  const integrator<S>& intrinsic = charted.flow;
  phase_state<S> x = constrained.at_start(m), q = charted.start();
  const auto ambient_step = constrained.make_workspace(), chart_step = intrinsic.make_workspace();
  phase_point<S> point(intrinsic.space());
  double moved = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    ASSERT_TRUE(ambient_step->advance(x));
    ASSERT_TRUE(chart_step->advance(q));
    ASSERT_TRUE(point.measure(q.time, q.position.value, q.momentum.value));
    for (std::size_t a = 0; a < m.system.size(); ++a) {  // the first observables are the ambient coordinates
      ASSERT_NEAR(to_double(S(point.observables()[a] - x.position[a])), 0, tolerance) << method << " step " << k;
    }
    moved = std::max(moved, std::abs(to_double(S(q.position[0] - charted.start().position[0]))));
  }
  EXPECT_GT(moved, 0.1);
}

TEST_P(charted_method, has_the_points_of_the_constrained_formulation) {
  const model single = load_model("spherical-pendulum-rod");
  const model twofold = load_model("double-spherical-pendulum");
  expect_same_points<double>(single, GetParam(), 0.02, 100, 1e-12);
  expect_same_points<double>(twofold, GetParam(), 0.01, 100, 1e-11);
  expect_same_points<quad>(single, GetParam(), quad("0.02"), 30, 1e-29);
  expect_same_points<quad>(twofold, GetParam(), quad("0.01"), 30, 1e-28);
}

TEST_P(charted_method, has_the_derivative_of_its_step_and_is_symplectic) {
  const charted_flow<quad> charted(load_model("spherical-pendulum-rod"), GetParam(), quad(0.1));
  const integrator<quad>& flow = charted.flow;
  phase_state<quad> start = charted.start();
  ASSERT_TRUE(flow.make_workspace()->advance(start));
  EXPECT_LT(to_double(symplectic_defect(flow.make_workspace()->tangent_map(start))), 1e-29);
  testing::expect_tangent_map(flow, start, 1e-12);
}

// A path that is straight in the ambient space is another one than a path that is straight in the chart.
TEST_P(charted_method, is_not_the_method_of_the_chart_alone) {
  const charted_flow<double> charted(load_model("spherical-pendulum-rod"), GetParam(), 0.1);
  const integrator<double> chart(charted.charted.intrinsic.system, {.method = GetParam(), .step = 0.1});
  phase_state<double> a = charted.start(), b = a;
  ASSERT_TRUE(charted.flow.make_workspace()->advance(a));
  ASSERT_TRUE(chart.make_workspace()->advance(b));
  EXPECT_GT(std::abs(a.position[0] - b.position[0]), 1e-10);
  EXPECT_LT(std::abs(a.position[0] - b.position[0]), 0.05);
}

TEST_P(charted_method, keeps_momenta_and_goes_on_bit_for_bit) {
  const charted_flow<double> charted(load_model("double-spherical-pendulum"), GetParam(), 0.01);
  const integrator<double>& flow = charted.flow;
  phase_state<double> state = charted.start();
  const auto first = flow.make_workspace(), second = flow.make_workspace();
  phase_point<double> point(flow.space());
  const auto& names = flow.space().observable_names();
  const auto vertical = static_cast<std::size_t>(std::ranges::find(names, "vertical_momentum") - names.begin());
  ASSERT_LT(vertical, names.size());
  ASSERT_TRUE(point.measure(0, state.position.value, state.momentum.value));
  const double before = point.observables()[vertical];
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(first->advance(state));
  EXPECT_EQ(testing::allocations_in([&] {
              for (int k = 0; k < 20; ++k) first->advance(state);
            }),
            0U);
  second->restore_history(first->history());
  phase_state<double> other = state;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(first->advance(state));
    ASSERT_TRUE(second->advance(other));
    EXPECT_EQ(state.position.value, other.position.value);
    EXPECT_EQ(state.momentum.value, other.momentum.value);
  }
  ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
  EXPECT_NEAR(point.observables()[vertical], before, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(catalogue, charted_method,
                         ::testing::Values("midpoint", "verlet", "simpson", "lobatto-4", "euler-b"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A force, a magnetic term, observables with velocities and momenta: all of them are carried over.
TEST(intrinsic_model, carries_everything_over) {
  const model m = parse_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*m*(x'^2 + y'^2) + B/2*(x*y' - y*x') - k*x"
[parameters]
m = 2
B = 0.3
k = 0.5
r = 1.5
[constraints]
ring = "x^2 + y^2 - r^2"
[forces]
x = "-0.1*x'"
y = "-0.1*y'"
[observables]
speed = "sqrt(x'^2 + y'^2)"
along = "(x*p_y - y*p_x)/r^2"
[chart]
coordinates = ["angle"]
x = "r*cos(angle)"
y = "r*sin(angle)"
[initial.position]
x = "r"
y = 0
[initial.velocity]
x = 0
y = 1.2
[initial.chart]
angle = 0
)toml",
                              "m.toml");
  expect_same_points<quad>(m, "simpson", quad("0.05"), 40, 1e-29);
  const integrator<double> constrained(m.system, {.method = "simpson", .step = 0.05});
  const charted_flow<double> charted(m, "simpson", 0.05);
  const integrator<double>& intrinsic = charted.flow;
  phase_state<double> x = constrained.at_start(m), q = charted.start();
  const run_report<double> a = run(constrained, x, 40), b = run(intrinsic, q, 40);
  EXPECT_NEAR(a.energy.final, b.energy.final, 1e-12);
  EXPECT_NEAR(a.energy.work, b.energy.work, 1e-12);
  phase_point<double> on_ring(constrained.space()), in_chart(intrinsic.space());
  ASSERT_TRUE(on_ring.measure(x.time, x.position.value, x.momentum.value));
  ASSERT_TRUE(in_chart.measure(q.time, q.position.value, q.momentum.value));
  EXPECT_NEAR(on_ring.observables()[0], in_chart.observables()[2], 1e-12);
  EXPECT_NEAR(on_ring.observables()[1], in_chart.observables()[3], 1e-12);
}

}  // namespace
}  // namespace actio
