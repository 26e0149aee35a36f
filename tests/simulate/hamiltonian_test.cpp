// Systems that give H(q, p) itself: the same motion as their Lagrangian gives, and motions that no Lagrangian gives.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/model_facts.hpp"
#include "actio/analysis/verification.hpp"
#include "actio/backend/backend.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "actio/simulate/ensemble.hpp"
#include "actio/simulate/run.hpp"

namespace actio {
namespace {

model read(const std::string& text) { return parse_model(text, "m.toml"); }

// The same system by L and by H.
struct both_ways {
  model by_lagrangian, by_hamiltonian;
};

both_ways given_as(const std::string& coordinates, const std::string& L, const std::string& H,
                   const std::string& rest) {
  return {read("coordinates = " + coordinates + "\nlagrangian = \"" + L + "\"\n" + rest),
          read("coordinates = " + coordinates + "\nhamiltonian = \"" + H + "\"\n" + rest)};
}

both_ways henon_heiles() {
  return given_as("[\"x\", \"y\"]", "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2) - x^2*y + y^3/3",
                  "1/2*(p_x^2 + p_y^2) + 1/2*(x^2 + y^2) + x^2*y - y^3/3",
                  "[initial.position]\nx = 0.1\ny = -0.2\n[initial.momentum]\nx = 0.4\ny = 0.1\n");
}

both_ways pendulum() {
  return given_as("[\"q\"]", "1/2*m*l^2*q'^2 + m*g*l*cos(q)", "p_q^2/(2*m*l^2) - m*g*l*cos(q)",
                  "[parameters]\nm = 0.7\nl = 1.3\ng = 9.81\n[initial.position]\nq = 1.2\n"
                  "[initial.momentum]\nq = 0.3\n");
}

// A charge in the plane: (p − A)²/2 with A = b(−y, x)/2 and a well.
both_ways magnetic() {
  return given_as("[\"x\", \"y\"]", "1/2*(x'^2 + y'^2) + b/2*(x*y' - y*x') - (x^2 + y^2)^2/4",
                  "1/2*(p_x + b*y/2)^2 + 1/2*(p_y - b*x/2)^2 + (x^2 + y^2)^2/4",
                  "[parameters]\nb = 1.5\n[symmetries.turn]\nx = \"-y\"\ny = \"x\"\n"
                  "[initial.position]\nx = 0.9\ny = 0.1\n[initial.velocity]\nx = 0.2\ny = 0.5\n");
}

template <class S>
phase_state<S> end_of(const model& m, const std::string& method, const S& step, std::size_t steps) {
  const integrator<S> flow(m.system, {.method = method, .step = step});
  phase_state<S> state = flow.at_start(m);
  const auto report = run(flow, state, steps);
  EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
  return state;
}

template <class S>
double distance(const phase_state<S>& a, const phase_state<S>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, std::abs(to_double(S(a.position[i] - b.position[i]))));
    largest = std::max(largest, std::abs(to_double(S(a.momentum[i] - b.momentum[i]))));
  }
  return largest;
}

template <class S>
void expect_same_motion(const both_ways& given, const std::string& method, double step, double tolerance) {
  SCOPED_TRACE(method);
  const auto by_L = end_of<S>(given.by_lagrangian, method, S(step), 200),
             by_H = end_of<S>(given.by_hamiltonian, method, S(step), 200);
  EXPECT_LT(distance(by_L, by_H), tolerance);
}

TEST(hamiltonian, has_the_motion_of_its_lagrangian) {
  for (const both_ways& given : {henon_heiles(), pendulum(), magnetic()}) {
    for (const char* method : {"midpoint", "gauss-1", "gauss-2", "gauss-4", "gauss-5", "gauss-8", "rk4"}) {
      expect_same_motion<double>(given, method, 0.02, 2e-12);
    }
  }
  for (const both_ways& given : {henon_heiles(), pendulum()}) {
    for (const char* method : {"strang", "verlet", "lobatto-2", "euler-a", "euler-b", "lie-trotter", "yoshida-6"}) {
      expect_same_motion<double>(given, method, 0.02, 2e-12);
    }
  }
  expect_same_motion<quad>(magnetic(), "gauss-3", 0.05, 1e-29);
  const precision_scope scope(50);
  expect_same_motion<multi>(henon_heiles(), "gauss-2", 0.05, 1e-45);
}

