// Dry friction: surfaces that stick, are let go, and stick again.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

template <class S = double>
run_report<S> report_of(const std::string& text, const settings& given = {}) {
  const simulation_result result = simulate(parse_model(text, "m.toml"), {.given = testing::typed_options(given)});
  return std::get<simulated<S>>(result.numbers).report;
}

// An oscillator on a rough floor, pulled by `load`.
std::string rough_floor(const std::string& friction, const std::string& load, const std::string& position,
                        const std::string& more = "") {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2" + load + "\"\n[parameters]\nmu = 0.3\n" +
         "[forces]\nx = \"" + friction + "\"\n" + more + "[initial]\nposition = { x = " + position +
         " }\nvelocity = { x = 0 }\n[run]\nstep = 0.01\nuntil = 30\n";
}

// Amplitudes 2, 1.4, 0.8 and 0.2, where the spring is weaker than the floor.
TEST(sticking, a_block_comes_to_rest_and_stays_there) {
  for (const char* friction : {"-mu*sign(x')", "if(x' > 0, -mu, mu)"}) {
    for (const auto& [method, error] : std::vector<std::pair<std::string, double>>{{"gauss-4", 1e-12},
                                                                                   {"lobatto-4", 1e-12},
                                                                                   {"rk4", 1e-7},
                                                                                   {"simpson", 1e-7},
                                                                                   {"midpoint", 1e-4},
                                                                                   {"verlet", 1e-4}}) {
      const auto report = report_of(rough_floor(friction, "", "2"), {{"method", method}});
      EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
      EXPECT_NEAR(report.position[0], -0.2, error) << method << " " << friction;
      EXPECT_EQ(report.momentum[0], 0) << method;
      EXPECT_TRUE(report.trust.is_trusted()) << method;
    }
  }
}

// Back in time friction gives what it takes, and holds nothing.
TEST(sticking, goes_back_in_time) {
  const auto report = report_of(rough_floor("-mu*sign(x')", "", "2"), {{"method", "gauss-4"}, {"until", "-3"}});
  EXPECT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_NEAR(report.position[0], -0.3 + 2.3 * std::cos(3.0), 1e-12);
}

TEST(sticking, holds_with_all_digits) {
  const auto report = report_of<quad>(rough_floor("-mu*sign(x')", "", "2"),
                                      {{"method", "gauss-8"}, {"precision", "quad"}, {"until", "12"}});
  EXPECT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_LT(to_double(abs(quad(report.position[0] + quad(1) / 5))), 1e-28);
}

// At rest until 0.6 sin(t/5) is more than 0.3; then x'' = -x + 0.6 sin(t/5) - 0.3 until it stops.
TEST(sticking, a_load_that_grows_pulls_a_block_loose) {
  const double loose = 5 * std::asin(0.5), w = 0.2, size = 0.6 / (1 - w * w);
  const auto forced = [&](double t) { return size * std::sin(w * t) - 0.3; };
  const double a = -forced(loose), b = -size * w * std::cos(w * loose);
  const auto exact = [&](double t) { return a * std::cos(t - loose) + b * std::sin(t - loose) + forced(t); };
  for (const auto& [method, error] : std::vector<std::pair<std::string, double>>{{"gauss-4", 1e-10},
                                                                                 {"lobatto-4", 1e-10},
                                                                                 {"rk4", 1e-8},
                                                                                 {"simpson", 1e-8},
                                                                                 {"midpoint", 1e-5},
                                                                                 {"verlet", 1e-5}}) {
    const std::string text = rough_floor("-mu*sign(x')", " + 0.6*x*sin(0.2*t)", "0");
    const auto resting = report_of(text, {{"method", method}, {"until", "2.6"}});
    EXPECT_EQ(resting.position[0], 0) << method;
    for (const char* until : {"4", "6", "7"}) {
      const auto report = report_of(text, {{"method", method}, {"until", until}});
      EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
      EXPECT_NEAR(report.position[0], exact(report.time), error) << method << " " << until;
      EXPECT_TRUE(report.trust.is_trusted()) << method << " " << until;
    }
    const auto late = report_of(text, {{"method", method}, {"until", "100"}});
    EXPECT_EQ(late.status, run_status::done) << method << ": " << late.reason;
  }
}

