// Runs that start, end and give their rows at any time, forward and back.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "actio/api/simulation.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;
using testing::actio_program;
using testing::contents;
using testing::temporary_folder;

simulated<double> simulated_of(const model& m, const settings& given) {
  simulation_options options{.given = testing::typed_options(given)};
  options.keeps_trajectory = true;
  simulation_result result = simulate(m, options);
  EXPECT_EQ(result.status, run_status::done) << result.reason;
  return std::get<simulated<double>>(std::move(result.numbers));
}

run_report<double> report_of(const model& m, const settings& given) { return simulated_of(m, given).report; }

constexpr const char* pendulum = R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[initial.position]
q = 1
[initial.velocity]
q = 0.5
[run]
method = "gauss-4"
step = 0.1
until = 1
)toml";

class any_end : public ::testing::TestWithParam<std::pair<const char*, int>> {};

// The last, shorter step costs no order: the error at such an end shrinks as the method's does.
TEST_P(any_end, is_met_exactly_and_with_the_order_of_the_method) {
  const auto [method, order] = GetParam();
  const model m = parse_model(pendulum, "m.toml");
  const auto exact = report_of(m, {{"method", "gauss-8"}, {"step", "0.05"}, {"until", "5.4321"}});
  double previous = 0;
  for (const double step : {0.2, 0.1, 0.05}) {
    const auto report = report_of(m, {{"method", method}, {"step", std::to_string(step)}, {"until", "5.4321"}});
    EXPECT_EQ(report.time, 5.4321);
    EXPECT_EQ(report.steps, static_cast<std::size_t>(std::ceil(5.4321 / step)));
    const double error = std::hypot(report.position[0] - exact.position[0], report.momentum[0] - exact.momentum[0]);
    EXPECT_GT(error, 0);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), order, 0.5) << method << ", step " << step;
    }
    previous = error;
  }
}

