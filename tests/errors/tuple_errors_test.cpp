// Everything that can be wrong with vectors and quaternions in a model.
#include <gtest/gtest.h>

#include "actio/mechanics/model.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/rigid_bodies.hpp"

namespace actio::testing {
namespace {

struct wrong_body {
  std::string id;
  moving_body body;
  std::string message;
};

void PrintTo(const wrong_body& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.message; }

const std::string q_start = "Q = \"quaternion(1, 0, 0, 0)\"\n";

const std::vector<wrong_body> wrong_bodies = {
    {"wrong-shape",
     {.definitions = "e = \"w + 1\"\n"},
     "a scalar cannot be added to a vector in definition e, m.toml:7:8; take a component of the other, such as .x"},
    {"wrong-shape",
     {.tables = "[forces]\nx = \"-w\"\n"},
     "force on x must be a scalar, but is a vector, m.toml:10:5; take a component such as .x, or a length norm(...)"},
    {"wrong-shape",
     {.tables = "[forces]\nr = \"-w.x\"\n"},
     "force on r must be a vector, but is a scalar, m.toml:10:5; write vector(x, y, z)"},
    {"wrong-shape",
     {.tables = "[parameters]\nv = \"vector(1, 2, 3)\"\n"},
     "parameter v must be a scalar, but is a vector, m.toml:10:6; take a component such as .x, or a length norm(...)"},
    {"wrong-shape",
     {.position = "r = \"vector(1, 2, 3)\"\nQ = \"vector(1, 0, 0)\"\n"},
     "initial position of Q must be a quaternion, but is a vector, m.toml:11:5; write quaternion(w, x, y, z)"},
    {"wrong-shape",
     {.rates = "[initial.velocity]\nr = \"vector(4, 5, 6)\"\n[initial.space_rate]\nQ = 3\n"},
     "initial angular velocity in space axes of Q must be a vector, but is a scalar, m.toml:15:5; write vector(x, y, "
     "z)"},
    {"unknown-component",
     {.tables = "[observables]\ne = \"r.w\"\n"},
     "a vector has no component 'w' in observable e, m.toml:10:8; a vector has .x .y .z"},
    {"unknown-component",
     {.definitions = "e = \"w.x.y\"\n"},
     "a scalar has no component 'y' in definition e, m.toml:7:10; remove it; vectors have .x .y .z"},
    {"acceleration-in-expression",
     {.definitions = "e = \"w'\"\n"},
     "'w'' in definition e needs accelerations, m.toml:7:6; expressions may contain coordinates and first derivatives "
     "(one prime) only"},
    {"acceleration-in-expression",
     {.definitions = "e = \"body_rate(Q')\"\n"},
     "'body_rate' in definition e needs accelerations, m.toml:7:6; expressions may contain coordinates and first "
     "derivatives (one prime) only"},
    {"acceleration-in-expression",
     {.tables = "[invariants]\ne = \"w.x'\"\n"},
     "'x'' in invariant e needs accelerations, m.toml:10:8; expressions may contain coordinates and first derivatives "
     "(one prime) only"},
    {"name-not-allowed",
     {.tables = "[symmetries.s]\nr = \"space_rate(Q)\"\n"},
     "the rate 'space_rate' has no meaning in symmetry s along r, m.toml:10:6; use coordinates, parameters and t here"},
    {"name-not-allowed",
     {.tables = "[symmetries.s]\nr = \"w\"\n"},
     "the definition 'w' has no meaning in symmetry s along r, m.toml:10:6; it contains velocities; use coordinates, "
     "parameters and t"},
    {"parameter-cycle",
     {.definitions = "e = \"cross(f, w)\"\nf = \"2*e\"\n"},
     "the definition 'e' is defined through itself: e → f → e, m.toml:7:12; give one of them a value of its own"},
    {"unknown-function",
     {.definitions = "e = \"rotat(Q, r)\"\n"},
     "unknown function 'rotat' in definition e, m.toml:7:6; did you mean 'rotate'?"},
    {"value-given-twice",
     {.position = "r = \"vector(1, 2, 3)\"\ny = 2\n" + q_start},
     "'y' gives a value to the coordinate 'y', which has one at m.toml:10:1, m.toml:11:1; remove one of them"},
    {"value-given-twice",
     {.rates = "[initial.velocity]\nr = \"vector(4, 5, 6)\"\nQ = \"quaternion(0, 1, 1, 1)\"\n[initial.body_rate]\nQ = "
               "\"vector(1, 1, 1)\"\n"},
     "'Q' gives a value to the coordinate 'a', which has one at m.toml:16:1, m.toml:14:1; remove one of them"},
    {"unknown-initial-value",
     {.definitions = "half = \"r/2\"\n", .position = "half = \"vector(1, 2, 3)\"\n" + q_start},
     "'half' in [initial.position] is no coordinate, m.toml:11:1; only vectors and quaternions whose components are "
     "coordinates can stand for them"},
    {"unknown-initial-value",
     {.rates = "[initial.velocity]\nQ = \"quaternion(0, 1, 1, 1)\"\n[initial.body_rate]\nr = \"vector(1, 1, 1)\"\n"},
     "'r' in [initial.body_rate] is no quaternion of coordinates, m.toml:15:1; define it, as in r = \"quaternion(a, b, "
     "c, d)\" with coordinates"},
    {"two-initial-rates",
     {.rates = "[initial.body_rate]\nQ = \"vector(2, 4, 6)\"\n[initial.momentum]\nr = \"vector(4, 5, 6)\"\n"},
     "both [initial.body_rate] and [initial.momentum] are given, m.toml:14:10; one determines the other; remove one of "
     "them"},
};

class tuple_errors : public ::testing::TestWithParam<wrong_body> {};

TEST_P(tuple_errors, say_what_is_wrong_where_and_what_would_be_right) {
  const wrong_body& wrong = GetParam();
  try {
    parse_model(wrong.body.text(), "m.toml");
    FAIL() << "no " << wrong.id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), wrong.id);
    EXPECT_EQ(std::string(error.what()), wrong.message);
  }
}

INSTANTIATE_TEST_SUITE_P(bodies, tuple_errors, ::testing::ValuesIn(wrong_bodies));

TEST(unnormalised_quaternion, is_refused_with_its_norm_and_mended_by_projection) {
  SCOPED_TRACE("unnormalised-quaternion");
  const moving_body body{.position = "r = \"vector(1, 2, 3)\"\nQ = \"quaternion(1.5, 0, 2, 0)\"\n"};
  const temporary_folder folder;
  const std::string path = folder.write("m.toml", body.text() + "[run]\nstep = 0.01\nuntil = 0.1\n");
  const outcome refused = actio_program({"run", path});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "actio: the quaternion (a, b, c, d) of the initial position has norm 2.5, but constraint 'unit' "
            "asks for 1, " +
                path + ":8:1; divide it by its norm, or let --project do so\n");
  const outcome mended = actio_program({"check", path, "--project"});
  EXPECT_EQ(mended.status, 0) << mended.err;
  EXPECT_NE(mended.out.find("a = 0.6, "), std::string::npos) << mended.out;
  // The angular velocity stays as it was given: 77/2 + (4 + 32 + 108)/2 + 3.
  EXPECT_NE(mended.out.find("energy: 113.5"), std::string::npos) << mended.out;
}

}  // namespace
}  // namespace actio::testing
