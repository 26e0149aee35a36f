// Files of our own beside an output: those of others that have the same names are never touched.
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "actio/io/own_file.hpp"
#include "actio/io/row_sink.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/written_files.hpp"

namespace actio::testing {
namespace {

bool is_link(const std::string& path) { return std::filesystem::is_symlink(path); }

std::vector<std::string> own_endings(const std::string& output_ending) {
  std::vector<std::string> endings{".lock", ".checkpoint", ".checkpoint.new"};
  if (output_ending == ".h5") endings.insert(endings.end(), {".part", ".new"});
  return endings;
}

// A link there, and a file there, whatever it holds: refused before the run, by name and with the cure.
TEST(own_files, of_others_are_refused_and_left_as_they_are) {
  for (const std::string& ending : sink_endings()) {
    for (const std::string& own : own_endings(ending)) {
      for (const bool by_link : {true, false}) {
        for (const std::string& text : {std::string("precious\n"), std::string(hdf5_beginning) + "precious"}) {
          const temporary_folder folder;
          const std::string output = folder.path("z" + ending), there = output + own;
          const std::string precious =
              by_link ? folder.write("precious", text) : folder.write("z" + ending + own, text);
          if (by_link) std::filesystem::create_symlink("precious", there);
          const outcome run =
              actio_program({"run", "pendulum", "--steps", "50", "--checkpoint-every", "10", "--output", output});
          EXPECT_EQ(run.status, 2) << there;
          EXPECT_NE(run.err.find("'" + there + "' would be overwritten"), std::string::npos) << run.err;
          EXPECT_NE(run.err.find("remove or rename it, or choose another output"), std::string::npos) << run.err;
          EXPECT_EQ(contents(precious), text) << there;
          EXPECT_EQ(is_link(there), by_link) << there;
          EXPECT_FALSE(std::filesystem::exists(output)) << there;
        }
      }
    }
  }
}

TEST(own_files, of_others_stop_an_ensemble) {
  const temporary_folder folder;
  const std::string output = folder.path("z.csv"), precious = folder.write("precious", "precious\n");
  std::filesystem::create_symlink("precious", folder.path("z.poincare.csv.lock"));
  const outcome run = actio_program({"ensemble", "pendulum", "--sweep", "q=0.5:1:3", "--steps", "9", "--poincare", "q",
                                     "--output", output, "--quiet"});
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_EQ(contents(precious), "precious\n");
}

// What a killed run leaves is removed by the next one, also where that one is refused for another reason first.
TEST(own_files, that_a_killed_run_left_are_in_nobodys_way) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const std::string output = folder.path("z" + ending);
    started_program first(
        {"run", "spring-pendulum", "--steps", "100000000", "--checkpoint-every", "1000", "--output", output});
    while (!std::filesystem::exists(output + ".checkpoint")) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(first.process(), SIGKILL);
    first.wait();
    ASSERT_TRUE(contents(output + ".lock").starts_with(lock_beginning));
    folder.write("z" + ending + ".checkpoint.new", std::string(checkpoint_beginning) + "3\n");
    EXPECT_EQ(actio_program({"run", "pendulum", "--steps", "3", "--output", output, "--resume"}).status, 2);
    EXPECT_EQ(actio_program({"run", "pendulum", "--steps", "3", "--output", output}).status, 0);
    EXPECT_EQ(rows_in(output), 4U);
    for (const std::string& own : own_endings(ending)) EXPECT_FALSE(std::filesystem::exists(output + own)) << own;
  }
}

// Nor is another's file removed because a killed run has left its lock.
TEST(own_files, of_others_stay_beside_the_lock_of_a_killed_run) {
  const temporary_folder folder;
  folder.write("z.csv.lock", std::string(lock_beginning) + "1\nactio run\n");
  const std::string precious = folder.write("z.csv.checkpoint.new", "precious\n");
  EXPECT_EQ(actio_program({"run", "pendulum", "--steps", "3", "--output", folder.path("z.csv")}).status, 2);
  EXPECT_EQ(contents(precious), "precious\n");
}

// Not every file system has the same numbers in /proc/locks as elsewhere.
bool lists_locks(const temporary_folder& folder) {
  const int descriptor = open(folder.write("probe", "").c_str(), O_RDWR);
  flock(descriptor, LOCK_EX);
  const std::string holder = lock_holder_of(descriptor);
  close(descriptor);
  return holder.starts_with("process " + std::to_string(getpid()));
}

TEST(own_files, name_the_process_that_writes_a_file_of_two_names) {
  const temporary_folder folder;
  const std::string output = folder.path("a.csv"), other = folder.path("b.csv");
  started_program first({"run", "spring-pendulum", "--steps", "100000000", "--output", output});
  while (!std::filesystem::exists(output)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::filesystem::create_hard_link(output, other);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const outcome second = actio_program({"run", "pendulum", "--steps", "3", "--output", other});
  kill(first.process(), SIGKILL);
  first.wait();
  EXPECT_EQ(second.status, 2);
  const std::string holder =
      lists_locks(folder) ? "process " + std::to_string(first.process()) + " (" : std::string("another process");
  EXPECT_NE(second.err.find("is being written by " + holder), std::string::npos) << second.err;
}

}  // namespace
}  // namespace actio::testing
