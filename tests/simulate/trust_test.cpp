// What a certificate says must not depend on conventions, and must not be said of runs that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/run.hpp"

namespace actio {
namespace {

model parsed(const std::string& text) { return parse_model(text, "test.toml"); }

// As a program runs it: with a companion to the end.
run_report<double> certified(const model& m, const std::string& method, double step, std::size_t steps) {
  const integrator<double> flow(m.system, {.method = method, .step = step});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  certificate_meter<double> meter(flow);
  meter.accompany(companion<double>::beside(flow, state, companion<double>::unlimited));
  if (flow.space().has_energy()) meter.follow(jump_watch<double>(flow.space()));
  return run(flow, *workspace, state, run_options<double>{.steps = steps, .meter = &meter});
}

std::string pendulum(const std::string& more, double velocity = 0) {
  return fmt::format(
      "coordinates = ['q']\nlagrangian = \"1/2*q'^2 + cos(q){}\"\n[initial.position]\nq = 1\n[initial.velocity]\nq = "
      "{}\n",
      more, velocity);
}

TEST(trust, does_not_depend_on_the_zero_of_the_potential) {
  for (const auto& [step, trusted] : {std::pair(0.1, true), std::pair(1.9, false)}) {
    const auto plain = certified(parsed(pendulum("")), "verlet", step, 400);
    EXPECT_EQ(plain.trust.is_trusted(), trusted) << step;
    for (const char* c : {"1e9", "-1e9", "1e3", "-1", "-cos(1)"}) {
      const auto shifted = certified(parsed(pendulum(fmt::format(" - ({})", c))), "verlet", step, 400);
      EXPECT_EQ(shifted.trust.is_trusted(), trusted) << step << ' ' << c;
      EXPECT_EQ(shifted.energy.drift.verdict, plain.energy.drift.verdict) << step << ' ' << c;
      EXPECT_EQ(shifted.energy.scale, plain.energy.scale) << c;
      EXPECT_NEAR(shifted.energy.max_error / plain.energy.max_error, 1, 1e-9) << c;
    }
  }
}

TEST(trust, does_not_depend_on_total_time_derivatives) {
  const auto plain = certified(parsed(pendulum("")), "simpson", 0.2, 400);
  // Simpson's rule is exact for this one: the discrete motions are the same as well.
  const auto gauged = certified(parsed(pendulum(" + 1000*q*q'")), "simpson", 0.2, 400);
  EXPECT_NEAR(gauged.energy.scale / plain.energy.scale, 1, 1e-9);
  EXPECT_EQ(gauged.trust.is_trusted(), plain.trust.is_trusted());
  EXPECT_EQ(gauged.energy.drift.verdict, plain.energy.drift.verdict);
}

TEST(trust, does_not_depend_on_units) {
  const auto in_units = [](double mass, double length, double time, const std::string& method, double step) {
    const std::string text = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"m/2*(x'^2 + y'^2) + k/sqrt(x^2 + y^2)\"\n[parameters]\nm = {0}\nk = "
        "{1}\n"
        "[initial.position]\nx = {2}\ny = 0\n[initial.velocity]\nx = 0\ny = {3}\n",
        mass, mass * length * length * length / (time * time), length, 1.1 * length / time);
    return certified(parsed(text), method, step * time, 3000);
  };
  for (const auto& [method, step] : {std::pair("simpson", 0.05), std::pair("verlet", 0.25), std::pair("rk4", 0.1)}) {
    const auto plain = in_units(1, 1, 1, method, step);
    for (const double unit : {1e-12, 1e12}) {
      for (const auto& other : {in_units(unit, 1, 1, method, step), in_units(1, unit, 1, method, step),
                                in_units(1, 1, unit, method, step)}) {
        EXPECT_EQ(other.energy.drift.verdict, plain.energy.drift.verdict) << method << ' ' << unit;
        EXPECT_EQ(other.trust.is_trusted(), plain.trust.is_trusted()) << method << ' ' << unit;
        EXPECT_NEAR(other.motion->relative_error / plain.motion->relative_error, 1, 0.1) << method << ' ' << unit;
      }
    }
  }
}

TEST(trust, notices_a_phase_that_energy_does_not_show) {
  const model m = parsed(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n");
  const auto report = certified(m, "midpoint", 10, 100);
  EXPECT_LT(report.energy.max_error, 1e-13);
  EXPECT_FALSE(report.trust.is_trusted());
  ASSERT_TRUE(report.motion && report.motion->exceeds_after);
  EXPECT_LE(*report.motion->exceeds_after, 20);
}

TEST(trust, needs_observables_with_values) {
  const model m = parsed(pendulum("") + "[observables]\nroot = \"sqrt(q)\"\n");
  const auto report = certified(m, "simpson", 0.1, 100);
  EXPECT_GT(report.observables[0].not_finite, 10U);
  EXPECT_FALSE(report.trust.is_trusted());
  EXPECT_NE(to_text(report).find("root has no value at times, first at t = "), std::string::npos) << to_text(report);
  EXPECT_EQ(to_text(report).find("nan"), std::string::npos) << to_text(report);
}

TEST(trust, is_not_given_to_declared_invariants_that_change) {
  const std::string orbit =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\"\n[initial.position]\nx = 1\ny = "
      "0\n"
      "[initial.velocity]\nx = 0\ny = 1.2\n[invariants]\n";
  const auto kept =
      certified(parsed(orbit + "area = \"x*y' - y*x'\"\nlaplace = \"y'*(x*y' - y*x') - x/sqrt(x^2 + y^2)\"\n"),
                "gauss-2", 0.05, 1000);
  const auto& area = kept.momenta[kept.momenta.size() - 2];  // behind the momenta of symmetries
  EXPECT_TRUE(area.is_invariant);
  EXPECT_EQ(area.drift.verdict, conservation::to_rounding);
  EXPECT_NE(kept.momenta.back().drift.verdict, conservation::to_rounding);
  EXPECT_TRUE(kept.trust.is_trusted()) << kept.trust.reasons[0];
  const auto wrong = certified(parsed(orbit + "nothing = \"x*y'\"\n"), "gauss-4", 0.1, 1000);
  EXPECT_FALSE(wrong.trust.is_trusted());
}

TEST(trust, is_not_given_to_invariants_without_a_value) {
  const auto report = certified(parsed(pendulum("", 1) + "[invariants]\nroot = \"sqrt(q)\"\n"), "simpson", 0.1, 200);
  EXPECT_FALSE(report.trust.is_trusted());
  EXPECT_EQ(to_text(report).find("nan"), std::string::npos) << to_text(report);
}

// At the upper equilibrium of a pendulum the rounding of pi is all that moves it.
TEST(trust, is_not_given_to_what_rounding_of_the_start_has_made) {
  const model m = parsed(
      "coordinates = ['q']\nlagrangian = \"1/2*q'^2 + cos(q)\"\n[initial.position]\nq = 'pi'\n[initial.velocity]\nq = "
      "0\n");
  EXPECT_FALSE(certified(m, "simpson", 0.01, 5000).trust.is_trusted());
}

// Rounding of (q − 1000)^4 is that of q − 1000, not that of 1000^4.
TEST(trust, tells_rounding_from_errors_wherever_the_origin_is) {
  for (const char* origin : {"0", "1000"}) {
    const model m =
        parsed(fmt::format("coordinates = ['q']\nlagrangian = \"1/2*q'^2 - (q - {0})^4/4\"\n[initial.position]\n"
                           "q = \"{0} + 1\"\n[initial.velocity]\nq = 0.1\n",
                           origin));
    const auto report = certified(m, "simpson", 0.3, 30);
    EXPECT_NEAR(report.energy.max_relative_error, 1.5e-4, 1e-5) << origin;
    EXPECT_NE(report.energy.drift.verdict, conservation::to_rounding) << origin;
  }
}

// A particle that would turn round at a jump of its potential goes on, with steps of any length: derivatives say
// nothing.
TEST(trust, is_not_given_where_a_lagrangian_jumps) {
  for (const char* jump : {"0.2*sign(x-3)", "0.2*tanh(1/(x-3))", "0.1*atan(1/(x-3))", "0.2*(x-3)/sqrt((x-3)^2)"}) {
    const model m = parsed(
        fmt::format("coordinates = ['x']\nlagrangian = \"1/2*x'^2 + 5*exp(-(x+1)^2) - {}\"\n[initial.position]\nx = "
                    "-1\n[initial.velocity]\nx = 3.2\n",
                    jump));
    const auto report = certified(m, "simpson", 0.0101, 1000);
    EXPECT_TRUE(report.energy.jump) << jump;
    EXPECT_FALSE(report.trust.is_trusted()) << jump;
  }
  const model heavier = parsed(
      "coordinates = ['x']\nlagrangian = \"(1+0.05*sign(x))*x'^2/2 - x^2/2\"\n[initial.position]\nx = "
      "-1\n[initial.velocity]\nx = 1\n");
  EXPECT_FALSE(certified(heavier, "gauss-2", 0.011, 500).trust.is_trusted());
}

// The energy of another coordinate hides what a jump leaves in the sum; a state one rounding beside it would excuse
// all.
TEST(trust, sees_jumps_beside_large_errors_and_beside_roundings) {
  for (const char* jump : {"sign(x - 0.375)", "tanh((x - 0.375)/1e-7)"}) {
    const model hidden =
        parsed(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 5000*y^2 - "
                           "0.3*{}\"\n[initial.position]\nx = 0\ny = "
                           "0\n[initial.velocity]\nx = 1\ny = 100\n",
                           jump));
    EXPECT_TRUE(certified(hidden, "verlet", 0.002, 500).energy.jump) << jump;
  }
  const model landing = parsed(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - 5*(x-3)/sqrt((x-3)^2)\"\n[initial.position]\nx = "
      "1\n[initial.velocity]\nx = 0.2\n");
  EXPECT_FALSE(certified(landing, "simpson", 0.1, 400).trust.is_trusted());
}

TEST(trust, does_not_take_constant_forces_for_fast_ones) {
  const model m = parsed(
      "coordinates = ['x', 'y']\nlagrangian = \"1/2*(x'^2+y'^2) - 1/2*(x-y)^2 + x\"\n[initial.position]\nx = 1\ny = "
      "0\n[initial.velocity]\nx = 0\ny = 0\n");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  for (const std::size_t steps : {100, 200, 400})
    EXPECT_FALSE(company_for(flow, flow.at_start(m), steps).unseen) << steps;
}

TEST(trust, takes_errors_of_methods_and_kinks_for_no_jumps) {
  const model kinked = parsed(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n");
  const model comet = parsed(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\"\n[initial.position]\nx = 1.9\ny "
      "= "
      "0\n[initial.velocity]\nx = 0\ny = 0.2294\n");
  for (const char* method : {"verlet", "midpoint", "simpson", "gauss-4", "rk4", "euler-a"}) {
    EXPECT_FALSE(certified(kinked, method, 0.01, 2000).energy.jump) << method;
    EXPECT_FALSE(certified(comet, method, 0.01, 2000).energy.jump) << method;
    EXPECT_FALSE(certified(parsed(pendulum("", 1.9)), method, 0.3, 2000).energy.jump) << method;
  }
}

TEST(trust, needs_something_that_was_measured) {
  const model m = parsed("coordinates = ['x']\n[equations]\nx = \"-x\"\n[initial.position]\nx = 1\n");
  const integrator<double> flow(m.system, {.method = "rk4", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  EXPECT_FALSE(run(flow, state, 100).trust.is_trusted()) << "no energy, no companion";
  EXPECT_TRUE(certified(m, "rk4", 0.1, 100).trust.is_trusted());
}

TEST(trust, does_not_take_errors_of_a_method_for_rounding) {
  const model m = parsed(
      "coordinates = ['x', 'y']\nlagrangian = \"1/2*(x'^2+y'^2) + 3*(x*y'-y*x') + "
      "1/2*(x^2+y^2)\"\n[initial.position]\nx = "
      "1\ny = 1\n[initial.velocity]\nx = 1\ny = 0\n");
  EXPECT_EQ(certified(m, "simpson", 0.01, 5000).energy.drift.verdict, conservation::bounded);
  EXPECT_EQ(certified(m, "gauss-6", 0.01, 5000).energy.drift.verdict, conservation::to_rounding);
}

TEST(trust, does_not_take_a_slow_beat_for_a_drift) {
  const model m = parsed(
      "coordinates = ['x', 'y']\nlagrangian = \"1/2*(x'^2+y'^2) - 1/2*x^2 - 2*y^2 + "
      "0.02*x^2*y\"\n[initial.position]\nx = "
      "1\ny = 0.1\n[initial.velocity]\nx = 0\ny = 0\n");
  EXPECT_EQ(certified(m, "simpson", 0.1, 3000).energy.drift.verdict, conservation::bounded);
  EXPECT_EQ(certified(m, "rk4", 0.1, 3000).energy.drift.verdict, conservation::drifts);
}

TEST(companion, measures_the_error_of_a_motion) {
  const model m = parsed(pendulum("", 0.5));
  for (const char* method : {"euler-b", "midpoint", "simpson", "gauss-3", "rk4"}) {
    const double step = 0.05;
    const auto report = certified(m, method, step, 400);
    const integrator<double> flow(m.system, {.method = "gauss-10", .step = step});
    phase_state<double> truth = flow.at_start(m);
    ASSERT_EQ(run(flow, truth, 400).status, run_status::done);
    const double q = std::abs(report.position[0] - truth.position[0]),
                 p = std::abs(report.momentum[0] - truth.momentum[0]);
    ASSERT_TRUE(report.motion) << method;
    EXPECT_LE(std::max(q, p), 1.5 * report.motion->estimated_error + 1e-14) << method;
    EXPECT_GE(std::max(q, p), 0.05 * report.motion->estimated_error - 1e-12) << method;
  }
}

TEST(companion, that_stays_behind_says_nothing_of_the_rest) {
  const model m = parsed(pendulum(""));
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  certificate_meter<double> meter(flow);
  meter.accompany(companion<double>::beside(flow, state, 50));
  const auto workspace = flow.make_workspace();
  EXPECT_FALSE(run(flow, *workspace, state, run_options<double>{.steps = 51, .meter = &meter}).motion);
}

TEST(companion, goes_on_from_a_snapshot) {
  const model m = parsed(pendulum("", 0.3));
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  const phase_state<double> start = flow.at_start(m);
  const auto meter_at = [&] {
    certificate_meter<double> meter(flow);
    meter.accompany(companion<double>::beside(flow, start, companion<double>::unlimited));
    return meter;
  };
  phase_state<double> state = start;
  const auto workspace = flow.make_workspace();
  auto first = meter_at();
  run(flow, *workspace, state, run_options<double>{.steps = 700, .meter = &first});
  snapshot saved;
  first.save(saved);
  auto second = meter_at();
  second.load(saved);
  const auto resumed = run(flow, *workspace, state, run_options<double>{.steps = 2000, .meter = &second});
  const auto whole = certified(m, "simpson", 0.1, 2000);
  EXPECT_EQ(resumed.motion->estimated_error, whole.motion->estimated_error);
  EXPECT_EQ(resumed.motion->relative_error, whole.motion->relative_error);
  EXPECT_EQ(resumed.energy.drift.per_time, whole.energy.drift.per_time);
}

// A wall in the way of the motion, far narrower than a step: the run goes through it, shorter steps do not.
TEST(companion, meets_walls_that_the_steps_jump_over) {
  for (const char* width : {"1e-2", "1e-3"}) {
    const model m = parsed(fmt::format(
        "coordinates = ['q']\nlagrangian = \"1/2*q'^2 - 2*exp(-((q - 3.3333)/{})^2)\"\n[initial.position]\nq = 0\n"
        "[initial.velocity]\nq = 1\n",
        width));
    for (const double step : {0.4, 0.1}) {
      const integrator<double> flow(m.system, {.method = "simpson", .step = step});
      phase_state<double> state = flow.at_start(m);
      const auto steps = static_cast<std::size_t>(10 / step);
      certificate_meter<double> meter(flow);
      meter.accompany(
          companion<double>::beside(flow, state, companion<double>::unlimited, company_for(flow, state, steps)));
      const auto workspace = flow.make_workspace();
      const auto report = run(flow, *workspace, state, run_options<double>{.steps = steps, .meter = &meter});
      EXPECT_FALSE(report.trust.is_trusted()) << width << ' ' << step;
    }
  }
}

// Drives that are in step with the steps.
TEST(companion, is_not_deceived_by_fast_drives) {
  const model m = parsed(
      "coordinates = ['q']\nlagrangian = \"1/2*q'^2\"\n[forces]\nq = \"cos(2*pi*102400*t)\"\n[initial.position]\nq = "
      "0\n"
      "[initial.velocity]\nq = 1\n");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  EXPECT_TRUE(company_for(flow, flow.at_start(m), 1000).unseen);
}

// Steps and parts of them put a kink into the same place: only other nodes show the error.
TEST(companion, sees_errors_at_kinks) {
  const model m = parsed(
      "coordinates = ['q']\nlagrangian = \"1/2*q'^2 - abs(q)\"\n[initial.position]\nq = 0\n[initial.velocity]\nq = "
      "1\n");
  for (const char* method : {"midpoint", "simpson", "verlet", "gauss-2"}) {
    const double step = 0.0668;
    const integrator<double> flow(m.system, {.method = method, .step = step});
    phase_state<double> state = flow.at_start(m);
    certificate_meter<double> meter(flow);
    meter.accompany(
        companion<double>::beside(flow, state, companion<double>::unlimited, company_for(flow, state, 140)));
    const auto workspace = flow.make_workspace();
    const auto report = run(flow, *workspace, state, run_options<double>{.steps = 140, .meter = &meter});
    const double t = state.time - 8, exact = t - t * t / 2;  // q = t − t²/2 in [0, 2], mirrored from then on
    EXPECT_LE(std::abs(state.position[0] - exact), 2 * report.motion->estimated_error + 1e-12) << method;
  }
}

// A pulse between the nodes of the run is not between those of the companion.
TEST(companion, sees_what_the_steps_jump_over) {
  const model m = parsed(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 + 10*x*exp(-(100*(t - 40.22))^2)\"\n"
      "[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  const company_plan plan = company_for(flow, flow.at_start(m), 500);
  EXPECT_GT(plan.parts, 10U);
  phase_state<double> state = flow.at_start(m);
  certificate_meter<double> meter(flow);
  meter.accompany(companion<double>::beside(flow, state, companion<double>::unlimited, plan));
  const auto workspace = flow.make_workspace();
  const auto report = run(flow, *workspace, state, run_options<double>{.steps = 500, .meter = &meter});
  EXPECT_GT(report.motion->estimated_error, 0.05);
}

}  // namespace
}  // namespace actio
