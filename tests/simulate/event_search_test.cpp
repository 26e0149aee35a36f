// Where events are: pairs of zeros inside a step, starts on a surface, jumps, ends of runs, motions that stick.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

simulated<double> simulated_with(const std::string& text, const settings& given = {}) {
  return std::get<simulated<double>>(
      simulate(parse_model(text, "m.toml"), {.given = testing::typed_options(given), .keeps_trajectory = true})
          .numbers);
}

// x = t with this event, in steps of 1.
std::string walk(const std::string& event, const std::string& more = "") {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2\"\n[parameters]\nn = 0\n[observables]\ncount = \"n\"\n" +
         event +
         "[initial]\nposition = { x = 0 }\nvelocity = { x = 1 }\n[run]\nmethod = \"gauss-2\"\nstep = 1\nuntil = 3\n" +
         more;
}

std::vector<double> times_of(const std::string& when, const std::string& direction, const std::string& action = "") {
  const auto run =
      simulated_with(walk("[events.e]\nwhen = \"" + when + "\"\ndirection = \"" + direction + "\"\n" + action));
  EXPECT_EQ(run.report.status, run_status::done) << when << " " << run.report.reason;
  return run.report.events.times();
}

void expect_times(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << what;
}

// Zeros of products of x − z, however near to one another, are all found, each in its direction.
TEST(event_search, finds_zeros_that_lie_close_together) {
  const std::vector<std::vector<double>> all = {{0.41, 0.4136},
                                                {0.02, 0.0201},
                                                {1.9719, 1.9726, 1.9732, 1.9733},
                                                {1.804, 1.8076, 1.8078},
                                                {2.3587, 2.369, 2.3716, 2.3775},
                                                {0.2229, 0.2263, 0.2682},
                                                {1.3237, 1.3508, 1.4125, 1.5484},
                                                {0.97, 0.999}};
  for (const std::vector<double>& zeros : all) {
    std::string when;
    for (const double z : zeros) when += (when.empty() ? "" : "*") + std::string("(x - ") + std::to_string(z) + ")";
    std::vector<double> up, down;
    for (std::size_t k = 0; k < zeros.size(); ++k) ((zeros.size() - k) % 2 == 0 ? down : up).push_back(zeros[k]);
    expect_times(times_of(when, "both"), zeros, when);
    expect_times(times_of(when, "up"), up, when);
    expect_times(times_of(when, "down"), down, when);
  }
}

TEST(event_search, finds_jumps_across_zero) {
  const std::string counts = "set = { n = \"n + 1\" }\n";
  for (const std::string& action : {std::string(), counts}) {
    expect_times(times_of("mod(x, 0.7) - 0.35", "down", action), {0.7, 1.4, 2.1, 2.8}, "mod");
    expect_times(times_of("mod(x, 0.7) - 0.35", "up", action), {0.35, 1.05, 1.75, 2.45}, "mod");
    expect_times(times_of("floor(x) - 1.5", "up", action), {2}, "floor");
    expect_times(times_of("sign(x - 1.3)", "both", action), {1.3}, "sign");
    expect_times(times_of("if(x > 1.3, 2, -1)", "up", action), {1.3}, "if");
    expect_times(times_of("0.5 - step(x - 0.8)", "down", action), {0.8}, "step");
    expect_times(times_of("(x - 2.3)^3", "up", action), {2.3}, "a triple zero");
    expect_times(times_of("1/(x - 1.3)", "both", action), {}, "a pole is none");
  }
}

TEST(event_search, walls_that_are_written_as_jumps_turn_a_motion_back) {
  for (const char* direction : {"up", "both"}) {
    const auto run = simulated_with(walk("[events.wall]\nwhen = \"sign(x - 1.25)\"\ndirection = \"" +
                                         std::string(direction) + "\"\nset = { \"x'\" = \"-x'\" }\n"));
    EXPECT_EQ(run.report.status, run_status::done) << run.report.reason;
    EXPECT_EQ(run.report.event_count, 1U) << direction;
    EXPECT_NEAR(run.report.position[0], -0.5, 1e-13);
  }
}

std::string ball(const std::string& direction, double velocity, const std::string& more = "") {
  return "coordinates = [\"y\"]\nlagrangian = \"1/2*y'^2 - 10*y\"\n[events.floor]\nwhen = \"y\"\ndirection = \"" +
         direction + "\"\nset = { \"y'\" = \"-y'\" }\n" + more +
         "[initial]\nposition = { y = 0 }\nvelocity = { y = " + std::to_string(velocity) +
         " }\n[run]\nmethod = \"simpson\"\nstep = 0.01\nuntil = 1.005\n";
}

TEST(event_search, a_start_on_the_surface_happens_where_the_motion_goes_on_in_its_direction) {
  const auto falling = simulated_with(ball("down", -1)), rising = simulated_with(ball("down", 1));
  ASSERT_EQ(falling.report.event_count, 6U);
  EXPECT_EQ(falling.report.events.times()[0], 0);
  EXPECT_EQ(falling.trajectory.find("p_y")->front(), 1) << "the first row is the state after it";
  EXPECT_TRUE(falling.report.trust.is_trusted());
  ASSERT_EQ(rising.report.event_count, 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(rising.report.events.times()[k], 0.2 * static_cast<double>(k + 1), 1e-13);
    EXPECT_NEAR(falling.report.events.times()[k + 1], 0.2 * static_cast<double>(k + 1), 1e-13);
  }
}

