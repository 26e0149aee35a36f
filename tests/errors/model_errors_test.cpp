// Everything that can be wrong with a model: one triggering input an id at least, with its whole message.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <ostream>
#include <set>

#include "actio/mechanics/model.hpp"
#include "problems/problem.hpp"
#include "tests/mechanics/model_text.hpp"

namespace actio {
namespace {

using testing::oscillator_with;

const std::string head = "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n";
const std::string tail = "\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n";

struct wrong_model {
  std::string id, text, message;
};

void PrintTo(const wrong_model& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.text.substr(0, 400); }

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::vector<wrong_model> wrong_names() {
  return {
      {"unknown-name", "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - omgea*x^2\"\n[parameters]\nomega = 1" + tail,
       "unknown name 'omgea' in lagrangian, m.toml:2:26; did you mean 'omega'?"},
      {"unknown-name", "coordinates = [\"x\"]\nlagrangian = \"1/2*xdot^2\"" + tail,
       "unknown name 'xdot' in lagrangian, m.toml:2:19; the velocity of 'x' is written x'"},
      {"unknown-name", head + "[observables]\ne = \"v_x^2\"" + tail,
       "unknown name 'v_x' in observable e, m.toml:4:6; the velocity of 'x' is written x'"},
      {"unknown-name", oscillator_with("a = \"b\"\nb = 1"),
       "'b' in parameter a is defined later, m.toml:4:6; parameters are read in order; move 'b' above 'a'"},
      {"unknown-name", head + "[definitions]\nu = \"w'\"\nw = \"x\"" + tail,
       "'w' in definition u is defined later, m.toml:4:6; definitions are read in order; move 'w' above 'u'"},
      {"unknown-function", head + "[observables]\ne = \"sinn(x)\"" + tail,
       "unknown function 'sinn' in observable e, m.toml:4:6; did you mean 'sin'?"},
      {"parameter-cycle", oscillator_with("a = \"b\"\nb = \"2*c\"\nc = \"sqrt(a)\""),
       "the parameter 'a' is defined through itself: a → b → c → a, m.toml:4:6; give one of them a value of its own"},
      {"parameter-cycle", oscillator_with("a = \"1 + a\""),
       "the parameter 'a' is defined through itself: a → a, m.toml:4:10; give one of them a value of its own"},
      {"parameter-cycle", head + "[definitions]\nu = \"w'\"\nw = \"u\"" + tail,
       "the definition 'u' is defined through itself: u → w → u, m.toml:4:6; give one of them a value of its own"},
      {"name-not-allowed", oscillator_with("a = \"2*x\""),
       "the coordinate 'x' has no meaning in parameter a, m.toml:4:8; use numbers and parameters here"},
      {"name-not-allowed", oscillator_with("a = \"t\""),
       "the time 't' has no meaning in parameter a, m.toml:4:6; use numbers and parameters here"},
      {"name-not-allowed", head + "[definitions]\nu = 1\n[initial]\nposition.x = \"u\"\nvelocity.x = 0",
       "the definition 'u' has no meaning in initial position of x, m.toml:6:15; use numbers and parameters here"},
      {"name-not-allowed", head + "[symmetries.s]\nx = \"x'\"" + tail,
       "the velocity 'x'' has no meaning in symmetry s along x, m.toml:4:6; use coordinates, parameters and t here"},
      {"name-not-allowed", head + "[definitions]\nu = \"x'\"\n[symmetries.s]\nx = \"u\"" + tail,
       "the definition 'u' has no meaning in symmetry s along x, m.toml:6:6; it contains velocities; use coordinates, "
       "parameters and t"},
      {"name-not-allowed", head + "[forces]\nx = \"-p_x\"" + tail,
       "the momentum 'p_x' has no meaning in force on x, m.toml:4:7; use velocities instead; momenta may occur in "
       "observables only"},
      {"acceleration-in-expression", head + "[observables]\na = \"x'''\"" + tail,
       "'x'''' in observable a needs accelerations, m.toml:4:6; observables may contain coordinates, first and "
       "second derivatives (two primes) only"},
      {"acceleration-in-expression", head + "[invariants]\na = \"x''\"" + tail,
       "'x''' in invariant a needs accelerations, m.toml:4:6; expressions may contain coordinates and first "
       "derivatives (one prime) only"},
      {"acceleration-in-expression", head + "[definitions]\nu = \"x*x'\"\nw = \"u'\"" + tail,
       "'u'' in definition w needs accelerations, m.toml:5:6; expressions may contain coordinates and first "
       "derivatives "
       "(one prime) only"},
      {"reserved-name", oscillator_with("sin = 1"),
       "a parameter cannot be called 'sin', m.toml:4:1; functions, pi and the time t keep their names; choose another "
       "one"},
      {"reserved-name", "coordinates = [\"t\"]\nlagrangian = \"1\"",
       "a coordinate cannot be called 't', m.toml:1:16; functions, pi and the time t keep their names; choose another "
       "one"},
      {"reserved-name", oscillator_with("p_x = 1"),
       "a parameter cannot be called 'p_x', m.toml:4:1; it is the momentum of the coordinate 'x'; choose another name"},
      {"bad-name", "coordinates = [\"x 1\"]\nlagrangian = \"1\"",
       "'x 1' cannot be the name of a coordinate, m.toml:1:16; names are made of letters, digits and _ and start with "
       "a "
       "letter"},
      {"bad-name", oscillator_with("2m = 1"),
       "'2m' cannot be the name of a parameter, m.toml:4:1; names are made of letters, digits and _ and start with a "
       "letter"},
      {"duplicate-name", oscillator_with("x = 1"),
       "the name 'x' of a parameter is taken by a coordinate at m.toml:1:16, m.toml:4:1; give each thing its own name"},
      {"duplicate-name", head + "[observables]\nx = \"2*x\"" + tail,
       "an observable cannot be called 'x': trajectories list a coordinate under this name, m.toml:4:1; give each "
       "thing "
       "its own name"},
      {"duplicate-name", head + "[observables]\nenergy = \"2*x\"" + tail,
       "an observable cannot be called 'energy': trajectories list the energy under this name, m.toml:4:1; give each "
       "thing its own name"},
      {"duplicate-name", head + "[observables]\np_x = \"2*x\"" + tail,
       "an observable cannot be called 'p_x': trajectories list the momentum of a coordinate under this name, "
       "m.toml:4:1; "
       "give each thing its own name"},
      {"duplicate-name", head + "[observables]\nt = \"2*x\"" + tail,
       "an observable cannot be called 't': trajectories list the time under this name, m.toml:4:1; give each thing "
       "its "
       "own name"},
      {"duplicate-name", "coordinates = [\"energy\"]\nlagrangian = \"energy'^2\"",
       "a coordinate cannot be called 'energy': trajectories list the energy under this name, m.toml:1:16; give each "
       "thing its own name"},
      {"duplicate-name", "coordinates = [\"x\", \"x\"]\nlagrangian = \"1\"",
       "the name 'x' of a coordinate is taken by a coordinate at m.toml:1:16, m.toml:1:21; give each thing its own "
       "name"},
  };
}

std::vector<wrong_model> wrong_structure() {
  return {
      {"unknown-key", "lagrangain = \"1\"\n" + head,
       "unknown key 'lagrangain' in the model, m.toml:1:1; did you mean 'lagrangian'?"},
      {"unknown-key", head + tail + "[run]\nstepp = 1",
       "unknown key 'stepp' in [run], m.toml:9:1; did you mean 'step'?"},
      {"unknown-key", head + "[initial]\npositions = 1",
       "unknown key 'positions' in [initial], m.toml:4:1; did you mean 'position'?"},
      {"unknown-key", head + "[forces]\ny = 1" + tail, "'y' in [forces] is no coordinate, m.toml:4:1; known: x"},
      {"unknown-key", head + "[symmetries.s]\ny = 1" + tail,
       "'y' in [symmetries.s] is no coordinate, m.toml:4:1; known: x"},
      {"missing-key", "coordinates = [\"x\"]\n",
       "the model has no 'lagrangian', m.toml; add a line such as lagrangian = \"1/2*m*x'^2 - 1/2*k*x^2\""},
      {"missing-key", "lagrangian = \"1\"\n",
       "the model has no 'coordinates', m.toml; add a line such as coordinates = [\"x\", \"y\"]"},
      {"missing-key", "coordinates = [\"x\"]\n[parameters]\nm = 1\nlagrangian = \"1/2*x'^2\"\n",
       "'lagrangian' stands inside [parameters], m.toml:4:1; move it above the first table"},
      {"missing-key", "coordinates = []\nlagrangian = \"1\"\n",
       "the model has no coordinates, m.toml:1:1; write coordinates = [\"x\", \"y\"]"},
      {"missing-key", head + "[symmetries.s]" + tail,
       "symmetry 's' moves no coordinate, m.toml:3:13; give the generator of each coordinate that it moves, as in x = "
       "\"-y\""},
      {"wrong-type", "coordinates = [\"x\"]\nlagrangian = 1\n",
       "'lagrangian' must be an expression in quotes, not a number, m.toml:2:1"},
      {"wrong-type", "coordinates = \"x\"\nlagrangian = \"1\"\n",
       "'coordinates' must be an array of names, not a string, m.toml:1:1; write coordinates = [\"x\", \"y\"]"},
      {"wrong-type", "coordinates = [1]\nlagrangian = \"1\"\n",
       "a coordinate must be a name in quotes, not a number, m.toml:1:16; write coordinates = [\"x\", \"y\"]"},
      {"wrong-type", "name = 1\n" + head, "'name' must be a string, not a number, m.toml:1:1"},
      {"wrong-type", "parameters = 1\n" + head,
       "'parameters' must be a table, not a number, m.toml:1:1; write [parameters] on a line of its own, and its keys "
       "below"},
      {"wrong-type", oscillator_with("a = true"),
       "'a' must be a number or an expression in quotes, not true or false, m.toml:4:1"},
      {"wrong-type", oscillator_with("a = [[1]]"),
       "'a[1]' must be a number or an expression in quotes, not an array, m.toml:4:6"},
      {"wrong-type", oscillator_with("a = 2024-02-29"),
       "'a' must be a number or an expression in quotes, not a date, m.toml:4:1"},
      {"wrong-type", head + tail + "[run]\noutput = 1", "'output' must be a string, not a number, m.toml:9:1"},
      {"wrong-type", head + tail + "[run]\nstep = [1]",
       "'step' must be a number or a string, not an array, m.toml:9:1"},
      {"two-initial-rates", head + tail + "[initial.momentum]\nx = 0",
       "both [initial.velocity] and [initial.momentum] are given, m.toml:8:10; one determines the other; remove one of "
       "them"},
      {"missing-initial-value", head + "[initial.position]\nx = 0\n[initial.next]\n",
       "the coordinate 'x' has no position after the first step, m.toml:5:10; add a line such as x = 0 to "
       "[initial.next]"},
      {"unknown-initial-value", head + "[initial.position]\nx = 0\nxx = 1\n[initial.velocity]\nx = 0",
       "'xx' in [initial.position] is no coordinate, m.toml:5:1; did you mean 'x'?"},
      {"bad-number", oscillator_with("a = inf"), "'inf' is not a finite number, m.toml:4:5; write a finite number"},
      {"bad-number", oscillator_with("a = -nan"), "'-nan' is not a finite number, m.toml:4:5; write a finite number"},
      {"bad-number", oscillator_with("b = 0\na = \"1/b\""),
       "the parameter 'a' is inf, m.toml:5:1; parameters must be finite numbers"},
  };
}

std::vector<wrong_model> wrong_files() {
  return {
      {"toml-syntax", "coordinates = [\"x\"\nlagrangian = 1",
       "not valid TOML: array: expected comma or closing ']', saw 'l', m.toml:2:1; strings and expressions stand "
       "in quotes, every key has one '=', every table one [name]"},
      {"toml-syntax", oscillator_with("a = 1\na = 2"),
       "not valid TOML: key-value pair: cannot redefine existing integer 'a', m.toml:5:5; remove one of the two"},
      {"toml-syntax", "name = \"spring\n" + head,
       "not valid TOML: string: unescaped control characters other than TAB (U+0009) are explicitly prohibited, "
       "m.toml:1:15; "
       "close the quotes before the end of the line; a string in \"\"\" may have several lines"},
      {"toml-syntax", "[+]\n",
       "not valid TOML: key: expected bare key starting character or string delimiter, saw '+', m.toml:1:2; strings "
       "and "
       "expressions stand in quotes, every key has one '=', every table one [name]"},
      {"toml-syntax", oscillator_with("ω = 1"),
       "not valid TOML: root table: expected keys, tables, whitespace or comments, saw 'ω', m.toml:4:1; keys with "
       "letters "
       "beyond a-z stand in quotes, as in \"ω\" = 1"},
      {"toml-syntax", oscillator_with("a = .5"),
       "not valid TOML: floating-point: expected decimal digit, saw '.', m.toml:4:5; write a digit before the decimal "
       "point, "
       "as in 0.5"},
      {"toml-syntax", oscillator_with("a = 123456789012345678901234567890"),
       "not valid TOML: decimal integer: '123456789012345678901234567890' is not representable in 64 bits, "
       "m.toml:4:35; "
       "write very long or very large numbers in quotes, they keep all their digits"},
      {"toml-syntax", repeated("a.", 100000) + "a = 1",
       "not valid TOML here: a key with too many dots, m.toml:1:32; keys have at most two dots, as in "
       "[initial.position]"},
      {"toml-syntax", "a = " + repeated("[", 100000),
       "not valid TOML: value: exceeded maximum nested value depth of 256 (TOML_MAX_NESTED_VALUES), m.toml:1:261; "
       "strings "
       "and expressions stand in quotes, every key has one '=', every table one [name]"},
      {"file-empty", " \n\t\r\n",
       "the model file is empty, m.toml; a model needs coordinates, a lagrangian and initial values"},
      {"file-not-text", "a = 1\n" + std::string(1, '\0'),
       "the file is not plain text, m.toml:2:1; a model file is UTF-8 text without control characters"},
      {"file-not-text", "name = \"ä\xFF\"",
       "the file is not plain text, m.toml:1:10; a model file is UTF-8 text without control characters"},
      {"file-too-large", std::string(5 * 1024 * 1024, '#'),
       "the model file is larger than 4 MB, m.toml; a model file holds formulas; keep data elsewhere"},
      {"expression-syntax", "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 +\"" + tail,
       "expected a value after '+', found the end in lagrangian, m.toml:2:25; write a number, a name or an expression "
       "in "
       "parentheses there"},
      {"expression-too-deep", "coordinates = [\"x\"]\nlagrangian = \"" + repeated("(", 100000) + "x\"" + tail,
       "more than 250 nested parentheses, signs and powers in lagrangian, m.toml:2:265; split the expression into "
       "definitions"},
      {"division-by-zero", oscillator_with("a = \"1/0\""),
       "division by zero in parameter a, m.toml:4:8; the divisor is 0 as written"},
      {"number-out-of-range", oscillator_with("a = \"1e99999\""),
       "the number 1e99999 has an exponent that is too large in parameter a, m.toml:4:6; exponents go to ±1000 and "
       "numbers "
       "have at most 10000 digits"},
  };
}

std::vector<wrong_model> wrong_mechanics() {
  const std::string many = "[linear]\nmass = [" + repeated("0,", 4097) + "]";
  return {
      {"velocity-missing",
       "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*x'^2 - y^2\"\n[initial]\nposition = {x = 0, y = 0}\n"
       "velocity = {x = 0, y = 0}",
       "the velocity y' does not occur in the Lagrangian, m.toml:2:1; add a kinetic term such as 1/2*m*y'^2, or remove "
       "'y' "
       "from coordinates"},
      {"degenerate-lagrangian",
       "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x' + 2*y')^2 - y^2\"\n[initial]\nposition = {x = 0, y = 0}\n"
       "velocity = {x = 0, y = 0}",
       "the Lagrangian is degenerate: its momenta do not change along (x', y') = (1, -0.5), m.toml:2:1; add the "
       "kinetic energy "
       "of that motion, or describe the system with fewer coordinates"},
      {"degenerate-lagrangian", "coordinates = [\"x\"]\nlagrangian = \"1/2*m*x'^2\"\n[parameters]\nm = 0" + tail,
       "the Lagrangian is degenerate: its momenta do not change along x', m.toml:2:1; add the kinetic energy of that "
       "motion, "
       "or describe the system with fewer coordinates"},
      {"false-symmetry", head + "[symmetries.shift]\nx = 1" + tail,
       "symmetry 'shift' changes the Lagrangian: its variation is 0.47 at x = -0.47, x' = -0.674, t = 1.06, "
       "m.toml:3:13; to "
       "first order the generator must leave the Lagrangian as it is: look for a wrong sign or a coordinate that is "
       "missing"},
      {"idle-constraint", head + "[constraints]\nrod = \"t^2 - 1\"" + tail,
       "constraint 'rod' has no effect: it contains no coordinate, m.toml:4:1; write what must stay zero, in the "
       "coordinates, or remove it"},
      {"model-too-large", many, "the model has 4097 coordinates, m.toml:1:2; at most 4096 are possible"},
  };
}

std::vector<wrong_model> wrong_equations() {
  const std::string names = "coordinates = [\"x\", \"y\"]\n", equations = "[equations]\nx = \"y\"\ny = \"-x\"\n";
  const std::string start = "[initial.position]\nx = 1\ny = 0\n";
  return {
      {"two-descriptions", equations + "[linear]\nmass = [[1, 0], [0, 1]]\nstiffness = [[1, 0], [0, 1]]\n" + start,
       "both [linear] and [equations] are given, m.toml:4:2; either describes the motion; remove one of them"},
      {"two-descriptions", names + "lagrangian = \"x'^2 + y'^2\"\n" + equations + start,
       "both a lagrangian and [equations] are given, m.toml:3:2; either describes the motion; remove one of them"},
      {"missing-equation", names + "[equations]\nx = \"y\"\n" + start,
       "the coordinate 'y' has no equation, m.toml:2:2; add a line such as y = \"0\", the right-hand side of y'"},
      {"unknown-key", names + equations + "xi = 1\n" + start,
       "'xi' in [equations] is no coordinate, m.toml:5:1; did you mean 'x'?"},
      {"wrong-type", "equations = \"x' = y\"\n" + names + start,
       "'equations' must be a table, not a string, m.toml:1:1; write [equations] on a line of its own, and its keys "
       "below"},
      {"name-not-allowed", names + "[equations]\nx = \"y'\"\ny = 1\n" + start,
       "the velocity 'y'' has no meaning in equation of x, m.toml:3:6; use coordinates, parameters and t here"},
      {"name-not-allowed", names + "[definitions]\nu = \"x'\"\n[equations]\nx = \"u\"\ny = 1\n" + start,
       "the definition 'u' has no meaning in equation of x, m.toml:5:6; it contains velocities; use coordinates, "
       "parameters and t"},
      {"unknown-name", names + equations + "[observables]\ne = \"p_x\"\n" + start,
       "unknown name 'p_x' in observable e, m.toml:6:6; known: x, y, pi, t"},
      {"needs-lagrangian", names + equations + "[forces]\nx = 1\n" + start,
       "[forces] has no meaning beside [equations], m.toml:5:2; add the forces to the right-hand sides in "
       "[equations]"},
      {"needs-lagrangian", names + equations + "[symmetries.turn]\nx = \"-y\"\ny = \"x\"\n" + start,
       "[symmetries] has no meaning beside [equations], m.toml:5:2; momenta belong to a Lagrangian; write a conserved "
       "quantity as one of the [invariants]"},
      {"needs-lagrangian", names + equations + "[constraints]\ncircle = \"x^2 + y^2 - 1\"\n" + start,
       "[constraints] has no meaning beside [equations], m.toml:5:2; choose coordinates that satisfy them by "
       "themselves"},
      {"needs-lagrangian", names + equations + start + "[initial.velocity]\nx = 0\ny = 1\n",
       "[initial.velocity] has no meaning beside [equations], m.toml:8:10; the equations give y' wherever y is; "
       "[initial.position] says all, remove it"},
      {"two-descriptions", names + "hamiltonian = \"p_x^2 + p_y^2\"\n" + equations + start,
       "both [equations] and a hamiltonian are given, m.toml:3:2; either describes the motion; remove one of them"},
      {"two-descriptions", names + "lagrangian = \"x'^2 + y'^2\"\nhamiltonian = \"p_x^2 + p_y^2\"\n" + start,
       "both a lagrangian and a hamiltonian are given, m.toml:3:1; either describes the motion; remove one of them"},
      {"needs-lagrangian", names + "hamiltonian = \"p_x^2 + p_y^2\"\n[constraints]\nc = \"x - y\"\n" + start,
       "[constraints] has no meaning beside a hamiltonian, m.toml:3:2; describe the system by a lagrangian, or choose "
       "coordinates that need no constraints"},
      {"name-not-allowed", names + "hamiltonian = \"p_x^2 + y'^2\"\n" + start,
       "the velocity 'y'' has no meaning in hamiltonian, m.toml:2:24; use coordinates, momenta such as p_y, parameters "
       "and t here"},
      {"false-symmetry",
       names + "hamiltonian = \"p_x^2 + p_y^2 + x^2\"\n[symmetries.turn]\nx = \"-y\"\ny = \"x\"\n" + start,
       "symmetry 'turn' changes the Hamiltonian: its bracket with it is 0.633 at x = -0.47, y = -0.674, p_x = 1.06, "
       "p_y = -0.799, t = -0.606, m.toml:3:13; the generator must leave the Hamiltonian as it is when momenta move "
       "along: look for a wrong sign or a coordinate that is missing"},
      {"needs-lagrangian", names + equations + start + "[initial.momentum]\nx = 0\ny = 1\n",
       "[initial.momentum] has no meaning beside [equations], m.toml:8:10; the equations give y' wherever y is; "
       "[initial.position] says all, remove it"},
      {"bad-number", names + equations + "[parameters]\na = \"log(0)\"\n" + start,
       "the parameter 'a' is -inf, m.toml:6:1; parameters must be finite numbers"},
  };
}

class model_errors : public ::testing::TestWithParam<wrong_model> {};

TEST_P(model_errors, say_what_is_wrong_where_and_what_would_be_right) {
  const wrong_model& wrong = GetParam();
  try {
    parse_model(wrong.text, "m.toml");
    FAIL() << "no " << wrong.id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), wrong.id);
    EXPECT_EQ(std::string(error.what()), wrong.message);
  }
}

