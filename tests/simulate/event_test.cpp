// Events: where a value goes through zero, what is set there, and where the run goes on or ends.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

model with(model m, const std::string& parameter, double value) {
  for (named_expr& p : m.system.parameters) {
    if (p.name == parameter) p.value = expr(value);
  }
  return m;
}

simulation_result result_of(const model& m, const settings& given) {
  return simulate(m, {.given = testing::typed_options(given)});
}

template <class S = double>
run_report<S> report_of(const model& m, const settings& given) {
  return std::get<simulated<S>>(result_of(m, given).numbers).report;
}

// The time of bounce k = 0, 1, … of a ball that falls from the height 1: T (1 + 2 (e + … + e^k)), T = √(2/g).
template <class S>
S bounce_time(int k) {
  using std::sqrt;
  const S e = S(9) / S(10), fall = sqrt(S(S(200) / S(981)));
  S sum(1), power(1);
  for (int i = 0; i < k; ++i) {
    power *= e;
    sum += 2 * power;
  }
  return fall * sum;
}

template <class S>
void expect_bounces(const std::string& method, const std::string& step, const std::string& precision, double bound) {
  using std::abs;
  const auto report = report_of<S>(load_model("bouncing-ball"),
                                   {{"method", method}, {"step", step}, {"until", "8.54"}, {"precision", precision}});
  EXPECT_EQ(report.status, run_status::done) << method;
  EXPECT_TRUE(report.trust.is_trusted()) << method;
  ASSERT_GE(report.events.size(), 50U) << method;
  for (int k = 0; k < 50; ++k) {
    const event_record<S> bounce = report.events[static_cast<std::size_t>(k)];
    EXPECT_EQ(bounce.name, "bounce");
    EXPECT_LT(to_double(S(abs(S(bounce.time - bounce_time<S>(k))))), bound) << method << ", step " << step << ", " << k;
    EXPECT_LT(to_double(S(abs(bounce.position[0]))), bound) << method << ", step " << step << ", " << k;
  }
}

// Parabolas are solved exactly: what is left is the accuracy of the events, whatever the step.
TEST(events, of_a_bouncing_ball_are_exact_to_rounding) {
  for (const char* method : {"simpson", "gauss-2", "verlet"}) {
    for (const char* step : {"0.01", "0.037", "0.3"}) {
      expect_bounces<double>(method, step, "double", 1e-13);
      expect_bounces<quad>(method, step, "quad", 1e-30);
    }
  }
}

TEST(events, energy_that_they_take_is_work_in_the_ledger) {
  const auto report = report_of(load_model("bouncing-ball"), {{"until", "8"}});
  const double kept = std::pow(0.9, 2.0 * static_cast<double>(report.event_count));
  EXPECT_NEAR(report.energy.final, 9.81 * kept, 1e-13);
  EXPECT_NEAR(report.energy.work, 9.81 * (kept - 1), 1e-13);
  EXPECT_LT(report.energy.max_relative_error, 1e-14);
}

// After the limit of the bounces there is no motion; nor after a bounce that takes all the speed, or nearly all.
TEST(events, that_follow_one_another_without_end_are_refused) {
  for (const double restitution : {0.9, 0.5, 0.001, 0.0}) {
    for (const char* method : {"verlet", "gauss-4"}) {
      const simulation_result result = result_of(with(load_model("bouncing-ball"), "restitution", restitution),
                                                 {{"until", "9"}, {"method", method}});
      EXPECT_EQ(result.status, run_status::failed) << restitution << " " << method;
      EXPECT_FALSE(result.is_trusted);
      EXPECT_TRUE(result.reason.starts_with("events follow one another without end near t = ")) << result.reason;
      EXPECT_NE(result.suggestion, "");
      const double end = std::get<simulated<double>>(result.numbers).report.time;
      const double limit = std::sqrt(2 / 9.81) * (1 + 2 * restitution / (1 - restitution));
      EXPECT_NEAR(end, limit, 1e-6) << restitution << " " << method;
    }
  }
}

