// Everything that can be wrong with constraints and with a start under them.
#include <gtest/gtest.h>

#include <functional>

#include "actio/analysis/choice.hpp"
#include "actio/analysis/comparison.hpp"
#include "actio/simulate/ensemble.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {
namespace {

struct wrong_model {
  std::string id, constraints, start, message;
};

void PrintTo(const wrong_model& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.message; }

std::string model_with(const std::string& constraints, const std::string& start) {
  return "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - y\"\n[constraints]\n" + constraints +
         "[initial]\n" + start + "[run]\nstep = 0.1\nuntil = 1\n";
}

const std::string circle = "circle = \"x^2 + y^2 - 1\"\n";
const std::string on_circle = "position = {x = 1, y = 0}\nvelocity = {x = 0, y = 1}\n";
const std::string cure = "mend the initial data, or let --project move them to the nearest that fit";

const std::vector<wrong_model> wrong_models = {
    {"idle-constraint", "one = \"t - 1\"\n", on_circle,
     "constraint 'one' has no effect: it contains no coordinate, m.toml:4:1; write what must stay zero, in the "
     "coordinates, or remove it"},
    {"off-constraint", circle, "position = {x = 1.1, y = 0}\nvelocity = {x = 0, y = 1}\n",
     "the initial position does not satisfy the constraint 'circle': it is 0.21 there instead of 0, m.toml:4:1; " +
         cure},
    {"off-hidden-constraint", circle, "position = {x = 1, y = 0}\nvelocity = {x = 0.3, y = 1}\n",
     "the initial velocity leaves the constraint 'circle': its time derivative is 0.6 instead of 0, m.toml:4:1; " +
         cure},
    {"off-hidden-constraint", circle, "position = {x = 1, y = 0}\nmomentum = {x = 0.3, y = 1}\n",
     "the initial momentum leaves the constraint 'circle': 0.3 of it belong to no velocity that keeps it, "
     "m.toml:4:1; " +
         cure},
    {"redundant-constraints", circle + "again = \"2*x^2 + 2*y^2 - 2\"\n", on_circle,
     "constraints 'circle' and 'again' depend on one another: their derivatives have rank 1 instead of 2 at the "
     "initial "
     "position, m.toml:5:1; remove one of them, or start where they are independent"},
    {"redundant-constraints", "squared = \"(x^2 + y^2 - 1)^2\"\n", on_circle,
     "the derivative of constraint 'squared' vanishes at the initial position: the constraints have rank 0 instead of "
     "1, m.toml:4:1; write an expression that passes through zero with a slope, such as x - 1 for (x - 1)^2"},
    {"contradictory-constraints", circle + "wider = \"x^2 + y^2 - 4\"\n", on_circle,
     "constraints 'circle' and 'wider' contradict one another: their derivatives have rank 1 instead of 2 at the "
     "initial position, but their values do not vanish together, m.toml:5:1; remove one of them, or mend the "
     "parameters "
     "in them"},
    {"non-finite-start", "root = \"sqrt(x - 2) + y\"\n", on_circle,
     "constraint 'root' is not finite at the initial position, m.toml:4:1; choose an initial position inside the "
     "domain "
     "of the constraint"},
    {"name-not-allowed", "slow = \"x' - 1\"\n", on_circle,
     "the velocity 'x'' has no meaning in constraint slow, m.toml:4:9; use coordinates, parameters and t here"},
    {"unknown-name", "rod = \"x^2 + z^2\"\n", on_circle, "unknown name 'z' in constraint rod, m.toml:4:14; "},
    {"off-constraint", circle, "position = {x = 1, y = 0}\nnext = {x = 1, y = 0.1}\n",
     "the position after the first step does not satisfy the constraint 'circle': it is 0.01 there instead of 0, "
     "m.toml:4:1; " +
         cure},
    {"unreachable-next", circle, "position = {x = 1, y = 0}\nnext = {x = -1, y = 0}\n",
     "no step of length 0.1 of method 'simpson' leads from the initial position to that of [initial.next] (x = -1, y = "
     "0); give the position that follows after one step of the run, or give [initial.velocity]"},
    {"two-initial-rates", circle, on_circle + "next = {x = 1, y = 0}\n",
     "both [initial.velocity] and [initial.next] are given, m.toml:8:1; one determines the other; remove one of them"},
};

class constraint_errors : public ::testing::TestWithParam<wrong_model> {};

TEST_P(constraint_errors, name_the_constraint_the_place_and_the_cure) {
  const wrong_model& wrong = GetParam();
  SCOPED_TRACE(wrong.id);
  temporary_folder folder;
  const std::string path = folder.write("m.toml", model_with(wrong.constraints, wrong.start));
  const outcome result = actio_program({"run", path});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  std::string said = result.err;
  for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path)) {
    said.replace(at, path.size(), "m.toml");
  }
  if (wrong.message.ends_with("; "))
    said.resize(std::min(said.size(), wrong.message.size() + 7));  // a long list follows
  else said.pop_back();
  EXPECT_EQ(said, "actio: " + wrong.message);
}

