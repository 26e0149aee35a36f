// Sampled controls: parameters that get new values at equal times and keep them between.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

constexpr double frequency = 1.3, interval = 0.05;

constexpr const char* controlled = R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*w^2*x^2"
[parameters]
w = 1.3
[control.u]
value = "-2*x - x'"
every = 0.05
[forces]
x = "u"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
method = "gauss-4"
step = 0.02
until = 3
)toml";

// x'' = −w² x + u with u of the last sample: oscillations about u/w², one after the other.
std::pair<double, double> exact_state(int samples) {
  const double c = std::cos(frequency * interval), s = std::sin(frequency * interval);
  double x = 1, v = 0;
  for (int k = 0; k < samples; ++k) {
    const double middle = (-2 * x - v) / (frequency * frequency), away = x - middle;
    x = middle + away * c + v / frequency * s;
    v = v * c - away * frequency * s;
  }
  return {x, v};
}

run_report<double> report_of(const std::string& text, const std::vector<std::pair<std::string, std::string>>& given) {
  const simulation_result result = simulate(parse_model(text, "m.toml"), {.given = testing::typed_options(given)});
  EXPECT_EQ(result.status, run_status::done) << result.reason;
  return std::get<simulated<double>>(result.numbers).report;
}

TEST(control, is_sampled_at_its_times_whatever_the_step) {
  const auto [x, v] = exact_state(60);
  for (const char* step : {"0.02", "0.05", "0.013", "0.2"}) {  // also longer than the interval
    const auto report = report_of(controlled, {{"step", step}});
    EXPECT_EQ(report.time, 3);
    EXPECT_NEAR(report.position[0], x, 1e-13) << step;
    EXPECT_NEAR(report.momentum[0], v, 1e-13) << step;
    EXPECT_TRUE(report.trust.is_trusted()) << step;
  }
}

// What an accuracy promises is measured beside shorter steps than those between two samples.
TEST(control, goes_with_accuracies) {
  const auto [x, v] = exact_state(60);
  for (const bool is_adaptive : {false, true}) {
    std::vector<std::pair<std::string, std::string>> given{{"accuracy", "1e-9"}, {"method", "auto"}};
    if (is_adaptive) given = {{"accuracy", "1e-9"}, {"method", "extrapolation"}, {"step", "auto"}};
    const auto report = report_of(controlled, given);
    EXPECT_NEAR(report.position[0], x, 1e-9);
    EXPECT_NEAR(report.momentum[0], v, 1e-9);
    EXPECT_TRUE(report.trust.is_trusted());
    ASSERT_TRUE(report.motion);
    EXPECT_LT(report.motion->relative_error, 1e-8);
    EXPECT_GT(report.motion->estimated_error, 0);
  }
}

TEST(control, that_ends_between_samples_keeps_its_value) {
  const auto [x, v] = exact_state(59);
  const double rest = 2.97 - 59 * interval, middle = (-2 * x - v) / (frequency * frequency);
  const auto report = report_of(controlled, {{"until", "2.97"}});
  EXPECT_NEAR(report.position[0],
              middle + (x - middle) * std::cos(frequency * rest) + v / frequency * std::sin(frequency * rest), 1e-13);
}

TEST(control, does_work_that_the_ledger_counts) {
  const auto report = report_of(controlled, {});
  EXPECT_TRUE(report.energy.supplied);
  EXPECT_NEAR(report.energy.final - report.energy.initial, report.energy.work, 1e-14);
  EXPECT_LT(report.energy.max_relative_error, 1e-14);
}

// What the energy gains when a stiffness is switched is work as well.
TEST(control, of_a_stiffness_supplies_what_it_changes) {
  std::string text = controlled;
  text.replace(text.find("[forces]\nx = \"u\"\n"), 17, "");
  text.replace(text.find("1/2*w^2*x^2"), 11, "1/2*(w^2 + u^2)*x^2");
  const auto report = report_of(text, {});
  EXPECT_NEAR(report.energy.final - report.energy.initial, report.energy.work, 1e-12);
  EXPECT_TRUE(report.trust.is_trusted());
}

// The first value would change velocities that were given. u x x' adds nothing to the motion as long as u is constant.
TEST(control, that_momenta_contain_needs_momenta_at_the_start) {
  const std::string head = "coordinates = [\"x\"]\n", control = "[control.u]\nvalue = \"1 + t\"\nevery = 0.5\n",
                    start = "[initial]\nposition = { x = 1 }\n",
                    run = "[run]\nmethod = \"gauss-4\"\nstep = 0.1\nuntil = 0.4\n";
  const double x = std::cos(0.4) + 0.5 * std::sin(0.4), v = 0.5 * std::cos(0.4) - std::sin(0.4);
  for (const char* description :
       {"lagrangian = \"1/2*x'^2 - 1/2*x^2 + u*x*x'\"\n", "hamiltonian = \"1/2*(p_x - u*x)^2 + 1/2*x^2\"\n"}) {
    const auto report = report_of(head + description + control + start + "momentum = { x = 1.5 }\n" + run, {});
    EXPECT_NEAR(report.position[0], x, 1e-12) << description;
    EXPECT_NEAR(report.momentum[0], v + x, 1e-12) << description;
    EXPECT_THROW(parse_model(head + description + control + start + "velocity = { x = 0.5 }\n" + run, "m.toml"),
                 input_error)
        << description;
  }
  EXPECT_THROW(parse_model(head + "lagrangian = \"1/2*x'^2 + u*x\"\n" + control + start + "next = { x = 1.1 }\n" + run,
                           "m.toml"),
               input_error);
}

}  // namespace
}  // namespace actio
