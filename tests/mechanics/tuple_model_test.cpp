// Vectors and quaternions in model files: what they leave in the system.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/section.hpp"
#include "tests/support/rigid_bodies.hpp"

namespace actio::testing {
namespace {

expr named(const std::string& name) { return expr::symbol(name); }

std::vector<double> numbers(const model& m, const std::vector<named_expr>& quantities) {
  std::vector<double> result;
  for (const named_expr& q : quantities) result.push_back(quantity_value<double>(m.system, q.value));
  return result;
}

TEST(tuples_in_models, stand_for_their_coordinates) {
  const model m = parse_model(moving_body{}.text(), "m.toml");
  EXPECT_EQ(numbers(m, m.initial.position), (std::vector<double>{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(m.initial.rate, rate_kind::velocity);
  EXPECT_EQ(numbers(m, m.initial.rates), (std::vector<double>{4, 5, 6, 0, 1, 2, 3}));
  const moving_body shuffled{.tables =
                                 "[symmetries.turn]\nr = \"cross(vector(0, 0, 1), r)\"\nQ = \"quaternion(0, 0, 0, "
                                 "1)*Q/2\"\n[forces]\nr = \"-r'\"\nb = 1\n"};
  const lagrangian_system system = parse_model(shuffled.text(), "m.toml").system;
  const std::vector<expr>& turn = system.symmetries.at(0).generator;
  EXPECT_EQ(turn[0], -named("y"));
  EXPECT_EQ(turn[1], named("x"));
  EXPECT_EQ(turn[3], -named("d") / 2);
  EXPECT_EQ(turn[6], named("a") / 2);
  EXPECT_EQ(system.forces[2], -named("z'"));
  EXPECT_EQ(system.forces[4], expr(1));
}

TEST(tuples_in_models, become_columns_of_their_components) {
  const moving_body body{.definitions = "tip = \"r + rotate(Q, vector(0, 0, 1))\"\n",
                         .tables = "[observables]\ntip = \"tip\"\nspeed = \"norm(tip')\"\n"};
  const model m = parse_model(body.text(), "m.toml");
  std::vector<std::string> names;
  for (const named_expr& o : m.system.observables) names.push_back(o.name);
  EXPECT_EQ(names, (std::vector<std::string>{"tip.x", "tip.y", "tip.z", "speed"}));
  // As written, where other definitions are symbols.
  const named_expr& part = m.system.definitions.at(7);
  EXPECT_EQ(part.name, "w.x");
  EXPECT_TRUE(depends_on(part.value, named("Q.w")) && depends_on(part.value, named("Q.x'")));
  EXPECT_EQ(m.system.definitions.at(10).name, "tip.x");
}

// The tip moves with r' + ω × (its arm): by the total derivative of a vector.
TEST(tuples_in_models, have_total_time_derivatives) {
  const moving_body body{
      .definitions = "tip = \"r + rotate(Q, vector(0.3, 1, 2))\"\n",
      .tables = "[observables]\nslip = \"tip' - r' - cross(space_rate(Q), tip - r)\"\nalso = \"tip'.x - tip.x'\"\n"};
  const model m = parse_model(body.text(), "m.toml");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 50);
  ASSERT_EQ(report.status, run_status::done);
  ASSERT_EQ(report.observables.size(), 4U);
  for (const auto& o : report.observables) {
    EXPECT_LT(std::max(std::abs(o.largest), std::abs(o.smallest)), 1e-12) << o.name;
  }
}

TEST(tuples_in_models, may_be_constraints) {
  const moving_body body{.tables = "pivot = \"r + rotate(Q, vector(0, 0, 1))\"\n",
                         .position = "r = \"vector(0, 0, -1)\"\nQ = \"quaternion(1, 0, 0, 0)\"\n",
                         .rates =
                             "[initial.velocity]\nr = \"-cross(vector(1, 2, 0), vector(0, 0, 1))\"\n"
                             "[initial.space_rate]\nQ = \"vector(1, 2, 0)\"\n"};
  const model m = parse_model(body.text(), "m.toml");
  ASSERT_EQ(m.system.constraints.size(), 4U);
  EXPECT_EQ(m.system.constraints[3].name, "pivot.z");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 200);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_LT(report.constraints.max_violation, 1e-14);
  EXPECT_LT(report.energy.max_relative_error, 1e-6);
}

// Components of a vector turn into one another: only on the constraints is none changed.
TEST(tuples_in_models, keep_symmetries_that_mix_constraints) {
  const std::string pivot = "pivot = \"r + rotate(Q, vector(0, 0, 1))\"\n[symmetries.turn]\n",
                    turn_r = "r = \"cross(vector(0, 0, 1), r)\"\n", turn_q = "Q = \"quaternion(0, 0, 0, 1)*Q/2\"\n";
  EXPECT_NO_THROW(parse_model(moving_body{.tables = pivot + turn_r + turn_q}.text(), "m.toml"));
  try {
    parse_model(moving_body{.tables = pivot + turn_r}.text(), "m.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "false-symmetry");
  }
}

TEST(tuples_in_models, may_be_used_in_sections) {
  const model m = parse_model(moving_body{}.text(), "m.toml");
  const section by_tuples = section_from(m, {"rotate(Q, r).z - Q.w*w.x", {}, "section"});
  const section by_hand = section_from(
      m, {"2*(b*d - a*c)*x + 2*(c*d + a*b)*y + (a^2 - b^2 - c^2 + d^2)*z - a*2*(a*b' - b*a' - c*d' + d*c')", {}, ""});
  std::vector<expr> symbols = m.system.coordinates, both = {by_tuples.value, by_hand.value};
  for (const expr& v : m.system.velocities()) symbols.push_back(v);
  std::vector<double> at;
  for (std::size_t i = 0; i < symbols.size(); ++i) at.push_back(std::sin(1.0 + static_cast<double>(i)));
  const std::vector<double> values = evaluate<double>(both, symbols, at);
  EXPECT_NEAR(values[0], values[1], 1e-14);
  EXPECT_GT(std::abs(values[0]), 1e-2);
}

TEST(tuples_in_models, have_names_that_older_models_may_use) {
  const char* text =
      "coordinates = [\"vector\", \"norm\"]\nlagrangian = \"dot*vector'^2/2 + norm'^2/2 - cross*vector*norm\"\n"
      "[parameters]\ndot = 2\n[definitions]\ncross = \"dot/2\"\n[initial]\nposition = {vector = 1, norm = 0}\n"
      "velocity = {vector = 0, norm = 0}\n";
  EXPECT_EQ(parse_model(text, "m.toml").system.size(), 2U);
}

}  // namespace
}  // namespace actio::testing
