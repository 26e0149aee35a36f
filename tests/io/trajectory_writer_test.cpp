#include "actio/io/trajectory_writer.hpp"

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"
#include "tests/support/constrained_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using testing::contents;
using testing::lines_of;
using testing::temporary_folder;

const char* const circle = R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2)"
[observables]
"r, squared" = "x^2 + y^2"
[symmetries.rotation]
x = "-y"
y = "x"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 1
)toml";

template <class S>
std::vector<std::string> written(std::size_t steps, std::size_t every) {
  temporary_folder folder;
  const model m = testing::read(circle);
  const integrator<S> flow(m.system, {.method = "simpson", .step = S(1) / S(8)});
  phase_state<S> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  trajectory_writer<S> writer(flow.space(), {{folder.path("out.csv"), {}, "--output"}, every});
  run(flow, *workspace, state, run_options<S>{.steps = steps, .observers = {&writer}});
  EXPECT_TRUE(writer.finish(""));
  return lines_of(contents(folder.path("out.csv")));
}

TEST(trajectory_writer, names_its_columns) {
  EXPECT_EQ(written<double>(0, 1).front(), "t,x,y,p_x,p_y,energy,\"r, squared\",rotation");
}

TEST(trajectory_writer, has_the_multipliers_of_constraints) {
  const model m = testing::read(testing::rigid_body);
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  const std::vector<std::string> columns = trajectory_columns(space, false);
  EXPECT_EQ(columns.back(), "lambda_unit");
  EXPECT_EQ(columns.size(), 1U + 4 + 4 + 1 + 3 + 3 + 1);  // three rotations are found
}

TEST(trajectory_writer, writes_the_first_every_kth_and_the_last_step) {
  const auto times = [](const std::vector<std::string>& lines) {
    std::vector<double> result;
    for (std::size_t k = 1; k < lines.size(); ++k) result.push_back(8 * std::stod(lines[k]));
    return result;
  };
  EXPECT_EQ(times(written<double>(0, 5)), (std::vector<double>{0}));
  EXPECT_EQ(times(written<double>(3, 1)), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(times(written<double>(6, 3)), (std::vector<double>{0, 3, 6}));
  EXPECT_EQ(times(written<double>(8, 3)), (std::vector<double>{0, 3, 6, 8}));
  EXPECT_EQ(times(written<double>(2, 100)), (std::vector<double>{0, 2}));
}

TEST(trajectory_writer, keeps_all_digits) {
  const model m = testing::read(circle);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.125});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 7);
  const std::string last = written<double>(7, 7).back();
  EXPECT_EQ(std::stod(last.substr(last.find(',') + 1)), report.position[0]);
}

TEST(trajectory_writer, writes_every_scalar) {
  EXPECT_EQ(written<quad>(1, 1).size(), 3U);
  const precision_scope scope(50);
  const auto lines = written<multi>(1, 1);
  EXPECT_EQ(lines[1], "0,1,0,0,1,1,1,1");
  EXPECT_GT(lines[2].size(), 250U);
}

TEST(trajectory_writer, reports_a_full_disk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const temporary_folder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.csv"));
  const model m = testing::read(circle);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.125});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  trajectory_writer<double> writer(flow.space(), {{folder.path("full.csv"), {}, "--output"}});
  run(flow, *workspace, state, run_options<double>{.steps = 3, .observers = {&writer}});
  EXPECT_FALSE(writer.finish(""));
  EXPECT_EQ(writer.error(), "No space left on device");
}

TEST(trajectory_writer, refuses_a_path_that_cannot_be_written) {
  const model m = testing::read(circle);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.125});
  try {
    trajectory_writer<double>(flow.space(), {{"/no/such/folder/out.csv", {"--output", 0, 0}, "--output"}});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "output-unwritable");
    EXPECT_EQ(error.place().file, "--output");
  }
}

}  // namespace
}  // namespace actio
