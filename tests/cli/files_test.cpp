// Runs that leave files: killed at any moment, resumed, repeated, in places where they cannot be.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "actio/base/scalar.hpp"
#include "actio/io/row_sink.hpp"
#include "actio/io/trajectory_file.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/written_files.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::contents;
using testing::lasting;
using testing::outcome;
using testing::rows_in;
using testing::started_program;
using testing::temporary_folder;

void expect_survival(const std::string& ending, const std::string& precision, const std::string& steps, int kills) {
  const temporary_folder folder;
  const std::string whole = folder.path("whole" + ending), torn = folder.path("torn" + ending);
  std::vector<std::string> words{"run",     "spring-pendulum", "--output", whole,    "--precision",
                                 precision, "--steps",         steps,      "--json", "--quiet"};
  const outcome uninterrupted = actio_program(words);
  ASSERT_EQ(uninterrupted.status, 0) << uninterrupted.err;
  words[3] = torn;
  words.insert(words.end(), {"--checkpoint-every", "997", "--resume"});
  std::mt19937 random(5);
  std::uniform_int_distribution<int> microseconds(3000, 120000);
  int killed = 0;
  for (int k = 0; k < kills; ++k) {
    started_program program(words);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    kill(program.process(), SIGKILL);
    killed += program.wait().status == 128 + SIGKILL ? 1 : 0;
    if (ending == ".h5" && std::filesystem::exists(torn)) {
      EXPECT_NO_THROW({
        const trajectory_file file = trajectory_file::open(torn);
        if (file.rows() > 0) file.values("t", file.rows() - 1, 1);
      });
    }
  }
  EXPECT_GT(killed, 0);
  const outcome resumed = actio_program(words);
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(lasting(resumed.out), lasting(uninterrupted.out));
  if (ending != ".h5") {
    EXPECT_EQ(contents(torn), contents(whole));
    return;
  }
  const trajectory_file a = trajectory_file::open(whole), b = trajectory_file::open(torn);
  ASSERT_EQ(a.rows(), b.rows());
  for (const std::string& name : a.columns()) EXPECT_EQ(a.values(name, 0, a.rows()), b.values(name, 0, b.rows()));
  EXPECT_EQ(actio_program({"run", torn, "--again"}).out, "the bits agree: " + std::to_string(b.rows()) + " rows\n");
}

TEST(killed_run, resumes_to_the_same_bits_in_hdf5) {
  ACTIO_NEEDS(hdf5);
  expect_survival(".h5", "double", "100000", 12);
}
TEST(killed_run, resumes_to_the_same_bits_in_csv) { expect_survival(".csv", "double", "60000", 6); }
TEST(killed_run, resumes_to_the_same_bits_in_npy) { expect_survival(".npy", "double", "60000", 4); }
TEST(killed_run, resumes_to_the_same_bits_with_thirty_digits) {
  ACTIO_NEEDS(mpfr);
  expect_survival(".csv", "30", "3000", 4);
}
TEST(killed_run, resumes_to_the_same_bits_in_quad) { expect_survival(".csv", "quad", "3000", 4); }

TEST(interrupted_run, ends_with_a_valid_output_and_says_how_to_go_on) {
  const temporary_folder folder;
  started_program program({"run", "spring-pendulum", "--output", folder.path("a.csv"), "--steps", "100000000"});
  for (int k = 0; k < 2000 && !std::filesystem::exists(folder.path("a.csv")); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(program.process(), SIGINT);
  const outcome ended = program.wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.err.find("--resume goes on from there"), std::string::npos) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("a.csv.checkpoint")));
  const std::string text = contents(folder.path("a.csv"));
  EXPECT_EQ(text.back(), '\n');
}

TEST(resume, without_a_checkpoint_starts_afresh_and_says_so) {
  const temporary_folder folder;
  const outcome run = actio_program({"run", "pendulum", "--output", folder.path("a.csv"), "--resume"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.err.find("starting afresh"), std::string::npos) << run.err;
}

TEST(resume, refuses_the_checkpoint_of_another_run) {
  const temporary_folder folder;
  const std::string output = folder.path("a.csv");
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", output, "--checkpoint-every", "10"}).status, 0);
  const outcome other = actio_program({"run", "pendulum", "--output", output, "--resume", "--method", "verlet"});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("belongs to a run with another method"), std::string::npos) << other.err;
  folder.write("a.csv.checkpoint", "actio checkpoint 4\n{}\nnonsense\n");
  const outcome damaged = actio_program({"run", "pendulum", "--output", output, "--resume"});
  EXPECT_EQ(damaged.status, 2);
  EXPECT_NE(damaged.err.find("its checksum does not fit"), std::string::npos) << damaged.err;
}