INSTANTIATE_TEST_SUITE_P(methods, any_end,
                         ::testing::Values(std::pair{"simpson", 4}, std::pair{"verlet", 2}, std::pair{"midpoint", 2},
                                           std::pair{"rk4", 4}, std::pair{"gauss-2", 4}),
                         [](const auto& info) {
                           std::string name = info.param.first;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(end, that_is_a_multiple_of_the_step_has_no_shorter_step) {
  const model m = parse_model(pendulum, "m.toml");
  const auto report = report_of(m, {{"step", "0.1"}, {"until", "0.3"}});
  EXPECT_EQ(report.steps, 3U);
  EXPECT_NEAR(report.time, 0.3, 1e-15);
  const auto counted = report_of(m, {{"step", "0.1"}, {"steps", "3"}});
  EXPECT_EQ(report.time, counted.time);
  EXPECT_EQ(report.position, counted.position);
}

// A force at t in a run from 7 is that at t + 7 in a run from 0.
TEST(start, shifts_the_time) {
  const auto driven = [](const std::string& time) {
    return parse_model("coordinates = [\"q\"]\nlagrangian = \"1/2*q'^2 + cos(q) + q*sin(2*(" + time +
                           "))\"\n[initial.position]\nq = 1\n[initial.velocity]\nq = 0\n",
                       "m.toml");
  };
  for (const char* method : {"simpson", "gauss-4", "verlet", "rk4"}) {
    const auto late = report_of(driven("t"), {{"method", method}, {"step", "0.1"}, {"start", "7"}, {"until", "10.25"}});
    const auto shifted = report_of(driven("t + 7"), {{"method", method}, {"step", "0.1"}, {"until", "3.25"}});
    EXPECT_EQ(late.time, 10.25);
    EXPECT_EQ(late.steps, shifted.steps);
    EXPECT_NEAR(late.position[0], shifted.position[0], 1e-13) << method;
    EXPECT_NEAR(late.momentum[0], shifted.momentum[0], 1e-13) << method;
  }
}

// Symmetric methods return to the start but for rounding; others as well as their order allows.
TEST(run_back, returns_to_the_start) {
  const model m = parse_model(pendulum, "m.toml");
  for (const auto& [method, bound] : std::vector<std::pair<std::string, double>>{
           {"simpson", 1e-13}, {"gauss-4", 1e-13}, {"verlet", 1e-13}, {"rk4", 1e-4}}) {
    const auto there = report_of(m, {{"method", method}, {"until", "3"}});
    model back = m;
    back.initial.position[0].value = expr(there.position[0]);
    back.initial.rates[0].value = expr(there.momentum[0]);  // mass 1
    const auto report = report_of(back, {{"method", method}, {"start", "3"}, {"until", "0"}});
    EXPECT_EQ(report.time, 0);
    EXPECT_EQ(report.step, -0.1);
    EXPECT_NEAR(report.position[0], 1, bound) << method;
    EXPECT_NEAR(report.momentum[0], 0.5, bound) << method;
  }
}

TEST(run_back, ends_exactly_as_well) {
  const auto report = report_of(parse_model(pendulum, "m.toml"), {{"until", "-1.2345"}});
  EXPECT_EQ(report.time, -1.2345);
  EXPECT_EQ(report.steps, 13U);
  EXPECT_TRUE(report.trust.is_trusted());
}

// Rows at a thousand times that are no multiples of the step have errors like those of the steps.
TEST(given_times, have_states_as_accurate_as_the_steps) {
  const model m = load_model("kepler");
  std::string times;
  for (int k = 0; k < 1000; ++k) times += (k == 0 ? "" : ",") + std::to_string(0.0123456 * k + 0.001);
  const auto exact = exact_answer_of<double>("kepler", m);
  ASSERT_TRUE(exact.motion);
  const auto largest_error = [&](const settings& given) {
    const trajectory_table<double> rows = simulated_of(m, given).trajectory;
    double error = 0;
    for (std::size_t k = 0; k < rows.find("t")->size(); ++k) {
      const exact_point<double> point = exact.motion((*rows.find("t"))[k]);
      error = std::max({error, std::abs((*rows.find("x"))[k] - point.position[0]),
                        std::abs((*rows.find("p_y"))[k] - point.momentum[1])});
    }
    return std::pair{error, rows.find("t")->size()};
  };
  for (const char* method : {"gauss-4", "gauss-2", "simpson"}) {
    const auto [own, steps] = largest_error({{"method", method}, {"step", "0.2"}, {"until", "12.5"}});
    const auto [between, rows] =
        largest_error({{"method", method}, {"step", "0.2"}, {"until", "12.5"}, {"times", times}});
    EXPECT_EQ(steps, 64U);
    EXPECT_EQ(rows, 1000U);
    EXPECT_LT(between, 2 * own + 1e-13) << method;
  }
}

TEST(given_times, are_written_in_the_order_of_the_run) {
  const model m = parse_model(pendulum, "m.toml");
  const auto forward = simulated_of(m, {{"until", "1"}, {"times", "1, 0.25, 1/3, 0, 0.25"}}).trajectory;
  EXPECT_EQ(*forward.find("t"), (std::vector<double>{0, 0.25, 1.0 / 3, 1}));
  const auto back = simulated_of(m, {{"until", "-1"}, {"times", "-1/4, -1, 0"}}).trajectory;
  EXPECT_EQ(*back.find("t"), (std::vector<double>{0, -0.25, -1}));
}

// A row before an event has the parameters that held before it.
TEST(given_times, know_nothing_of_what_an_event_changes_later_in_the_step) {
  const model m = parse_model(R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 - 1/2*k*q^2"
[parameters]
k = 1
[events.release]
when = "q - 0.5"
set = { k = 4 }
[initial.position]
q = 1
[run]
method = "gauss-4"
step = 0.1
until = 2
)toml",
                              "m.toml");
  const auto rows = simulated_of(m, {{"times", "1.01,1.04,1.047,1.06"}}).trajectory;
  const double at = std::acos(0.5), speed = std::sin(at);
  for (std::size_t k = 0; k < 4; ++k) {
    const double t = (*rows.find("t"))[k], since = 2 * (t - at);
    EXPECT_NEAR((*rows.find("q"))[k], t < at ? std::cos(t) : 0.5 * std::cos(since) - speed / 2 * std::sin(since), 1e-12)
        << t;
    EXPECT_NEAR((*rows.find("energy"))[k], t < at ? 0.5 : 0.875, 1e-12) << t;
  }
}

// x = 0.6 + 0.4 cos t up to the rest at t = π, where the spring is weaker than the floor.
TEST(given_times, are_met_where_surfaces_stick) {
  const model m = parse_model(R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2"
[forces]
x = "-0.6*sign(x')"
[initial.position]
x = 1
[run]
method = "gauss-4"
step = 0.01
until = 5
)toml",
                              "m.toml");
  for (const settings& steps : {settings{}, settings{{"step", "auto"}, {"accuracy", "1e-9"}}}) {
    settings given = steps;
    given.emplace_back("times", "0.003,1,3.1415,3.1427,4,4.9999");
    const auto rows = simulated_of(m, given).trajectory;
    ASSERT_EQ(rows.find("t")->size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      const double t = (*rows.find("t"))[k];
      EXPECT_NEAR((*rows.find("x"))[k], t < std::numbers::pi ? 0.6 + 0.4 * std::cos(t) : 0.2, 1e-8) << t;
    }
  }
}

TEST(given_times, stand_in_a_file_one_a_line) {
  const temporary_folder folder;
  const std::string file = folder.path("m.toml"), a = folder.path("a.csv"), b = folder.path("b.csv");
  folder.write("m.toml", pendulum);
  const std::string times = folder.write("times.txt", "# of the rows\n0.25\n\n1/2   # half\r\n1\n");
  ASSERT_EQ(actio_program({"run", file, "--times-file", times, "--output", a}).status, 0);
  ASSERT_EQ(actio_program({"run", file, "--times", "0.25,1/2,1", "--output", b}).status, 0);
  EXPECT_EQ(contents(a), contents(b));
  EXPECT_EQ(testing::lines_of(contents(a)).size(), 4U);
}

// The checkpoint of a run with a shorter last step is from before it: going on, there is no trace of that end.
TEST(short_end, leaves_a_longer_run_as_it_would_have_been) {
  const temporary_folder folder;
  const std::string file = folder.write("m.toml", pendulum);
  for (const std::string method : {"simpson", "gauss-4", "verlet"}) {
    const std::string whole = folder.path(method + "-whole.csv"), torn = folder.path(method + "-torn.csv");
    const auto run = [&](const std::string& output, const char* until, bool resumes) {
      std::vector<std::string> words = {"run",      file,   "--method",           method, "--until", until,
                                        "--output", output, "--checkpoint-every", "4"};
      if (resumes) words.emplace_back("--resume");
      return actio_program(words);
    };
    ASSERT_EQ(run(whole, "7.77", false).status, 0);
    ASSERT_EQ(run(torn, "3.21", false).status, 0);
    const auto resumed = run(torn, "7.77", true);
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(contents(torn), contents(whole)) << method;
  }
}

}  // namespace
}  // namespace actio
