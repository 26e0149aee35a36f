// Wrong input on the command line: exit status 2 and one message that names the place and the cure. Numbers that fail:
// exit status 1 with the reason and what to try.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/io/row_sink.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {
namespace {

struct wrong_input {
  std::string id;
  std::vector<std::string> arguments;
  std::string message;  // all of it, behind "actio: "
};

void PrintTo(const wrong_input& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.message; }

void expect_refused(const std::vector<std::string>& arguments, const std::string& message) {
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "actio: " + message + "\n");
}

void expect_refused_with(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("actio: "));
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  for (const std::string& part : parts)
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
}

const std::vector<wrong_input> wrong_lines = {
    {"unknown-command-option", {"rnu"}, "unknown command 'rnu', actio; did you mean 'run'?"},
    {"unknown-command-option", {"--versoin"}, "unknown option '--versoin', actio; did you mean '--version'?"},
    {"unknown-command-option",
     {"run", "kepler", "--stpe", "1"},
     "unknown option '--stpe', actio run; did you mean '--step'?"},
    {"unknown-command-option",
     {"run", "kepler", "x"},
     "unexpected argument 'x', actio run; 'actio run' takes one MODEL"},
    {"unknown-command-option",
     {"methods", "x"},
     "unexpected argument 'x', actio methods; 'actio methods' takes no argument"},
    {"unknown-paper",
     {"reproduce", "dubois2024"},
     "there is no paper 'dubois2024', argument [PAPER]; did you mean 'dubois2023'?"},
    {"output-unwritable",
     {"reproduce", "dubois2023", "--output", "/dev/null/x"},
     "cannot write to the folder '/dev/null/x': Not a directory, --output; give a folder that exists or can be made, "
     "and "
     "that may be written to"},
    {"missing-argument", {"run"}, "MODEL is missing, actio run; write 'actio run MODEL'; 'actio run --help' says more"},
    {"missing-argument", {"run", "kepler", "--step"}, "the option '--step' has no value, actio run; write --step H"},
    {"missing-argument",
     {"run", "kepler", "--step", "--json"},
     "the option '--step' has no value, actio run; write --step H"},
    {"missing-argument",
     {"compare", "kepler", "--step-sizes", "0.1"},
     "the option '--methods' is missing or empty, actio compare; add --methods simpson,midpoint,gauss-4,rk4"},
    {"missing-argument",
     {"compare", "kepler", "--methods", "simpson", "--step-sizes", ","},
     "the option '--step-sizes' is missing or empty, actio compare; add --step-sizes 0.1,0.05,0.025"},
    {"conflicting-options",
     {"run", "kepler", "--step", "1", "--step", "2"},
     "the option '--step' is given twice, actio run; give it once"},
    {"conflicting-options",
     {"run", "a.h5", "--again", "--step", "2"},
     "--again repeats what the file says, without '--step', --step; leave one of the two out"},
    {"conflicting-options",
     {"run", "kepler", "--until", "1", "--steps", "2"},
     "both the time to reach (until) and the number of steps (steps) are given, --steps; give one of the two"},
    {"unknown-option-value", {"run", "kepler", "--json=no"}, "'--json' takes no value, actio run; write --json alone"},
    {"unknown-option-value",
     {"run", "kepler", "--output", "orbit.png"},
     fmt::format("the output 'orbit.png' has no known format, --output; end its name with {}",
                 fmt::join(sink_endings(), " or "))},
    {"unknown-option-value",
     {"ensemble", "bouncing-ball", "--sweep", "y=1:2:2", "--until", "1", "--output", "-"},
     fmt::format("the output '-' has no known format, --output; end its name with {}",
                 fmt::join(sink_endings(), " or "))},
    {"unknown-option-value",
     {"run", "kepler", "--state", "speed"},
     "'speed' is no kind of state, --state; give momentum or velocity"},
    {"method-needs-energy",
     {"run", "damped-driven-pendulum", "--method", "energy-difference"},
     "method 'energy-difference' keeps the energy, but this system does not: a force acts on q, "
     "damped-driven-pendulum.toml:4:1; choose simpson or midpoint, which account for the work done"},
    {"method-needs-separable",
     {"run", "spherical-pendulum", "--method", "yoshida-4"},
     "method 'yoshida-4' needs kinetic energy of velocities alone and potential energy of coordinates alone, but the "
     "Lagrangian couples theta with phi', spherical-pendulum.toml:4:1; choose simpson or verlet, which need no such "
     "form"},
    {"method-needs-separable",
     {"run", "damped-driven-pendulum", "--method", "lie-trotter"},
     "method 'lie-trotter' needs kinetic energy of velocities alone and potential energy of coordinates alone, but the "
     "force on q depends on q', damped-driven-pendulum.toml:4:1; choose simpson or verlet, which need no such form"},
    {"method-needs-linear",
     {"run", "pendulum", "--method", "simpson-linear-1"},
     "method 'simpson-linear-1' is for linear systems, L = v.Mv/2 - q.Kq/2 + f.q with constant M, K >= 0 and f, but "
     "'pendulum' is not quadratic, pendulum.toml:4:1; choose simpson, the same method for every Lagrangian"},
    {"method-needs-linear",
     {"run", "damped-driven-pendulum", "--method", "simpson-linear-2"},
     "method 'simpson-linear-2' is for linear systems, L = v.Mv/2 - q.Kq/2 + f.q with constant M, K >= 0 and f, but "
     "'damped driven pendulum' has forces, damped-driven-pendulum.toml:4:1; choose simpson, the same method for every "
     "Lagrangian"},
    {"no-discrete-action",
     {"run", "pendulum", "--method", "energy-momentum", "--shadow"},
     "no discrete action is known of method 'energy-momentum', and so no shadow energy; choose a variational method "
     "such "
     "as simpson, verlet or gauss-4, or rk4"},
    {"no-shadow-energy",
     {"run", "damped-driven-pendulum", "--shadow"},
     "forces or the time change the energy of this system: it has no shadow energy; leave --shadow out: the ledger of "
     "energy and work is always there"},
    {"conflicting-options",
     {"run", "kepler", "--method", "simpson", "--beta", "1/4"},
     "method 'simpson' has no beta and no gamma, --beta; choose --method newmark, or leave --beta and --gamma out"},
    {"conflicting-options",
     {"run", "kepler", "--accuracy", "1e-6", "--gamma", "1/4"},
     "method 'auto' has no beta and no gamma, --gamma; choose --method newmark, or leave --beta and --gamma out"},
    {"conflicting-options",
     {"compare", "kepler", "--methods", "simpson,midpoint", "--step-sizes", "0.1", "--beta", "1/4"},
     "method 'simpson' has no beta and no gamma, --beta; choose --method newmark, or leave --beta and --gamma out"},
    {"conflicting-options",
     {"verify", "all", "--beta", "1/4"},
     "method 'all' has no beta and no gamma, --beta; choose --method newmark, or leave --beta and --gamma out"},
    {"bad-number",
     {"run", "kepler", "--method", "newmark", "--beta", "-1/4"},
     "Newmark's beta is '-1/4', --beta; give a number that is not negative, such as 0.25 or 1/12"},
    {"bad-number",
     {"run", "kepler", "--method", "newmark-beta", "--gamma", "inf"},
     "Newmark's gamma is 'inf', --gamma; give a number that is not negative, such as 0.25 or 1/12"},
    {"conflicting-options",
     {"run", "kepler", "--method", "rk4", "--guess", "state"},
     "method 'rk4' does not solve its steps by Newton's method from a guess of this kind, --guess; leave --guess out, "
     "or "
     "choose a method such as simpson"},
    {"unknown-option-value",
     {"run", "kepler", "--guess", "zero"},
     "'zero' is no first guess, --guess; give state, velocity or extrapolation"},
    {"unknown-method",
     {"run", "kepler", "--method", "simpsn"},
     "unknown method 'simpsn', --method; did you mean 'simpson'? ('actio methods' lists them all)"},
    {"unknown-method",
     {"verify", "simpsn"},
     "unknown method 'simpsn', argument METHOD; did you mean 'simpson'? ('actio methods' lists them all)"},
    {"unknown-method",
     {"compare", "kepler", "--methods", "simpson,midpont", "--step-sizes", "0.1"},
     "unknown method 'midpont', --methods:1:9; did you mean 'midpoint'? ('actio methods' lists them all)"},
    {"method-needs-lagrangian",
     {"run", "reduced-lagrange-top", "--method", "gauss-2"},
     "method 'gauss-2' discretises a Lagrangian, but 'reduced Lagrange top' gives equations y' = f(t, y), --method; "
     "choose --method rk4"},
    {"unknown-column",
     {"run", "kepler", "--columns", "x,enrgy", "--output", "unwritten.csv"},
     "a trajectory has no column 'enrgy', --columns:1:3; did you mean 'energy'?"},
    {"needs-lagrangian",
     {"run", "reduced-lagrange-top", "--state", "velocity"},
     "equations y' = f(t, y) have no velocities to integrate beside the positions; leave --state out"},
    {"bad-accuracy",
     {"run", "kepler", "--accuracy", "0"},
     "the accuracy is '0', but it must lie between 0 and 1, --accuracy; give the error that is allowed at the end, "
     "such "
     "as 1e-8"},
    {"bad-accuracy",
     {"run", "kepler", "--accuracy", "1"},
     "the accuracy is '1', but it must lie between 0 and 1, --accuracy; give the error that is allowed at the end, "
     "such "
     "as 1e-8"},
    {"bad-accuracy",
     {"run", "kepler", "--accuracy", "-1e-8"},
     "the accuracy is '-1e-8', but it must lie between 0 and 1, --accuracy; give the error that is allowed at the end, "
     "such as 1e-8"},
    {"unknown-name",
     {"run", "kepler", "--accuracy", "tiny"},
     "unknown name 'tiny' in --accuracy, --accuracy:1:1; known: GM, e, x0, y0, vx0, vy0, pi"},
    {"bad-number",
     {"run", "kepler", "--accuracy", "1e-8", "--until", "0"},
     "the run ends where it starts: there is nothing to choose, --accuracy; give a time --until above 0"},
    {"conflicting-options",
     {"run", "kepler", "--accuracy", "1e-8", "--step", "0.1"},
     "both an accuracy and step are given, --accuracy; an accuracy chooses the step: give one of the two, and --until "
     "for the length"},
    {"conflicting-options",
     {"run", "kepler", "--accuracy", "1e-8", "--steps", "10"},
     "both an accuracy and steps are given, --accuracy; an accuracy chooses the step: give one of the two, and --until "
     "for the length"},
    {"conflicting-options",
     {"run", "kepler", "--method", "auto", "--steps", "10"},
     "the number of steps is given, but their length is to be chosen, --steps; give --until T instead, or --step H as "
     "well"},
    {"conflicting-options",
     {"ensemble", "kepler", "--method", "auto", "--until", "1", "--sweep", "x=1:2:3"},
     "an ensemble chooses its method together with its steps, by an accuracy, --method; give --accuracy and --until, or "
     "--method and --step"},
    {"unknown-option-value",
     {"run", "kepler", "--backend", "llvm"},
     "'llvm' is no backend, --backend; give auto, interpreter or machine-code"},
    {"backend-unavailable",
     {"run", "kepler", "--backend", "machine-code", "--precision", "quad"},
     "machine code computes in double, not in quad precision, --backend; leave --backend out: other numbers are "
     "interpreted"},
    {"bad-step",
     {"run", "kepler", "--step", "0"},
     "the step is 0, but it must be a positive number, --step; give a positive step such as 0.01"},
    {"bad-step",
     {"run", "kepler", "--step", "-pi"},
     "the step is -3.14159, but it must be a positive number, --step; give a positive step such as 0.01"},
    {"bad-step",
     {"run", "kepler", "--step", "exp(1000)"},
     "the step is inf, but it must be a positive number, --step; give a positive step such as 0.01"},
    {"bad-step",
     {"run", "kepler", "--step", "log(-1)"},
     "the step is nan, but it must be a positive number, --step; give a positive step such as 0.01"},
    {"bad-count",
     {"run", "kepler", "--steps", "1.5"},
     "'1.5' is no count, --steps; give a whole number from 0 to 1e+15"},
    {"bad-count", {"run", "kepler", "--steps", "-3"}, "'-3' is no count, --steps; give a whole number from 0 to 1e+15"},
    {"bad-count", {"run", "kepler", "--every", "0"}, "'0' is no count, --every; give a whole number from 1 to 1e+15"},
    {"bad-count",
     {"verify", "rk4", "--threads", "many"},
     "'many' is no count, --threads; give a whole number from 1 to 1e+15"},
    {"bad-count",
     {"run", "kepler", "--until", "1e300", "--step", "1"},
     "the run would have 1e+300 steps, --until; at most 1e+15 are possible"},
    {"bad-number",
     {"run", "kepler", "--until", "1/exp(-1000)"},
     "the time '1/exp(-1000)' is inf, --until; give a finite time, such as 10"},
    {"bad-precision",
     {"run", "kepler", "--precision", "3"},
     "'3' is no precision, --precision; give double, quad or a number of decimal digits from 17 to 100000"},
    {"bad-precision",
     {"run", "kepler", "--precision", "single"},
     "'single' is no precision, --precision; give double, quad or a number of decimal digits from 17 to 100000"},
    {"no-exact-motion",
     {"exact", "henon-heiles", "--times", "1"},
     "the exact motion of 'Hénon-Heiles' is not known, henon-heiles.toml; it is known for linear systems and for "
     "harmonic-oscillator, "
     "pendulum, "
     "linear-double-pendulum, spherical-pendulum, foucault-pendulum, lagrange-top, kepler, charged-particle, "
     "spherical-pendulum-rod, heavy-top, eccentric-kepler"},
    {"no-exact-motion",
     {"exact", "kepler", "--times", "1", "--set", "vy0=5"},
     "the exact motion of 'Kepler problem' is not known, kepler.toml; the orbit is not an ellipse but open"},
    {"missing-argument",
     {"exact", "kepler"},
     "the option '--times' is missing or empty, actio exact; add --times 0.5,1,2*pi"},
    {"bad-number",
     {"exact", "kepler", "--times", "1,log(-1)"},
     "the motion has no finite value at the time 'log(-1)', --times:1:3; give times such as 0.5,1,2*pi"},
    {"expression-syntax",
     {"run", "kepler", "--set", "GM"},
     "'GM' sets no parameter, --set:1:1; write NAME=VALUE, as in m1=2"},
    {"unknown-name",
     {"run", "kepler", "--set", "GN=2"},
     "the model has no parameter 'GN', --set:1:1; did you mean 'GM'?"},
    {"missing-argument",
     {"ensemble", "kepler"},
     "nothing varies: there is neither a sweep nor a sample, actio ensemble; add --sweep x=0:1:100 or --sample "
     "'x=normal(0,0.1)'"},
    {"expression-syntax",
     {"ensemble", "kepler", "--sweep", "x=0:1"},
     "'x=0:1' is no sweep, --sweep:1:1; write NAME=FROM:TO:COUNT or NAME=[A,B,C], as in q1=0:pi:100"},
    {"unknown-name",
     {"ensemble", "kepler", "--sweep", "GN=0:1:3"},
     "the model has no coordinate or parameter 'GN', --sweep:1:1; did you mean 'GM'?"},
    {"unknown-name",
     {"ensemble", "kepler", "--sweep", "x=0:a:3"},
     "unknown name 'a' in --sweep, --sweep:1:5; known: GM, e, x0, y0, vx0, vy0, pi"},
    {"unknown-name",
     {"ensemble", "kepler", "--sweep", "p_x=1:2:3"},
     "the model starts from velocities, so that 'p_x' has no initial value of its own, --sweep:1:1; vary x'"},
    {"bad-count",
     {"ensemble", "kepler", "--sweep", "x=0:1:0"},
     "'0' is no count, --sweep; give a whole number from 1 to 1e+15"},
    {"bad-count",
     {"ensemble", "kepler", "--sweep", "x=1:2:1e6", "--sweep", "y=1:2:1e6"},
     "the ensemble would have 1e+12 trajectories, --sweep:1:1; from 1 to 1e+09 are possible"},
    {"duplicate-name",
     {"ensemble", "kepler", "--sweep", "x=1:2:3", "--sample", "x=normal(1,1)"},
     "'x' is varied twice, --sample:1:1; vary it once"},
    {"expression-syntax",
     {"ensemble", "kepler", "--sample", "x=normal(1)"},
     "'x=normal(1)' is no sample, --sample:1:1; write NAME=normal(MEAN,DEVIATION) or NAME=uniform(FROM,TO)"},
    {"unknown-option-value",
     {"ensemble", "kepler", "--sample", "x=norml(1,2)"},
     "'norml' is no distribution, --sample:1:3; did you mean 'normal'?"},
    {"bad-number",
     {"ensemble", "kepler", "--sample", "x=normal(1,-2)"},
     "the deviation of 'x' is -2, --sample:1:12; give a deviation that is not negative"},
    {"conflicting-options",
     {"ensemble", "kepler", "--sweep", "x=1:2:3", "--count", "4"},
     "--count without a sample would repeat the same trajectories, --count; add --sample NAME=DISTRIBUTION, or leave "
     "--count out"},
    {"unknown-topic", {"explain", "simpsn"}, "nothing is known about 'simpsn', argument NAME; did you mean 'simpson'?"},
    {"unknown-topic",
     {"explain", "the weather"},
     "nothing is known about 'the weather', argument NAME; give the name of a method, a problem, a command, an option, "
     "an error, a paper, a function or a table"},
};