INSTANTIATE_TEST_SUITE_P(names, model_errors, ::testing::ValuesIn(wrong_names()));
INSTANTIATE_TEST_SUITE_P(structure, model_errors, ::testing::ValuesIn(wrong_structure()));
INSTANTIATE_TEST_SUITE_P(files, model_errors, ::testing::ValuesIn(wrong_files()));
INSTANTIATE_TEST_SUITE_P(mechanics, model_errors, ::testing::ValuesIn(wrong_mechanics()));
INSTANTIATE_TEST_SUITE_P(equations, model_errors, ::testing::ValuesIn(wrong_equations()));

void expect_error(const std::function<void()>& action, const std::string& id, const std::string& text) {
  try {
    action();
    FAIL() << "no " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
    EXPECT_EQ(std::string(error.what()), text);
  }
}

TEST(file_errors, name_the_path) {
  expect_error([] { read_model("/no/such/file.toml"); }, "file-unreadable",
               "cannot read '/no/such/file.toml': No such file or directory; check the path");
  expect_error([] { read_model("/tmp"); }, "file-unreadable",
               "cannot read '/tmp': it is a directory; name a model file in it");
  const std::string path = ::testing::TempDir() + "actio_empty.toml";
  std::ofstream(path).close();
  expect_error([&] { read_model(path); }, "file-empty",
               "the model file is empty, " + path + "; a model needs coordinates, a lagrangian and initial values");
  std::remove(path.c_str());
  expect_error([] { read_model("/dev/zero"); }, "file-too-large",
               "the model file is larger than 4 MB, /dev/zero; a model file holds formulas; keep data elsewhere");
}

