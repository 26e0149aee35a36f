// The shadow energy, and the quadratic form of linear systems: what symplectic steps keep in the place of the energy.
#include "actio/simulate/shadow_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/discrete/linear_schemes.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/linear_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

run_report<double> shadowed(const model& m, const std::string& method, double step, std::size_t steps) {
  const integrator<double> flow(m.system, {.method = method, .step = step});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  certificate_meter<double> meter(flow);
  meter.follow(shadow_meter<double>(flow, *workspace));
  return run(flow, *workspace, state, run_options<double>{.steps = steps, .meter = &meter});
}

double error_at(const run_report<double>& report, int order) {
  for (const auto& tried : report.shadow->all) {
    if (tried.order == order) return tried.max_error;
  }
  ADD_FAILURE() << "no order " << order;
  return 0;
}

model pendulum(const std::string& more = "") {
  return parse_model("coordinates = ['q']\nlagrangian = \"1/2*q'^2 + cos(q)" + more +
                         "\"\n[initial.position]\nq = 1.5\n[initial.velocity]\nq = 0.5\n",
                     "test.toml");
}

TEST(shadow_energy, varies_far_less_than_the_energy) {
  const auto report = shadowed(testing::read(testing::double_pendulum_in_angles), "simpson", 0.02, 2000);
  ASSERT_GT(report.shadow->order, 0);
  EXPECT_LT(1e3 * report.shadow->energy.max_error, report.energy.max_error);
  EXPECT_LT(1e3 * error_at(report, 12), report.energy.max_error);
  EXPECT_NE(report.shadow->energy.drift.verdict, conservation::drifts);
}

TEST(shadow_energy, is_right_to_the_orders_that_it_states) {
  for (const char* method :
       {"midpoint", "verlet", "strang", "simpson", "yoshida-4", "gauss-2", "lobatto-iiia-iiib-3"}) {
    const int order = find_method(method)->traits.order;
    const auto coarse = shadowed(pendulum(), method, 0.1, 400), fine = shadowed(pendulum(), method, 0.05, 800);
    for (const int above : {2, 4}) {
      const double seen = std::log2(error_at(coarse, order + above) / error_at(fine, order + above));
      EXPECT_GT(seen, order + above - 0.8) << method << ' ' << above;
    }
    EXPECT_LT(100 * fine.shadow->energy.max_error, fine.energy.max_error) << method;
  }
}

TEST(shadow_energy, is_that_of_the_map_and_not_of_how_it_is_computed) {
  const auto verlet = shadowed(pendulum(), "verlet", 0.1, 100), strang = shadowed(pendulum(), "strang", 0.1, 100);
  EXPECT_NEAR(verlet.shadow->energy.initial, strang.shadow->energy.initial, 1e-14);
  const auto midpoint = shadowed(pendulum(), "midpoint", 0.1, 100), gauss = shadowed(pendulum(), "gauss-1", 0.1, 100);
  EXPECT_NEAR(midpoint.shadow->energy.initial, gauss.shadow->energy.initial, 1e-14);
}

TEST(shadow_energy, does_not_lose_digits_to_constants) {
  const auto plain = shadowed(pendulum(), "simpson", 0.1, 500),
             lifted = shadowed(pendulum(" - 1e6"), "simpson", 0.1, 500);
  EXPECT_NEAR(lifted.shadow->energy.initial - 1e6, plain.shadow->energy.initial, 1e-9);
  EXPECT_NEAR(lifted.shadow->energy.max_error / plain.shadow->energy.max_error, 1, 1e-2);
  const auto far = shadowed(pendulum(" - 1e12"), "verlet", 0.1, 500), near = shadowed(pendulum(), "verlet", 0.1, 500);
  EXPECT_NEAR(error_at(far, 4) / error_at(near, 4), 1, 1e-6);
}

TEST(shadow_energy, belongs_to_constrained_motions_too) {
  const model m = load_model("spherical-pendulum-rod");
  for (const char* method : {"verlet", "simpson"}) {
    const auto report = shadowed(m, method, 0.02, 400);
    EXPECT_LT(1e3 * report.shadow->energy.max_error, report.energy.max_error) << method;
  }
}

TEST(shadow_energy, sees_methods_that_drift) {
  const auto report = shadowed(pendulum(), "rk4", 0.2, 3000);
  EXPECT_EQ(report.shadow->energy.drift.verdict, conservation::drifts);
}

TEST(shadow_energy, goes_on_from_a_snapshot) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.02});
  const auto begun = [&](step_workspace<double>& workspace) {
    certificate_meter<double> meter(flow);
    meter.follow(shadow_meter<double>(flow, workspace));
    return meter;
  };
  for (const std::size_t pause : {3, 50}) {
    const auto workspace = flow.make_workspace(), again = flow.make_workspace();
    certificate_meter<double> meter = begun(*workspace), resumed = begun(*again);
    phase_state<double> state = flow.at_start(m);
    run(flow, *workspace, state, run_options<double>{.steps = pause, .meter = &meter});
    snapshot saved;
    save(state, saved);
    meter.save(saved);
    const std::vector<double> history = workspace->history();
    const auto whole = run(flow, *workspace, state, run_options<double>{.steps = 100, .meter = &meter});
    resumed.load(saved);
    again->restore_history(history);
    phase_state<double> later = load_state<double>(saved, flow.space());
    const auto parts = run(flow, *again, later, run_options<double>{.steps = 100, .meter = &resumed});
    EXPECT_EQ(whole.shadow->energy.max_error, parts.shadow->energy.max_error) << pause;
    EXPECT_EQ(whole.shadow->energy.final, parts.shadow->energy.final) << pause;
  }
}

TEST(shadow_energy, is_refused_where_there_is_none) {
  const auto refusal = [](const model& m, const std::string& method) -> std::string {
    try {
      shadowed(m, method, 0.1, 10);
    } catch (const input_error& error) {
      return std::string(error.id());
    }
    return "";
  };
  EXPECT_EQ(refusal(testing::read(testing::forced_system), "simpson"), "no-shadow-energy");
  EXPECT_EQ(refusal(pendulum(), "energy-momentum"), "no-discrete-action");
  EXPECT_EQ(refusal(pendulum(), "simpson"), "");
  for (const std::size_t steps : {10, 16, 20}) {
    EXPECT_EQ(shadowed(pendulum(), "simpson", 0.1, steps).shadow->order, 0) << "too short";
  }
}

// On a linear system every order is constant; only the higher ones are near H~ = (E/h) 2 atan(h/2) of the midpoint
// rule.
TEST(shadow_energy, has_the_value_of_the_highest_order_that_varies_little) {
  const model m = parse_model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n",
      "test.toml");
  const auto right = [](double h) { return 0.5 / h * 2 * std::atan(h / 2); };
  EXPECT_NEAR(shadowed(m, "midpoint", 0.3, 60).shadow->energy.initial, right(0.3), 1e-13);
  const auto coarse = *shadowed(m, "midpoint", 1.9, 60).shadow;
  EXPECT_LT(std::abs(coarse.energy.initial - right(1.9)), 3 * coarse.uncertainty);
}

TEST(shadow_energy, says_how_little_it_knows_of_steps_that_hardly_move) {
  const auto report = shadowed(pendulum(), "verlet", 1e-12, 100);
  EXPECT_LT(std::abs(report.shadow->energy.initial - report.energy.initial), report.shadow->uncertainty);
}

}  // namespace
}  // namespace actio
