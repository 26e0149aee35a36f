// Splittings and compositions on separable systems, and the schemes of marsden1997, Section 4, against its formulas.
#include "actio/integrate/splitting_step.hpp"

#include <gtest/gtest.h>

#include "actio/mechanics/separability.hpp"
#include "actio/mechanics/vector_field.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

struct point {
  double q, p;
};

lagrangian_system simple_pendulum() {
  return lagrangian_system::from("pendulum", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 + cos(q[0]); });
}

// Fifty steps of `method` beside fifty of a formula for V = −cos q.
template <class Formula>
void expect_formula(const std::string& method, Formula formula) {
  constexpr double h = 0.2;
  const integrator<double> flow(simple_pendulum(), {.method = method, .step = h});
  phase_state<double> state = flow.at_momentum({1.1}, {0.4});
  const auto workspace = flow.make_workspace();
  point z{1.1, 0.4};
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    z = formula(z, h);
    ASSERT_NEAR(state.position[0], z.q, 2e-14) << method << " " << k;
    ASSERT_NEAR(state.momentum[0], z.p, 2e-14) << method << " " << k;
  }
}

// [marsden1997, eq. 16], and with L(y, x) = L(y, (y − x)/h), y the later point, what [marsden1997, eq. 51] gives:
// p_k = −h D2 L(q_{k+1}, q_k) = (q_{k+1} − q_k)/h and p_{k+1} = h D1 L(q_{k+1}, q_k).
TEST(marsden1997, example_1_and_equation_51_are_euler_b) {
  for (const char* name : {"euler-b", "symplectic-euler"}) {
    expect_formula(name, [](point z, double h) {
      const double q = z.q + h * z.p;
      return point{q, z.p - h * std::sin(q)};
    });
  }
}

// Its adjoint: the step with −h from the other end.
TEST(marsden1997, the_adjoint_of_example_1_and_example_5_are_euler_a) {
  for (const char* name : {"euler-a", "lie-trotter"}) {
    expect_formula(
        name, [](point z, double h) { return point{z.q + h * z.p - h * h * std::sin(z.q), z.p - h * std::sin(z.q)}; });
  }
}

// [marsden1997, eq. 17] by fixed-point iteration.
TEST(marsden1997, example_2_is_midpoint) {
  expect_formula("midpoint", [](point z, double h) {
    point next = z;
    for (int k = 0; k < 60; ++k) next = {z.q + h * (next.p + z.p) / 2, z.p - h * std::sin((next.q + z.q) / 2)};
    return next;
  });
}

// [marsden1997, eq. 18] for the Hamiltonian field of an inseparable system, evaluated at the mean of two states of
// `midpoint`: the rule holds to rounding for each of its steps.
TEST(marsden1997, example_3_is_midpoint_where_the_mass_depends_on_the_position) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const quad h(0.05);
  const integrator<quad> flow(m.system, {.method = "midpoint", .step = h});
  const auto field = hamilton_field<quad>(flow.space());
  const auto workspace = flow.make_workspace();
  phase_state<quad> state = flow.at_start(m);
  for (int k = 0; k < 20; ++k) {
    const phase_state<quad> before = state;
    ASSERT_TRUE(workspace->advance(state));
    std::vector<quad> middle(4), rate(4);
    for (std::size_t i = 0; i < 2; ++i) {
      middle[i] = (before.position[i] + state.position[i]) / 2;
      middle[2 + i] = (before.momentum[i] + state.momentum[i]) / 2;
    }
    quad power;
    ASSERT_TRUE(field->evaluate(quad(0), middle, rate, power));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(to_double(quad(state.position[i] - before.position[i] - h * rate[i])), 0, 1e-32);
      EXPECT_NEAR(to_double(quad(state.momentum[i] - before.momentum[i] - h * rate[2 + i])), 0, 1e-31);
    }
  }
}

