// Models of very many coordinates: what is given by ranges is what its members would be, one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/mechanics/model.hpp"
#include "actio/simulate/ensemble_plan.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {
namespace {

const std::string field = R"toml(
coordinates = ["u[0..n, 1..n]", "z"]
lagrangian = """sum(i = 0..n, j = 1..n, 1/2*m[i]*u[i,j]'^2 - 1/2*k*u[i,j]^2)
 - sum(i = 0..n-1, j = 1..n, 1/4*(u[i+1,j] - u[i,j])^4) + 1/2*z'^2 - z^2"""
[sizes]
n = 40
[parameters]
k = 2
"m[i = 0..n]" = "k + i/10"
)toml";

void expect_refusal(const std::string& text, const std::string& id, const std::string& part, int line) {
  try {
    parse_model(text, "m.toml");
    ADD_FAILURE() << text;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
    EXPECT_NE(error.message().find(part), std::string::npos) << error.what();
    EXPECT_EQ(error.place().line, line) << error.what();
  }
}

std::vector<double> one_by_one(const model& m, const initial_values& values) {
  std::vector<double> result;
  for (const named_expr& x : values.written_out()) result.push_back(quantity_value<double>(m.system, x.value));
  return result;
}

void expect_alike(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-15 * (1 + std::abs(b[i]))) << i;
}

TEST(large_models, start_where_their_members_would) {
  const model m = parse_model(field + R"toml(
[initial.position]
"u[i = 0..n, j = 1..n]" = "m[i]*sin(pi*i/(n+1)) + j/7"
z = "k"
[initial.velocity]
"u[a = 2..n, b = 3..n]" = "a*k - 1000*b"
"u[0..1, 1..n]" = 0.25
)toml",
                              "m.toml");
  const std::vector<double> q = m.initial.position.values<double>(m.system),
                            v = m.initial.rates.values<double>(m.system);
  ASSERT_EQ(q.size(), 41u * 40u + 1);
  expect_alike(q, one_by_one(m, m.initial.position));
  expect_alike(v, one_by_one(m, m.initial.rates));
  EXPECT_EQ(m.system.coordinates[3 * 40 + 4].name(), "u[3,5]");
  EXPECT_NEAR(q[3 * 40 + 4], 2.3 * std::sin(M_PI * 3 / 41) + 5.0 / 7, 1e-15);
  EXPECT_EQ(q.back(), 2);
  EXPECT_EQ(v[3 * 40 + 4], 3 * 2 - 5000);
  EXPECT_EQ(v[40], 0.25);
  EXPECT_EQ(v[2 * 40], 0);
  const phase_state<double> start = integrator<double>(m.system, {.method = "strang", .step = 0.01}).at_start(m);
  EXPECT_NEAR(start.momentum.value[3 * 40 + 4], 2.3 * (3 * 2 - 5000), 1e-11);
}

TEST(large_models, say_what_is_left_out_by_arrays) {
  const model m = parse_model(field + "[initial.velocity]\n\"u[1,1]\" = 1\n", "m.toml");
  ASSERT_EQ(m.initial.left_out.front(), "u");
  EXPECT_EQ(m.initial.left_out[1], "z");
  EXPECT_EQ(m.initial.left_out.size(), 2 + 41u * 40u);
  const model all = parse_model(field, "m.toml");
  EXPECT_EQ(all.initial.left_out, (std::vector<std::string>{"u", "z", "u'", "z'"}));
}

TEST(large_models, know_their_coordinates_by_ranges) {
  const auto with = [](const std::string& coordinates, const std::string& more = "") {
    return "coordinates = [" + coordinates + "]\nlagrangian = \"0\"\n" + more;
  };
  expect_refusal(with("\"q[1..500]\", \"q[300..900]\""), "duplicate-name", "'q[300]' of a coordinate", 1);
  expect_refusal(with("\"q[1..500]\", \"q[7]\""), "duplicate-name", "'q[7]' of a coordinate", 1);
  expect_refusal(with("\"q[1..500]\"", "[parameters]\n\"q[9]\" = 1\n"), "duplicate-name",
                 "'q[9]' of a parameter is taken by a coordinate", 4);
  expect_refusal(with("\"x[1..500]\", \"p_x[20..30]\""), "reserved-name", "'p_x[20]'", 1);
  expect_refusal(field + "[initial.position]\n\"u[i = 0..n+1, j = 1..n]\" = 1\n", "unknown-initial-value",
                 "'u[41,1]' in [initial.position] is no coordinate", 11);
  expect_refusal(field + "[initial.position]\n\"u[i = 0..n, j = 1..n]\" = 1\n\"u[3,4]\" = 2\n", "value-given-twice",
                 "'u[3,4]'", 12);
  expect_refusal(field + "[initial.position]\n\"u[3,4]\" = 2\n\"u[i = 0..n, j = 1..n]\" = 1\n", "value-given-twice",
                 "'u[3,4]'", 12);
  expect_refusal(field + "[initial.position]\n\"u[i = 0..n, j = 1..n]\" = \"m[i]*u[i,j]\"\n", "name-not-allowed",
                 "the coordinate 'u[0,1]'", 11);
}

TEST(large_models, refuse_starts_that_are_not_finite) {
  const model m =
      parse_model(field + "[initial.position]\n\"u[i = 0..n, j = 1..n]\" = \"log(j - 3 - k/2)\"\n", "m.toml");
  try {
    m.initial.position.values<double>(m.system);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "bad-number");
    EXPECT_NE(error.message().find("'u[0,"), std::string::npos);
    EXPECT_EQ(error.place().line, 11);
  }
}

const std::string ring = R"toml(
coordinates = ["x[0..n-1]", "y[0..n-1]"]
lagrangian = """sum(i = 0..n-1, 1/2*(x[i]'^2 + y[i]'^2) - x[i]^2 - y[i]^2)
 - sum(i = 0..n-1, 1/4*((x[mod(i+1, n)] - x[i])^2 + (y[mod(i+1, n)] - y[i])^2)^2)"""
[sizes]
n = 300
)toml";

TEST(large_models, test_declared_symmetries_against_their_sums) {
  const std::string turn = "[symmetries.turn]\n\"x[i = 0..n-1]\" = \"-y[i]\"\n\"y[i = 0..n-1]\" = \"x[i]\"\n",
                    shift = "[symmetries.shift]\n\"x[i = 0..n-1]\" = 1\n";
  EXPECT_NO_THROW(parse_model(ring + turn, "m.toml"));
  expect_refusal(ring + shift, "false-symmetry", "symmetry 'shift' changes the Lagrangian", 7);
}

TEST(large_models, ensembles_start_with_the_momenta_of_their_sums) {
  const model m = parse_model(ring + "[initial.velocity]\n\"x[i = 0..n-1]\" = \"i\"\n", "m.toml");
  ASSERT_TRUE(m.system.sums != nullptr);
  const ensemble_plan plan(m, {});
  trajectory_start start;
  start_maker(plan).make(0, start);
  ASSERT_EQ(start.momentum.size(), 600u);
  EXPECT_EQ(start.momentum[7], 7);
}

}  // namespace
}  // namespace actio
