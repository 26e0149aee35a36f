// Which kind of steps an accuracy is reached with, and that what is chosen keeps it.
#include "actio/analysis/step_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "actio/simulate/second_run.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

constexpr double orbit = 2 * 3.141592653589793;

run_report<double> report_of(const model& m, const settings& given) {
  const simulation_result result = simulate(m, {.given = testing::typed_options(given)});
  EXPECT_EQ(result.status, run_status::done) << result.reason;
  return std::get<simulated<double>>(result.numbers).report;
}

// An orbit of half axis 1 from its aphelion, without a scale of time.
model orbit_of(double eccentricity) {
  model m = load_model("eccentric-kepler");
  m.system.time_scale.reset();
  for (named_expr& p : m.system.parameters) {
    if (p.name == "e") p.value = expr(rational(std::lround(100 * eccentricity), 100));
  }
  return m;
}

double exact_error(const model& m, const run_report<double>& report) {
  const exact_answer<double> answer = exact_answer_of<double>("eccentric-kepler", m);
  EXPECT_TRUE(answer.motion) << answer.obstacle;
  const exact_point<double> end = answer.motion(report.time);
  double error = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    error = std::max(error, std::abs(report.position[i] - end.position[i]));
    error = std::max(error, std::abs(report.momentum[i] - end.momentum[i]));
  }
  return error;
}

TEST(step_choice, long_eccentric_orbits_have_steps_of_a_scaled_time) {
  for (const double e : {0.9, 0.99}) {
    const model m = orbit_of(e);
    const auto choice = choose_steps<double>(m, {.accuracy = 1e-8, .until = 100 * orbit});
    EXPECT_EQ(choice.kind, step_kind::scaled) << e << choice.settled.reason;
    EXPECT_TRUE(choice.adds_scale);
    EXPECT_LE(choice.settled.estimated_error, 1e-8);
    EXPECT_NE(choice.settled.reason.find("uneven"), std::string::npos);
    EXPECT_NE(choice.settled.reason.find("adaptive steps"), std::string::npos) << choice.settled.reason;
  }
}

TEST(step_choice, what_is_chosen_keeps_the_accuracy) {
  for (const double e : {0.9, 0.99}) {
    for (const char* accuracy : {"1e-6", "1e-9"}) {
      const model m = orbit_of(e);
      const auto report = report_of(m, {{"accuracy", accuracy}, {"until", "20*pi + 1"}});
      EXPECT_LE(exact_error(m, report), std::stod(accuracy)) << e << ' ' << report.choice->reason;
      EXPECT_TRUE(report.trust.is_trusted());
    }
  }
}

TEST(step_choice, even_motions_keep_steps_of_one_length) {
  for (const char* name : {"double-pendulum", "henon-heiles"}) {
    const model m = load_model(name);
    const auto choice = choose_steps<double>(m, {.accuracy = 1e-8, .until = 10.0});
    const auto fixed = choose<double>(m, {.accuracy = 1e-8, .until = 10.0});
    EXPECT_EQ(choice.kind, step_kind::fixed) << name;
    EXPECT_EQ(choice.settled.method, fixed.method);
    EXPECT_EQ(choice.settled.step, fixed.step);
    EXPECT_EQ(choice.settled.reason, fixed.reason);
  }
  model circle = orbit_of(0);
  EXPECT_EQ(choose_steps<double>(circle, {.accuracy = 1e-8, .until = 10 * orbit}).kind, step_kind::fixed);
}

TEST(step_choice, the_least_work_is_taken) {
  for (const char* name : {"pythagorean-three-body", "pleiades", "arenstorf"}) {
    const model m = load_model(name);
    const double until = quantity_value<double>(m.system, parse_quantity(m, *m.run.find("until")));
    const auto choice = choose_steps<double>(m, {.accuracy = 1e-8, .until = until});
    EXPECT_NE(choice.kind, step_kind::fixed) << name;
    EXPECT_LE(choice.settled.estimated_error, 1e-8) << name;
    // The same by steps of one length takes much more work.
    EXPECT_LT(choice.settled.work, 1e6) << name << ' ' << choice.settled.reason;
  }
}

TEST(step_choice, a_scale_of_the_model_stays) {
  const model m = load_model("eccentric-kepler");
  const auto free = choose_steps<double>(m, {.accuracy = 1e-9, .until = 10 * orbit});
  EXPECT_EQ(free.kind, step_kind::scaled);
  EXPECT_FALSE(free.adds_scale);
  const auto kept =
      choose_steps<double>(m, {.accuracy = 1e-7, .until = 10 * orbit, .kept_method = find_method("lobatto-4")});
  EXPECT_EQ(kept.settled.method->name, "lobatto-4");
  EXPECT_LE(kept.settled.estimated_error, 1e-7);
  const auto with_step = choose_steps<double>(m, {.accuracy = 1e-7, .until = 10 * orbit, .kept_step = 0.5});
  EXPECT_EQ(with_step.settled.step, 0.5);
  EXPECT_LE(with_step.settled.estimated_error, 1e-7);
  const auto report = report_of(m, {{"accuracy", "1e-9"}, {"until", "20*pi + 1"}});
  EXPECT_LE(exact_error(m, report), 1e-9);
  EXPECT_EQ(report.choice->kind, "scaled");
}

