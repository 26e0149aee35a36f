// Everything that can be wrong with matrices, in a model file, after --set, from C++, and with the step of a linear
// system.
#include <gtest/gtest.h>

#include <limits>

#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

struct wrong_matrices {
  std::string id, table, message;
};

void PrintTo(const wrong_matrices& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.table; }

std::string model_with(const std::string& table) {
  return "[parameters]\nk = 2\nzero = 0\n[linear]\n" + table +
         "\n[initial]\nposition = {q1 = 1, q2 = 0}\nvelocity = {q1 = 0, q2 = 0}\n[run]\nstep = 0.1\nuntil = 1\n";
}

const std::string unit = "mass = [[1, 0], [0, 1]]\n";
const std::string springs = "\nstiffness = [[2, -1], [-1, 2]]";

const std::vector<wrong_matrices> all_wrong = {
    {"missing-key", unit, "[linear] has no 'stiffness', m.toml:4:2; add a line such as stiffness = [[2, -1], [-1, 2]]"},
    {"missing-key", "stiffness = [[1]]",
     "[linear] has no 'mass', m.toml:4:2; add a line such as mass = [[2, -1], [-1, 2]]"},
    {"unknown-key", unit + "stifness = [[1]]" + springs,
     "unknown key 'stifness' in [linear], m.toml:6:1; did you mean 'stiffness'?"},
    {"wrong-type", "mass = 3",
     "'mass' must be an array of rows, not a number, m.toml:5:8; write mass = [[2, -1], [-1, 2]]"},
    {"wrong-type", "mass = [1, 2]" + springs,
     "row 1 of the mass matrix must be an array, not a number, m.toml:5:9; write it as [2, -1]"},
    {"wrong-type", "mass = [[1, true], [0, 1]]" + springs,
     "the entry mass (1, 2) must be a number or an expression in quotes, not true or false, m.toml:5:13"},
    {"wrong-type", unit + "load = 1" + springs,
     "'load' must be an array, not a number, m.toml:6:8; write load = [0, 1]"},
    {"unknown-name", "mass = [[1, \"kk\"], [0, 1]]" + springs,
     "unknown name 'kk' in mass (1, 2), m.toml:5:14; did you mean 'k'?"},
    {"name-not-allowed", "mass = [[1, \"2*q1\"], [0, 1]]" + springs,
     "the coordinate 'q1' has no meaning in mass (1, 2), m.toml:5:16; use numbers and parameters here"},
    {"matrix-not-square", "mass = []" + springs,
     "the mass matrix is empty, m.toml:5:8; write mass = [[2, -1], [-1, 2]]"},
    {"matrix-not-square", "mass = [[1, 0], [0]]" + springs,
     "the mass matrix is not square: it has 2 rows, but row 2 has 1 entries, m.toml:5:17; give as many entries in each "
     "row as "
     "there are rows"},
    {"matrix-sizes-differ", unit + "stiffness = [[1]]",
     "the stiffness matrix is 1 × 1, but there are 2 coordinates, m.toml:6:13; give mass, damping, stiffness and load "
     "one row "
     "for each "
     "coordinate"},
    {"matrix-sizes-differ", unit + "load = [1, 2, 3]" + springs,
     "the load has 3 entries, but there are 2 coordinates, m.toml:6:8; give mass, damping, stiffness and load one row "
     "for each "
     "coordinate"},
    {"matrix-sizes-differ", unit + "damping = [[1]]" + springs,
     "the damping matrix is 1 × 1, but there are 2 coordinates, m.toml:6:11; give mass, damping, stiffness and load "
     "one row for each coordinate"},
    {"wrong-type", unit + "rayleigh = [1]" + springs,
     "'rayleigh' must be an array of two numbers, not an array, m.toml:6:12; write rayleigh = [a, b] for the damping "
     "a*mass + b*stiffness"},
    {"two-descriptions", unit + "damping = [[1, 0], [0, 1]]\nrayleigh = [1, 2]" + springs,
     "both 'damping' and 'rayleigh' are given, m.toml:7:1; either gives the damping; remove one of them"},
    {"name-not-allowed", unit + "load = [0, \"sin(t)*q1\"]" + springs,
     "the coordinate 'q1' has no meaning in load 2, m.toml:6:12; a load depends on t and parameters; give other forces "
     "in [forces]"},
    {"matrix-not-finite", unit + "damping = [[1, 0], [0, \"1/zero\"]]" + springs,
     "the entry (2, 2) of the damping matrix is inf, m.toml:6:24; every entry must be a finite number"},
    {"matrix-not-symmetric", unit + "stiffness = [[\"k\", -1], [\"-k\", 3]]",
     "the stiffness matrix is not symmetric: its entry (1, 2) is -1, but (2, 1) is -2, m.toml:6:26; make the two "
     "equal"},
    {"matrix-not-symmetric", unit + "stiffness = [[1, 0.12345678], [0.12345679, 1]]",
     "the stiffness matrix is not symmetric: its entry (1, 2) is 0.12345678, but (2, 1) is 0.12345679, m.toml:6:32; "
     "make the two equal"},
    {"matrix-not-finite", unit + "stiffness = [[\"1/zero\", 0], [0, 1]]",
     "the entry (1, 1) of the stiffness matrix is inf, m.toml:6:15; every entry must be a finite number"},
    {"matrix-not-finite", unit + "load = [0, \"log(-k)\"]" + springs,
     "the entry 2 of the load is nan, m.toml:6:12; every entry must be a finite number"},
    {"mass-singular", "mass = [[1, 2], [2, 4]]" + springs,
     "the mass matrix is singular: it has the eigenvalue 0 along (1, -0.5), m.toml:5:10; give that motion a mass, or "
     "describe "
     "the system with fewer coordinates"},
    {"mass-singular", "mass = [[1, 0], [0, \"zero\"]]" + springs,
     "the mass matrix is singular: it has the eigenvalue 0 along (0, 1), m.toml:5:10; give that motion a mass, or "
     "describe the "
     "system with fewer coordinates"},
    {"mass-not-positive", "mass = [[1, 2], [2, 1]]" + springs,
     "the mass matrix is not positive definite: it has the eigenvalue -1 along (1, -1), m.toml:5:10; kinetic energy "
     "must be "
     "positive: look for a wrong sign or entry"},
    {"stiffness-negative", unit + "stiffness = [[1, \"2*k\"], [\"2*k\", 1]]",
     "the stiffness matrix has the negative eigenvalue -3 along (1, -1), m.toml:6:15; look for a wrong sign; a system "
     "that is "
     "unstable by itself can be given as a lagrangian"},
};

