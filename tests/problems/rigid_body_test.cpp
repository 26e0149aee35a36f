// Rigid bodies in quaternions beside published numbers, exact motions and Euler's angles.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

model model_with(std::string_view name, const std::vector<std::string>& assignments) {
  model m = load_model(name);
  for (const std::string& assignment : assignments) set_parameter(m, {assignment, {}, ""});
  return m;
}

using quaternion = std::vector<double>;

// The energy of one step of the midpoint rule, as the paper has it: L at the midpoint, since there is no potential.
class midpoint_energy {
 public:
  midpoint_energy(const integrator<double>& flow, double step)
      : step_(step), jet_(flow.space().jet().at(1, flow.space().parameters())) {}

  double operator()(const quaternion& left, const quaternion& right) {
    double twice = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      *jet_.position(i) = (left[i] + right[i]) / 2;
      *jet_.velocity(i) = (right[i] - left[i]) / step_;
    }
    jet_.evaluate_first();
    for (std::size_t i = 0; i < left.size(); ++i) twice += *jet_.momentum(i) * (right[i] - left[i]) / step_;
    return twice / 2;
  }

 private:
  double step_;
  jet_evaluation<double> jet_;
};

// One normalised Euler step of 10⁻⁵ s, then the method itself at 10⁻⁵ s up to t = h: [marsden1997] with CONVENTIONS.
quaternion after_first_step(const model& m, double step) {
  constexpr double fine = 1e-5;
  const integrator<double> flow(m.system, {.method = "midpoint", .step = fine});
  const quaternion start = {1, 0, 0, 0};
  quaternion next = {1, 0, 1.5 * fine, 2 * fine};  // Q' = Q ω/2
  const double norm = std::sqrt(1 + 6.25 * fine * fine);
  for (double& x : next) x /= norm;
  phase_state<double> state = flow.at_positions(start, next);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < std::lround(step / fine); ++k) EXPECT_TRUE(workspace->advance(state));
  return state.position.value;
}

void expect_published_energy(double step, double published) {
  const model m = load_model("free-rigid-body");
  const integrator<double> flow(m.system, {.method = "midpoint", .step = step});
  const quaternion start = {1, 0, 0, 0}, next = after_first_step(m, step);
  phase_state<double> state = flow.at_positions(start, next);
  midpoint_energy energy(flow, step);
  const auto workspace = flow.make_workspace();
  double lowest = 1e9, highest = 0;
  quaternion before = start;
  for (int k = 0; k < std::lround(30 / step); ++k) {
    ASSERT_TRUE(workspace->advance(state));
    const double now = energy(before, state.position.value);
    lowest = std::min(lowest, now), highest = std::max(highest, now);
    before = state.position.value;
  }
  EXPECT_NEAR(lowest, published, 1e-8);  // printed digits are cut off, not rounded
  // Differences of positions over h: their rounding is what is left.
  EXPECT_LT(highest - lowest, 2e-14 / step);
}

TEST(free_rigid_body, has_the_published_discrete_energy) { expect_published_energy(1e-3, 32.99993723); }

TEST(free_rigid_body, has_the_published_discrete_energy_with_the_finer_step) {
  expect_published_energy(1e-4, 32.99999935);
}

TEST(free_rigid_body, conserves_energy_and_momentum) {
  const model m = load_model("free-rigid-body");
  const integrator<double> flow(m.system, {.method = "midpoint", .step = 1e-3});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 30000);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_NEAR(report.energy.initial, 33, 1e-13);
  EXPECT_LT(report.energy.max_relative_error, 1e-11);
  EXPECT_FALSE(report.energy.drift.grows);
  for (const auto& momentum : report.momenta) EXPECT_LT(momentum.max_error, 1e-11) << momentum.name;
  EXPECT_LT(report.constraints.max_violation, 1e-14);
}

template <class S>
std::vector<S> end_of(const model& m, const std::string& method, const S& step, int steps) {
  const integrator<S> flow(m.system, {.method = method, .step = step});
  phase_state<S> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(workspace->advance(state));
  return state.position.value;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(free_rigid_body, has_quaternions_of_the_order_of_the_method) {
  const model m = load_model("free-rigid-body");
  const quaternion reference = end_of<double>(m, "lobatto-7", 0.01, 300);
  const struct {
    std::string method;
    double step, order;
  } cases[] = {{"midpoint", 0.002, 2}, {"simpson", 0.02, 4}, {"lobatto-4", 0.05, 6}};
  for (const auto& c : cases) {
    const auto error = [&](double step) {
      return distance(end_of<double>(m, c.method, step, static_cast<int>(std::lround(3 / step))), reference);
    };
    EXPECT_NEAR(std::log2(error(c.step) / error(c.step / 2)), c.order, 0.05 * c.order) << c.method;
  }
}

// The same top in quaternions and in Euler's angles: cos θ, and the direction of the axis.
TEST(heavy_top, nutates_as_the_top_in_angles_does) {
  const model in_quaternions = load_model("heavy-top"), in_angles = load_model("lagrange-top");
  double before = 0;
  for (const double step : {0.002, 0.001}) {
    const auto steps = static_cast<int>(std::lround(3 / step));
    const quaternion q = end_of<double>(in_quaternions, "simpson", step, steps);
    const std::vector<double> angles = end_of<double>(in_angles, "simpson", step, steps);
    const double height = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    const double x = 2 * (q[1] * q[3] + q[0] * q[2]), y = 2 * (q[2] * q[3] - q[0] * q[1]);
    const double off = distance({x, y, height}, {std::sin(angles[1]) * std::sin(angles[0]),
                                                 -std::sin(angles[1]) * std::cos(angles[0]), std::cos(angles[1])});
    EXPECT_LT(off, 4e-3 * std::pow(step / 0.002, 4));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / off), 4, 0.4);
    }
    before = off;
  }
}

