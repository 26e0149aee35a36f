// Outputs that others want to write, that a kill interrupts, or that a disk has no room for.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "actio/io/row_sink.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/written_files.hpp"

namespace actio::testing {
namespace {

void expect_one_writer(std::vector<std::string> words) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const std::string output = folder.path("a" + ending), link = folder.path("link" + ending);
    std::filesystem::create_symlink("a" + ending, link);
    words.insert(words.end(), {"--output", output, "--quiet"});
    started_program first(words);
    while (contents(output + ".lock").find('\n') == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (const std::string& path : {output, link}) {
      for (const std::vector<std::string>& other :
           {std::vector<std::string>{"run", "pendulum", "--steps", "3"},
            std::vector<std::string>{"ensemble", "pendulum", "--sweep", "q=0:1:3", "--steps", "3"}}) {
        std::vector<std::string> second = other;
        second.insert(second.end(), {"--output", path});
        const outcome refused = actio_program(second);
        EXPECT_EQ(refused.status, 2) << refused.out;
        const std::string holder = "is being written by process " + std::to_string(first.process()) + " (";
        EXPECT_NE(refused.err.find(holder), std::string::npos) << refused.err;
      }
    }
    kill(first.process(), SIGTERM);
    EXPECT_EQ(first.wait().status, 1);
    EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
    if (ending == ".h5") {
      EXPECT_EQ(actio_program({words[0], output, "--again"}).status, 0);
    }
    words.resize(words.size() - 3);
  }
}

TEST(output_lock, a_run_keeps_others_out) { expect_one_writer({"run", "spring-pendulum", "--steps", "100000000"}); }
TEST(output_lock, an_ensemble_keeps_others_out) {
  expect_one_writer({"ensemble", "pendulum", "--sweep", "q=0:3:100000", "--steps", "5000"});
}

TEST(output_lock, is_taken_over_from_a_killed_process) {
  const temporary_folder folder;
  const std::string output = folder.path("a.csv");
  started_program first({"run", "spring-pendulum", "--steps", "100000000", "--output", output});
  while (contents(output + ".lock").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(first.process(), SIGKILL);
  first.wait();
  EXPECT_EQ(actio_program({"run", "pendulum", "--steps", "3", "--output", output}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
}

// Trajectories whose rows were handed to the writer before a flush are in the file, whatever kills the process.
TEST(killed_ensemble, keeps_what_was_finished) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const std::string output = folder.path("a" + ending), crossings = folder.path("a.poincare" + ending);
    std::mt19937 random(7);
    std::size_t most = 0;
    for (int k = 0; k < 4; ++k) {
      for (const std::string& file : {output, crossings}) std::filesystem::remove(file);
      started_program program({"ensemble", "pendulum", "--sweep", "q=0.5:3:1000000", "--steps", "2000", "--poincare",
                               "q", "--output", output, "--quiet"});
      // The first flush has nothing in it; those of results follow.
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      const auto has_results = [&] {
        if (!std::filesystem::exists(output)) return false;
        return rows_in(output) > 0;
      };
      while (std::chrono::steady_clock::now() < deadline && !has_results()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 50000));
      kill(program.process(), SIGKILL);
      EXPECT_EQ(program.wait().status, 128 + SIGKILL);
      const std::size_t rows = rows_in(output);
      most = std::max(most, rows);
      EXPECT_GT(rows, 0U) << ending;
      EXPECT_GT(ending == ".h5" ? rows_in(output, "poincare") : rows_in(crossings), 0U) << ending;
    }
    EXPECT_GE(most, 256U) << ending;
  }
}

// A file system of its own, small enough to be full soon; needs the right to mount one.
class full_disk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(small_);
    is_mounted_ = mount("tmpfs", small_.c_str(), "tmpfs", 0, "size=3m") == 0;
    if (!is_mounted_) GTEST_SKIP() << "no right to mount a file system";
  }
  void TearDown() override {
    if (is_mounted_) umount(small_.c_str());
  }
  bool make_room() { return mount("tmpfs", small_.c_str(), "tmpfs", MS_REMOUNT, "size=60m") == 0; }
  void begin_anew() {
    for (const auto& entry : std::filesystem::directory_iterator(small_)) std::filesystem::remove(entry);
    mount("tmpfs", small_.c_str(), "tmpfs", MS_REMOUNT, "size=3m");
  }
  const temporary_folder folder_;
  const std::string small_ = folder_.path("small");
  bool is_mounted_ = false;
};

TEST_F(full_disk, keeps_the_rows_of_a_run_and_advises_what_works) {
  for (const std::string& ending : sink_endings()) {
    const std::string output = small_ + "/a" + ending;
    const std::string page = folder_.path("page.html");
    const outcome run =
        actio_program({"run", "spring-pendulum", "--output", output, "--steps", "1000000", "--report", page});
    EXPECT_EQ(run.status, 1) << run.out;
    EXPECT_NE(run.out.find("trust         doubtful: the run failed"), std::string::npos) << run.out;
    EXPECT_NE(contents(page).find("the run failed"), std::string::npos);
    EXPECT_NE(run.err.find("No space left on device"), std::string::npos) << run.err;
    const bool is_resumable = std::filesystem::exists(output + ".checkpoint");
    EXPECT_EQ(run.err.find("--resume") != std::string::npos, is_resumable) << run.err;
    const std::size_t rows = rows_in(output);
    EXPECT_GT(rows, 10000U) << ending;
    EXPECT_NE(run.err.find("beyond its first " + std::to_string(rows) + " rows"), std::string::npos) << run.err;
    begin_anew();
  }
}

TEST_F(full_disk, lets_a_run_go_on_from_its_checkpoint) {
  for (const std::string& ending : sink_endings()) {
    const std::string output = small_ + "/a" + ending, whole = folder_.path("whole" + ending);
    std::vector<std::string> words{"run",    "spring-pendulum", "--output",           output, "--steps", "1000000",
                                   "--json", "--quiet",         "--checkpoint-every", "4000"};
    const outcome run = actio_program(words);
    EXPECT_EQ(run.status, 1) << run.out;
    EXPECT_NE(run.out.find("the run failed"), std::string::npos) << run.out;
    EXPECT_NE(run.err.find("go on from the last checkpoint with --resume"), std::string::npos) << run.err;
    ASSERT_TRUE(make_room());
    words[5] = "80000";
    words.emplace_back("--resume");
    const outcome resumed = actio_program(words);
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(rows_in(output), 80001U);
    words.resize(8);
    words[3] = whole;
    EXPECT_EQ(lasting(resumed.out), lasting(actio_program(words).out));
    if (ending != ".h5") {
      EXPECT_EQ(contents(output), contents(whole));
    }
    begin_anew();
  }
}

TEST_F(full_disk, keeps_the_trajectories_of_an_ensemble) {
  for (const std::string& ending : sink_endings()) {
    const std::string output = small_ + "/a" + ending;
    const outcome run = actio_program(
        {"ensemble", "kepler", "--sweep", "GM=1:1.1:1000000", "--steps", "2", "--output", output, "--quiet"});
    EXPECT_EQ(run.status, 1) << run.out;
    EXPECT_NE(run.err.find("--resume"), std::string::npos) << run.err;
    const std::size_t rows = rows_in(output);
    EXPECT_GT(rows, 5000U) << ending;
    EXPECT_NE(run.err.find("beyond its first " + std::to_string(rows) + " trajectories"), std::string::npos) << run.err;
    begin_anew();
  }
}

}  // namespace
}  // namespace actio::testing
