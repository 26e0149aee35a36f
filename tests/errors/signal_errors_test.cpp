// Everything that can be wrong with signals.
#include <gtest/gtest.h>

#include "actio/mechanics/model_builder.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using testing::temporary_folder;

std::string with(const std::string& signals, const std::string& force = "u(t)") {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2\"\n" + signals + "[forces]\nx = \"" + force +
         "\"\n[initial.position]\nx = 0\n[initial.velocity]\nx = 0\n";
}

struct wrong_signal {
  std::string id, table, csv, message;
  std::string force = "u(t)";
};

const std::string beside = "[signals.u]\nfile = \"u.csv\"\n";

const std::vector<wrong_signal> wrong_signals = {
    {"signal-column", beside, "time,size\n0,1\n1,2\n",
     "the file has no column 'value', FOLDER/u.csv:1:1; its first line names the columns: time,value"},
    {"signal-column", beside, "# nothing\n",
     "the file has no columns, FOLDER/u.csv; its first line names the columns: time,value"},
    {"signal-column", beside, "time,value\n0,1\n1\n",
     "the line ends before its column 2, FOLDER/u.csv:3:1; every line has a time and a value"},
    {"signal-column", beside, "time,value\n0,0,5\n1,1,5\n",
     "the line goes on behind its column 2, which is the last one, FOLDER/u.csv:2:5; give each column a name, and "
     "write "
     "numbers with points: 2.5"},
    {"signal-times", beside, "time,value\n0,1\n2,1\n  2.0,3\n",
     "the time 2 does not come after 2, FOLDER/u.csv:4:3; order the samples by time, each time once"},
    {"bad-number", beside, "time,value\n0,1\n1, twö, 3\n2,oops\n",
     "'twö' is no number, FOLDER/u.csv:3:4; write a decimal number such as 2.5 or 1e-3"},
    {"bad-number", beside, "time,value\n0,nan\n",
     "'nan' is no number, FOLDER/u.csv:2:3; write a decimal number such as 2.5 or 1e-3"},
    {"signal-too-short", beside, "time,value\n0,1\n",
     "the signal 'u' has 1 sample, FOLDER/u.csv; at least two are needed to interpolate"},
    {"signal-too-short", "[signals.u]\nsamples = []\n", "",
     "the signal 'u' has 0 samples, FOLDER/m.toml:3:10; at least two are needed to interpolate"},
    {"path-outside", "[signals.u]\nfile = \"../u.csv\"\n", "",
     "'../u.csv' leaves the folder of the model, FOLDER/m.toml:4:8; put the file beside the model and give its name"},
    {"path-outside", "[signals.u]\nfile = \"/etc/passwd\"\n", "",
     "'/etc/passwd' is no path below the folder of the model, FOLDER/m.toml:4:8; put the file beside the model and "
     "give its name"},
    {"file-unreadable", "[signals.u]\nfile = \"none.csv\"\n", "",
     "cannot read 'FOLDER/none.csv': No such file or directory, FOLDER/m.toml:4:8; check the path"},
    {"unknown-option-value", "[signals.u]\nsamples = [[0, 1], [1, 2]]\ninterpolation = \"spline\"\n", "",
     "'spline' is no interpolation, FOLDER/m.toml:5:17; write \"linear\" or \"cubic\""},
    {"unknown-key", "[signals.u]\nfle = \"u.csv\"\n", "",
     "unknown key 'fle' in [signals.u], FOLDER/m.toml:4:1; did you mean 'file'?"},
    {"missing-key", "[signals.u]\ninterpolation = \"cubic\"\n", "",
     "the signal 'u' needs either a file or samples, FOLDER/m.toml:3:10; write file = \"u.csv\", a file with columns "
     "time and value"},
    {"wrong-type", "[signals.u]\nsamples = [[0, 1], [1]]\n", "",
     "a row of 'samples' is a time and a value, FOLDER/m.toml:4:20; write samples = [[0, 0], [1, 2.5]], times and "
     "values"},
    {"signal-times", "[signals.u]\nsamples = [[0, 1], [0, 2]]\n", "",
     "the time 0 does not come after 0, FOLDER/m.toml:4:20; order the samples by time, each time once"},
    {"bad-number", "[signals.u]\nsamples = [[0, 1], [1, \"x\"]]\n", "",
     "'x' is no number, FOLDER/m.toml:4:24; write a number such as 2.5, or a fraction in quotes"},
    {"reserved-name", "[signals.min]\nsamples = [[0, 1], [1, 2]]\n", "",
     "a signal cannot be called 'min', FOLDER/m.toml:3:10; a function has this name, and a signal is called as "
     "functions are; choose another one"},
    {"expression-syntax", "[signals.u]\nsamples = [[0, 1], [1, 2]]\n", "",
     "the signal 'u' in force on x has no argument, FOLDER/m.toml:6:8; write u(t)", "2*u"},
    {"wrong-argument-count", "[signals.u]\nsamples = [[0, 1], [1, 2]]\n", "",
     "the signal 'u' takes one scalar in force on x, FOLDER/m.toml:6:6; write u(t)", "u(t, 1)"},
    {"unknown-function", "[signals.u]\nsamples = [[0, 1], [1, 2]]\n", "",
     "unknown function 'w' in force on x, FOLDER/m.toml:6:6; ", "w(t)"},
};

