// Parts of ensembles that cannot be: refused by name, with what would help.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

void expect_refused(const std::string& /*id*/, const std::vector<std::string>& arguments, const std::string& message) {
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_EQ(result.err, "actio: " + message + "\n");
}

class part_errors : public ::testing::Test {
 protected:
  part_errors() : before_(std::filesystem::current_path()) { std::filesystem::current_path(folder_.path("")); }
  ~part_errors() override { std::filesystem::current_path(before_); }

  static void make(const std::string& part, const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = ensemble(output, more);
    words.insert(words.end(), {"--part", part});
    EXPECT_EQ(actio_program(words).status, 0);
  }
  static std::vector<std::string> ensemble(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"ensemble", "pendulum", "--sweep", "q=0.1:1:10", "--steps",
                                   "5",        "--output", output,    "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  temporary_folder folder_;
  std::filesystem::path before_;
};

TEST_F(part_errors, parts_that_are_none) {
  for (const std::string part :
       {"4/3", "0/3", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1.5/2", "1/0", "1/9999999999"}) {
    expect_refused(
        "bad-part", {"ensemble", "pendulum", "--sweep", "q=0:1:3", "--steps", "5", "--part=" + part},
        "'" + part +
            "' is no part of an ensemble, --part; give K/P with whole numbers, 1 <= K <= P: 2/8 is the second "
            "of eight parts");
  }
}

TEST_F(part_errors, files_that_do_not_make_a_whole) {
  make("1/3", "1.csv");
  make("2/3", "2.csv");
  make("3/3", "3.csv");
  make("2/3", "other.csv", {"--step", "0.001"});
  EXPECT_EQ(actio_program(ensemble("whole.csv")).status, 0);
  expect_refused("missing-parts", {"join", "1.csv", "3.csv", "--output", "all.csv"},
                 "3 of 10 trajectories are missing: 3 to 5, argument PART; give the parts that hold them, too");
  expect_refused("overlapping-parts", {"join", "1.csv", "2.csv", "1.csv", "3.csv", "--output", "all.csv"},
                 "'1.csv' and '1.csv' hold the same trajectories, argument PART; give each part once");
  expect_refused(
      "other-ensemble", {"join", "1.csv", "other.csv", "3.csv", "--output", "all.csv"},
      "'1.csv' and 'other.csv' are of different ensembles: another step, argument PART; join parts that were "
      "made with the same model, options and version");
  expect_refused("overlapping-parts", {"join", "1.csv", "whole.csv", "--output", "all.csv"},
                 "'1.csv' and 'whole.csv' hold the same trajectories, argument PART; give each part once");
  std::filesystem::rename("whole.csv.checkpoint", "gone");
  expect_refused(
      "no-part", {"join", "1.csv", "whole.csv", "--output", "all.csv"},
      "'whole.csv' is no part of an ensemble, or its checkpoint is gone, argument PART; give files of 'actio "
      "ensemble' with --part, their '.checkpoint' beside those without HDF5");
  expect_refused("missing-argument", {"join", "1.csv", "2.csv", "3.csv"},
                 "there is no output for the whole ensemble, actio join; add --output FILE");
  expect_refused("conflicting-options", {"join", "1.csv", "2.csv", "3.csv", "--output", "2.csv"},
                 "the output and a part would be one file, '2.csv', argument PART; give each a path of its own");
  EXPECT_FALSE(std::filesystem::exists("all.csv"));
  EXPECT_EQ(actio_program({"join", "1.csv", "2.csv", "3.csv", "--output", "all.csv"}).status, 0);
  EXPECT_EQ(contents("all.csv"), contents("whole.csv"));
}

TEST_F(part_errors, damaged_parts) {
  make("1/2", "1.csv");
  make("2/2", "2.csv");
  const std::string rows = contents("1.csv");
  folder_.write("1.csv", rows.substr(0, rows.size() - 30));
  const outcome shorter = actio_program({"join", "1.csv", "2.csv", "--output", "all.csv"});
  EXPECT_EQ(shorter.status, 2);
  EXPECT_NE(shorter.err.find("'1.csv' cannot be read as rows of an ensemble"), std::string::npos) << shorter.err;
  folder_.write("1.csv", "x\n1\n");
  const outcome other = actio_program({"join", "1.csv", "2.csv", "--output", "all.csv"});
  EXPECT_NE(other.err.find("it has other columns"), std::string::npos) << other.err;
  folder_.write("1.csv.checkpoint", "actio checkpoint 4\n{}\n0\n");
  EXPECT_EQ(actio_program({"join", "1.csv", "2.csv", "--output", "all.csv"}).status, 2);
}

TEST_F(part_errors, what_cannot_be_resumed) {
  make("1/2", "1.csv");
  expect_refused(
      "checkpoint-foreign", ensemble("1.csv", {"--part", "2/2", "--resume"}),
      "the checkpoint is of part 1/2 of the ensemble, with trajectories 0 to 4, 1.csv.checkpoint; repeat that "
      "--part, or leave --resume out to start afresh");
  expect_refused(
      "checkpoint-foreign", ensemble("1.csv", {"--part", "1/2", "--resume", "--step", "0.001"}),
      "the checkpoint belongs to an ensemble with another step, 1.csv.checkpoint; repeat the options of that "
      "ensemble, or leave --resume out to start afresh");
  expect_refused("conflicting-options",
                 {"ensemble", "pendulum", "--sweep", "q=0:1:3", "--steps", "5", "--resume", "--quiet"},
                 "an ensemble goes on from its output, but there is none, --resume; add --output FILE.h5 or FILE.csv");
  EXPECT_EQ(actio_program(ensemble("1.csv", {"--resume"})).status, 0);  // the whole goes on from its first part
  EXPECT_EQ(actio_program(ensemble("whole.csv")).status, 0);
  EXPECT_EQ(contents("1.csv"), contents("whole.csv"));
}

TEST_F(part_errors, finished_ensembles_are_not_replaced) {
  const std::string cure = "; repeat the options of that ensemble, or leave --resume out to start afresh";
  ASSERT_EQ(actio_program(ensemble("whole.csv")).status, 0);
  const std::string rows = contents("whole.csv");
  expect_refused("checkpoint-foreign", ensemble("whole.csv", {"--resume", "--step", "0.001"}),
                 "the checkpoint belongs to an ensemble with another step, whole.csv.checkpoint" + cure);
  EXPECT_EQ(actio_program(ensemble("whole.csv", {"--resume"})).status, 0);
  std::filesystem::remove("whole.csv.checkpoint");
  expect_refused("checkpoint-foreign", ensemble("whole.csv", {"--resume"}),
                 "the file is there, but no checkpoint that says of which ensemble it is, whole.csv; name another "
                 "--output, or leave --resume out to start afresh, which replaces the file");
  EXPECT_EQ(contents("whole.csv"), rows);
  if (!part_hdf5().is_there) return;
  ASSERT_EQ(actio_program(ensemble("whole.h5")).status, 0);
  EXPECT_FALSE(std::filesystem::exists("whole.h5.checkpoint"));
  expect_refused("checkpoint-foreign", ensemble("whole.h5", {"--resume", "--step", "0.001"}),
                 "the checkpoint belongs to an ensemble with another step, whole.h5" + cure);
  EXPECT_EQ(actio_program(ensemble("whole.h5", {"--resume"})).status, 0);
}

TEST(missing_mpi, several_processes_are_refused) {
#ifdef ACTIO_WITH_MPI
  GTEST_SKIP() << "this build has MPI";
#else
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  expect_refused("mpi-unavailable", {"ensemble", "pendulum", "--sweep", "q=0:1:3", "--steps", "5"},
                 "several processes were started, but this build of actio has no MPI, actio ensemble; start parts with "
                 "--part K/P, or build actio with MPI");
  unsetenv("OMPI_COMM_WORLD_SIZE");
#endif
}

}  // namespace
}  // namespace actio::testing