TEST(problem_errors, suggest_a_name) {
  expect_error([] { load_model("keppler"); }, "unknown-problem",
               "'keppler' is neither a file nor a built-in problem; did you mean 'kepler'?");
  expect_error([] { load_model("./kepler"); }, "file-unreadable",
               "cannot read './kepler': No such file or directory; check the path");
}

TEST(set_errors, name_the_flag) {
  model m = parse_model(oscillator_with("a = 1\nb = \"2*a\""), "m.toml");
  const auto set = [&](const std::string& text) {
    return [&m, text] { set_parameter(m, {text, {"--set", 1, 1}, "--set"}); };
  };
  expect_error(set("a"), "expression-syntax", "'a' sets no parameter, --set:1:1; write NAME=VALUE, as in m1=2");
  expect_error(set("aa=1"), "unknown-name", "the model has no parameter 'aa', --set:1:1; did you mean 'a'?");
  expect_error(set("a=zz"), "unknown-name", "unknown name 'zz' in parameter a, --set:1:3; known: a, b, pi");
  expect_error(
      set("a=b"), "parameter-cycle",
      "the parameter 'a' is defined through itself: a → b → a, --set:1:3; give one of them a value of its own");
  expect_error(set("b=2*b"), "parameter-cycle",
               "the parameter 'b' is defined through itself: b → b, --set:1:5; give one of them a value of its own");
}