TEST(signal_errors, name_the_file_the_line_and_the_column) {
  for (const wrong_signal& wrong : wrong_signals) {
    const temporary_folder folder;
    if (!wrong.csv.empty()) folder.write("u.csv", wrong.csv);
    const std::string path = folder.write("m.toml", with(wrong.table, wrong.force));
    std::string expected = wrong.message;
    const std::string home = path.substr(0, path.rfind('/'));
    for (std::size_t at = 0; (at = expected.find("FOLDER", at)) != std::string::npos;) expected.replace(at, 6, home);
    try {
      read_model(path);
      ADD_FAILURE() << "accepted: " << wrong.message;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), wrong.id) << error.what();
      if (expected.ends_with("; ")) EXPECT_TRUE(std::string(error.what()).starts_with(expected)) << error.what();
      else EXPECT_EQ(std::string(error.what()), expected);
    }
  }
}

TEST(signal_errors, runs_that_outlast_a_signal) {
  const temporary_folder folder;
  folder.write("u.csv", "time,value\n0,1\n2.5,2\n");
  const std::string path = folder.write("m.toml", with(beside));
  EXPECT_EQ(testing::actio_program({"run", path, "--step", "0.25", "--until", "2.5"}).status, 0);
  const auto refused = testing::actio_program({"run", path, "--step", "0.25", "--until", "3"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("the signal 'u' is known from 0 to 2.5, but the run asks for u(3)"), std::string::npos)
      << refused.err;
  EXPECT_NE(testing::actio_program({"explain", "signal-range"}).out.find("signal-range"), std::string::npos);
}

TEST(signal_errors, what_was_run_is_kept_with_its_samples) {
  ACTIO_NEEDS(hdf5);
  const temporary_folder folder;
  folder.write("u.csv", "time,value\n0,1\n3,2\n");
  const std::string path = folder.write("m.toml", with(beside)), output = folder.path("a.h5");
  ASSERT_EQ(testing::actio_program({"run", path, "--step", "0.25", "--until", "2", "--output", output}).status, 0);
  folder.write("u.csv", "time,value\n0,7\n3,7\n");
  const auto again = testing::actio_program({"run", output, "--again"});
  EXPECT_EQ(again.status, 0) << again.err;
}

TEST(signal_errors, arguments_that_have_no_value) {
  try {
    parse_model(with("", "mod(x, 0) + jn(1/2, x)"), "m.toml");
    ADD_FAILURE() << "accepted";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "bad-argument");
    EXPECT_EQ(std::string(error.what()), "there is nothing modulo 0 in force on x, m.toml:4:6; write mod(a, b)");
  }
}

TEST(signal_errors, a_link_that_leads_out_of_the_folder) {
  const temporary_folder folder, elsewhere;
  std::filesystem::create_symlink(elsewhere.write("u.csv", "time,value\n0,1\n1,2\n"), folder.path("u.csv"));
  try {
    read_model(folder.write("m.toml", with(beside)));
    ADD_FAILURE() << "accepted";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "path-outside");
  }
}

TEST(signal_errors, builders_with_unequal_lists) {
  try {
    model_builder("m").coordinate("x").signal("u", {0, 1}, {1}).lagrangian("x'^2/2").build();
    ADD_FAILURE() << "accepted";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "signal-column");
    EXPECT_EQ(std::string(error.what()),
              "signal u has 2 times and 1 values, signal u of m; give one value for each time");
  }
}

}  // namespace
}  // namespace actio