TEST(resume, goes_further_than_the_first_run) {
  const temporary_folder folder;
  const std::string parts = folder.path("parts.csv"), whole = folder.path("whole.csv");
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", parts, "--steps", "100", "--checkpoint-every", "10"}).status,
            0);
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", parts, "--steps", "300", "--resume"}).status, 0);
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", whole, "--steps", "300"}).status, 0);
  EXPECT_EQ(contents(parts), contents(whole));
}

// Equations y' = f(t, y): no columns for momenta and energy, and the same promises about files.
TEST(equations, leave_files_that_resume_and_repeat) {
  const temporary_folder folder;
  for (const std::string precision : {"double", "quad", has_mpfr ? "40" : "quad"}) {
    const std::string parts = folder.path("parts.csv"), whole = folder.path("whole.csv");
    std::vector<std::string> words{
        "run", "reduced-lagrange-top", "--precision", precision, "--quiet", "--json", "--output", parts, "--steps",
        "70"};
    words.insert(words.end(), {"--checkpoint-every", "50"});
    ASSERT_EQ(actio_program(words).status, 0);
    words[9] = "200";
    words.push_back("--resume");
    const outcome resumed = actio_program(words);
    words.pop_back();
    words[7] = whole;
    const outcome uninterrupted = actio_program(words);
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    ASSERT_EQ(uninterrupted.status, 0) << uninterrupted.err;
    EXPECT_EQ(lasting(resumed.out), lasting(uninterrupted.out));
    const std::string text = contents(whole);
    EXPECT_EQ(contents(parts), text);
    EXPECT_EQ(text.substr(0, text.find('\n')), "t,phi,theta,xi,nutation_energy");
    std::filesystem::remove(parts);
    std::filesystem::remove(parts + ".checkpoint");
  }
  const nlohmann::json report =
      nlohmann::json::parse(actio_program({"run", "reduced-lagrange-top", "--steps", "3", "--json"}).out);
  EXPECT_TRUE(report["momentum"].is_object() && report["momentum"].empty());
  EXPECT_TRUE(report["momenta"].is_object() && report["momenta"].empty());
  for (const char* key : {"initial", "final", "max_relative_error"})
    EXPECT_TRUE(report["energy"][key].is_null()) << key;
  if (!testing::part_hdf5().is_there) return;
  const std::string output = folder.path("a.h5");
  ASSERT_EQ(actio_program({"run", "reduced-lagrange-top", "--output", output, "--steps", "30"}).status, 0);
  EXPECT_EQ(trajectory_file::open(output).columns(),
            (std::vector<std::string>{"t", "phi", "theta", "xi", "nutation_energy"}));
  EXPECT_EQ(actio_program({"run", output, "--again"}).out, "the bits agree: 31 rows\n");
}

TEST(equations, begin_with_rk4_where_nothing_else_is_said) {
  const temporary_folder folder;
  const std::string model = folder.write(
      "decay.toml",
      "coordinates = [\"y\"]\n[equations]\ny = \"-y\"\n[initial.position]\ny = 1\n[run]\nstep = 0.1\nsteps = 10\n");
  const outcome run = actio_program({"run", model, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["method"], "rk4");
  const outcome check = actio_program({"check", model});
  EXPECT_NE(check.out.find("y' = -y"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("no momenta and no energy"), std::string::npos) << check.out;
  const nlohmann::json facts = nlohmann::json::parse(actio_program({"check", model, "--json"}).out);
  EXPECT_TRUE(facts["lagrangian"].is_null());
  EXPECT_TRUE(facts["initial"]["energy"].is_null());
  EXPECT_EQ(facts["initial"]["velocity"]["y"], -1.0);
}

TEST(again, finds_a_changed_bit) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  const std::string output = folder.path("a.h5");
  ASSERT_EQ(
      actio_program({"run", "kepler", "--output", output, "--steps", "50", "--every", "7", "--set", "e=0.5"}).status,
      0);
  EXPECT_EQ(actio_program({"run", output, "--again"}).out, "the bits agree: 9 rows\n");
  const outcome shown = actio_program({"show", output});
  EXPECT_NE(shown.out.find("9 rows"), std::string::npos);
  EXPECT_NE(shown.out.find("e=0.5"), std::string::npos);
  const outcome wrong = actio_program({"show", folder.write("b.h5", "no HDF5 at all")});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("is not a trajectory file of actio"), std::string::npos) << wrong.err;
}

