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

TEST(comparison, refuses_unknown_methods_and_steps_that_are_not_positive) {
  const model m = load_model("pendulum");
  EXPECT_THROW(compare<double>(m, {typed("simson")}, {typed("0.1")}, 1.0, {}), input_error);
  EXPECT_THROW(compare<double>(m, {typed("simpson")}, {typed("0")}, 1.0, {}), input_error);
}

}  // namespace
}  // namespace actio