TEST(quantity_errors, name_the_flag) {
  const model m = parse_model(oscillator_with("T = 1"), "m.toml");
  expect_error([&] { parse_quantity(m, {"T/10 + x", {"--step", 1, 1}, "--step"}); }, "name-not-allowed",
               "the coordinate 'x' has no meaning in --step, --step:1:8; use numbers and parameters here");
}

// Every id that this folder of the library can throw is triggered above.
TEST(model_errors, are_all_triggered) {
  std::set<std::string> triggered;
  for (const auto& list : {wrong_names(), wrong_structure(), wrong_files(), wrong_mechanics()}) {
    for (const wrong_model& wrong : list) triggered.insert(wrong.id);
  }
  for (const char* id : {"unknown-name",          "toml-syntax",       "unknown-key",
                         "missing-key",           "wrong-type",        "missing-initial-value",
                         "unknown-initial-value", "two-initial-rates", "duplicate-name",
                         "reserved-name",         "bad-name",          "name-not-allowed",
                         "model-too-large",       "parameter-cycle",   "acceleration-in-expression",
                         "degenerate-lagrangian", "velocity-missing",  "false-symmetry",
                         "idle-constraint",       "bad-number",        "file-empty",
                         "file-not-text",         "file-too-large"}) {
    EXPECT_TRUE(triggered.contains(id)) << id;
  }
}

}  // namespace
}  // namespace actio