TEST(resume, never_goes_on_from_a_run_before_the_last) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) {
    const std::string output = folder.path("a" + ending);
    ASSERT_EQ(
        actio_program({"run", "pendulum", "--output", output, "--steps", "40", "--checkpoint-every", "10"}).status, 0);
    ASSERT_TRUE(std::filesystem::exists(output + ".checkpoint"));
    ASSERT_EQ(actio_program({"run", "pendulum", "--output", output, "--steps", "60", "--method", "verlet"}).status, 0);
    EXPECT_FALSE(std::filesystem::exists(output + ".checkpoint"));
    const outcome resumed = actio_program({"run", "pendulum", "--output", output, "--steps", "60", "--resume"});
    EXPECT_EQ(rows_in(output), 61U);
    EXPECT_NE(resumed.err.find("starting afresh"), std::string::npos) << resumed.err;
  }
}

TEST(resume, of_a_finished_run_changes_nothing) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) {
    const std::string output = folder.path("a" + ending);
    std::vector<std::string> words{"run", "pendulum", "--output", output, "--steps", "40", "--every", "7"};
    words.insert(words.end(), {"--checkpoint-every", "10"});
    ASSERT_EQ(actio_program(words).status, 0);
    ASSERT_EQ(rows_in(output), 7U);
    const std::string before = contents(output);
    words.emplace_back("--resume");
    EXPECT_EQ(actio_program(words).status, 0);
    EXPECT_EQ(rows_in(output), 7U) << ending;
    if (ending != ".h5") {
      EXPECT_EQ(contents(output), before);
    } else {
      EXPECT_EQ(actio_program({"run", output, "--again"}).out, "the bits agree: 7 rows\n");
    }
    words[5] = "20";
    const outcome shorter = actio_program(words);
    EXPECT_EQ(shorter.status, 2);
    EXPECT_NE(shorter.err.find("the checkpoint stands at step 40, this run would end at step 20"), std::string::npos)
        << shorter.err;
  }
}

TEST(resume, never_makes_up_rows) {
  const temporary_folder folder;
  const std::string output = folder.path("a.npy");
  ASSERT_EQ(actio_program({"run", "pendulum", "--output", output, "--steps", "40", "--checkpoint-every", "10"}).status,
            0);
  std::filesystem::resize_file(output, std::filesystem::file_size(output) - 100);
  const outcome resumed = actio_program({"run", "pendulum", "--output", output, "--steps", "60", "--resume"});
  EXPECT_EQ(resumed.status, 2);
  EXPECT_NE(resumed.err.find("does not hold the 41 rows that the checkpoint speaks of"), std::string::npos)
      << resumed.err;
}

TEST(links, are_followed_by_every_format) {
  const temporary_folder folder;
  std::filesystem::create_directory(folder.path("data"));
  std::vector<std::string> names{"page.html"};
  for (const std::string& ending : sink_endings()) names.push_back("a" + ending);
  for (const std::string& name : names) {
    const std::string link = folder.path(name), target = folder.path("data/" + name);
    std::filesystem::create_symlink("data/" + name, link);
    const char* option = name == "page.html" ? "--report" : "--output";
    for (int k = 0; k < 2; ++k) {  // where there is nothing yet, and again
      ASSERT_EQ(actio_program({"run", "pendulum", "--steps", "3", option, link}).status, 0);
      EXPECT_TRUE(std::filesystem::is_symlink(link)) << name;
      EXPECT_GT(std::filesystem::file_size(target), 0U) << name;
    }
  }
}

