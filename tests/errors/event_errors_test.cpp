// Everything that can be wrong with events, controls, scales of time and times of rows.
#include <gtest/gtest.h>

#include "actio/api/method_comparison.hpp"
#include "actio/api/simulation.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

// The table begins in line 3.
std::string with(const std::string& table) {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*m*x'^2\"\n" + table +
         "[parameters]\nm = 1\n[initial.position]\nx = 0\n[initial.velocity]\nx = 1\n";
}

struct refusal {
  std::string id, message;
};

refusal refusal_of(const std::string& text, const settings& given) {
  settings all = {{"step", "0.1"}, {"until", "2"}};
  all.insert(all.end(), given.begin(), given.end());
  try {
    const simulation_result result =
        simulate(parse_model(text, "m.toml"), {.given = testing::typed_options(all), .keeps_trajectory = true});
    return {"", "nothing was refused: " + result.reason};
  } catch (const input_error& error) {
    return {error.id(), error.what()};
  }
}

struct wrong_table {
  std::string id, table, message;
  settings given = {};
};

const std::string place_for_scales = "; write it as an expression, as in scale = \"r^(3/2)\"";

const std::vector<wrong_table> wrong_tables = {
    {"unknown-event-target", "[events.e]\nwhen = \"x - 1\"\nset = { y = 1 }\n",
     "'y' in [events.e].set is no coordinate, velocity, momentum or parameter, m.toml:5:9; known: x, x', p_x, m"},
    {"unknown-event-target", "[events.e]\nwhen = \"x - 1\"\nset = { mm = 1 }\n",
     "'mm' in [events.e].set is no coordinate, velocity, momentum or parameter, m.toml:5:9; did you mean 'm'?"},
    {"missing-key", "[events.e]\ndirection = \"up\"\n",
     "[events.e] has no 'when', m.toml:3:9; add a line such as when = \"y\", which happens where y goes through zero"},
    {"unknown-key", "[events.e]\nwhen = \"x - 1\"\nwhn = 1\n",
     "unknown key 'whn' in [events.e], m.toml:5:1; did you mean 'when'?"},
    {"wrong-type", "[events.e]\nwhen = [1]\n", "'when' must be an expression in quotes, not an array, m.toml:4:1"},
    {"expression-syntax", "[events.e]\nwhen = 3\n",
     "'when' of [events.e] is the same everywhere: nothing goes through it, m.toml:4:8; write an expression of the "
     "state or of t that goes through zero"},
    {"unknown-name", "[events.e]\nwhen = \"y\"\n",
     "unknown name 'y' in when of [events.e], m.toml:4:9; known: x, m, pi, t"},
    {"unknown-option-value", "[events.e]\nwhen = \"x\"\ndirection = \"upp\"\n",
     "'upp' is no direction, m.toml:5:14; did you mean 'up'?"},
    {"wrong-type", "[events.e]\nwhen = \"x\"\ndirection = []\n",
     "'direction' must be \"up\", \"down\" or \"both\", not an array, m.toml:5:1"},
    {"unknown-option-value", "[events.e]\nwhen = \"x\"\naction = \"stopp\"\n",
     "'stopp' is no action, m.toml:5:11; did you mean 'stop'?"},
    {"wrong-type", "[events.e]\nwhen = \"x\"\nset = \"x\"\n",
     "'set' must be a table, not a string, m.toml:5:1; write set = { NAME = \"EXPRESSION\" }, as in set = { \"y'\" = "
     "\"-y'\" }"},
    {"wrong-type", "[events.e]\nwhen = \"x\"\nset = { x = true }\n",
     "'x' must be an expression in quotes, not true or false, m.toml:5:9"},
    {"conflicting-options", "[events.e]\nwhen = \"x\"\nset = { \"x'\" = 1, p_x = 2 }\n",
     "[events.e].set gives new values to both velocities and momenta, m.toml:5:19; set the ones or the others: each "
     "follows from the other"},
    {"wrong-type", "[events]\ne = 3\n",
     "'e' in [events] must be a table, not a number, m.toml:4:1; write [events.NAME] on a line of its own, and its "
     "keys below"},
    {"parameters-unsuited", "[constraints]\ng = \"x - m*t\"\n[events.e]\nwhen = \"x - 1\"\nset = { m = 2 }\n",
     "'m' changes on the way, the constraint 'g' depends on it, and the work of a constraint that moves so is not "
     "known, m.toml:4:1; write the constraint as a function of t"},
    {"missing-key", "[control.u]\nvalue = \"x\"\n",
     "[control.u] has no 'every', m.toml:3:10; add a line such as every = 0.01"},
    {"missing-key", "[control.u]\nevery = 1\n",
     "[control.u] has no 'value', m.toml:3:10; add a line such as value = \"-k*q - d*q'\""},
    {"unknown-key", "[control.u]\nvalue = \"x\"\nevery = 0.1\nevry = 2\n",
     "unknown key 'evry' in [control.u], m.toml:6:1; did you mean 'every'?"},
    {"wrong-type", "[control]\nu = 1\n",
     "'u' in [control] must be a table, not a number, m.toml:4:1; write [control.NAME] on a line of its own, and its "
     "keys below"},
    {"bad-number", "[control.u]\nvalue = \"x\"\nevery = 0\n",
     "the control 'u' is to be sampled after every 0 of time, m.toml:5:9; give a positive time, such as every = 0.01"},
    {"bad-number", "[control.u]\nvalue = \"x\"\nevery = \"-m\"\n",
     "the control 'u' is to be sampled after every -1 of time, m.toml:5:9; give a positive time, such as every = 0.01"},
    {"time-scale-unknown", "[time]\nscale = \"auto\"\n",
     "no scale of time follows from the model: its potential is the same everywhere, m.toml:4:9" + place_for_scales},
    {"time-scale-unknown", "[constraints]\ng = \"x - t\"\n[time]\nscale = \"auto\"\n",
     "no scale of time follows from the model: its kinetic energy is not a form in the velocities of a few "
     "coordinates, m.toml:6:9" +
         place_for_scales},
    {"time-scale-unknown", "[constraints]\ng = \"x - t\"\n[time]\nscale = \"1 + x'^2\"\n",
     "the scale of time depends on velocities or momenta, but their rates cannot be written down, m.toml:6:9; let it "
     "depend on positions and t alone"},
    {"method-refuses-time-scale",
     "[time]\nscale = \"1 + x^2\"\n",
     "the method takes steps of one length only, m.toml:4:9; choose a Galerkin method or a splitting, such as "
     "method = simpson, or leave [time] out",
     {{"method", "rk4"}}},
    {"unknown-key", "[time]\nscal = \"auto\"\n", "unknown key 'scal' in [time], m.toml:4:1; did you mean 'scale'?"},
    {"missing-key", "[time]\n", "[time] has no 'scale', m.toml:3:2; add a line such as scale = \"auto\""},
    {"wrong-type", "[time]\nscale = []\n",
     "'scale' must be a number or an expression in quotes, not an array, m.toml:4:1"},
    {"unknown-name", "[time]\nscale = \"z\"\n", "unknown name 'z' in scale of time, m.toml:4:10; known: x, m, pi, t"},
    {"bad-number",
     "",
     "the time '4' is outside of the run, which goes from 0 to 2, --times; give times of the run, or let it go "
     "further with 'until'",
     {{"times", "4"}}},
    {"bad-number",
     "",
     "the time 'exp(1000)' is inf, --start; give a finite time, such as 10",
     {{"start", "exp(1000)"}}},
    {"conflicting-options",
     "",
     "times are given twice, --times-file; leave 'times' or 'times-file' out",
     {{"times", "1"}, {"times-file", "times.txt"}}},
    {"file-unreadable",
     "",
     "cannot read 'none.txt': No such file or directory, --times-file; give a file with one time a line",
     {{"times-file", "none.txt"}}},
};