// The variational methods solve equations for what the splittings compute at once.
TEST(splitting_step, agrees_with_its_variational_twin) {
  const model m = testing::read(testing::forced_separable_system);
  for (const auto& [explicit_one, variational] : {std::pair{"strang", "verlet"}, {"lie-trotter", "euler-a"}}) {
    const integrator<quad> a(m.system, {.method = explicit_one, .step = quad(0.1)});
    const integrator<quad> b(m.system, {.method = variational, .step = quad(0.1)});
    phase_state<quad> x = a.at_start(m), y = b.at_start(m);
    run(a, x, 40);
    run(b, y, 40);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(to_double(quad(x.position[i] - y.position[i])), 0, 1e-30) << explicit_one;
      EXPECT_NEAR(to_double(quad(x.momentum[i] - y.momentum[i])), 0, 1e-30) << explicit_one;
    }
  }
}

// Of the state at t = 1, or of the energy ledger up to there.
double order_of(const model& m, const std::string& method, bool ledger, const phase_state<quad>& truth) {
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const std::size_t steps = 64U << k;
    const integrator<quad> flow(m.system, {.method = method, .step = quad(1) / quad(steps)});
    phase_state<quad> state = flow.at_start(m);
    const run_report<quad> report = run(flow, state, steps);
    quad apart(0);
    for (std::size_t i = 0; i < 2; ++i) {
      apart += abs(state.position[i] - truth.position[i]) + abs(state.momentum[i] - truth.momentum[i]);
    }
    errors[k] = to_double(ledger ? report.energy.max_relative_error : apart);
  }
  return std::log2(errors[0] / errors[1]);
}

// Time is a variable of its own: drives and forces do not cost an order, nor does the ledger of their work.
TEST(splitting_step, keeps_its_order_under_drives_and_forces) {
  const model driven = testing::read(testing::forced_separable_system);
  const model relativistic = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"-sqrt(1 - x'^2 - y'^2) - x^2*y/4 - x^2/2 - y^2 + y*cos(t)\"\n"
      "[forces]\nx = \"0.3*y*cos(t)\"\n[initial]\nposition = {x = 0.5, y = 0.3}\nvelocity = {x = 0.1, y = 0.4}\n",
      "m.toml");
  for (const model& m : {driven, relativistic}) {
    const integrator<quad> reference(m.system, {.method = "gauss-8", .step = quad(1) / 32});
    phase_state<quad> truth = reference.at_start(m);
    run(reference, truth, 32);
    for (const char* name : {"lie-trotter", "strang", "yoshida-4", "yoshida-6", "mclachlan-8"}) {
      const int order = find_method(name)->traits.order;
      EXPECT_NEAR(order_of(m, name, false, truth), order, 0.15) << name;
      EXPECT_NEAR(order_of(m, name, true, truth), order, 0.15) << name;
    }
  }
}

