#include "actio/analysis/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/problem.hpp"

namespace actio {
namespace {

source_text typed(const char* text) { return {text, {"--step-sizes", 0, 0}, "--step-sizes"}; }

comparison compared(const char* name, bool with_exact) {
  const problem& p = *find_problem(name);
  const model m = load_model(name);
  const exact_motion<double> exact = with_exact ? p.exact.of<double>(m) : exact_motion<double>();
  return compare<double>(m, {typed("simpson"), typed("midpoint")}, {typed("pi/64"), typed("pi/128")}, 6.0, exact);
}

TEST(comparison, finds_the_orders_against_the_exact_solution) {
  const comparison result = compared("kepler", true);
  EXPECT_EQ(result.reference, "exact solution");
  ASSERT_EQ(result.cells.size(), 4u);
  EXPECT_FALSE(result.cells[0].order.has_value());
  EXPECT_NEAR(result.cells[1].order.value(), 4, 0.25);
  EXPECT_NEAR(result.cells[3].order.value(), 2, 0.25);
  EXPECT_EQ(result.cells[1].steps, 245u);
}

// Two independent routes to the same errors.
TEST(comparison, the_reference_of_high_order_agrees_with_the_exact_solution) {
  const comparison exact = compared("kepler", true), reference = compared("kepler", false);
  EXPECT_NE(reference.reference.find("gauss-10"), std::string::npos);
  for (std::size_t k = 0; k < exact.cells.size(); ++k) {
    EXPECT_NEAR(reference.cells[k].error / exact.cells[k].error, 1, 1e-9);
    EXPECT_NEAR(reference.cells[k].momentum_error / exact.cells[k].momentum_error, 1, 1e-9);
  }
}

TEST(comparison, a_failed_run_leaves_its_cell_with_a_status) {
  const model m = load_model("pendulum");
  const comparison result =
      compare<double>(m, {typed("simpson")}, {typed("2")}, 200.0, find_problem("pendulum")->exact.of<double>(m));
  EXPECT_NE(result.cells.front().status, "done");
}

// One method or step that does not work out is a row with its reason; the others have their numbers.
TEST(comparison, goes_on_where_a_method_or_a_step_does_not_suit) {
  const model top = load_model("double-pendulum");
  const comparison methods = compare<double>(top, {typed("strang"), typed("simpson")}, {typed("0.02")}, 0.1, {});
  ASSERT_EQ(methods.cells.size(), 2u);
  EXPECT_EQ(methods.cells[0].method, "strang");
  EXPECT_NE(methods.cells[0].status, "done");
  EXPECT_EQ(methods.cells[0].steps, 0u);
  EXPECT_TRUE(std::isnan(methods.cells[0].error));
  EXPECT_EQ(methods.cells[1].status, "done");

  const model springs = load_model("linear-double-pendulum");
  const comparison steps =
      compare<double>(springs, {typed("simpson")}, {typed("0.5"), typed("0.1"), typed("0.05")}, 2.0, {});
  ASSERT_EQ(steps.cells.size(), 3u);
  EXPECT_NE(steps.cells[0].status.find("too long"), std::string::npos);
  EXPECT_EQ(steps.cells[1].status, "done");
  EXPECT_FALSE(steps.cells[1].order.has_value());
  EXPECT_NEAR(steps.cells[2].order.value(), 4, 0.5);
}

TEST(comparison, names_its_reference_once_and_says_how_far_it_is) {
  const model m = load_model("double-pendulum");
  std::vector<std::string> told;
  comparison_options options;
  options.progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    EXPECT_LE(done, all);
    if (told.empty() || told.back() != what) told.push_back(what);
  };
  const comparison result =
      compare<double>(m, {typed("verlet")}, {typed("0.1"), typed("0.05"), typed("0.0003")}, 0.3, {}, options);
  const std::size_t first = result.reference.find("gauss-10");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(result.reference.find("gauss-10", first + 1), std::string::npos) << result.reference;
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(told.front().starts_with("reference with step ")) << told.front();
  EXPECT_EQ(told.back(), "verlet with step 0.0003:");
}

TEST(comparison, refuses_unknown_methods_and_steps_that_are_not_positive) {
  const model m = load_model("pendulum");
  EXPECT_THROW(compare<double>(m, {typed("simson")}, {typed("0.1")}, 1.0, {}), input_error);
  EXPECT_THROW(compare<double>(m, {typed("simpson")}, {typed("0")}, 1.0, {}), input_error);
}

}  // namespace
}  // namespace actio