TEST(hamiltonian, has_the_certificate_of_its_lagrangian) {
  const both_ways given = magnetic();
  const auto report_of = [](const model& m) {
    const integrator<double> flow(m.system, {.method = "gauss-2", .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    return run(flow, state, 500);
  };
  const auto by_L = report_of(given.by_lagrangian), by_H = report_of(given.by_hamiltonian);
  EXPECT_TRUE(by_H.has_energy);
  EXPECT_NEAR(by_H.energy.initial, by_L.energy.initial, 1e-14);
  EXPECT_NEAR(by_H.energy.scale, by_L.energy.scale, 1e-12);
  ASSERT_EQ(by_H.momenta.size(), 1u);
  EXPECT_EQ(by_H.momenta[0].name, "turn");
  EXPECT_LT(by_H.momenta[0].max_error, 1e-13);
}

TEST(hamiltonian, forces_and_time_are_accounted_for) {
  const both_ways given =
      given_as("[\"x\"]", "1/2*(1 + x^2/4)*x'^2 - (1 + cos(2*t)/3)*x^4/4", "p_x^2/(2 + x^2/2) + (1 + cos(2*t)/3)*x^4/4",
               "[forces]\nx = \"-x'/5 + sin(t)/3\"\n[initial.position]\nx = 0.7\n[initial.momentum]\nx = 0.3\n");
  for (const char* method : {"midpoint", "gauss-3", "rk4"}) expect_same_motion<double>(given, method, 0.02, 1e-12);
  const integrator<double> flow(given.by_hamiltonian.system, {.method = "gauss-5", .step = 0.05});
  phase_state<double> state = flow.at_start(given.by_hamiltonian);
  const auto report = run(flow, state, 400);
  EXPECT_TRUE(report.energy.supplied);
  EXPECT_LT(report.energy.max_relative_error, 1e-10);
}

// Tao's Hamiltonian, which does not separate.
model tao() {
  return read(R"toml(
coordinates = ["q"]
hamiltonian = "(1 + q^2)*(1 + p_q^2)/2"
[initial.position]
q = 0
[initial.momentum]
q = -3
)toml");
}

TEST(hamiltonian, that_does_not_separate_has_the_order_of_the_method_and_is_symplectic) {
  const model m = tao();
  for (const auto& [method, order] : {std::pair("midpoint", 2), std::pair("gauss-2", 4), std::pair("gauss-3", 6)}) {
    SCOPED_TRACE(method);
    const phase_state<quad> exact = end_of<quad>(m, "gauss-8", quad(1) / 64, 64);
    const auto error = [&](std::size_t steps) {
      return distance(end_of<quad>(m, method, quad(1) / static_cast<int>(steps), steps), exact);
    };
    EXPECT_NEAR(std::log2(error(64) / error(128)), order, 0.1);
    const integrator<double> flow(m.system, {.method = method, .step = 0.05});
    EXPECT_LT(symplectic_defect(flow.make_workspace()->tangent_map(flow.at_start(m))), 1e-13);
  }
}

TEST(hamiltonian, is_refused_by_methods_that_need_more) {
  const auto refusal = [](const model& m, const char* method) {
    try {
      integrator<double>(m.system, {.method = method, .step = 0.05});
    } catch (const input_error& error) {
      return error.id();
    }
    return std::string();
  };
  const model m = tao();
  for (const char* method : {"simpson", "lobatto-3", "energy-momentum", "newmark-beta"}) {
    EXPECT_EQ(refusal(m, method), "method-needs-lagrangian") << method;
  }
  for (const char* method : {"strang", "verlet", "euler-a"}) {
    EXPECT_EQ(refusal(m, method), "method-needs-separable") << method;
  }
  EXPECT_EQ(refusal(m, "midpoint"), "");
}

// Point vortices: x_i with the momentum Γ_i y_i, and no kinetic energy.
TEST(hamiltonian, of_vortices_keeps_its_invariants) {
  const model m = read(R"toml(
coordinates = ["a", "b", "c"]
hamiltonian = "-(G1*G2*log(r12) + G2*G3*log(r23) + G1*G3*log(r13))/(4*pi)"
[parameters]
G1 = 1
G2 = 2
G3 = -0.5
[definitions]
r12 = "(a - b)^2 + (p_a/G1 - p_b/G2)^2"
r23 = "(b - c)^2 + (p_b/G2 - p_c/G3)^2"
r13 = "(a - c)^2 + (p_a/G1 - p_c/G3)^2"
[invariants]
along_x = "G1*a + G2*b + G3*c"
along_y = "p_a + p_b + p_c"
turning = "G1*a^2 + p_a^2/G1 + G2*b^2 + p_b^2/G2 + G3*c^2 + p_c^2/G3"
[initial.position]
a = 1
b = -0.5
c = 0.2
[initial.momentum]
a = 0.3
b = 0.8
c = -0.4
)toml");
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const auto report = run(flow, state, 2000);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_LT(report.energy.max_relative_error, 1e-11);
  for (const auto& invariant : report.momenta) EXPECT_LT(invariant.max_error, 1e-12) << invariant.name;
}

TEST(hamiltonian, need_not_be_regular) {
  const model m = read(
      "coordinates = [\"x\"]\nhamiltonian = \"x*p_x\"\n[initial.position]\nx = 1\n"
      "[initial.momentum]\nx = 2\n");
  const phase_state<double> end = end_of<double>(m, "gauss-6", 0.1, 10);
  EXPECT_NEAR(end.position[0], std::exp(1.0), 1e-14);
  EXPECT_NEAR(end.momentum[0], 2 * std::exp(-1.0), 1e-14);
  const model still = read("coordinates = [\"x\"]\nhamiltonian = \"x*p_x\"\n[initial.velocity]\nx = 1\n");
  try {
    end_of<double>(still, "gauss-2", 0.1, 1);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "no-initial-momentum");
    EXPECT_NE(std::string(error.what()).find("[initial.momentum]"), std::string::npos);
  }
}

// Where steps are far longer than the oscillation only Newton's method finds the stages.
TEST(hamiltonian, that_is_stiff_is_solved_by_newtons_method) {
  const both_ways given = given_as(
      "[\"x\", \"y\"]", "1/2*(x'^2 + y'^2) - k/2*x^2 - y^4/4 - x*y/5", "1/2*(p_x^2 + p_y^2) + k/2*x^2 + y^4/4 + x*y/5",
      "[parameters]\nk = 1e6\n[initial.position]\nx = 0.001\ny = 1\n[initial.momentum]\nx = 0.2\ny = 0.3\n");
  for (const char* method : {"midpoint", "gauss-3"}) expect_same_motion<double>(given, method, 0.05, 1e-10);
  const integrator<double> flow(given.by_hamiltonian.system, {.method = "gauss-2", .step = 0.05});
  phase_state<double> state = flow.at_start(given.by_hamiltonian);
  const auto workspace = flow.make_workspace();
  EXPECT_TRUE(workspace->advance(state).by_newton);
}

TEST(hamiltonian, goes_on_bit_for_bit_from_its_history) {
  for (const model& m : {tao(), henon_heiles().by_hamiltonian}) {
    const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.05});
    phase_state<double> state = flow.at_start(m);
    const auto first = flow.make_workspace(), second = flow.make_workspace();
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(first->advance(state));
    phase_state<double> other = state;
    second->restore_history(first->history());
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(first->advance(state));
      ASSERT_TRUE(second->advance(other));
    }
    EXPECT_EQ(state.position.value, other.position.value);
    EXPECT_EQ(state.momentum.value, other.momentum.value);
  }
}