constexpr const char* line = R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2"
[parameters]
mode = 0
[events.late]
when = "x - 0.7"
set = { mode = "mode + 10" }
[events.early]
when = "x - 0.3"
set = { mode = "2*mode + 1" }
[events.seen]
when = "x - 0.5"
[events.touched]
when = "(x - 0.6)^2"
[events.not_touched]
when = "(x - 0.6)^2"
direction = "up"
[events.back]
when = "x - 0.4"
direction = "down"
[events.end]
when = "x - 2.25"
action = "stop"
[observables]
mode_now = "mode"
[initial.position]
x = 0
[initial.velocity]
x = 1
[run]
method = "verlet"
step = 1
until = 5
)toml";

TEST(events, of_one_step_happen_in_their_order) {
  const auto report = report_of(parse_model(line, "m.toml"), {});
  const std::vector<std::pair<std::string, double>> expected = {
      {"early", 0.3}, {"seen", 0.5}, {"touched", 0.6}, {"late", 0.7}, {"end", 2.25}};
  ASSERT_EQ(report.events.size(), expected.size());
  EXPECT_EQ(report.event_count, expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(report.events[k].name, expected[k].first);
    const double bound = expected[k].first == "touched" ? 1e-7 : 1e-15;  // a touch is a minimum
    EXPECT_NEAR(report.events[k].time, expected[k].second, bound) << expected[k].first;
    EXPECT_NEAR(report.events[k].position[0], expected[k].second, bound) << expected[k].first;
  }
  EXPECT_EQ(report.observables[0].final, 11) << "first 2*0 + 1, then + 10";
}

TEST(events, that_stop_end_the_run_where_they_happen) {
  const simulation_result result = result_of(parse_model(line, "m.toml"), {});
  EXPECT_EQ(result.status, run_status::done);
  EXPECT_TRUE(result.is_trusted);
  const auto& report = std::get<simulated<double>>(result.numbers).report;
  EXPECT_NEAR(report.time, 2.25, 1e-15);
  EXPECT_EQ(report.reason, "the event 'end' ended the run at t = 2.25");
}

TEST(events, leave_a_motion_that_they_only_record_as_it_is) {
  const std::string plain = R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[initial.position]
q = 2
[initial.velocity]
q = 0
[run]
method = "simpson"
step = 0.1
until = 20
)toml";
  const auto watched = report_of(parse_model(plain + "[events.through]\nwhen = \"q\"\n", "m.toml"), {});
  const auto unwatched = report_of(parse_model(plain, "m.toml"), {});
  EXPECT_GE(watched.events.size(), 4U);
  EXPECT_EQ(watched.steps, unwatched.steps);
  EXPECT_EQ(watched.position, unwatched.position);
  EXPECT_EQ(watched.momentum, unwatched.momentum);
  for (const double q : watched.events.positions()) EXPECT_NEAR(q, 0, 1e-15);
}

// The thermostat: marks of alternating kinds, and after a while a cycle that repeats.
TEST(events, switch_modes) {
  const auto report = report_of(load_model("thermostat"), {});
  ASSERT_GT(report.events.size(), 20U);
  for (std::size_t k = 0; k < report.events.size(); ++k) {
    EXPECT_EQ(report.events[k].name, k % 2 == 0 ? "off" : "on");
    EXPECT_NEAR(report.events[k].position[0], k % 2 == 0 ? 21 : 19, 1e-13);
  }
  const std::size_t last = report.events.size() - 1;
  const auto period = [&](std::size_t k) { return report.events[k].time - report.events[k - 2].time; };
  EXPECT_NEAR(period(last), period(last - 2), 1e-12);
  EXPECT_LT(report.energy.max_relative_error, 1e-13);
}

TEST(events, of_the_woodpecker_repeat) {
  for (const char* method : {"simpson", "gauss-4"}) {
    const auto report = report_of(load_model("woodpecker"), {{"method", method}});
    std::vector<event_record<double>> pecks;
    for (std::size_t k = 0; k < report.events.size(); ++k) {
      if (report.events.name(k) == "peck") pecks.push_back(report.events[k]);
    }
    ASSERT_GT(pecks.size(), 15U);
    const auto &last = pecks[pecks.size() - 1], &before = pecks[pecks.size() - 2], &third = pecks[pecks.size() - 3];
    EXPECT_NEAR(last.time - before.time, before.time - third.time, 1e-5);
    EXPECT_NEAR(last.position[0] - before.position[0], before.position[0] - third.position[0], 1e-4);
    EXPECT_LT(last.position[0], before.position[0]) << "it comes down";
    EXPECT_TRUE(report.trust.is_trusted());
  }
}