// Linear momenta to the last bit, angular momentum to rounding, and no trend of the energy in 300000 kicks.
TEST(splitting_step, keeps_momenta_and_energy_for_long) {
  const model kepler = parse_model(
      "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"1/2*(x'^2 + y'^2 + z'^2) + 1/sqrt(x^2 + y^2)\"\n"
      "[symmetries.angular_momentum]\nx = \"-y\"\ny = \"x\"\n"
      "[initial]\nposition = {x = 0.7, y = 0, z = 0}\nvelocity = {x = 0, y = \"sqrt(13/7)\", z = 0.1}\n",
      "kepler.toml");
  for (const char* name : {"yoshida-4", "yoshida-6", "suzuki-4", "mclachlan-8"}) {
    const integrator<double> flow(kepler.system, {.method = name, .step = 0.05});
    phase_state<double> state = flow.at_start(kepler);
    const run_report<double> report = run(flow, state, 60000);
    ASSERT_EQ(report.status, run_status::done);
    EXPECT_EQ(report.momenta[0].max_error, 0) << name;
    EXPECT_LT(report.momenta[1].max_error, 1e-13) << name;
    EXPECT_FALSE(report.energy.drift.grows) << name;
  }
}

TEST(splitting_step, a_million_steps_of_henon_and_heiles_without_drift) {
  const model m = testing::read(testing::henon_heiles);
  const integrator<double> flow(m.system, {.method = "yoshida-4", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 1000000);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_FALSE(report.energy.drift.grows);
  EXPECT_LT(report.energy.max_relative_error, 2e-4);
}

// Between singularities a step with shorter substeps than the rest of the error: rounding alone, as a random walk.
TEST(splitting_step, rounding_walks_and_does_not_drift) {
  const model m = testing::read(testing::henon_heiles);
  const integrator<double> flow(m.system, {.method = "mclachlan-8", .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 50000);
  EXPECT_FALSE(report.energy.drift.grows);
  EXPECT_LT(report.energy.max_relative_error, 5e-14);
}

TEST(splitting_step, that_leaves_the_domain_leaves_the_state_alone) {
  const lagrangian_system system =
      lagrangian_system::from("wall", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 + sqrt(q[0]); });
  const integrator<double> flow(system, {.method = "yoshida-4", .step = 1.0});
  phase_state<double> state = flow.at_momentum({1.0}, {-20.0});
  EXPECT_EQ(flow.make_workspace()->advance(state).code, step_code::left_domain);
  EXPECT_EQ(state.position[0], 1.0);
  EXPECT_EQ(state.momentum[0], -20.0);
  EXPECT_EQ(state.index, 0u);
}

std::string coupling(const std::string& lagrangian, const std::string& force = "0") {
  const model m = parse_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n[forces]\nx = \"" +
                                  force + "\"\n[initial]\nposition = {x = 1, y = 1}\nvelocity = {x = 0, y = 0}\n",
                              "m.toml");
  return find_coupling(m.system).value_or("");
}

TEST(separability, names_what_couples) {
  EXPECT_EQ(coupling("x'^2 + y'^2 + x'*y' - x^4*y + x*sin(t)"), "");
  EXPECT_EQ(coupling("-sqrt(1 - x'^2/100 - y'^2/100) - x^2", "x*y*t"), "");
  EXPECT_EQ(coupling("x'^2 + x^2*y'^2 - 1/x"), "the Lagrangian couples x with y'");
  EXPECT_EQ(coupling("x'^2 + y'^2 + y*x'"), "the Lagrangian couples y with x'");
  EXPECT_EQ(coupling("exp(t)*x'^2 + y'^2"), "the Lagrangian couples t with x'");
  EXPECT_EQ(coupling("x'^2 + y'^2 - x^2", "-y'/10"), "the force on x depends on y'");
}

TEST(separability, sees_through_what_cancels) {
  EXPECT_EQ(coupling("(cos(x)^2 + sin(x)^2)*x'^2 + y'^2 - x^2*y"), "");
  EXPECT_EQ(coupling("x'^2 + y'^2 - x^2", "x*(cos(y')^2 + sin(y')^2)"), "");
}

TEST(separability, a_coupling_that_cancels_does_not_disturb_a_step) {
  const auto hidden = lagrangian_system::from("hidden", {"x"}, [](auto q, auto v) {
    return (cos(q[0]) * cos(q[0]) + sin(q[0]) * sin(q[0])) * v[0] * v[0] / 2 + cos(q[0]);
  });
  const integrator<double> plain(simple_pendulum(), {.method = "yoshida-4", .step = 0.1});
  const integrator<double> cancelling(hidden, {.method = "yoshida-4", .step = 0.1});
  phase_state<double> a = plain.at_momentum({1.0}, {0.5}), b = cancelling.at_momentum({1.0}, {0.5});
  run(plain, a, 100);
  run(cancelling, b, 100);
  EXPECT_NEAR(a.position[0], b.position[0], 1e-13);
}

}  // namespace
}  // namespace actio
