// Files that a run leaves behind, damaged or mistaken for one another.
#include <gtest/gtest.h>

#include "actio/io/checkpoint.hpp"
#include "actio/io/trajectory_file.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::temporary_folder;

template <class Action>
std::string refused_with(const std::string& id, Action&& action) {
  try {
    action();
  } catch (const input_error& e) {
    EXPECT_EQ(e.id(), id);
    return e.what();
  }
  ADD_FAILURE() << "not refused: " << id;
  return "";
}

TEST(file_errors, a_damaged_checkpoint) {
  EXPECT_EQ(
      refused_with("checkpoint-damaged", [] { parse_checkpoint("actio checkpoint 4\n{}\n0\n", "a.checkpoint"); }),
      "the checkpoint cannot be used: its checksum does not fit, a.checkpoint; remove it, or leave 'resume' out to "
      "start afresh");
}

TEST(file_errors, a_checkpoint_whose_output_is_gone_or_another) {
  const temporary_folder folder;
  const std::string output = folder.path("a.csv");
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", output, "--checkpoint-every", "10"}).status, 0);
  folder.write("a.csv", "t,q\n1,2\n");
  EXPECT_EQ(
      refused_with("checkpoint-foreign",
                   [&] {
                     open_sink<double>({.path = {output, {"--output", 0, 0}, "--output"},
                                        .columns = {"t", "q"},
                                        .metadata = {},
                                        .keep_rows = 5});
                   }),
      "'" + output +
          "' does not hold the 5 rows that the checkpoint speaks of, --output; leave 'resume' out to start afresh");
  const auto resumed = actio_program({"run", "pendulum", "--output", output, "--resume", "--steps", "5000"});
  EXPECT_EQ(resumed.status, 2);
  EXPECT_NE(resumed.err.find("does not hold the"), std::string::npos) << resumed.err;
}

TEST(file_errors, an_output_that_another_process_writes) {
  const temporary_folder folder;
  const source_text path{folder.path("a.csv"), {"--output", 0, 0}, "--output"};
  const output_lock first(path);
  const std::string message = refused_with("output-in-use", [&] { const output_lock second(path); });
  EXPECT_TRUE(message.starts_with("'" + path.text + "' is being written by process " + std::to_string(getpid()) + " ("))
      << message;
  EXPECT_TRUE(message.ends_with("), --output; wait for its end, or write to another file")) << message;
}

TEST(file_errors, a_file_of_another_where_ours_would_be) {
  const temporary_folder folder;
  const source_text path{folder.path("a.csv"), {"--output", 0, 0}, "--output"};
  const std::string there = folder.write("a.csv.lock", "4711\n");
  EXPECT_EQ(refused_with("file-foreign", [&] { const output_lock lock(path); }),
            "'" + there +
                "' would be overwritten, but is not known to be a file of actio, --output; remove or rename it, or "
                "choose another output");
}

TEST(file_errors, a_file_that_is_no_trajectory) {
  const temporary_folder folder;
  const std::string path = folder.write("a.h5", "not HDF5");
  const bool reads_hdf5 = std::ranges::find(sink_endings(), ".h5") != sink_endings().end();
  const std::string message =
      refused_with(reads_hdf5 ? "trajectory-damaged" : "format-unavailable", [&] { trajectory_file::open(path); });
  EXPECT_NE(message.find(reads_hdf5 ? "is not a trajectory file of actio" : "this build of actio has no HDF5"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace actio
