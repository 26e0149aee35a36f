#include "actio/mechanics/view_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/model.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

model model_with(const std::string& table) {
  return parse_model(
      "coordinates = [\"q\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - y\"\n[parameters]\nl = 2\n[definitions]\n"
      "x = \"l*sin(q)\"\ny = \"-l*cos(q)\"\n[initial]\nposition = {q = 1}\nvelocity = {q = 0}\n" +
          table,
      "m.toml");
}

TEST(view_table, reads_points_lines_and_traces) {
  const model_view view = model_with(
                              "[view]\nlines = [[\"pivot\", \"bob\"], [\"bob\", \"wall\", \"pivot\"]]\n"
                              "traces = [\"bob\"]\n[view.points]\npivot = [0, 0]\nbob = [\"x\", \"y\"]\n"
                              "wall = [\"l*t\", 0]\n")
                              .view;
  EXPECT_EQ(view.dimensions, 2u);
  ASSERT_EQ(view.points.size(), 3u);
  EXPECT_EQ(view.points[1].name, "bob");
  EXPECT_EQ(to_text(view.points[1].position[1]), "-l*cos(q)");  // definitions are substituted
  EXPECT_EQ(to_text(view.points[2].position[0]), "l*t");
  EXPECT_EQ(view.lines, (std::vector<std::vector<std::size_t>>{{0, 1}, {1, 2, 0}}));
  EXPECT_EQ(view.traces, std::vector<std::size_t>{1});
}

TEST(view_table, takes_vectors_and_quaternions_of_the_model) {
  const std::string head =
      "coordinates = [\"q\"]\nlagrangian = \"q'^2/2\"\n[definitions]\nr = \"vector(q, 0, 2*q)\"\n"
      "Q = \"rotation(vector(0, 0, 1), q)\"\n";
  const model_view view = parse_model(head +
                                          "[view.points]\ntip = \"r + rotate(Q, vector(1, 0, 0))\"\n"
                                          "[view.bodies.plate]\nbox = [1, 1, 1]\ncentre = \"r\"\norientation = \"Q\"\n"
                                          "[view.bodies.other]\nbox = [1, 1, 1]\ncentre = \"tip\"\n",
                                      "m.toml")
                              .view;
  EXPECT_EQ(view.dimensions, 3u);
  const auto at = [](const expr& e, double q) {
    const std::vector<expr> symbols{expr::symbol("q")};
    return evaluate<double>(std::span(&e, 1), symbols, std::vector{q}).front();
  };
  EXPECT_NEAR(at(view.points[0].position[0], 0.3), 0.3 + std::cos(0.3), 1e-15);
  EXPECT_NEAR(at(view.points[0].position[1], 0.3), std::sin(0.3), 1e-15);
  EXPECT_EQ(view.bodies[0].centre[2], 2 * expr::symbol("q"));
  EXPECT_NEAR(at(view.bodies[0].axes[0][1], 0.3), std::sin(0.3), 1e-15);
  EXPECT_EQ(view.bodies[1].centre, view.points[0].position);
  try {
    parse_model(head + "[view.points]\ntip = \"norm(r)\"\n", "m.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "wrong-shape");
    EXPECT_EQ(std::string(error.what()),
              "the point tip must be a vector, but is a scalar, m.toml:7:7; write vector(x, y, z), a vector of the "
              "model, or an array");
  }
}

TEST(view_table, is_empty_without_a_view) { EXPECT_TRUE(model_with("").view.is_empty()); }

double value(const expr& e, double q) {
  const std::vector<expr> symbols{expr::symbol("q"), expr::symbol("l")};
  return evaluate<double>(std::span(&e, 1), symbols, std::vector{q, 2.0}).front();
}

// The columns of a rotation by q about (1, 1, 1)/√3 are orthonormal, right-handed and turn about that axis.
TEST(view_table, turns_bodies_by_quaternions) {
  const model_view view =
      model_with(
          "[view.bodies.b]\nbox = [1, \"l\", 3]\ncentre = [0, \"x\", \"y\"]\n"
          "orientation = [\"cos(q/2)\", \"sin(q/2)/sqrt(3)\", \"sin(q/2)/sqrt(3)\", \"sin(q/2)/sqrt(3)\"]\n")
          .view;
  ASSERT_EQ(view.bodies.size(), 1u);
  const view_body& body = view.bodies.front();
  EXPECT_EQ(body.form, body_form::box);
  double R[3][3];  // R[k]: axis k
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i) R[k][i] = value(body.axes[k][i], 0.7);
  }
  const auto dot = [](const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(dot(R[k], R[k]), 1, 1e-14);
    EXPECT_NEAR(dot(R[k], R[(k + 1) % 3]), 0, 1e-14);
    EXPECT_NEAR(R[0][k] + R[1][k] + R[2][k], 1, 1e-14);  // (1, 1, 1) stays
  }
  EXPECT_NEAR(R[0][0] + R[1][1] + R[2][2], 1 + 2 * std::cos(0.7), 1e-14);
  // About (1, 1, 1) a positive turn takes x towards y.
  EXPECT_GT(R[0][1], R[0][2]);
}

TEST(view_table, turns_bodies_by_angles_and_knows_what_is_not_turned) {
  const model_view plane = model_with("[view.bodies.b]\ndisc = [\"l/2\"]\nangle = \"q\"\n").view;
  EXPECT_EQ(plane.dimensions, 2u);
  EXPECT_NEAR(value(plane.bodies[0].axes[0][1], 0.3), std::sin(0.3), 1e-15);
  EXPECT_NEAR(value(plane.bodies[0].axes[1][0], 0.3), -std::sin(0.3), 1e-15);
  const model_view space = model_with("[view.bodies.b]\ndisc = [1, 0.1]\n").view;
  EXPECT_EQ(space.dimensions, 3u);
  EXPECT_TRUE(space.bodies[0].axes[2][2].is_one());
  EXPECT_TRUE(space.bodies[0].centre[0].is_zero());
}

TEST(view_table, reads_shapes_in_variables_of_their_own) {
  const model_view view =
      model_with(
          "[view.points]\nbob = [\"x\", \"y\", 0]\n[view.shapes.bowl]\nu = [0, \"l\"]\nv = [\"-pi\", \"pi\"]\n"
          "point = [\"u*cos(v)\", \"u*sin(v)\", \"u^2\"]\n")
          .view;
  ASSERT_EQ(view.shapes.size(), 1u);
  ASSERT_EQ(view.shapes[0].variables.size(), 2u);
  EXPECT_EQ(view.shapes[0].variables[1].symbol.name(), "v");
  EXPECT_EQ(to_text(view.shapes[0].point[2]), "u^2");
}

TEST(view_table, draws_the_systems_that_come_with_actio) {
  for (const char* name :
       {"pendulum", "double-pendulum", "spherical-pendulum", "spherical-pendulum-rod", "double-spherical-pendulum",
        "lagrange-top", "kepler", "outer-solar-system", "spring-pendulum", "four-bar-linkage", "bead-on-parabola",
        "ellipsoid-geodesic", "torus-geodesic", "triple-pendulum"}) {
    const model m = load_model(name);
    EXPECT_FALSE(m.view.points.empty()) << name;
    EXPECT_FALSE(m.view.traces.empty()) << name;
  }
  EXPECT_EQ(load_model("double-pendulum").view.dimensions, 2u);
  EXPECT_EQ(load_model("lagrange-top").view.bodies.size(), 1u);
}

}  // namespace
}  // namespace actio
