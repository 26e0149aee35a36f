#include "actio/api/method_comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

method_comparison_options on(const std::string& problem, const std::string& methods, const std::string& steps,
                             const std::string& until) {
  return {.given = testing::typed_options({{"methods", methods}, {"step-sizes", steps}, {"until", until}}),
          .exact = exact_solution_of(problem)};
}

TEST(method_comparison, measures_errors_and_orders) {
  const method_comparison_result result =
      compare_methods(load_model("kepler"), on("kepler", "simpson,midpoint", "pi/64,pi/128", "6"));
  ASSERT_EQ(result.numbers.cells.size(), 4u);
  EXPECT_TRUE(result.is_done());
  EXPECT_FALSE(result.numbers.interrupted);
  EXPECT_EQ(result.numbers.reference, "exact solution");
  EXPECT_NEAR(result.numbers.cells[1].order.value(), 4, 0.3);
  EXPECT_NEAR(result.numbers.cells[3].order.value(), 2, 0.3);
}

TEST(method_comparison, knows_the_motion_of_linear_systems_by_itself) {
  method_comparison_options options = on("", "midpoint", "0.1,0.05", "2");
  options.exact = {};
  EXPECT_EQ(compare_methods(load_model("linear-double-pendulum"), options).numbers.reference, "exact solution");
}

TEST(method_comparison, may_be_interrupted) {
  method_comparison_options options = on("pendulum", "simpson,midpoint", "0.1,0.05", "10");
  std::size_t asked = 0;
  options.interrupted = [&] { return ++asked == 150; };  // and never again
  const method_comparison_result result = compare_methods(load_model("pendulum"), options);
  EXPECT_TRUE(result.numbers.interrupted);
  EXPECT_FALSE(result.is_done());
  ASSERT_EQ(result.numbers.cells.size(), 4u);
  EXPECT_EQ(result.numbers.cells[0].status, "done");
  EXPECT_EQ(result.numbers.cells[1].status, "interrupted");
  EXPECT_EQ(result.numbers.cells[1].steps, 50u);
  EXPECT_EQ(result.numbers.cells[3].status, "interrupted");
  EXPECT_EQ(result.numbers.cells[3].steps, 0u);
  EXPECT_FALSE(result.numbers.cells[1].order);
}

TEST(method_comparison, may_be_interrupted_while_it_makes_its_reference) {
  method_comparison_options options = on("double-pendulum", "simpson", "0.1,0.05", "1000");
  options.interrupted = [] { return true; };
  const method_comparison_result result = compare_methods(load_model("double-pendulum"), options);
  ASSERT_EQ(result.numbers.cells.size(), 2u);
  EXPECT_EQ(result.numbers.cells[0].status, "interrupted");
  EXPECT_EQ(result.numbers.cells[1].steps, 0u);
}

TEST(method_comparison, is_that_of_the_program) {
  const method_comparison_result result =
      compare_methods(load_model("pendulum"), on("pendulum", "verlet,rk4", "0.1", "3"));
  const auto program = testing::actio_program(
      {"compare", "pendulum", "--methods", "verlet,rk4", "--step-sizes", "0.1", "--until", "3", "--json"});
  const auto without_times = [](const std::string& text) {
    auto object = nlohmann::json::parse(text);
    for (auto& cell : object["cells"]) cell.erase("seconds");
    return object;
  };
  EXPECT_EQ(without_times(result.json), without_times(program.out));
}

TEST(method_comparison, needs_methods_and_steps) {
  for (const char* missing : {"methods", "step-sizes"}) {
    method_comparison_options options = on("pendulum", "simpson", "0.1", "1");
    options.given.erase(missing);
    try {
      compare_methods(load_model("pendulum"), options);
      FAIL();
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "missing-argument");
      EXPECT_NE(error.message().find(missing), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace actio