// Forces that events and controls change count: steps are so long here that only they tell one from another.
TEST(step_choice, a_scale_of_the_model_is_measured_with_its_events_and_controls) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) + mu/r\"\n[definitions]\nr = \"sqrt(x^2 + "
      "y^2)\"\n[parameters]\nmu = 1\n[time]\nscale = \"r^(3/2)\"\n[control.u]\nvalue = \"0.01*x'\"\nevery = "
      "1.7\n[forces]\nx = \"u\"\n[events.near]\nwhen = \"x*x' + y*y'\"\ndirection = \"up\"\nset = { mu = "
      "\"0.95*mu\" }\n[initial]\nposition = { x = 1.9, y = 0 }\nvelocity = { x = 0, y = 0.23 }\n[run]\nuntil = 30\n",
      "m.toml");
  const auto exact = report_of(m, {{"method", "gauss-8"}, {"step", "0.02"}});
  for (const char* accuracy : {"1e-6", "1e-8"}) {
    const auto report = report_of(m, {{"accuracy", accuracy}});
    EXPECT_TRUE(report.trust.is_trusted());
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(report.position[i], exact.position[i], 3 * std::stod(accuracy)) << report.choice->reason;
      EXPECT_NEAR(report.momentum[i], exact.momentum[i], 3 * std::stod(accuracy)) << report.choice->reason;
    }
  }
}

// A pulse that long steps of an oscillator do not see; steps at which it would be unstable are no candidates.
TEST(step_choice, a_pulse_on_an_oscillator_is_seen) {
  const model m = parse_model(
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2 + 100*x*exp(-((t - 5)/0.001)^2)\"\n[initial]\n"
      "position = { x = 1 }\nvelocity = { x = 0 }\n[run]\nuntil = 10\n",
      "m.toml");
  const double kick = 100 * 0.001 * std::sqrt(orbit / 2);  // as short as it is, all at once
  const auto report = report_of(m, {{"accuracy", "1e-8"}});
  EXPECT_NEAR(report.position[0], std::cos(10.0) + kick * std::sin(5.0), 1e-5);
  EXPECT_TRUE(report.trust.is_trusted());
}

TEST(step_choice, works_beyond_double) {
  const model m = load_model("eccentric-kepler");
  const auto choice = choose_steps<quad>(m, {.accuracy = 1e-20, .until = quad(7)});
  EXPECT_EQ(choice.kind, step_kind::scaled);
  EXPECT_LE(choice.settled.estimated_error, 1e-20);
}

TEST(step_choice, a_choice_is_repeated_by_its_options) {
  const model m = orbit_of(0.99);
  const auto chosen = report_of(m, {{"accuracy", "1e-8"}, {"until", "200*pi"}});
  ASSERT_EQ(chosen.choice->kind, "scaled");
  const auto again = report_of(
      m,
      {{"method", chosen.choice->method}, {"step", chosen.choice->step}, {"time-scale", "auto"}, {"until", "200*pi"}});
  EXPECT_EQ(chosen.position, again.position);
  EXPECT_EQ(chosen.momentum, again.momentum);
  const auto written = report_of(m, {{"method", chosen.choice->method},
                                     {"step", chosen.choice->step},
                                     {"time-scale", "(r/(1 + e))^(3/2)"},
                                     {"until", "200*pi"}});
  EXPECT_EQ(chosen.steps, written.steps);
  EXPECT_NEAR(chosen.position[0], written.position[0], 1e-8);
}

TEST(step_choice, none_takes_the_scale_of_a_model_away) {
  const auto report =
      report_of(load_model("eccentric-kepler"), {{"time-scale", "none"}, {"step", "0.001"}, {"until", "1"}});
  EXPECT_EQ(report.steps, 1000u);
}

// Rounding alone, of double, grows to 1e-6 of the motion by the end.
TEST(step_choice, refuses_in_double_what_only_more_digits_keep) {
  const model m = load_model("pythagorean-three-body");
  const auto id_of = [&](const settings& given) {
    try {
      simulate(m, {.given = testing::typed_options(given)});
    } catch (const input_error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(id_of({{"accuracy", "1e-10"}, {"until", "70"}}), "accuracy-unreachable");
  EXPECT_EQ(id_of({{"method", "extrapolation"}, {"step", "auto"}, {"accuracy", "1e-10"}, {"until", "70"}}),
            "accuracy-unreachable");
}

}  // namespace
}  // namespace actio