TEST(hamiltonian, runs_in_ensembles_as_it_runs_alone) {
  const ensemble_plan plan(tao(), {.sweeps = {{"p_q", -3, 3, 11}}});
  std::vector<trajectory_result> in_lanes, alone;
  ensemble_options options{.integrator = {.method = "gauss-4", .step = 0.02}, .steps = 100};
  const auto report = run_ensemble(plan, options, [&](const trajectory_result& r) { in_lanes.push_back(r); });
  options.width = 0;
  run_ensemble(plan, options, [&](const trajectory_result& r) { alone.push_back(r); });
  EXPECT_EQ(report.engine, machine_code_is_available() ? "8 trajectories in lanes" : "trajectory by trajectory");
  ASSERT_EQ(in_lanes.size(), 11u);
  for (std::size_t k = 0; k < in_lanes.size(); ++k) {
    EXPECT_EQ(in_lanes[k].status, trajectory_status::done);
    EXPECT_NEAR(in_lanes[k].position[0], alone[k].position[0], 1e-12);
    EXPECT_NEAR(in_lanes[k].momentum[0], alone[k].momentum[0], 1e-12);
    EXPECT_LT(in_lanes[k].energy_error, 1e-11);
  }
}

TEST(hamiltonian, has_the_sections_and_exponents_of_its_lagrangian) {
  const both_ways given = henon_heiles();
  const auto results_of = [](const model& m, bool lyapunov) {
    const ensemble_plan plan(m, {.sweeps = {{"p_y", -0.1, 0.1, 3}}});
    ensemble_options options{.integrator = {.method = "gauss-4", .step = 0.05}, .steps = 400};
    options.lyapunov = lyapunov;
    if (!lyapunov) options.poincare = section_from(m, {"x", {}, "section"});
    std::vector<trajectory_result> results;
    run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
    return results;
  };
  const auto by_L = results_of(given.by_lagrangian, false), by_H = results_of(given.by_hamiltonian, false);
  const auto rate_L = results_of(given.by_lagrangian, true), rate_H = results_of(given.by_hamiltonian, true);
  for (std::size_t k = 0; k < by_L.size(); ++k) {
    ASSERT_EQ(by_L[k].crossings.size(), by_H[k].crossings.size());
    EXPECT_GT(by_L[k].crossings.size(), 0u);
    for (std::size_t c = 0; c < by_L[k].crossings.size(); ++c) {
      EXPECT_NEAR(by_L[k].crossings[c], by_H[k].crossings[c], 1e-11);
    }
    EXPECT_NEAR(rate_L[k].lyapunov, rate_H[k].lyapunov, 1e-9);
  }
}

