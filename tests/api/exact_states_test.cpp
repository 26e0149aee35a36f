#include "actio/api/exact_states.hpp"

#include <gtest/gtest.h>

#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

exact_states_result at(const std::string& problem, const std::string& times, const std::string& precision) {
  return exact_states(load_model(problem),
                      {.given = testing::typed_options({{"times", times}, {"precision", precision}}),
                       .exact = exact_solution_of(problem)});
}

TEST(exact_states, has_numbers_and_all_their_digits) {
  ACTIO_NEEDS(mpfr);
  const exact_states_result result = at("pendulum", "0,1", "40");
  ASSERT_EQ(result.states.size(), 2u);
  ASSERT_TRUE(result.period);
  const exact_states_result later = at("pendulum", "1+" + result.period->digits, "30");
  const exact_number& now = result.states[1].position.at(0);
  EXPECT_EQ(later.states[0].position.at(0).digits.substr(0, 28), now.digits.substr(0, 28));
  EXPECT_GE(now.digits.size(), 40u);
  EXPECT_EQ(now.value, std::stod(now.digits));
  EXPECT_EQ(result.states[0].time.value, 0);
}

TEST(exact_states, knows_the_motion_of_linear_systems_by_itself) {
  const model m = load_model("linear-double-pendulum");
  const exact_states_result result = exact_states(m, {.given = testing::typed_options({{"times", "0.5"}})});
  EXPECT_EQ(result.states.at(0).momentum.size(), m.system.size());
  EXPECT_EQ(result.states.at(0).position.at(1).digits,
            at("linear-double-pendulum", "0.5", "double").states.at(0).position.at(1).digits);
}

TEST(exact_states, are_those_of_the_program) {
  const exact_states_result result = at("kepler", "1,2*pi", "double");
  EXPECT_EQ(result.json, testing::actio_program({"exact", "kepler", "--times", "1,2*pi", "--json"}).out);
  EXPECT_EQ(result.text, testing::actio_program({"exact", "kepler", "--times", "1,2*pi"}).out);
}

TEST(exact_states, say_where_nothing_is_known) {
  try {
    exact_states(load_model("double-pendulum"), {.given = testing::typed_options({{"times", "1"}})});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "no-exact-motion");
  }
}

}  // namespace
}  // namespace actio