// A block goes with a belt until its spring pulls harder than friction, then x = mu + 0.2 sin(t - 2).
TEST(sticking, a_block_goes_with_a_belt) {
  const std::string belt =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[parameters]\nmu = 0.4\nbelt = 0.2\n[forces]\nx = "
      "\"-mu*sign(x' - belt)\"\n[initial]\nposition = { x = 0 }\nvelocity = { x = \"belt\" }\n[run]\nstep = 0.01\n";
  for (const char* method : {"gauss-4", "rk4", "lobatto-4"}) {
    const auto with = report_of(belt, {{"method", method}, {"until", "1.5"}});
    EXPECT_NEAR(with.position[0], 0.3, 1e-13) << method;
    EXPECT_NEAR(with.momentum[0], 0.2, 1e-15) << method;
    EXPECT_TRUE(with.trust.is_trusted()) << method;
    const auto after = report_of(belt, {{"method", method}, {"until", "5"}});
    EXPECT_EQ(after.status, run_status::done) << method << ": " << after.reason;
    EXPECT_NEAR(after.position[0], 0.4 + 0.2 * std::sin(3.0), 1e-8) << method;
    EXPECT_TRUE(after.trust.is_trusted()) << method;
  }
}

// One block on another, without a floor: they come to one velocity, and their momentum stays.
TEST(sticking, two_bodies_go_on_together) {
  const std::string pair =
      "coordinates = [\"a\", \"b\"]\nlagrangian = \"1/2*a'^2 + b'^2\"\n[forces]\na = \"-0.4*sign(a' - b')\"\nb = "
      "\"0.4*sign(a' - b')\"\n[initial]\nposition = { a = 0, b = 0 }\nvelocity = { a = 3, b = 0 }\n[run]\nstep = "
      "0.01\nuntil = 10\n";
  const double together = 3 / 0.6, apart = 3 * together - 0.3 * together * together;  // relative deceleration 0.6
  for (const char* method : {"gauss-4", "rk4", "verlet", "simpson", "midpoint", "lobatto-4"}) {
    const auto report = report_of(pair, {{"method", method}});
    EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
    EXPECT_NEAR(report.momentum[0], 1, 1e-12) << method;
    EXPECT_NEAR(report.momentum[1], 2, 1e-12) << method;
    EXPECT_NEAR(report.position[0] - report.position[1], apart, 1e-11) << method;
    EXPECT_NEAR(report.position[1], 0.1 * together * together + (10 - together), 1e-11) << method;
  }
}

// A control that pulls in turn; what two blocks on a floor do when one of them drags the other along.
TEST(sticking, goes_on_after_controls_and_with_several_blocks) {
  const std::string chain =
      "coordinates = [\"a\", \"b\"]\nlagrangian = \"1/2*a'^2 + 1/2*b'^2 - 1/2*(b - a)^2\"\n[control.u]\nvalue = "
      "\"if(t < 5, 0.1*t, 0)\"\nevery = 0.5\n[forces]\na = \"-0.1*sign(a')\"\nb = \"-0.2*sign(b') + u\"\n[initial]\n"
      "position = { a = 0, b = 0 }\nvelocity = { a = 0, b = 0 }\n[run]\nstep = 0.01\nuntil = 30\n";
  const auto gauss = report_of(chain, {{"method", "gauss-4"}}),
             finer = report_of(chain, {{"method", "gauss-6"}, {"step", "0.003"}});
  EXPECT_EQ(gauss.status, run_status::done) << gauss.reason;
  EXPECT_NEAR(gauss.position[0], finer.position[0], 1e-9);
  EXPECT_NEAR(gauss.position[1], finer.position[1], 1e-9);
  EXPECT_EQ(gauss.momentum, (std::vector<double>{0, 0}));
  EXPECT_LE(std::abs(gauss.position[1] - gauss.position[0]), 0.1);
}

// x'' = -x - 0.3 from 0.1 with the velocity that the event sets.
TEST(sticking, an_event_sets_a_block_in_motion) {
  const std::string kicked =
      rough_floor("-mu*sign(x')", "", "0.1", "[events.kick]\nwhen = \"t - 1\"\nset = { \"x'\" = 1 }\n");
  const double t = 0.5;
  for (const settings& how : {settings{{"method", "gauss-4"}}, settings{{"method", "lobatto-4"}},
                              settings{{"accuracy", "1e-10"}}, settings{{"step", "auto"}, {"accuracy", "1e-10"}}}) {
    settings given = how;
    given.emplace_back("until", "1.5");
    const auto report = report_of(kicked, given);
    EXPECT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_NEAR(report.position[0], -0.3 + 0.4 * std::cos(t) + std::sin(t), 1e-9);
    EXPECT_NEAR(report.momentum[0], -0.4 * std::sin(t) + std::cos(t), 1e-9);
    EXPECT_TRUE(report.trust.is_trusted());
  }
}