TEST(hamiltonian, cyclic_coordinates_and_facts_are_those_of_h) {
  const model m = read(R"toml(
coordinates = ["r", "phi"]
hamiltonian = "p_r^2/2 + p_phi^2/(2*r^2) - 1/r"
[initial.position]
r = 1
[initial.momentum]
phi = 1.1
)toml");
  EXPECT_EQ(m.initial.left_out, (std::vector<std::string>{"phi", "p_r"}));
  const model_facts facts = facts_of(m);
  EXPECT_EQ(facts.cyclic, std::vector<std::string>{"phi"});
  EXPECT_TRUE(facts.structure.is_quadratic);
  EXPECT_FALSE(facts.structure.is_separable);
  EXPECT_EQ(facts.equations.size(), 4u);
  EXPECT_NEAR(facts.velocity[1], 1.1, 1e-15);
  EXPECT_NEAR(facts.energy, 1.1 * 1.1 / 2 - 1, 1e-15);
}

TEST(hamiltonian, has_its_symmetries_found) {
  const auto names_of = [](const model& m) {
    std::vector<std::string> names;
    for (const conserved_momentum& c : conserved_momenta(m.system)) names.push_back(c.name);
    return names;
  };
  const auto given = given_as("[\"x1\", \"y1\", \"x2\", \"y2\"]",
                              "m/2*(x1'^2 + y1'^2) + 1/2*(x2'^2 + y2'^2) + 1/sqrt((x1 - x2)^2 + (y1 - y2)^2)",
                              "(p_x1^2 + p_y1^2)/(2*m) + (p_x2^2 + p_y2^2)/2 - 1/sqrt((x1 - x2)^2 + (y1 - y2)^2)",
                              "[parameters]\nm = 3\n[initial.position]\nx1 = 1\n[initial.momentum]\ny1 = 1\n");
  EXPECT_EQ(names_of(given.by_lagrangian).size(), 3u);
  EXPECT_EQ(names_of(given.by_hamiltonian), names_of(given.by_lagrangian));
  // A squeeze, which turns no velocity into itself: x → e^s x, p → e^{−s} p.
  const model squeeze = read("coordinates = [\"x\", \"y\"]\nhamiltonian = \"x*p_x + y^2*p_x^2*x^2 + p_y^2/2\"\n");
  ASSERT_EQ(names_of(squeeze).size(), 1u);
  const integrator<double> flow(squeeze.system, {.method = "gauss-3", .step = 0.01});
  phase_state<double> state = flow.at_momentum({1.0, 0.2}, {0.3, 0.1});
  const auto report = run(flow, state, 100);
  EXPECT_NEAR(std::abs(report.momenta[0].initial), 0.3, 1e-15);
  EXPECT_LT(report.momenta[0].max_error, 1e-14);
}

TEST(hamiltonian, is_built_in_cpp) {
  const model m =
      model_builder("oscillator")
          .coordinate("q")
          .hamiltonian([](const model_symbols& s) { return (pow(s.momentum(0), 2) + pow(s.position(0), 2)) / 2; })
          .initial_position({1})
          .initial_momentum({0})
          .build();
  EXPECT_TRUE(m.system.is_hamiltonian());
  EXPECT_NEAR(end_of<double>(m, "gauss-5", 0.1, 10).position[0], std::cos(1.0), 1e-14);
  EXPECT_TRUE(parse_model(m.text, "again.toml").system.is_hamiltonian());
}

}  // namespace
}  // namespace actio