class linear_errors : public ::testing::TestWithParam<wrong_matrices> {};

TEST_P(linear_errors, say_what_is_wrong_where_and_what_would_be_right) {
  try {
    parse_model(model_with(GetParam().table), "m.toml");
    FAIL() << "no " << GetParam().id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), GetParam().id);
    EXPECT_EQ(std::string(error.what()), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(table, linear_errors, ::testing::ValuesIn(all_wrong));

TEST(linear_errors, a_lagrangian_beside_matrices) {
  try {
    parse_model("lagrangian = \"q1'^2\"\n" + model_with(unit + springs), "m.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "two-descriptions");
    EXPECT_EQ(
        std::string(error.what()),
        "both a lagrangian and [linear] are given, m.toml:1:1; one of them describes the system; remove the other");
  }
}

matrix<double> matrix_of(std::size_t rows, std::size_t columns, std::initializer_list<double> entries) {
  matrix<double> a(rows, columns);
  std::ranges::copy(entries, a.data().begin());
  return a;
}

TEST(linear_errors, from_cpp_have_the_same_ids) {
  const matrix<double> good = matrix_of(2, 2, {2, -1, -1, 2});
  const auto id_of = [](const matrix<double>& mass, const matrix<double>& stiffness, std::vector<double> load = {}) {
    try {
      const linear_system<double> system(mass, stiffness, std::move(load));
      return std::string("none");
    } catch (const input_error& error) {
      return error.id();
    }
  };
  EXPECT_EQ(id_of(good, good), "none");
  EXPECT_EQ(id_of(good, matrix<double>(2, 2)), "none");
  EXPECT_EQ(id_of(matrix_of(1, 2, {1, 0}), good), "matrix-not-square");
  EXPECT_EQ(id_of({}, {}), "matrix-not-square");
  EXPECT_EQ(id_of(good, matrix_of(1, 1, {1})), "matrix-sizes-differ");
  EXPECT_EQ(id_of(good, good, {1}), "matrix-sizes-differ");
  EXPECT_EQ(id_of(matrix_of(2, 2, {1, std::numeric_limits<double>::quiet_NaN(), 0, 1}), good), "matrix-not-finite");
  EXPECT_EQ(id_of(good, matrix_of(2, 2, {1, 0.5, 0.25, 1})), "matrix-not-symmetric");
  EXPECT_EQ(id_of(matrix_of(2, 2, {1, 1, 1, 1}), good), "mass-singular");
  EXPECT_EQ(id_of(matrix_of(2, 2, {1, 0, 0, -1}), good), "mass-not-positive");
  EXPECT_EQ(id_of(good, matrix_of(2, 2, {-1, 0, 0, 1})), "stiffness-negative");
}

TEST(linear_errors, after_set_are_those_of_the_new_values) {
  temporary_folder folder;
  const std::string path = folder.write("m.toml", model_with(unit + "stiffness = [[\"k\", -1], [-1, \"k\"]]"));
  EXPECT_EQ(actio_program({"run", path, "--set", "k=3"}).status, 0);
  const outcome refused = actio_program({"run", path, "--set", "k=0.5"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("the stiffness matrix has the negative eigenvalue -0.5 along (1, 1)"), std::string::npos)
      << refused.err;
}

TEST(unstable_step, is_refused_by_run_and_compare_unless_allowed) {
  SCOPED_TRACE("unstable-step");
  const std::vector<std::string> run_it = {"run", "linear-double-pendulum", "--step", "0.5", "--until", "2"};
  const outcome refused = actio_program(run_it);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(
      refused.err,
      "actio: the step 0.5 is too long for method 'simpson': an oscillation has omega = 11.6098, and omega*h = 5.80491 "
      "is not where the method is stable, omega*h < 2.82842712 and 3.46410162 < omega*h < 4.89897949, --step; give "
      "--step 0.2436 or less, or let it grow with --allow-unstable\n");
  std::vector<std::string> allowed = run_it;
  allowed.push_back("--allow-unstable");
  EXPECT_EQ(actio_program(allowed).status, 0);
  EXPECT_EQ(actio_program({"run", "linear-double-pendulum", "--step", "0.2436", "--until", "2"}).status, 0);
  EXPECT_EQ(actio_program({"run", "linear-double-pendulum", "--step", "0.2437", "--until", "2"}).status, 2);

  std::vector<std::string> compared = {
      "compare", "linear-double-pendulum", "--methods", "verlet,simpson", "--step-sizes", "0.5", "--until", "2"};
  const outcome rows = actio_program(compared);
  EXPECT_EQ(rows.status, 1);
  EXPECT_NE(rows.out.find("the step 0.5 is too long for method 'simpson'"), std::string::npos) << rows.out;
  compared.push_back("--allow-unstable");
  EXPECT_EQ(actio_program(compared).status, 0);
}

TEST(unstable_step, may_be_allowed_in_the_model_file_and_repeated) {
  temporary_folder folder;
  const std::string text = model_with(unit + springs);
  const std::string path = folder.write("m.toml", text + "allow-unstable = true\n");
  EXPECT_EQ(actio_program({"run", path, "--step", "5"}).status, 0);
  EXPECT_EQ(actio_program({"run", folder.write("n.toml", text), "--step", "5"}).status, 2);
  const std::string short_step = "step = 0.1", long_step = "step = 9.5";
  std::string longer = text;
  longer.replace(longer.find(short_step), short_step.size(), long_step);
  const std::string in_file = folder.write("o.toml", longer);
  const outcome refused = actio_program({"run", in_file});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find(", " + in_file + ":12:8; give --step 1.632 or less"), std::string::npos) << refused.err;
  ACTIO_NEEDS(hdf5);
  const std::string output = folder.path("grown.h5");
  const outcome written =
      actio_program({"run", folder.path("n.toml"), "--step", "5", "--allow-unstable", "--output", output});
  EXPECT_EQ(actio_program({"run", output, "--again"}).out, "the bits agree: 2 rows\n");
}

TEST(linear_errors, parameters_unsuited) {
  const model m = parse_model(
      "lagrangian = \"1/2*q'^2 - 1/2*k*q^2\"\ncoordinates = [\"q\"]\n[parameters]\nk = 2\n"
      "[initial]\nposition = {q = 1}\nvelocity = {q = 0}\n",
      "m.toml");
  const auto workspace = integrator<double>(m.system, {.method = "simpson", .step = 0.1}).make_workspace();
  try {
    workspace->set_parameters(std::vector<double>{-1});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "parameters-unsuited");
    EXPECT_STREQ(error.what(),
                 "with these parameters 'm' has no stiffness that holds it, and the steps of linear systems are not "
                 "for it, m.toml:1:1; make an integrator with these parameters");
  }
}

}  // namespace
}  // namespace actio::testing
