// actio ensemble: its tables and its summary.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "actio/io/row_sink.hpp"
#include "actio/io/trajectory_file.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

TEST(ensemble_command, writes_one_row_a_trajectory) {
  const temporary_folder folder;
  const std::string model = folder.write("spring.toml", oscillator_model), table = folder.path("springs.csv");
  const outcome result = actio_program({"ensemble", model, "--sweep", "x=1:2:3", "--sample", "k=uniform(1,2)",
                                        "--count", "2", "--output", table, "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto lines = lines_of(contents(table));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "trajectory,k,x(0),p_x(0),x,p_x,energy_error,steps,status");
  EXPECT_TRUE(lines[1].starts_with("0,1.")) << lines[1];
  for (std::size_t k = 1; k < lines.size(); ++k) EXPECT_TRUE(lines[k].ends_with(",4,0")) << lines[k];
  const auto summary = nlohmann::json::parse(result.out);
  EXPECT_EQ(summary["count"], 6);
  EXPECT_EQ(summary["failed"], 0);
  EXPECT_LE(summary["position"]["x"]["smallest"], summary["position"]["x"]["mean"]);
}

// What holds for one value of a parameter alone is no momentum of the ensemble.
TEST(ensemble_command, has_the_momenta_of_all_its_trajectories) {
  const temporary_folder folder;
  const std::string model = folder.write("m.toml", R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + k*y^2) - c*(x^2 + y^2)^2"
[parameters]
k = 1
c = 1
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 2
[run]
step = 0.01
steps = 4
)toml"),
                    table = folder.path("m.csv");
  const auto columns = [&](const std::string& sweep) {
    const outcome result = actio_program({"ensemble", model, "--sweep", sweep, "--output", table});
    EXPECT_EQ(result.status, 0) << result.err;
    return lines_of(contents(table))[0];
  };
  EXPECT_NE(columns("x=1:2:3").find("error(rotation_xy)"), std::string::npos);
  EXPECT_NE(columns("c=1:2:3").find("error(rotation_xy)"), std::string::npos);
  EXPECT_EQ(columns("k=1:2:3").find("error("), std::string::npos);
}

TEST(ensemble_command, writes_the_same_file_with_any_number_of_threads) {
  const temporary_folder folder;
  std::string first;
  for (const char* threads : {"1", "3"}) {
    const std::string table = folder.path(std::string(threads) + ".csv");
    const outcome result = actio_program({"ensemble", "double-pendulum", "--sample", "q1=normal(0,1)", "--count", "20",
                                          "--seed", "3", "--steps", "50", "--threads", threads, "--output", table});
    ASSERT_EQ(result.status, 0) << result.err;
    if (first.empty()) first = contents(table);
    EXPECT_EQ(contents(table), first);
  }
}

TEST(ensemble_command, counts_and_names_failures) {
  const temporary_folder folder;
  const outcome result =
      actio_program({"ensemble", folder.write("m.toml", ending_model), "--sweep", "x=-1:1:2", "--method", "rk4"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("failed        2\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("left the domain"), std::string::npos) << result.out;
}

TEST(ensemble_command, writes_crossings_beside_the_table) {
  const temporary_folder folder;
  const std::string model = folder.write("spring.toml", oscillator_model), table = folder.path("springs.csv");
  const outcome result = actio_program({"ensemble", model, "--sweep", "x=1:2:3", "--steps", "60", "--poincare",
                                        "x:both", "--lyapunov", "--output", table, "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines_of(contents(table))[0], "trajectory,x(0),p_x(0),x,p_x,energy_error,lyapunov,steps,status");
  const auto crossings = lines_of(contents(folder.path("springs.poincare.csv")));
  const auto summary = nlohmann::json::parse(result.out);
  ASSERT_GT(crossings.size(), 6U);
  EXPECT_EQ(crossings[0], "trajectory,t,x,p_x");
  EXPECT_EQ(summary["crossings"], crossings.size() - 1);
  EXPECT_EQ(summary["section"], "x:both");
  EXPECT_LE(summary["lyapunov"]["smallest"], summary["lyapunov"]["largest"]);
}

TEST(ensemble_command, refuses_columns_of_one_name) {
  const temporary_folder folder;
  const std::string model = folder.write("m.toml", R"toml(coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*steps*x^2"
[parameters]
steps = 1
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.1
until = 1
)toml");
  const outcome result = actio_program({"ensemble", model, "--sweep", "steps=1:2:3", "--output", folder.path("a.csv")});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("would be called 'steps'"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.csv")));
}

TEST(ensemble_command, keeps_crossings_in_the_same_hdf5_file) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  const std::string table = folder.path("stars.h5");
  const outcome result = actio_program({"ensemble", "henon-heiles", "--sweep", "y=0:0.1:3", "--until", "60",
                                        "--poincare", "x", "--output", table, "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto summary = nlohmann::json::parse(result.out);
  const trajectory_file file = trajectory_file::open(table);
  EXPECT_EQ(file.rows(), 3U);
  EXPECT_EQ(file.text("poincare"), "x");
  EXPECT_GT(summary["crossings"], 10);
  EXPECT_FALSE(std::filesystem::exists(folder.path("stars.poincare.h5")));
}

TEST(ensemble_command, keeps_in_hdf5_what_made_it) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  const std::string table = folder.path("orbits.h5");
  const outcome result =
      actio_program({"ensemble", "kepler", "--sweep", "GM=1:1.1:5", "--steps", "10", "--seed", "9", "--output", table});
  ASSERT_EQ(result.status, 0) << result.err;
  const trajectory_file file = trajectory_file::open(table);
  EXPECT_EQ(file.rows(), 5U);
  EXPECT_EQ(file.columns()[1], "GM");
  EXPECT_EQ(std::stod(file.values("GM", 4, 1).front()), 1.1);
  EXPECT_EQ(file.text("seed"), "9");
  EXPECT_NE(file.text("sweep").find("GM=1:1.1:5"), std::string::npos);
}

}  // namespace
}  // namespace actio::testing