// With its first mode alone the woodpecker would have a momentum more: its motion in the other breaks that.
TEST(events, that_change_parameters_leave_no_symmetry_that_depends_on_them) {
  model slides = with(load_model("woodpecker"), "jammed", 0);
  slides.initial.position[1].value = expr(0);
  slides.initial.rates[1].value = expr(-10);
  const auto report = report_of(slides, {{"until", "0.5"}});
  EXPECT_GT(report.event_count, 10U);
  EXPECT_TRUE(report.momenta.empty());
  EXPECT_TRUE(report.trust.is_trusted());
}

// A point in the stadium by geometry alone: the walls y = ±1 between x = ±1 and half circles around (±1, 0).
struct ray {
  multi x, y, vx, vy, time;

  void go_to_wall() {
    const multi least("1e-20");
    multi first("1e9");
    const auto consider = [&](const multi& t, bool is_on_wall) {
      if (t > least && t < first && is_on_wall) first = t;
    };
    for (const int side : {-1, 1}) {
      const multi t = (multi(side) - y) / vy, at = x + t * vx;
      consider(t, abs(at) <= 1);
      const multi dx = x - side, b = dx * vx + y * vy, c = dx * dx + y * y - 1, root = b * b - c;
      if (root < 0) continue;
      const multi leaves = -b + sqrt(root);
      consider(leaves, multi(side * (x + leaves * vx)) >= 1);
    }
    x += first * vx;
    y += first * vy;
    time += first;
    const multi centre = x > 1 ? multi(1) : x < -1 ? multi(-1) : x;
    const multi nx = x - centre, ny = y, into = vx * nx + vy * ny;
    vx -= 2 * into * nx;
    vy -= 2 * into * ny;
  }
};

TEST(events, of_the_stadium_billiard_are_those_of_its_geometry) {
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(40);
  const auto report = report_of<multi>(load_model("stadium-billiard"), {{"precision", "40"}, {"until", "80"}});
  ASSERT_GE(report.events.size(), 40U);
  ray point{multi("0.3"), multi("0.2"), cos(multi("0.7")), sin(multi("0.7")), multi(0)};
  for (std::size_t k = 0; k < 40; ++k) {
    point.go_to_wall();
    const event_record<multi> wall = report.events[k];
    EXPECT_LT(to_double(multi(abs(wall.time - point.time))), 1e-15) << k;
    EXPECT_LT(to_double(multi(abs(wall.position[0] - point.x))), 1e-15) << k;
    EXPECT_LT(to_double(multi(abs(wall.position[1] - point.y))), 1e-15) << k;
    EXPECT_LT(to_double(multi(abs(wall.momentum[0] - point.vx))), 1e-15) << k;
    EXPECT_LT(to_double(multi(abs(wall.momentum[1] - point.vy))), 1e-15) << k;
  }
}

TEST(events, of_the_circle_billiard_have_equal_distances) {
  const auto report = report_of(load_model("circle-billiard"), {});
  const double momentum = 0.6 * std::sin(1.2), chord = 2 * std::sqrt(1 - momentum * momentum);
  ASSERT_GT(report.events.size(), 20U);
  for (std::size_t k = 1; k < report.events.size(); ++k) {
    EXPECT_NEAR(report.events[k].time - report.events[k - 1].time, chord, 1e-13) << k;
  }
  EXPECT_NEAR(report.observables[0].final, momentum, 1e-14);
}

// Between walls the point is free, but its motion as a whole is not that of a linear system.
// A kick that leaves the motion its direction: rounding puts states a little before the surface or a little behind it.
TEST(events, that_change_no_direction_happen_once_each_time) {
  const model m = parse_model(R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 - 1/2*q^2"
[parameters]
n = 0
[events.kick]
when = "q"
set = { "q'" = "1.01*q'", n = "n + 1" }
[events.up]
when = "q'"
direction = "up"
set = { q = "0.99*q" }
[initial.position]
q = 1
[run]
until = 200
)toml",
                              "kick.toml");
  for (const auto& [method, step] : std::vector<std::pair<std::string, std::string>>{
           {"gauss-4", "0.1"}, {"gauss-8", "0.37"}, {"simpson", "0.05"}, {"verlet", "0.01"}, {"rk4", "0.05"}}) {
    const auto report = report_of(m, {{"method", method}, {"step", step}});
    const std::size_t turns = report.event_count;
    EXPECT_EQ(turns, 64U + 32U) << method;
    for (std::size_t k = 1; k < turns; ++k) EXPECT_GT(report.events.times()[k] - report.events.times()[k - 1], 1) << k;
  }
}

