// --columns: which columns an output has.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::contents;
using testing::lines_of;
using testing::outcome;
using testing::temporary_folder;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line) {
    if (c == ',') cells.emplace_back();
    else cells.back() += c;
  }
  return cells;
}

TEST(columns, are_those_that_are_asked_for_in_their_order) {
  const temporary_folder folder;
  const std::string all = folder.path("all.csv"), some = folder.path("some.csv");
  ASSERT_EQ(actio_program({"run", "kepler", "--steps", "10", "--output", all}).status, 0);
  const outcome result =
      actio_program({"run", "kepler", "--steps", "10", "--output", some, "--columns", "energy, y', p_x, t, x"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rows = lines_of(contents(some)), usual = lines_of(contents(all));
  ASSERT_EQ(rows.size(), usual.size());
  EXPECT_EQ(rows.front(), "t,energy,y',p_x,x");
  const auto names = cells_of(usual.front()), last = cells_of(usual.back()), chosen = cells_of(rows.back());
  const auto value = [&](const std::string& name) {
    return last[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  };
  EXPECT_EQ(chosen, (std::vector<std::string>{value("t"), value("energy"), value("p_y"), value("p_x"), value("x")}));
}

TEST(columns, may_be_members_with_several_indices) {
  const temporary_folder folder;
  const std::string model = folder.write("m.toml",
                                         "coordinates = [\"q[1..2,1..2]\"]\n"
                                         "lagrangian = \"sum(i = 1..2, j = 1..2, 1/2*q[i,j]'^2)\"\n"),
                    output = folder.path("a.csv");
  const outcome result =
      actio_program({"run", model, "--steps", "3", "--step", "0.1", "--output", output, "--columns", "q[1,2], q[2,1]"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines_of(contents(output)).front(), "t,\"q[1,2]\",\"q[2,1]\"");
}

TEST(columns, go_on_after_an_interruption_and_are_repeated) {
  const temporary_folder folder;
  const std::string whole = folder.path("whole.csv"), parted = folder.path("parted.csv");
  const std::vector<std::string> options{"--step", "0.01", "--columns", "x',energy", "--checkpoint-every", "7"};
  const auto run = [&](const std::string& output, const std::string& steps, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"run", "kepler", "--steps", steps, "--output", output, "--every", "4"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), more.begin(), more.end());
    return actio_program(words).status;
  };
  EXPECT_EQ(run(whole, "50"), 0);
  EXPECT_EQ(run(parted, "21"), 0);
  EXPECT_EQ(run(parted, "50", {"--resume"}), 0);
  EXPECT_EQ(contents(whole), contents(parted));
}

TEST(initial_values, that_are_left_out_are_said_to_be_zero) {
  const temporary_folder folder;
  const std::string path = folder.write("m.toml",
                                        "coordinates = [\"x\"]\nlagrangian = \"x'^2/2 - x^2/2 + x\"\n"
                                        "[run]\nstep = 0.1\nsteps = 3\n");
  const outcome run = actio_program({"run", path});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("initial values that are not given are zero: x, x'"), std::string::npos) << run.err;
  EXPECT_NE(actio_program({"check", path}).out.find("left out      initial values"), std::string::npos);
}

}  // namespace
}  // namespace actio