TEST(heavy_top, passes_through_the_vertical) {
  const model m = model_with("heavy-top", {"theta0=0", "theta_rate=6", "psi_rate=100"});
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.002});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 5000);
  ASSERT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_LT(report.energy.max_relative_error, 1e-6);
  EXPECT_FALSE(report.energy.drift.grows);
  for (const auto& momentum : report.momenta) EXPECT_LT(momentum.max_error, 1e-14) << momentum.name;
  const auto& height = report.observables.at(2);  // axis.z
  EXPECT_GT(height.largest, 1 - 1e-3);
  EXPECT_LT(height.smallest, 0.9);
}

TEST(heavy_top, keeps_its_momenta_over_many_steps) {
  const model m = load_model("heavy-top");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.002});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 100000);
  ASSERT_EQ(report.status, run_status::done);
  ASSERT_EQ(report.momenta.size(), 2U);
  for (const auto& momentum : report.momenta) {
    EXPECT_LT(momentum.max_error / std::abs(momentum.initial), 1e-12) << momentum.name;
  }
  EXPECT_FALSE(report.energy.drift.grows);
}

// Turning about the middle axis is unstable: the racket flips over, again and again, and turns about it still.
TEST(tennis_racket, flips) {
  const model m = load_model("tennis-racket");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.005});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  phase_point<double> point(flow.space());
  int flips = 0;
  double side = 1;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    const auto& q = state.position.value;
    const double middle = q[0] * q[0] - q[1] * q[1] + q[2] * q[2] - q[3] * q[3];  // e_y of the body along e_y of space
    if (std::abs(middle) > 0.99 && middle * side < 0) ++flips, side = -side;
  }
  EXPECT_GE(flips, 3);
  // About its first or third axis it would go on as it was thrown.
  for (const std::vector<std::string>& swapped :
       {std::vector<std::string>{"I1=0.0164", "I2=0.0015"}, std::vector<std::string>{"I3=0.0164", "I2=0.0179"}}) {
    const model steady = model_with("tennis-racket", swapped);
    const integrator<double> other(steady.system, {.method = "simpson", .step = 0.005});
    phase_state<double> start = other.at_start(steady);
    const run_report<double> report = run(other, start, 1000);
    EXPECT_GT(report.observables.at(7).smallest, 0.99);  // middle_axis.y
  }
}

TEST(satellite, is_held_by_the_gradient_of_gravity) {
  const model m = load_model("satellite");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 2000);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_EQ(report.momenta.size(), 3U);
  for (const auto& momentum : report.momenta) EXPECT_LT(momentum.max_error, 1e-13) << momentum.name;
  EXPECT_LT(report.energy.max_relative_error, 1e-8);
  EXPECT_GT(report.observables.at(1).smallest, 0.95);  // pointing
  // With its long axis across the orbit it would turn over.
  const model loose = model_with("satellite", {"I1=0.009", "I3=0.002", "tilt=0.5"});
  const integrator<double> other(loose.system, {.method = "simpson", .step = 0.05});
  phase_state<double> start = other.at_start(loose);
  EXPECT_LT(run(other, start, 2000).observables.at(1).smallest, 0.5);
}

TEST(jointed_bodies, keep_six_momenta_and_their_joint) {
  const model m = load_model("jointed-bodies");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 1000);
  ASSERT_EQ(report.status, run_status::done) << report.reason;
  ASSERT_EQ(report.momenta.size(), 6U);
  for (const auto& momentum : report.momenta) EXPECT_LT(momentum.max_error, 1e-12) << momentum.name;
  EXPECT_LT(report.constraints.max_violation, 1e-13);
  EXPECT_LT(report.constraints.max_hidden_violation, 1e-12);
  EXPECT_LT(report.energy.max_relative_error, 1e-5);
  EXPECT_FALSE(report.energy.drift.grows);
  EXPECT_LT(report.observables.at(0).smallest, 0.5);  // it bends
}

}  // namespace
}  // namespace actio