class wrong_line : public ::testing::TestWithParam<wrong_input> {};

TEST_P(wrong_line, is_refused_with_place_and_cure) { expect_refused(GetParam().arguments, GetParam().message); }

INSTANTIATE_TEST_SUITE_P(cli, wrong_line, ::testing::ValuesIn(wrong_lines));

struct wrong_file {
  const char* id;
  std::string text;
  std::vector<std::string> parts;
};

const std::string start = "\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n[run]\nstep = 0.1\nuntil = 1\n";
const std::string spring = "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n";

std::string random_bytes() {
  std::mt19937 random(5);
  std::string bytes(5000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::vector<wrong_file> wrong_files() {
  const std::string deep(100'000, '('), blanks(1'000'001, ' ');
  return {
      {"toml-syntax", "coordinates = [\"x\"\nlagrangian = 3", {"m.toml:2:", ";"}},
      {"unknown-key", "lagrangain = \"1\"\n" + spring + start, {"m.toml:1:1", "did you mean 'lagrangian'?"}},
      {"unknown-name",
       "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - omgea*x\"\n[parameters]\nomega = 1" + start,
       {"'omgea'", "m.toml:2:26", "did you mean 'omega'?"}},
      {"missing-initial-value", spring + "[initial.position]\n[initial.next]\n", {"'x'", "m.toml:4:", "add a line"}},
      {"unknown-initial-value",
       spring + "[initial.position]\nx = 1\ny = 2\n[initial.velocity]\nx = 0\n",
       {"'y'", "m.toml:5:1"}},
      {"two-initial-rates", spring + start + "[initial.momentum]\nx = 0\n", {"m.toml:", "remove one"}},
      {"parameter-cycle", spring + "[parameters]\na = \"b\"\nb = \"a\"" + start, {"m.toml:4:6", "a → b → a"}},
      {"wrong-argument-count",
       "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 + sin(x, 2)\"" + start,
       {"m.toml:2:", "sin"}},
      {"file-empty", "", {"m.toml"}},
      {"file-not-text", random_bytes(), {"m.toml"}},
      {"expression-too-long", "coordinates = [\"x\"]\nlagrangian = \"x'^2" + blanks + "\"" + start, {"m.toml:2:"}},
      {"expression-too-deep", "coordinates = [\"x\"]\nlagrangian = \"" + deep + "x\"" + start, {"m.toml:2:"}},
      {"toml-syntax", "coordinates = " + std::string(100'000, '['), {"m.toml:1:"}},
      {"velocity-missing",
       "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*x'^2 + y^2\"\n[initial]\n"
       "position = {x = 1, y = 1}\nvelocity = {x = 0, y = 0}\n",
       {"y'", "m.toml:2:1"}},
      {"false-symmetry", spring + "[symmetries.shift]\nx = 1" + start, {"'shift'", "m.toml:3:"}},
      {"unknown-method",
       spring + start + "method = \"simson\"\n",
       {"'simson'", "m.toml:11:", "did you mean 'simpson'?"}},
      {"conflicting-options", spring + start + "steps = 3\n", {"m.toml:11:9", "give one of the two"}},
      {"missing-key",
       spring + "[initial]\nposition.x = 1\nvelocity.x = 0\n[run]\nuntil = 1\n",
       {"the run has no step, ", "m.toml; add --step H"}},
      {"missing-key",
       spring + "[initial]\nposition.x = 1\nvelocity.x = 0\n[run]\nstep = 1\n",
       {"the run has no end, ", "m.toml; add --until T or --steps N"}},
      {"bad-step",
       spring + "[initial]\nposition.x = 1\nvelocity.x = 0\n[run]\nstep = \"-1\"\nuntil = 1\n",
       {"the step is -1", "m.toml:7:9"}},
      {"non-finite-start",
       "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 + log(x-2)\"" + start,
       {"m.toml:2:1", "x = 1"}},
      {"degenerate-lagrangian",
       "coordinates = [\"x\"]\nlagrangian = \"1/2*(x-1)^2*x'^2\"" + start,
       {"m.toml:2:1", "singular"}},
  };
}

TEST(wrong_model_file, is_refused_with_place_and_cure) {
  for (const wrong_file& wrong : wrong_files()) {
    SCOPED_TRACE(wrong.id);
    temporary_folder folder;
    expect_refused_with({"run", folder.write("m.toml", wrong.text)}, wrong.parts);
  }
}

TEST(wrong_model_file, that_cannot_be_read_is_refused) {
  temporary_folder folder;
  expect_refused_with({"run", folder.path("none.toml")}, {"none.toml", "No such file"});
  expect_refused_with({"run", folder.path("")}, {"directory"});
  expect_refused_with({"run", "keppler"}, {"'keppler'", "did you mean 'kepler'?"});
}

TEST(accuracy_unreachable, names_the_best_that_is_reached_and_more_digits) {
  SCOPED_TRACE("accuracy-unreachable");
  expect_refused_with({"run", "kepler", "--accuracy", "5e-16"},
                      {"an error of 5.0e-16 at the end was not reached in double precision", "was reached, with",
                       "--accuracy; ask for --accuracy 1e-1", "more digits with --precision quad"});
}

TEST(output_unwritable, is_found_before_the_run_starts) {
  SCOPED_TRACE("output-unwritable");
  temporary_folder folder;
  // Without the check first, this run would take years.
  const std::vector<std::string> endless = {"run", "kepler", "--steps", "1e15", "--output"};
  const auto writing_to = [&](const std::string& path) {
    std::vector<std::string> arguments = endless;
    arguments.push_back(path);
    return arguments;
  };
  const std::string in_no_folder = folder.path("none/orbit.csv");
  expect_refused(writing_to(in_no_folder), "cannot write '" + in_no_folder +
                                               "': No such file or directory, --output; give a path in a folder that "
                                               "exists and may be written to");
  std::filesystem::create_directory(folder.path("folder.csv"));
  expect_refused_with(writing_to(folder.path("folder.csv")), {"Is a directory", "--output"});
}

TEST(numbers_that_fail, name_the_step_and_what_to_try) {
  temporary_folder folder;
  const std::string log_of_negative = folder.write("falling.toml", falling_model);
  const std::string end_of_motion = folder.write("ending.toml", ending_model);
  const struct {
    std::vector<std::string> arguments;
    std::vector<std::string> parts;
  } failures[] = {
      {{"run", "pendulum", "--step", "2", "--until", "200"}, {"actio: step ", "try --step"}},
      {{"run", log_of_negative}, {"actio: step ", "is too long for the method", "; "}},
      {{"run", log_of_negative, "--precision", has_mpfr ? "30" : "quad"},
       {"actio: step ", "is too long for the method", "; "}},
      {{"run", end_of_motion}, {"actio: step ", "; "}},
      {{"run", end_of_motion, "--method", "rk4"}, {"actio: step ", "leaves the domain", "; "}},
      {{"run", end_of_motion, "--method", "verlet"}, {"actio: step ", "leaves the domain", "; "}},
  };
  for (const auto& failure : failures) {
    const outcome result = actio_program(failure.arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    for (const std::string& part : failure.parts) {
      EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
    }
  }
}

// Every id of the catalogue stands in quotes beside an input that triggers it, in one of the files of this folder.
TEST(error_catalogue, every_id_is_triggered_by_a_test) {
  std::string sources;
  for (const auto& file : std::filesystem::directory_iterator(ACTIO_SOURCE_DIR "/tests/errors")) {
    sources += contents(file.path());
  }
  for (const error_entry& entry : error_catalogue()) {
    EXPECT_NE(sources.find('"' + std::string(entry.id) + '"'), std::string::npos) << entry.id;
  }
}

}  // namespace
}  // namespace actio::testing
