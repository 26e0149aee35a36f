#include "actio/integrate/energy_difference_step.hpp"

#include <gtest/gtest.h>

#include "actio/mechanics/vector_field.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

constexpr const char* name = "energy-difference";

// H and its gradient from the public means alone.
class hamiltonian {
 public:
  explicit hamiltonian(const phase_space<quad>& space) : point_(space), field_(hamilton_field<quad>(space)) {}

  quad value(const std::vector<quad>& q, const std::vector<quad>& p) {
    EXPECT_TRUE(point_.measure(quad(0), q, p));
    return point_.energy();
  }
  // (H_q, H_p)
  std::vector<quad> gradient(const std::vector<quad>& q, const std::vector<quad>& p) {
    const std::size_t n = q.size();
    std::vector<quad> y(q), rate(2 * n);
    y.insert(y.end(), p.begin(), p.end());
    quad power;
    EXPECT_TRUE(field_->evaluate(quad(0), y, rate, power));
    std::vector<quad> result(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      result[i] = -rate[n + i];
      result[n + i] = rate[i];
    }
    return result;
  }

 private:
  phase_point<quad> point_;
  std::unique_ptr<vector_field<quad>> field_;
};

std::vector<quad> mean(const std::vector<quad>& a, const std::vector<quad>& b) {
  std::vector<quad> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back((a[i] + b[i]) / 2);
  return result;
}

// Every step solves the four equations of the paper.
TEST(marsden1997, example_4_is_energy_difference) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const quad h(0.01);
  const integrator<quad> flow(m.system, {.method = name, .step = h});
  hamiltonian H(flow.space());
  const auto workspace = flow.make_workspace();
  phase_state<quad> state = flow.at_start(m);
  for (int k = 0; k < 20; ++k) {
    const std::vector<quad> q0 = state.position.value, p0 = state.momentum.value;
    ASSERT_TRUE(workspace->advance(state));
    const std::vector<quad>&q1 = state.position.value, &p1 = state.momentum.value;
    const std::vector<quad> lambda = H.gradient(q1, mean(p0, p1)), mu = H.gradient(mean(q0, q1), p0);
    quad along_lambda = 0, along_mu = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      along_lambda += lambda[2 + i] * (p1[i] - p0[i]);
      along_mu += mu[i] * (q1[i] - q0[i]);
    }
    const quad A = H.value(q1, p1) - H.value(q1, p0), B = H.value(q1, p0) - H.value(q0, p0);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(to_double(quad(q1[i] - q0[i] - h * A * lambda[2 + i] / along_lambda)), 0, 1e-29) << k;
      EXPECT_NEAR(to_double(quad(p1[i] - p0[i] + h * B * mu[i] / along_mu)), 0, 1e-28) << k;
    }
  }
}

double energy_error(const model& m, double step, std::size_t steps) {
  const integrator<double> flow(m.system, {.method = name, .step = step});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, steps);
  EXPECT_EQ(report.status, run_status::done) << m.system.name << " " << report.reason << " at " << report.time;
  return report.energy.max_relative_error;
}

TEST(energy_difference_step, keeps_the_energy_to_rounding_for_ten_thousand_steps) {
  EXPECT_LT(energy_error(testing::read(testing::double_pendulum_in_angles), 0.005, 10000), 1e-13);
  EXPECT_LT(energy_error(testing::read(testing::henon_heiles), 0.1, 10000), 1e-13);
  for (const char* problem : {"pendulum", "kepler", "spherical-pendulum"}) {
    EXPECT_LT(energy_error(load_model(problem), 0.02, 10000), 1e-13) << problem;
  }
}

TEST(energy_difference_step, keeps_the_energy_to_rounding_with_fifty_digits) {
  const precision_scope scope(50);
  const model m = testing::read(testing::double_pendulum_in_angles);
  const integrator<multi> flow(m.system, {.method = name, .step = multi(1) / multi(100)});
  phase_state<multi> state = flow.at_start(m);
  const run_report<multi> report = run(flow, state, 200);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_LT(to_double(report.energy.max_relative_error), 1e-47);
}

model one_coordinate(const std::string& lagrangian, const std::string& position, const std::string& velocity) {
  return parse_model("coordinates = [\"x\"]\nlagrangian = \"" + lagrangian + "\"\n[initial]\nposition.x = " + position +
                         "\nvelocity.x = " + velocity + "\n",
                     "m.toml");
}

// Started at a turning point, with a force that vanishes where its slope does not, near rest, and with a mass that
// depends on the position.
TEST(energy_difference_step, passes_turning_points_and_places_without_force) {
  EXPECT_LT(energy_error(one_coordinate("x'^2/2 + cos(x)", "2", "0"), 0.05, 5000), 1e-13);
  EXPECT_LT(energy_error(one_coordinate("x'^2/2 - x^2/2 - x^3/3", "0.4", "0"), 0.05, 5000), 1e-13);
  EXPECT_LT(energy_error(one_coordinate("x'^2/2 + cos(x)", "1e-7", "0"), 0.05, 5000), 1e-13);
  EXPECT_LT(energy_error(one_coordinate("(1 + x^2)*x'^2/2 - x^4/4 - x/3", "0.9", "0"), 0.05, 5000), 1e-13);
  EXPECT_LT(energy_error(one_coordinate("-sqrt(1 - x'^2) - x^2/2 - x^3/5", "0.5", "0"), 0.05, 5000), 1e-13);
}

TEST(energy_difference_step, stays_at_rest_in_an_equilibrium) {
  const model m = one_coordinate("x'^2/2 + cos(x)", "0", "0");
  const integrator<double> flow(m.system, {.method = name, .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  ASSERT_EQ(run(flow, state, 100).status, run_status::done);
  EXPECT_EQ(state.position[0], 0);
  EXPECT_EQ(state.momentum[0], 0);
}

// On a circle both changes of energy vanish, and so do both denominators; nor is there a motion of less energy with the
// same angular momentum. The steps off the centre that this takes cost some of it.
TEST(energy_difference_step, follows_a_circular_orbit) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) + 1/sqrt(x^2 + y^2)\"\n"
      "[initial]\nposition = {x = 1, y = 0}\nvelocity = {x = 0, y = 1}\n",
      "m.toml");
  const integrator<double> flow(m.system, {.method = name, .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 2000);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_LT(report.energy.max_relative_error, 1e-12);
  EXPECT_NEAR(std::hypot(state.position[0], state.position[1]), 1, 1e-3);
}

TEST(energy_difference_step, does_not_touch_the_momentum_of_a_cyclic_coordinate) {
  const model m = load_model("spherical-pendulum");
  const integrator<double> flow(m.system, {.method = name, .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 1000);
  ASSERT_EQ(report.status, run_status::done);
  ASSERT_EQ(report.momenta.size(), 1u);
  EXPECT_EQ(report.momenta[0].max_error, 0);
}

// Where the energies of the two legs cannot be exchanged in one step, nothing moves and the status says so.
TEST(energy_difference_step, that_fails_leaves_the_state_alone) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const integrator<double> flow(m.system, {.method = name, .step = 50.0});
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> before = state;
  const step_status status = flow.make_workspace()->advance(state);
  EXPECT_NE(status.code, step_code::ok);
  EXPECT_EQ(state.position.value, before.position.value);
  EXPECT_EQ(state.momentum.value, before.momentum.value);
  EXPECT_EQ(state.index, 0u);
}

}  // namespace
}  // namespace actio
