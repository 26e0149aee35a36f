// Everything that can be wrong with the table [view].
#include <gtest/gtest.h>

#include "actio/mechanics/model.hpp"

namespace actio::testing {
namespace {

struct wrong_view {
  std::string id, table, message;
};

void PrintTo(const wrong_view& wrong, std::ostream* out) { *out << wrong.id << ": " << wrong.table; }

std::string model_with(const std::string& table) {
  return "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*x'^2 + 1/2*y'^2 - l*y\"\n[parameters]\nl = 2\n"
         "[initial]\nposition = {x = 1, y = 0}\nvelocity = {x = 0, y = 0}\n" +
         table;
}

const std::string points = "[view.points]\npivot = [0, 0]\nbob = [\"x\", \"y\"]\n";

const std::vector<wrong_view> all_wrong = {
    {"unknown-key", "[view]\nline = []\n" + points, "unknown key 'line' in [view], m.toml:9:1; did you mean 'lines'?"},
    {"missing-key", "[view]\n",
     "[view] shows nothing, m.toml:8:2; add [view.points] with lines such as bob = [\"x\", \"y\"]"},
    {"wrong-type", "[view]\npoints = 1\n",
     "'points' must be a table, not a number, m.toml:9:10; write [view.points] on a line of its own, and its keys "
     "below"},
    {"wrong-type", "[view.points]\nbob = 1\n",
     "the point 'bob' must be an array of expressions, not a number, m.toml:9:7; write one expression a direction, as "
     "in "
     "[\"x\", \"y\"]"},
    {"wrong-shape", "[view.points]\nbob = \"x\"\n",
     "the point bob must be a vector, but is a scalar, m.toml:9:7; write vector(x, y, z), a vector of the model, or an "
     "array"},
    {"wrong-type", "[view.points]\nbob = [true, 0]\n",
     "each component of point bob must be a number or an expression in quotes, not true or false, m.toml:9:8"},
    {"component-count", "[view.points]\nbob = [\"x\"]\n",
     "the point 'bob' has 1 component, m.toml:9:7; give two components in a plane, three in space"},
    {"component-count", "[view.points]\nbob = [\"x\", \"y\"]\ntop = [0, 0, 1]\n",
     "the point 'top' has 3 dimensions, but the point 'bob' has 2, m.toml:10:7; draw everything in a plane or "
     "everything in space"},
    {"unknown-name", "[view.points]\nbob = [\"x\", \"2*z\"]\n",
     "unknown name 'z' in point bob, m.toml:9:16; known: x, y, l, pi, t"},
    {"name-not-allowed", "[view.points]\nbob = [\"x\", \"y'\"]\n",
     "the velocity 'y'' has no meaning in point bob, m.toml:9:14; use coordinates, parameters and t here"},
    {"unknown-point", points + "[view]\nlines = [[\"pivot\", \"bobb\"]]\n",
     "unknown point 'bobb' in a line, m.toml:12:20; did you mean 'bob'?"},
    {"unknown-point", points + "[view]\ntraces = [\"Bob\"]\n",
     "unknown point 'Bob' in 'traces', m.toml:12:11; did you mean 'bob'?"},
    {"component-count", points + "[view]\nlines = [[\"bob\"]]\n",
     "a line joins two points at least, m.toml:12:10; write lines = [[\"pivot\", \"bob\"]]"},
    {"wrong-type", points + "[view]\nlines = [\"pivot\", \"bob\"]\n",
     "a line must be an array of points, not a string, m.toml:12:10; write lines = [[\"pivot\", \"bob\"]]"},
    {"wrong-type", points + "[view]\ntraces = [1]\n",
     "a point in 'traces' must be its name in quotes, not a number, m.toml:12:11; write traces = [\"bob\"]"},
    {"missing-key", points + "[view.bodies.disc]\ncentre = \"bob\"\n",
     "the body 'disc' has no form, m.toml:11:14; add its edges, box = [2, 1], or a radius, disc = [0.5]"},
    {"unknown-key", points + "[view.bodies.b]\nsphere = 1\n",
     "unknown key 'sphere' in [view.bodies.b], m.toml:12:1; known: centre, box, disc, axes, orientation, angle"},
    {"unknown-point", "[view.bodies.b]\ncentre = \"bob\"\nbox = [1, 1, 1]\n",
     "unknown point 'bob' in the body 'b', m.toml:9:10; points are named in [view.points]"},
    {"component-count", points + "[view.bodies.b]\nbox = [1, 1, 1]\n",
     "'box' of the body 'b' has 3 components, m.toml:12:7; give the lengths of its 2 edges"},
    {"component-count", points + "[view.bodies.b]\ndisc = [1, 1]\n",
     "'disc' of the body 'b' has 2 components, m.toml:12:8; give its radius alone"},
    {"name-not-allowed", points + "[view.bodies.b]\nbox = [1, \"x\"]\n",
     "the coordinate 'x' has no meaning in box of b, m.toml:12:12; use numbers and parameters here"},
    {"two-descriptions", points + "[view.bodies.b]\nbox = [1, 1]\ndisc = [1]\n",
     "the body 'b' has both 'box' and 'disc', m.toml:13:1; one of them is enough; remove the other"},
    {"two-descriptions", "[view.bodies.b]\naxes = [[1, 0], [0, 1]]\nangle = \"x\"\nbox = [1, 1]\n",
     "the body 'b' has both 'axes' and 'angle', m.toml:10:1; one of them is enough; remove the other"},
    {"component-count", "[view.bodies.b]\norientation = [1, 0, 0]\nbox = [1, 1, 1]\n",
     "the orientation of b has 3 components, m.toml:9:15; give the four components of a unit quaternion, the real part "
     "first"},
    {"component-count", points + "[view.bodies.b]\norientation = [1, 0, 0, 0]\nbox = [1, 1]\n",
     "an orientation of b has 3 dimensions, but the point 'pivot' has 2, m.toml:12:15; draw everything in a plane or "
     "everything in space"},
    {"component-count", "[view.bodies.b]\naxes = [[1, 0, 0], [0, 1, 0]]\nbox = [1, 1, 1]\n",
     "the body 'b' has 2 axes, m.toml:9:8; give 3 unit vectors at right angles"},
    {"missing-key", points + "[view.shapes.wire]\ns = [0, 1]\n",
     "the shape 'wire' has no 'point', m.toml:11:14; add its points in a variable of its own, as in s = [-1, 1] and "
     "point = [\"s\", \"s^2\"]"},
    {"component-count", points + "[view.shapes.wire]\npoint = [0, 1]\n",
     "the shape 'wire' has 0 variables, m.toml:11:14; a curve has one variable and a surface two, each with an "
     "interval: s = [0, 1]"},
    {"component-count", points + "[view.shapes.wire]\ns = [0, 1, 2]\npoint = [\"s\", 0]\n",
     "the interval of 's' has 3 ends, m.toml:12:5; write where it begins and where it ends, as in s = [0, 1]"},
    {"wrong-type", points + "[view.shapes.wire]\ns = 1\npoint = [\"s\", 0]\n",
     "the variable 's' must be an interval, not a number, m.toml:12:5; write s = [0, 1]"},
    {"duplicate-name", points + "[view.shapes.wire]\nx = [0, 1]\npoint = [\"x\", 0]\n",
     "the name 'x' of a variable is taken by a coordinate at m.toml:1:16, m.toml:12:1; give each thing its own name"},
    {"name-not-allowed", points + "[view.shapes.wire]\ns = [0, 1]\npoint = [\"s\", \"y\"]\n",
     "the coordinate 'y' has no meaning in shape wire, m.toml:13:16; use numbers and parameters here"},
    {"unknown-name", points + "[view.shapes.wire]\ns = [0, 1]\npoint = [\"s\", \"u\"]\n",
     "unknown name 'u' in shape wire, m.toml:13:16; known: l, s, pi"},
};

class view_errors : public ::testing::TestWithParam<wrong_view> {};

TEST_P(view_errors, say_what_is_wrong_where_and_what_would_be_right) {
  const wrong_view& wrong = GetParam();
  try {
    parse_model(model_with(wrong.table), "m.toml");
    FAIL() << "no " << wrong.id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), wrong.id);
    EXPECT_EQ(std::string(error.what()), wrong.message);
  }
}

INSTANTIATE_TEST_SUITE_P(all, view_errors, ::testing::ValuesIn(all_wrong));

TEST(view_errors, name_a_view_that_is_no_table) {
  try {
    parse_model("view = 3\n" + model_with(""), "m.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "'view' must be a table, not a number, m.toml:1:8; write [view] on a line of its own, and its keys below");
  }
}

TEST(view_errors, limit_what_a_page_has_to_hold) {
  std::string many = "[view.points]\n";
  for (int i = 0; i < 201; ++i) many += "p" + std::to_string(i) + " = [0, 0]\n";
  try {
    parse_model(model_with(many), "m.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "model-too-large");
    EXPECT_EQ(std::string(error.what()), "the view has 201 points, m.toml:8:7; at most 200 are possible");
  }
}

}  // namespace
}  // namespace actio::testing
