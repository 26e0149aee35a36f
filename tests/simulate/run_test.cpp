#include "actio/simulate/run.hpp"

#include <gtest/gtest.h>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

template <class S>
run_report<S> simulate(const model& m, const std::string& method, const S& step, const S& until) {
  const integrator<S> flow(m.system, {.method = method, .step = step});
  phase_state<S> state = flow.at_start(m);
  return run(flow, state, steps_until(until, step));
}

// [rojas2025, Table 2] and the same with the implicit midpoint rule.
TEST(run, double_pendulum_has_the_published_energy_errors) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const struct {
    const char* method;
    double step, error;
  } cells[] = {{"simpson", 0.04, 8.83e-6},  {"simpson", 0.02, 5.47e-7},  {"simpson", 0.01, 3.42e-8},
               {"midpoint", 0.04, 8.31e-4}, {"midpoint", 0.02, 2.29e-4}, {"midpoint", 0.01, 5.78e-5}};
  for (const auto& cell : cells) {
    const auto report = simulate<double>(m, cell.method, cell.step, 10.0);
    EXPECT_EQ(report.status, run_status::done);
    EXPECT_NEAR(report.energy.max_relative_error / cell.error, 1, 0.002) << cell.method << " " << cell.step;
    EXPECT_FALSE(report.energy.drift.grows);
  }
}

TEST(run, angles_and_cartesian_definitions_agree_at_forty_digits) {
  const precision_scope scope(40);
  const multi step = multi(1) / multi(50);
  const auto a = simulate<multi>(testing::read(testing::double_pendulum_in_angles), "simpson", step, multi(2));
  const auto b = simulate<multi>(testing::read(testing::double_pendulum_in_cartesian), "simpson", step, multi(2));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(abs(a.position[i] - b.position[i]), multi("1e-36"));
    EXPECT_LT(abs(a.momentum[i] - b.momentum[i]), multi("1e-36"));
  }
  EXPECT_LT(abs(a.energy.max_relative_error - b.energy.max_relative_error), multi("1e-36"));
}

TEST(run, the_ledger_of_a_forced_system_closes_at_the_order_of_the_method) {
  const model m = testing::read(testing::forced_system);
  const double coarse = simulate<double>(m, "simpson", 0.1, 10.0).energy.max_relative_error;
  const auto fine = simulate<double>(m, "simpson", 0.05, 10.0);
  EXPECT_TRUE(fine.energy.supplied);
  EXPECT_NEAR(std::log2(coarse / fine.energy.max_relative_error), 4, 0.3);
  EXPECT_GT(std::abs(fine.energy.final - fine.energy.initial), 1e-2);
  EXPECT_LT(simulate<double>(m, "gauss-8", 0.1, 10.0).energy.max_relative_error, 1e-12);
}

TEST(run, a_motion_that_leaves_the_domain_fails_with_a_reason) {
  const auto wall =
      lagrangian_system::from("wall", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - q[0] * sqrt(q[0]); });
  const integrator<double> flow(wall, {.method = "simpson", .step = 0.1});
  phase_state<double> state = flow.at_velocity({1.0}, {0.0});
  const auto report = run(flow, state, 1000);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_EQ(report.failure, step_code::left_domain);
  EXPECT_NE(report.reason.find("leaves the domain"), std::string::npos) << report.reason;
  EXPECT_FALSE(report.suggestion.empty());
  EXPECT_LT(report.steps, 1000u);
  EXPECT_TRUE(std::isfinite(report.position[0]));
}

TEST(run, a_step_that_is_too_long_suggests_one_that_works) {
  const auto stiff = lagrangian_system::from(
      "stiff", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - 5000 * q[0] * q[0] - exp(q[0] * q[0]); });
  const integrator<double> flow(stiff, {.method = "verlet", .step = 0.1});
  phase_state<double> state = flow.at_velocity({1e-6}, {0.0});
  const auto report = run(flow, state, 100);
  ASSERT_EQ(report.status, run_status::failed);
  EXPECT_NE(report.suggestion.find("try step = "), std::string::npos) << report.suggestion;
}

TEST(run, an_interrupted_run_keeps_its_last_state) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  int asked = 0;
  const auto report =
      run(flow, *workspace, state, {.steps = 100, .observers = {}, .interrupted = [&] { return ++asked == 10; }});
  EXPECT_EQ(report.status, run_status::interrupted);
  EXPECT_EQ(report.steps, 10u);
}

