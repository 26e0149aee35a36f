// Charts that are no charts of their models.
#include <gtest/gtest.h>

#include "actio/integrate/embedded_step.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::outcome;
using testing::temporary_folder;

const std::string head = R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - y"
[constraints]
ring = "x^2 + y^2 - 1"
)toml";
const std::string ring = R"toml([chart]
coordinates = ["a"]
x = "sin(a)"
y = "-cos(a)"
)toml";
const std::string start = R"toml([initial]
position = {x = 0, y = -1}
velocity = {x = 1, y = 0}
)toml";
const std::string chart_start = "chart = {a = 0}\n";

void expect_refusal(const std::string& text, const std::string& id, const std::string& message, std::size_t line) {
  try {
    parse_model(text, "m.toml");
    FAIL() << "no error for " << text;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id) << error.message();
    EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
    EXPECT_EQ(error.place().line, line) << error.message();
    EXPECT_FALSE(error.cure().empty());
  }
}

TEST(chart_errors, a_whole_chart_is_taken) {
  EXPECT_NO_THROW(parse_model(head + ring + start + chart_start, "m.toml"));
}

TEST(chart_errors, missing_chart_coordinate) {
  expect_refusal(head + "[chart]\ncoordinates = [\"a\"]\nx = \"sin(a)\"\n" + start + chart_start,
                 "missing-chart-coordinate", "does not say where 'y' is", 5);
}

TEST(chart_errors, missing_chart) {
  expect_refusal(head + start + chart_start, "missing-chart", "there is no [chart]", 8);
  temporary_folder folder;
  const std::string path = folder.write("m.toml", head + start + "[run]\nstep = 0.1\nuntil = 1\n");
  const outcome result = actio_program({"run", path, "--formulation", "intrinsic"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("needs a chart, but the model has none"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("add [chart]"), std::string::npos) << result.err;
}

TEST(chart_errors, chart_size) {
  expect_refusal(head + "[chart]\ncoordinates = [\"a\", \"b\"]\nx = \"sin(a)\"\ny = \"-cos(a)\"\n" + start +
                     "chart = {a = 0, b = 0}\n",
                 "chart-size", "the chart has 2 coordinates, but 2 coordinates and 1 constraints leave 1 free", 5);
}

TEST(chart_errors, chart_off_constraint) {
  expect_refusal(head + "[chart]\ncoordinates = [\"a\"]\nx = \"sin(a)\"\ny = \"-cos(2*a)\"\n" + start + chart_start,
                 "chart-off-constraint", "the chart leaves the constraint 'ring', which is", 5);
}

TEST(chart_errors, chart_off_start) {
  expect_refusal(head + ring + start + "chart = {a = 0.1}\n", "chart-off-start",
                 "[initial.chart] leads to x = 0.0998334166468, but the model starts at x = 0", 12);
}

TEST(chart_errors, names_that_mean_nothing_there) {
  expect_refusal(head + "[chart]\ncoordinates = [\"x\"]\nx = \"x\"\ny = \"0\"\n" + start + "chart = {x = 0}\n",
                 "duplicate-name", "'x' is a coordinate of the ambient space already", 6);
  expect_refusal(
      head + "[chart]\ncoordinates = [\"a\"]\nx = \"sin(a + t)\"\ny = \"-cos(a + t)\"\n" + start + chart_start,
      "name-not-allowed", "the chart of 'x' contains the time", 7);
  expect_refusal(head + ring + "z = \"0\"\n" + start + chart_start, "unknown-key", "unknown key 'z' in [chart]", 9);
  expect_refusal(head + ring + start, "missing-table", "no [initial.chart]", 5);
  expect_refusal(head + "[chart]\nx = \"0\"\ny = \"0\"\n" + start + chart_start, "missing-key",
                 "[chart] has no list of coordinates", 5);
  expect_refusal(head + ring + start + "chart = {b = 0}\n", "unknown-initial-value", "'b' in [initial.chart]", 12);
}

TEST(chart_errors, a_chart_may_follow_the_parameters) {
  const outcome result = actio_program(
      {"run", "double-spherical-pendulum", "--formulation", "intrinsic", "--set", "X1=2.9", "--until", "0.1"});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(chart_errors, method_refuses_charts) {
  for (const char* method : {"rk4", "gauss-3", "energy-momentum"}) {
    const outcome result =
        actio_program({"run", "spherical-pendulum-rod", "--formulation", "intrinsic", "--method", method});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(std::string("method '") + method + "' cannot discretise in the ambient space of a chart"),
              std::string::npos)
        << result.err;
    try {
      intrinsic_method(*find_method(method), intrinsic_model(load_model("spherical-pendulum-rod")).space);
      FAIL();
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "method-refuses-charts");
    }
  }
}

TEST(chart_errors, no_such_formulation_and_no_two_positions) {
  const outcome result = actio_program({"run", "spherical-pendulum-rod", "--formulation", "free"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("'free' is no formulation"), std::string::npos) << result.err;
  const model m = parse_model(
      head + ring + "[initial]\nposition = {x = 0, y = -1}\nnext = {x = \"sin(0.1)\", y = \"-cos(0.1)\"}\n" +
          chart_start,
      "m.toml");
  EXPECT_THROW(intrinsic_model(m), input_error);
}

TEST(intrinsic_runs, are_kept_and_repeated_by_their_files) {
  ACTIO_NEEDS(hdf5);
  temporary_folder folder;
  const std::string path = folder.path("m.h5");
  const outcome first = actio_program({"run", "spherical-pendulum-rod", "--formulation", "intrinsic", "--method",
                                       "midpoint", "--until", "1", "--output", path});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_NE(first.out.find("p_phi"), std::string::npos) << first.out;  // cyclic in the chart
  const outcome again = actio_program({"run", path, "--again"});
  EXPECT_NE(again.out.find("the bits agree"), std::string::npos) << again.out << again.err;
}

TEST(chart_errors, events_set_nothing_of_the_ambient_space) {
  temporary_folder folder;
  const auto intrinsic = [&](const std::string& more) {
    const std::string path =
        folder.write("m.toml", head + ring + more + start + chart_start + "[run]\nstep = 0.01\nuntil = 1\n");
    return actio_program({"run", path, "--formulation", "intrinsic"});
  };
  for (const char* name : {"x", "y", "x'", "y'", "p_y"}) {
    const outcome result = intrinsic("[events.e]\nwhen = \"t - 0.5\"\nset = { \"" + std::string(name) + "\" = 1 }\n");
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_NE(result.err.find("'e' sets what the intrinsic formulation does not have"), std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find("m.toml:11:"), std::string::npos) << result.err;
  }
  EXPECT_EQ(intrinsic("[time]\nscale = \"2 + x\"\n").status, 2);
}

}  // namespace
}  // namespace actio
