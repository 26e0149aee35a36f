// Standard output and standard error that are closed, full or read by nobody.
#include <gtest/gtest.h>

#include "actio/io/row_sink.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {
namespace {

const std::vector<std::vector<std::string>>& commands() {
  static const std::vector<std::vector<std::string>> all{
      {"run", "pendulum", "--steps", "3"},
      {"run", "pendulum", "--steps", "3", "--json"},
      {"ensemble", "pendulum", "--sweep", "q=0:1:3", "--steps", "3"},
      {"compare", "pendulum", "--methods", "simpson", "--step-sizes", "0.1", "--until", "1"},
      {"check", "pendulum"},
      {"exact", "pendulum", "--times", "1"},
      {"methods"},
      {"methods", "--json"},
      {"problems"},
      {"explain", "simpson"},
      {"--help"},
      {"run", "--help"},
      {"--version"}};
  return all;
}

TEST(console, results_that_cannot_be_written_are_an_error_of_every_command) {
  for (const auto& words : commands()) {
    for (const char* where : {"/dev/full", "closed"}) {
      const outcome result = actio_program(words, {where, ""});
      EXPECT_EQ(result.status, 1) << words.front() << " " << where << result.err;
      EXPECT_NE(result.err.find("could not be written"), std::string::npos) << words.front() << result.err;
    }
  }
}

TEST(console, notes_that_cannot_be_written_change_nothing) {
  const temporary_folder folder;
  for (const char* where : {"/dev/full", "closed"}) {
    const std::string output = folder.path("a.csv");
    const std::vector<std::string> words{"run", "pendulum", "--steps", "3", "--output", output, "--resume"};
    EXPECT_EQ(actio_program(words, {"", where}).status, 0) << where;
    EXPECT_TRUE(contents(output).starts_with("t,q,p_q,energy\n0,")) << contents(output);
    EXPECT_EQ(actio_program({"run", "no-such-model"}, {"", where}).status, 2) << where;
    EXPECT_EQ(actio_program({"run", "pendulum", "--steps", "3"}, {"closed", where}).status, 1) << where;
  }
}

// `actio run … | true`: the reader is gone, the files are whole.
TEST(console, a_reader_that_goes_away_costs_no_file) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) {
    const std::string output = folder.path("a" + ending), page = folder.path("a" + ending + ".html");
    const std::string script =
        folder.write("script", "( sleep 0.05; '" ACTIO_PROGRAM "' run pendulum --steps 300 --json --report '" + page +
                                   "' --output '" + output + "' 2>'" + folder.path("err") + "'; echo $? >'" +
                                   folder.path("status") + "' ) | true\n");
    ASSERT_EQ(std::system(("bash '" + script + "'").c_str()), 0);
    for (int k = 0; k < 500 && contents(folder.path("status")).empty(); ++k) usleep(10000);
    EXPECT_EQ(contents(folder.path("status")), "1\n");
    EXPECT_NE(contents(folder.path("err")).find("Broken pipe"), std::string::npos) << contents(folder.path("err"));
    EXPECT_TRUE(std::filesystem::exists(output));
    EXPECT_TRUE(std::filesystem::exists(page));
    EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
    std::filesystem::remove(folder.path("status"));
  }
}

TEST(console, a_report_that_cannot_be_written_at_the_end_comes_after_the_certificate) {
  const temporary_folder folder;
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  std::filesystem::create_symlink("/dev/full", folder.path("page.html"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "pendulum", "--steps", "3"},
                                                std::vector<std::string>{"compare", "pendulum", "--methods", "simpson",
                                                                         "--step-sizes", "0.1", "--until", "1"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--report", folder.path("page.html")});
    const outcome result = actio_program(all);
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.out.find("energy"), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find("page.html"), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("could not be written: No space left on device"), std::string::npos) << result.err;
  }
}

TEST(console, the_end_of_the_terminal_ends_a_run_well) {
  const temporary_folder folder;
  for (const int signal : {SIGHUP, SIGTERM}) {
    const std::string output = folder.path(std::to_string(signal) + ".csv");
    started_program program({"run", "spring-pendulum", "--output", output, "--steps", "100000000"});
    while (contents(output).empty()) usleep(2000);
    kill(program.process(), signal);
    const outcome ended = program.wait();
    EXPECT_EQ(ended.status, 1);
    EXPECT_NE(ended.err.find("--resume goes on from there"), std::string::npos) << ended.err;
    EXPECT_TRUE(contents(output).ends_with('\n'));
  }
}

}  // namespace
}  // namespace actio::testing