INSTANTIATE_TEST_SUITE_P(models, constraint_errors, ::testing::ValuesIn(wrong_models));

void expect_id(const std::function<void()>& action, const std::string& id) {
  try {
    action();
    FAIL() << "no " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
  }
}

TEST(constraint_errors, methods_say_why_they_cannot_hold_constraints) {
  temporary_folder folder;
  const std::string path = folder.write("m.toml", model_with(circle, on_circle));
  const struct {
    std::string method, why;
  } refused[] = {{"gauss-2",
                  "its nodes leave out the ends of a step, where constraints are held, and with forces there it would "
                  "lose its order"},
                 {"rk4", "it has no place for the forces of constraints"},
                 {"strang", "it has no place for the forces of constraints"}};
  for (const auto& r : refused) {
    SCOPED_TRACE("method-refuses-constraints");
    EXPECT_EQ(actio_program({"run", path, "--method", r.method}).err,
              "actio: method '" + r.method + "' cannot hold the constraint 'circle': " + r.why +
                  ", --method; choose simpson, lobatto-4 or another Lobatto method, verlet or midpoint\n");
  }
  expect_id([&] { integrator<double>(read_model(path).system, {.method = "gauss-3", .step = 0.1}); },
            "method-refuses-constraints");
}

TEST(constraint_errors, two_positions_belong_to_one_method_and_one_step) {
  const model m =
      parse_model(model_with(circle, "position = {x = 1, y = 0}\nnext = {x = \"cos(0.1)\", y = \"sin(0.1)\"}\n"), "m");
  expect_id([&] { compare<double>(m, {{"simpson", {}, ""}}, {{"0.1", {}, ""}}, 1.0, {}); }, "two-point-start");
  expect_id([&] { choose<double>(m, {.accuracy = 1e-6, .until = 1.0}); }, "two-point-start");
  expect_id([&] { ensemble_plan(m, {.sweeps = {}, .samples = {}}); }, "two-point-start");
}

TEST(constraint_errors, a_symmetry_must_keep_the_constraints) {
  const std::string text =
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - y\"\n[symmetries.shift]\nx = 1\n";
  const std::string rest = "[initial]\n" + on_circle;
  EXPECT_NO_THROW(parse_model(text + rest, "m.toml"));
  expect_id([&] { parse_model(text + "[constraints]\n" + circle + rest, "m.toml"); }, "false-symmetry");
}

TEST(projection, mends_the_start_and_says_how_far) {
  temporary_folder folder;
  const std::string path =
      folder.write("m.toml", model_with(circle, "position = {x = 1.1, y = 0}\nvelocity = {x = 0.3, y = 1}\n"));
  const outcome result = actio_program({"run", path, "--project"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("positions moved by at most 0.1, momenta by 0.3"), std::string::npos) << result.out;
  EXPECT_EQ(actio_program({"check", path}).status, 2);
  const outcome checked = actio_program({"check", path, "--project"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_NE(checked.out.find("projected     the start: positions moved by at most 0.1, momenta by 0.3"),
            std::string::npos)
      << checked.out;
  const std::string json = actio_program({"check", path, "--project", "--json"}).out;
  EXPECT_NE(json.find("\"projection\""), std::string::npos) << json;
  EXPECT_EQ(actio_program({"compare", path, "--project", "--methods", "verlet,simpson", "--step-sizes", "0.1"}).status,
            0);
  // Beyond the wire there is nothing near to be projected to.
  const std::string far = folder.write(
      "far.toml", model_with("wire = \"y^2 + x^2 + 1\"\n", "position = {x = 1, y = 1}\nvelocity = {x = 0, y = 0}\n"));
  const outcome lost = actio_program({"run", far, "--project"});
  EXPECT_EQ(lost.status, 2);
  EXPECT_NE(lost.err.find("could not be projected"), std::string::npos) << lost.err;
}

TEST(numbers_that_fail, a_step_that_cannot_reach_the_constraints) {
  temporary_folder folder;
  const std::string path = folder.write("m.toml", model_with(circle, on_circle));
  const outcome result = actio_program({"run", path, "--step", "5", "--until", "50", "--method", "verlet"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("could not reach the constraints"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("try --step "), std::string::npos) << result.err;
}

}  // namespace
}  // namespace actio::testing