TEST(event_search, a_start_on_a_surface_of_both_directions_is_said_to_be_unclear) {
  const auto report = simulated_with(ball("both", -1)).report;
  EXPECT_EQ(report.event_count, 0U);
  ASSERT_FALSE(report.trust.is_trusted());
  EXPECT_NE(report.trust.reasons[0].find("starts where the event 'floor' happens"), std::string::npos);
}

TEST(event_search, an_action_may_lead_onto_the_surface_of_another_event) {
  const auto report =
      simulated_with(ball("down", 3, "[events.thrown]\nwhen = \"t - 0.25\"\nset = { y = 0, \"y'\" = -2 }\n")).report;
  ASSERT_GE(report.event_count, 3U);
  EXPECT_EQ(report.events.name(0), "thrown");
  EXPECT_EQ(report.events.name(1), "floor");
  EXPECT_EQ(report.events.times()[0], report.events.times()[1]);
  EXPECT_EQ(report.events.momentum(1)[0], 2);
  EXPECT_NEAR(report.events.times()[2], 0.25 + 0.4, 1e-13);
}

// It is carried out: rows, certificate and events agree.
TEST(event_search, an_event_at_the_end_happens) {
  for (const char* until : {"1", "0.9", "2.1"}) {
    const auto run = simulated_with(
        walk("[events.e]\nwhen = \"x - " + std::string(until) + "\"\nset = { n = 1, \"x'\" = \"-2*x'\" }\n"),
        {{"step", "0.3"}, {"until", until}});
    EXPECT_EQ(run.report.event_count, 1U) << until;
    EXPECT_NEAR(run.report.time, std::stod(until), 1e-15);
    EXPECT_EQ(run.report.momentum[0], -2) << until;
    EXPECT_EQ(run.trajectory.find("p_x")->back(), -2) << until;
    EXPECT_EQ(run.trajectory.find("t")->back(), run.report.time) << until;
    EXPECT_EQ(run.report.observables[0].final, run.trajectory.find("count")->back()) << until;
    EXPECT_EQ(run.report.observables[0].final, 1) << until;
  }
}

TEST(event_search, a_step_longer_than_the_run_ends_where_the_run_does) {
  for (const char* step : {"1e300", "1e18", "0.3"}) {
    const auto report = simulated_with(walk(""), {{"step", step}, {"until", "0.1"}}).report;
    EXPECT_EQ(report.time, 0.1) << step;
    EXPECT_NEAR(report.position[0], 0.1, 1e-16) << step;
  }
}

TEST(event_search, momenta_that_events_change_are_said_to) {
  const auto run = simulated_with(walk("[events.e]\nwhen = \"x - 0.5\"\nset = { \"x'\" = \"3*x'\" }\n"));
  ASSERT_EQ(run.report.momenta.size(), 1U);
  EXPECT_EQ(run.report.momenta[0].changes, 1U);
  EXPECT_EQ(run.report.momenta[0].change, 2);
  EXPECT_EQ(run.report.momenta[0].final, 3);
  EXPECT_NE(to_text(run.report).find("1 -> 3: events change it 1 times; between them max error 0"), std::string::npos);
}

// What vanishes here is no sum of velocities with constant coefficients (see sticking_test.cpp).
TEST(event_search, a_motion_that_sticks_where_nothing_is_held_ends_the_run) {
  const std::string model =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[forces]\nx = \"-0.3*sign((1 + x^2)*x')\"\n"
      "[initial]\nposition = { x = 2 }\nvelocity = { x = 0 }\n[run]\nstep = 0.01\nuntil = 30\n";
  for (const char* method : {"simpson", "gauss-4", "midpoint"}) {
    const auto report = simulated_with(model, {{"method", method}}).report;
    EXPECT_EQ(report.status, run_status::failed) << method;
    EXPECT_TRUE(report.reason.starts_with("the motion sticks at t = ")) << report.reason;
    EXPECT_NEAR(std::abs(report.position[0]), 0.2, 1e-6) << method << ": amplitudes 2, 1.4, 0.8 and 0.2";
    EXPECT_NEAR(report.time, 3 * std::acos(-1.0), 0.01) << method;
  }
}

// A free motion towards a wall that is a thousandth part of the way thick: steps that are chosen do not leap over it.
TEST(event_search, chosen_steps_meet_narrow_walls) {
  for (const char* width : {"0.05", "0.02", "0.01"}) {
    const std::string model =
        std::string("coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 5*exp(-((x - 5)/w)^2)\"\n") +
        "[parameters]\nw = " + width + "\n[initial]\nposition = { x = 0 }\nvelocity = { x = 1 }\n[run]\nuntil = 10\n";
    const auto report =
        simulated_with(model, {{"method", "extrapolation"}, {"step", "auto"}, {"accuracy", "1e-6"}}).report;
    EXPECT_NEAR(report.momentum[0], -1, 1e-6) << width;
    EXPECT_TRUE(report.trust.is_trusted()) << width;
  }
}

TEST(event_search, a_scale_of_time_that_comes_to_zero_is_named) {
  const std::string model =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2\"\n[time]\nscale = \"1 - x\"\n[initial]\nposition = { x = 0 }\n"
      "velocity = { x = 1 }\n[run]\nstep = 0.1\nuntil = 3\n";
  for (const char* method : {"simpson", "gauss-2"}) {
    const auto report = simulated_with(model, {{"method", method}}).report;
    EXPECT_EQ(report.status, run_status::failed) << method;
    EXPECT_NE(report.reason.find("the scale of time, 1 at the start, is"), std::string::npos) << report.reason;
  }
}

}  // namespace
}  // namespace actio