TEST(run, an_observer_may_end_it_and_everybody_sees_the_last_step) {
  struct watcher final : observer<double> {
    std::size_t seen = 0, last;
    explicit watcher(std::size_t last) : last(last) {}
    void observe(const sample<double>& now) override { seen = now.state.index + 1; }
    std::string reason_to_end() const override { return seen > last ? "enough was seen" : ""; }
  } first(10), second(1000), at_once(0);
  const model m = testing::read(testing::double_pendulum_in_angles);
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
  const auto ended = [&](const std::vector<observer<double>*>& observers) {
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    return run(flow, *workspace, state, {.steps = 100, .observers = observers});
  };
  const auto report = ended({&first, &second});
  EXPECT_EQ(report.status, run_status::interrupted);
  EXPECT_EQ(report.steps, 10u);
  EXPECT_EQ(second.seen, 11u);
  EXPECT_EQ(report.reason, "an observer ended the run at step 10: enough was seen");
  EXPECT_TRUE(report.trust.is_trusted());
  EXPECT_EQ(ended({&at_once}).steps, 0u);
}

TEST(run, momenta_of_a_cyclic_coordinate_do_not_change_by_a_bit) {
  const auto top = lagrangian_system::from("spherical", {"theta", "phi"}, [](auto q, auto v) {
    return (v[0] * v[0] + sin(q[0]) * sin(q[0]) * v[1] * v[1]) / 2 + cos(q[0]);
  });
  const integrator<double> flow(top, {.method = "gauss-3", .step = 0.1});
  phase_state<double> state = flow.at_velocity({1.0, 0.0}, {0.1, 1.3});
  const auto report = run(flow, state, 1000);
  ASSERT_EQ(report.momenta.size(), 1u);
  EXPECT_EQ(report.momenta[0].name, "p_phi");
  EXPECT_EQ(report.momenta[0].max_error, 0.0);
}

TEST(steps_until, ends_at_the_first_grid_point_at_or_after_the_time) {
  EXPECT_EQ(steps_until(1.0, 0.1), 10u);
  EXPECT_EQ(steps_until(0.3, 0.1), 3u);
  EXPECT_EQ(steps_until(1.0, 0.3), 4u);
  EXPECT_EQ(steps_until(0.0, 0.3), 0u);
  EXPECT_EQ(steps_until(1e6, 1e-3), 1000000000u);
  EXPECT_EQ(steps_until(1.001, 0.1), 11u);
}

TEST(integrator, refuses_what_cannot_run) {
  const auto free = lagrangian_system::from("free", {"q"}, [](auto, auto v) { return v[0] * v[0] / 2; });
  const auto id_of = [&](auto&& action) -> std::string {
    try {
      action();
    } catch (const input_error& e) {
      return e.id();
    }
    return "";
  };
  EXPECT_EQ(id_of([&] { integrator<double>(free, {.method = "simpsn", .step = 0.1}); }), "unknown-method");
  EXPECT_EQ(id_of([&] { integrator<double>(free, {.method = "simpson", .step = 0.0}); }), "bad-step");
  EXPECT_EQ(id_of([&] { integrator<double>(free, {.method = "simpson", .step = NAN}); }), "bad-step");
  EXPECT_EQ(id_of([&] { integrator<double>(free, {.method = "simpson", .step = 0.1, .velocity_state = true}); }),
            "conflicting-options");
  const auto wall = lagrangian_system::from("wall", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 + log(q[0]); });
  const integrator<double> flow(wall, {.method = "simpson", .step = 0.1});
  EXPECT_EQ(id_of([&] { flow.at_velocity({-1.0}, {0.0}); }), "non-finite-start");
  EXPECT_EQ(id_of([&] { flow.at_velocity({1.0, 2.0}, {0.0}); }), "missing-initial-value");
}

TEST(integrator, refuses_a_mass_that_vanishes_at_the_start) {
  const auto polar = lagrangian_system::from(
      "polar", {"r", "phi"}, [](auto q, auto v) { return (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2; });
  const integrator<double> flow(polar, {.method = "simpson", .step = 0.1});
  EXPECT_THROW(flow.at_velocity({0.0, 1.0}, {1.0, 0.0}), input_error);
}

TEST(certificate, does_not_vouch_for_a_motion_that_lost_its_energy) {
  const auto oscillator =
      lagrangian_system::from("oscillator", {"q"}, [](auto q, auto v) { return (v[0] * v[0] - q[0] * q[0]) / 2; });
  const integrator<double> flow(oscillator, {.method = "simpson", .step = 2.9, .allow_unstable = true});
  phase_state<double> state = flow.at_momentum({1.0}, {0.0});
  const std::string text = to_text(run(flow, state, 50));
  EXPECT_NE(text.find("doubtful: the energy is off by"), std::string::npos) << text;
  EXPECT_EQ(text.find("bounded"), std::string::npos) << text;
}

}  // namespace
}  // namespace actio