TEST(files_of_a_command, are_never_one_file) {
  const temporary_folder folder;
  const std::string model = folder.write("m.toml", testing::oscillator_model);
  std::filesystem::create_symlink("a.csv", folder.path("b.csv"));
  folder.write("c.csv", "");
  std::filesystem::create_hard_link(folder.path("c.csv"), folder.path("d.html"));
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"a.csv", "a.csv"},  {"a.csv", "./a.csv"},          {"a.csv", "b.csv"},
      {"b.csv", "a.csv"},  {"a.csv", "a.csv.checkpoint"}, {"b.csv", "a.csv.checkpoint"},
      {"c.csv", "d.html"}, {"a.h5", "a.h5.part"},         {"a.csv", "m.toml"}};
  for (const auto& [output, report] : pairs) {
    const outcome run = actio_program({"run", model, "--output", folder.path(output), "--report", folder.path(report)});
    EXPECT_EQ(run.status, 2) << output << " " << report;
    EXPECT_NE(run.err.find("would be one file"), std::string::npos) << run.err;
  }
  EXPECT_EQ(contents(model), testing::oscillator_model);
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.csv")));
  std::filesystem::copy(model, folder.path("m.csv"));
  EXPECT_EQ(actio_program({"run", folder.path("m.csv"), "--output", folder.path("m.csv")}).status, 2);
}

// Everything is refused before the run, and nothing is left behind.
TEST(outputs, that_cannot_be_are_refused_before_the_run) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) std::filesystem::create_directory(folder.path("folder" + ending));
  const std::string never = "1000000000000", longest(240, 'x');
  const std::vector<std::vector<std::string>> wrong{{"--output", folder.path("folder.csv")},
                                                    {"--output", folder.path("none/a.csv")},
                                                    {"--output", folder.path(longest + ".csv")},
                                                    {"--output", folder.path(std::string(300, 'x') + ".h5")},
                                                    {"--report", folder.path("folder.csv")},
                                                    {"--report", folder.path("none/a.html")},
                                                    {"--report", folder.path(std::string(300, 'x') + ".html")}};
  for (const auto& options : wrong) {
    std::vector<std::string> words{"run", "pendulum", "--steps", never};
    words.insert(words.end(), options.begin(), options.end());
    const outcome run = actio_program(words);
    EXPECT_EQ(run.status, 2) << options[1];
    EXPECT_NE(run.err.find("cannot write"), std::string::npos) << run.err;
  }
  for (const std::string& ending : sink_endings()) {
    const outcome run =
        actio_program({"run", "pendulum", "--steps", never, "--output", folder.path("folder" + ending)});
    EXPECT_EQ(run.status, 2) << ending;
  }
  EXPECT_EQ(static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path("")), {})),
            sink_endings().size());
}

TEST(again, repeats_ensembles_with_their_crossings) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  const std::string table = folder.path("a.h5");
  ASSERT_EQ(
      actio_program({"ensemble", "henon-heiles", "--sweep", "y=0:0.1:3", "--sample", "x=normal(0,0.01)", "--count", "2",
                     "--seed", "5", "--until", "60", "--poincare", "x", "--lyapunov", "--output", table})
          .status,
      0);
  EXPECT_EQ(actio_program({"ensemble", table, "--again"}).out, "the bits agree: 6 rows\n");
  const outcome as_run = actio_program({"run", table, "--again"});
  EXPECT_EQ(as_run.status, 2);
  EXPECT_NE(as_run.err.find("holds an ensemble, not a run"), std::string::npos) << as_run.err;
}

TEST(again, repeats_a_run_up_to_its_interruption) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  const std::string output = folder.path("a.h5");
  started_program program({"run", "spring-pendulum", "--output", output, "--steps", "100000000", "--every", "1000"});
  while (!std::filesystem::exists(output)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(program.process(), SIGHUP);
  EXPECT_EQ(program.wait().status, 1);
  const outcome again = actio_program({"run", output, "--again"});
  EXPECT_EQ(again.status, 0) << again.out;
  EXPECT_NE(again.out.find("where the run was interrupted"), std::string::npos) << again.out;
}

}  // namespace
}  // namespace actio