// It goes with the belt until the belt becomes faster; then x'' = -x + 0.3.
TEST(sticking, a_belt_that_jerks_lets_a_block_slide) {
  const std::string start =
                        "[initial]\nposition = { x = 0 }\nvelocity = { x = 0.2 }\n[run]\nmethod = "
                        "\"gauss-4\"\nstep = 0.01\nuntil = 2\n",
                    block =
                        "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[forces]\nx = "
                        "\"-0.3*sign(x' - belt)\"\n";
  const std::string jerk = "[parameters]\nbelt = 0.2\n[events.jerk]\nwhen = \"t - 1\"\nset = { belt = 0.5 }\n",
                    sampled = "[control.belt]\nvalue = \"if(t < 0.5, 0.2, 0.5)\"\nevery = 1\n";
  for (const std::string& how : {jerk, sampled}) {
    const auto report = report_of(block + how + start);
    EXPECT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_NEAR(report.position[0], 0.3 - 0.1 * std::cos(1.0) + 0.2 * std::sin(1.0), 1e-12);
    EXPECT_NEAR(report.momentum[0], 0.1 * std::sin(1.0) + 0.2 * std::cos(1.0), 1e-12);
    EXPECT_TRUE(report.trust.is_trusted());
  }
}

// One that is hit takes the velocity of the other, and slides until it rests again.
TEST(sticking, a_block_that_is_hit_slides) {
  const std::string hit =
      "coordinates = [\"a\", \"b\"]\nlagrangian = \"1/2*a'^2 + 1/2*b'^2\"\n[forces]\na = \"-0.5*sign(a')\"\n"
      "[events.hit]\nwhen = \"a - b\"\ndirection = \"down\"\nset = { \"a'\" = \"b'\", \"b'\" = \"a'\" }\n"
      "[initial]\nposition = { a = 1, b = 0 }\nvelocity = { a = 0, b = 1 }\n[run]\nmethod = \"gauss-4\"\nstep = "
      "0.01\nuntil = 5\n";
  const auto report = report_of(hit);
  EXPECT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_NEAR(report.position[0], 2, 1e-12);
  EXPECT_NEAR(report.position[1], 1, 1e-12);
  EXPECT_EQ(report.momentum[0], 0);
}

// Definitions that go on from those before are kept as they are in long chains (recursions.hpp).
TEST(sticking, joints_of_long_chains_stick) {
  const std::string chain =
      "coordinates = [\"q[1..14]\"]\nlagrangian = \"sum(i = 1..14, 1/2*(x[i]'^2 + y[i]'^2) - "
      "9.81*y[i])\"\n[definitions]\n"
      "\"x[0]\" = 0\n\"y[0]\" = 0\n\"x[i = 1..14]\" = \"x[i-1] + 0.3*sin(q[i])\"\n\"y[i = 1..14]\" = \"y[i-1] - "
      "0.3*cos(q[i])\"\n[forces]\n\"q[1]\" = \"-200*sign(q[1]')\"\n[initial.position]\n\"q[i = 1..14]\" = "
      "\"0.05*i\"\n[run]\nmethod = \"gauss-4\"\nstep = 0.01\nuntil = 0.3\n";
  const auto report = report_of(chain);
  EXPECT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_EQ(report.position[0], 0.05);
  EXPECT_TRUE(report.trust.is_trusted());
}