// Trials and references go as runs do.
TEST(events, go_with_accuracies) {
  const double height =
      report_of(load_model("bouncing-ball"), {{"method", "gauss-4"}, {"step", "0.003"}, {"until", "5"}}).position[0];
  for (const settings& how : {settings{}, settings{{"step", "auto"}}}) {
    settings given = how;
    given.insert(given.end(),
                 {{"accuracy", "1e-9"}, {"until", "5"}, {"method", how.empty() ? "auto" : "extrapolation"}});
    const auto report = report_of(load_model("bouncing-ball"), given);
    EXPECT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_TRUE(report.trust.is_trusted());
    EXPECT_EQ(report.event_count, 8U);
    EXPECT_NEAR(report.position[0], height, 1e-9);
    ASSERT_TRUE(report.motion);
    EXPECT_LT(report.motion->estimated_error, 1e-8);
  }
}

TEST(events, leave_no_exact_motion_of_the_system_without_them) {
  EXPECT_FALSE(exact_answer_of<double>("circle-billiard", load_model("circle-billiard")).motion);
  EXPECT_FALSE(exact_answer_of<double>("bouncing-ball", load_model("bouncing-ball")).motion);
}

// A sample at t = 3 moves the surface over the state.
TEST(events, happen_where_a_control_moves_their_surface) {
  const std::string start =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[control.u]\nvalue = \"if(t > 2.9, 2, 0)\"\nevery "
      "= 0.5\n[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n[run]\nmethod = \"gauss-4\"\nstep = 0.05\nuntil "
      "= 4\n[events.e]\nwhen = \"u - 1 + 0*x\"\n";
  const auto set = report_of(parse_model(start + "set = { \"x'\" = 3 }\n", "m.toml"), {});
  EXPECT_EQ(set.status, run_status::done) << set.reason;
  ASSERT_EQ(set.events.size(), 1U);
  EXPECT_EQ(set.events[0].time, 3);
  EXPECT_NEAR(set.position[0], std::cos(3.0) * std::cos(1.0) + 3 * std::sin(1.0), 1e-12);
  EXPECT_TRUE(set.trust.is_trusted());
  const auto stopped = report_of(parse_model(start + "action = \"stop\"\n", "m.toml"), {});
  EXPECT_EQ(stopped.status, run_status::done) << stopped.reason;
  EXPECT_EQ(stopped.time, 3);
  const auto down = report_of(parse_model(start + "direction = \"down\"\nset = { \"x'\" = 3 }\n", "m.toml"), {});
  EXPECT_EQ(down.status, run_status::done) << down.reason;
  EXPECT_TRUE(down.events.empty());
}

// Of the ambient space, like the controls beside them.
TEST(events, are_carried_into_a_chart) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - g*y + u*x\"\n[parameters]\ng = 9.81\n"
      "[constraints]\nrod = \"x^2 + y^2 - 1\"\n[control.u]\nvalue = \"0.2*y - 0.5*x'\"\nevery = 0.1\n[events.e]\nwhen "
      "= \"x + 0.1*p_y\"\nset = { g = \"g + 1 + y\" }\n[chart]\ncoordinates = [\"a\"]\nx = \"sin(a)\"\ny = "
      "\"-cos(a)\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 0 }\nchart = { a = \"pi/2\" }\n"
      "[run]\nmethod = \"simpson\"\nstep = 0.01\nuntil = 2\n",
      "m.toml");
  const auto constrained = report_of(m, {}), intrinsic = report_of(m, {{"formulation", "intrinsic"}});
  ASSERT_GE(constrained.events.size(), 1U);
  ASSERT_EQ(intrinsic.events.size(), constrained.events.size());
  EXPECT_NEAR(intrinsic.events[0].time, constrained.events[0].time, 1e-9);
  EXPECT_NEAR(std::sin(intrinsic.position[0]), constrained.position[0], 1e-9);
  EXPECT_NEAR(-std::cos(intrinsic.position[0]), constrained.position[1], 1e-9);
  EXPECT_TRUE(intrinsic.trust.is_trusted());
}

}  // namespace
}  // namespace actio
