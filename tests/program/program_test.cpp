#include "actio/program/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "actio/backend/evaluate.hpp"
#include "actio/base/error.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), a = expr::symbol("a"), b = expr::symbol("b");

program lower_one(const expr& e) { return lower(std::span(&e, 1), std::vector{a, b}, std::vector{x, y}); }

std::size_t count(const program& p, operation op) {
  return static_cast<std::size_t>(std::ranges::count(p.body, op, &instruction::op));
}

TEST(program, is_listed_for_people) {
  EXPECT_EQ(to_text(lower(std::vector{sin(x) * a + pow(y, 2), a / b}, std::vector{a, b}, std::vector{x, y})),
            "parameters r0 r1\n"
            "variables r2 r3\n"
            "setup\n"
            "r4 = r0 / r1\n"
            "body\n"
            "r5 = sin r2\n"
            "r5 = r5 * r0\n"
            "r6 = r3 * r3\n"
            "r5 = r5 + r6\n"
            "outputs r5 r4\n");
}

TEST(program, constants_and_pi_have_registers) {
  const program p = lower_one(x / 3 + expr::pi());
  ASSERT_EQ(p.constants.size(), 1u);
  EXPECT_EQ(p.constants[0].value, rational(1, 3));
  EXPECT_EQ(p.pi_registers.size(), 1u);
  EXPECT_EQ(p.body.size(), 2u);
}

TEST(program, what_depends_on_parameters_alone_is_set_up_once) {
  const program p = lower_one(sqrt(a) * sin(b) * x);
  EXPECT_EQ(p.setup.size(), 3u);
  EXPECT_EQ(p.body.size(), 1u);
}

TEST(program, common_subexpressions_appear_once) {
  const expr r = sqrt(x * x + y * y);
  const program p = lower(std::vector{r, sin(r), x / r, cos(r) * r}, {}, std::vector{x, y});
  EXPECT_EQ(count(p, operation::sqrt), 1u);
}

TEST(program, powers_become_products_with_shared_squares) {
  const program p = lower(std::vector{pow(x, 2), pow(x, 4), pow(x, 6), pow(x, 7)}, {}, std::vector{x});
  EXPECT_EQ(count(p, operation::power), 0u);
  EXPECT_EQ(count(p, operation::multiply), 5u);  // x², x⁴, x²x⁴, xx², x³x⁴
}

TEST(program, negative_and_half_integer_powers_divide_and_take_roots) {
  const program p = lower_one(pow(x, expr(-3) / 2));
  EXPECT_EQ(count(p, operation::sqrt), 1u);
  EXPECT_EQ(count(p, operation::multiply), 1u);
  EXPECT_EQ(count(p, operation::divide), 1u);
  EXPECT_EQ(p.constants.size(), 1u);
}

TEST(program, other_powers_are_kept) {
  EXPECT_EQ(count(lower_one(pow(x, y)), operation::power), 1u);
  EXPECT_EQ(count(lower_one(pow(x, expr(1) / 3)), operation::power), 2u);  // with exponents that are exact
  EXPECT_EQ(count(lower_one(pow(x, 1'000'000)), operation::power), 1u);
  EXPECT_EQ(count(lower_one(pow(x, a)), operation::power), 1u);
}

TEST(program, sums_absorb_sign_changes) {
  const program p = lower(std::vector{x + (-sin(y)), (-cos(y)) + x}, {}, std::vector{x, y});
  EXPECT_EQ(count(p, operation::negate), 0u);
  EXPECT_EQ(count(p, operation::subtract), 2u);
}

TEST(program, registers_are_reused) {
  expr e = 0;
  for (int i = 1; i <= 1000; ++i) e += sin(x * i) * cos(y * i);
  const program p = lower_one(e);
  const std::size_t fixed = 4 + p.constants.size() + p.setup.size();
  EXPECT_GE(p.body.size(), 4000u);
  EXPECT_LE(p.registers - fixed, 8u);
  const std::vector<double> values{0.3, 0.4};
  double expected = 0;
  for (int i = 1; i <= 1000; ++i) expected += std::sin(0.3 * i) * std::cos(0.4 * i);
  EXPECT_NEAR(evaluate<double>(std::span(&e, 1), std::vector{x, y}, values)[0], expected, 1e-12);
}

// No instruction may write to an input, a constant, a result of the setup or an output that is already complete.
TEST(program, what_must_last_is_never_overwritten) {
  std::vector<expr> outputs;
  expr e = x;
  for (int i = 1; i <= 50; ++i) outputs.push_back(e = sin(e) * (a * i) + y);
  const program p = lower(outputs, std::vector{a, b}, std::vector{x, y});
  std::vector<int> writes(p.registers, 0);
  for (std::size_t k = 0; k < 4; ++k) ++writes[k];
  for (const auto& c : p.constants) ++writes[c.target];
  for (const auto& i : p.setup) ++writes[i.target];
  std::vector<std::size_t> last_write(p.registers, 0);
  for (std::size_t k = 0; k < p.body.size(); ++k) {
    EXPECT_EQ(writes[p.body[k].target], 0);
    last_write[p.body[k].target] = k;
  }
  std::vector<std::uint32_t> distinct = p.outputs;
  std::ranges::sort(distinct);
  EXPECT_EQ(std::ranges::adjacent_find(distinct), distinct.end());
  EXPECT_TRUE(std::ranges::is_sorted(p.outputs, {}, [&](std::uint32_t r) { return last_write[r]; }));
}

TEST(program, of_nothing_is_empty) {
  const program p = lower({}, {}, {});
  EXPECT_EQ(p.registers, 0u);
  EXPECT_TRUE(p.body.empty());
  EXPECT_TRUE(p.outputs.empty());
}

TEST(program, symbols_without_a_value_are_refused) {
  const expr stranger = expr::symbol("stranger");
  EXPECT_THROW(lower_one(x + stranger), input_error);
}

}  // namespace
}  // namespace actio