// What an accuracy promises is measured by runs in which surfaces stick.
TEST(sticking, an_accuracy_is_met) {
  for (const double accuracy : {1e-5, 1e-10}) {
    for (const settings& how : {settings{}, settings{{"step", "auto"}}, settings{{"method", "simpson"}}}) {
      if (!how.empty() && how[0].first == "method" && accuracy < 1e-8) continue;
      settings given = how;
      given.emplace_back("accuracy", accuracy < 1e-8 ? "1e-10" : "1e-5");
      const auto resting = report_of(rough_floor("-mu*sign(x')", "", "2"), given);
      EXPECT_EQ(resting.status, run_status::done) << resting.reason;
      EXPECT_TRUE(resting.trust.is_trusted());
      EXPECT_NEAR(resting.position[0], -0.2, accuracy);
      given.emplace_back("until", "6");
      const auto moving = report_of(rough_floor("-mu*sign(x')", " + 0.6*x*sin(0.2*t)", "0"), given);
      const auto exact = report_of(rough_floor("-mu*sign(x')", " + 0.6*x*sin(0.2*t)", "0"),
                                   {{"method", "gauss-8"}, {"step", "0.005"}, {"until", "6"}});
      EXPECT_EQ(moving.status, run_status::done) << moving.reason;
      EXPECT_TRUE(moving.trust.is_trusted());
      EXPECT_NEAR(moving.position[0], exact.position[0], 2 * accuracy);
    }
  }
}

// Also where a step that jumped over a kink was taken once more.
TEST(sticking, work_is_counted_once) {
  for (const settings& how : {settings{{"step", "auto"}, {"accuracy", "1e-9"}}, settings{{"method", "gauss-4"}}}) {
    const auto report = report_of(rough_floor("-mu*sign(x')", " + 0.8*x*sin(t)", "1"), how);
    EXPECT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_LT(report.energy.max_relative_error, 1e-7);
    EXPECT_TRUE(report.trust.is_trusted());
  }
}

// Steps beyond the place where the block comes to rest end in noise; how they are cut short must not depend on its
// bits.
TEST(sticking, long_steps_over_a_rest_are_looked_at_in_parts) {
  for (const char* accuracy : {"1e-7", "1e-8", "1e-9", "1e-10", "1e-11"}) {
    const auto report =
        report_of(rough_floor("-mu*sign(x')", " + 0.8*x*sin(t)", "1"),
                  {{"step", "auto"}, {"accuracy", accuracy}, {"backend", "interpreter"}, {"until", "10"}});
    EXPECT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_NEAR(report.position[0], 1.6704922822, 1e-8) << accuracy;
  }
}

// Three swings of π, and rest from there.
TEST(sticking, the_certificate_says_what_was_held) {
  const simulation_result result = simulate(parse_model(rough_floor("-mu*sign(x')", "", "2"), "m.toml"),
                                            {.given = testing::typed_options({{"method", "gauss-4"}})});
  const auto& report = std::get<simulated<double>>(result.numbers).report;
  ASSERT_EQ(report.holdings.size(), 1U);
  const holding_record<double>& held = report.holdings[0];
  const double rest = 3 * std::acos(-1.0);
  EXPECT_EQ(held.name, "x' = 0");
  EXPECT_EQ(held.times, 1U);
  EXPECT_TRUE(held.holds);
  EXPECT_NEAR(held.first, rest, 1e-10);
  EXPECT_NEAR(held.duration, 30 - rest, 1e-10);
  EXPECT_NE(result.text.find("held          x' = 0: 1 times, 20.57522204 in all, last from t = 9.424777961 to the end"),
            std::string::npos)
      << result.text;
  EXPECT_NE(result.json.find("\"held\""), std::string::npos);
}

TEST(sticking, a_resumed_run_has_the_same_bits) {
  const testing::temporary_folder folder;
  const std::string text = rough_floor("-mu*sign(x')", " + 0.6*x*sin(0.7*t)", "1");
  const std::string path = folder.write("m.toml", text);
  const auto run = [&](const std::string& output, const std::string& until, bool resumes) {
    std::vector<std::string> words{
        "run", path, "--method", "gauss-4", "--until", until, "--output", folder.path(output), "--checkpoint-every",
        "7"};
    if (resumes) words.emplace_back("--resume");
    return testing::actio_program(words).status;
  };
  ASSERT_EQ(run("whole.csv", "20", false), 0);
  ASSERT_EQ(run("parts.csv", "1.3", false), 0);
  for (const char* until : {"3.1", "5.5", "8.2", "13", "20"}) ASSERT_EQ(run("parts.csv", until, true), 0) << until;
  EXPECT_TRUE(testing::contents(folder.path("parts.csv")) == testing::contents(folder.path("whole.csv")));
}

}  // namespace
}  // namespace actio
