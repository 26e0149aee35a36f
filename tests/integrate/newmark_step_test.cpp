#include "actio/integrate/newmark_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

template <class S>
double apart(const model& m, const char* one, const char* other, const S& h, std::size_t steps) {
  using std::abs;
  std::vector<phase_state<S>> ends;
  for (const char* name : {one, other}) {
    const integrator<S> flow(m.system, {.method = name, .step = h});
    ends.push_back(flow.at_start(m));
    EXPECT_EQ(run(flow, ends.back(), steps).status, run_status::done) << name;
  }
  S worst(0);
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    worst = std::max<S>(worst, abs(S(ends[0].position[i] - ends[1].position[i])));
    worst = std::max<S>(worst, abs(S(ends[0].momentum[i] - ends[1].momentum[i])));
  }
  return to_double(worst);
}

TEST(newmark, is_the_midpoint_rule_on_linear_systems) {
  const model m = testing::read(testing::coupled_oscillators);
  EXPECT_LT(apart<double>(m, "newmark-beta", "midpoint", 0.1, 100), 2e-15);
  EXPECT_LT(apart<quad>(m, "newmark-beta", "midpoint", quad(0.1), 100), 1e-32);
  EXPECT_GT(apart<double>(testing::read(testing::henon_heiles), "newmark-beta", "midpoint", 0.1, 100), 1e-5);
}

TEST(newmark, without_beta_is_the_central_difference_scheme) {
  const model m = testing::read(testing::henon_heiles);
  EXPECT_LT(apart<double>(m, "newmark-beta:0:1/2", "strang", 0.1, 100), 2e-15);
  EXPECT_GT(apart<double>(m, "newmark-beta:1/6:1/2", "strang", 0.1, 100), 1e-5);
}

// Both equations, with accelerations that depend on velocities and time.
TEST(newmark, solves_its_equations) {
  const model m = testing::read(testing::forced_system);
  const quad h("0.2"), beta = quad(3) / 10, gamma = quad(3) / 5;
  const integrator<quad> flow(m.system, {.method = "newmark-beta:0.3:0.6", .step = h});
  const auto field = velocity_field<quad>(flow.space());
  phase_point<quad> point(flow.space());
  phase_state<quad> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  const auto rates = [&] {  // q, v and a
    std::vector<quad> y = state.position.value, rate(4);
    y.resize(4);
    quad power;
    EXPECT_TRUE(point.velocity_at(state.time, state.position.value, state.momentum.value, std::span(y).subspan(2)));
    EXPECT_TRUE(field->evaluate(state.time, y, rate, power));
    y.insert(y.end(), rate.begin() + 2, rate.end());
    return y;
  };
  for (int k = 0; k < 5; ++k) {
    const std::vector<quad> left = rates();
    ASSERT_TRUE(workspace->advance(state));
    const std::vector<quad> right = rates();
    for (std::size_t i = 0; i < 2; ++i) {
      const quad a0 = left[4 + i], a1 = right[4 + i];
      EXPECT_LT(abs(right[i] - left[i] - h * left[2 + i] - h * h * ((quad(1) / 2 - beta) * a0 + beta * a1)), 1e-32);
      EXPECT_LT(abs(right[2 + i] - left[2 + i] - h * ((1 - gamma) * a0 + gamma * a1)), 1e-32);
    }
  }
}

// Angular momentum on Kepler's ellipse, twenty times around with 200 steps each: the midpoint rule and the central
// difference scheme keep it, all implicit members lose it. [marsden1997, Section 4]
TEST(newmark, loses_angular_momentum_unless_it_is_explicit) {
  const model m = load_model("kepler");
  const auto lost = [&](const char* name, std::size_t steps = 4000) {
    const integrator<double> flow(m.system, {.method = name, .step = 2 * pi_value<double>() / 200});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, steps);
    EXPECT_EQ(report.status, run_status::done) << name;
    return to_double(report.momenta.front().max_error);
  };
  EXPECT_LT(lost("newmark"), 1e-13);
  EXPECT_LT(lost("newmark-beta:0:1/2"), 1e-13);
  for (const char* name : {"newmark-beta:1/12:1/2", "newmark-beta:1/6:1/2", "newmark-beta"}) {
    const double loss = lost(name);
    EXPECT_GT(loss, 1e-4) << name;
    EXPECT_LT(loss, 1e-1) << name;
  }
  EXPECT_GT(lost("newmark-beta:0.3025:0.6", 400), 0.05);  // numerical damping: the planet falls into the sun
}

// Translations of a free pair of masses: linear momenta are kept by every member.
TEST(newmark, keeps_linear_momenta) {
  const auto system = lagrangian_system::from(
      "pair", {"x", "y"}, [](auto q, auto v) { return v[0] * v[0] / 2 + v[1] * v[1] - pow(q[0] - q[1], 4) / 4; });
  for (const char* name : {"newmark-beta", "newmark-beta:0.3:0.6"}) {
    const integrator<double> flow(system, {.method = name, .step = 0.1});
    phase_state<double> state = flow.at_velocity({1.0, 0.0}, {0.2, 0.3});
    const run_report<double> report = run(flow, state, 1000);
    ASSERT_EQ(report.momenta.size(), 1u);
    EXPECT_LT(report.momenta.front().max_error, 1e-13) << name;
  }
}

TEST(newmark, members_are_found_by_name) {
  EXPECT_EQ(find_method("newmark")->name, "midpoint");
  EXPECT_EQ(find_method("newmark-beta:1/4:0.5"), find_method("newmark-beta"));
  const method* member = find_method("newmark-beta:0.30:3/5");
  ASSERT_NE(member, nullptr);
  EXPECT_EQ(member->name, "newmark-beta:0.3:0.6");
  EXPECT_EQ(member, find_method(member->name));
  EXPECT_EQ(member->traits.order, 1);
  EXPECT_FALSE(member->traits.symmetric);
  EXPECT_EQ(find_method("newmark-beta:1/12:1/2")->traits.order, 2);
  for (const char* name : {"newmark-beta:", "newmark-beta:1", "newmark-beta:-1:1/2", "newmark-beta:1/0:1/2",
                           "newmark-beta:x:1/2", "newmark-beta:1:inf", "newmark-beta:1:2:3"}) {
    EXPECT_EQ(find_method(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace actio