TEST(event_errors, name_the_place_and_the_cure) {
  for (const wrong_table& wrong : wrong_tables) {
    const refusal found = refusal_of(with(wrong.table), wrong.given);
    EXPECT_EQ(found.id, wrong.id) << wrong.table << found.message;
    EXPECT_EQ(found.message, wrong.message) << wrong.table;
  }
}

TEST(event_errors, a_scale_of_time_needs_a_lagrangian) {
  const refusal found = refusal_of(
      "coordinates = [\"x\"]\n[equations]\nx = \"-x\"\n[time]\nscale = \"1\"\n[initial.position]\nx = 1\n", {});
  EXPECT_EQ(found.id, "needs-lagrangian");
  EXPECT_EQ(found.message,
            "[time] has no meaning beside [equations], m.toml:4:2; multiply the right-hand sides by the scale, and add "
            "an equation for t");
}

TEST(event_errors, comparisons_want_a_motion_that_nothing_changes) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"[events.e]\nwhen = \"x - 1\"\nset = { \"x'\" = -1 }\n",
       "methods are compared along undisturbed motions, but the event 'e' changes this one, m.toml:3:9; run the "
       "methods "
       "one by one"},
      {"[control.u]\nvalue = \"x\"\nevery = 0.1\n",
       "methods are compared along undisturbed motions, but a control changes this one, m.toml:5:9; run the methods "
       "one "
       "by one"},
      {"[time]\nscale = \"1 + x^2\"\n",
       "methods are compared at times that they have in common, but a scale of time gives each its own, m.toml:4:9; "
       "leave [time] out, or run the methods one by one"},
  };
  for (const auto& [table, message] : wrong) {
    try {
      compare_methods(
          parse_model(with(table), "m.toml"),
          {.given = testing::typed_options({{"methods", "verlet"}, {"step-sizes", "0.1"}, {"until", "1"}})});
      ADD_FAILURE() << "accepted: " << table;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "conflicting-options");
      EXPECT_EQ(std::string(error.what()), message);
    }
  }
}

// What numbers alone show is a status, not an error.
TEST(event_errors, scales_that_are_not_positive_end_the_run) {
  const simulation_result result =
      simulate(parse_model(with("[time]\nscale = \"1 - 2*x\"\n"), "m.toml"),
               {.given = testing::typed_options({{"step", "0.1"}, {"until", "2"}, {"method", "simpson"}})});
  EXPECT_EQ(result.status, run_status::failed);
  EXPECT_FALSE(result.is_trusted);
}

TEST(event_errors, are_told_in_the_words_of_the_command_line) {
  const testing::temporary_folder folder;
  const auto said = testing::actio_program({"run", folder.write("m.toml", with("[time]\nscale = \"1 + x^2\"\n")),
                                            "--method", "rk4", "--step", "0.1", "--until", "2"});
  EXPECT_EQ(said.status, 2);
  EXPECT_NE(said.err.find("such as --method simpson, or leave [time] out"), std::string::npos) << said.err;
}

}  // namespace
}  // namespace actio
