#include "actio/expr/expr.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "actio/base/error.hpp"
#include "tests/expr/evaluate.hpp"
#include "tests/expr/random_expression.hpp"
#include "tests/expr/show.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), z = expr::symbol("z"), n = expr::symbol("n");

expr ratio(long long p, long long q) { return expr(rational(p, q)); }

TEST(expr, equal_expressions_are_one_node) {
  EXPECT_EQ(expr::symbol("x"), x);
  EXPECT_FALSE(x == y);
  EXPECT_EQ((x + y).id(), (x + y).id());
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y, y * x);
  EXPECT_FALSE(x - y == y - x);
  EXPECT_FALSE(pow(x, y) == pow(y, x));
  EXPECT_EQ(sin(x) * cos(y), cos(y) * sin(x));
  EXPECT_EQ(expr(0.5), ratio(1, 2));
  EXPECT_EQ(expr(), expr(0));
  EXPECT_FALSE(expr::symbol("pi") == expr::pi());
}

TEST(expr, keeps_the_operand_order_in_which_a_commutative_node_was_first_made) {
  const expr first = expr::symbol("second") + expr::symbol("first");
  EXPECT_EQ(expr::symbol("first") + expr::symbol("second"), first);
  EXPECT_EQ(first.operands()[0].name(), "second");
}

TEST(expr, gives_its_parts) {
  const expr e = x / y;
  EXPECT_EQ(e.op(), operation::divide);
  ASSERT_EQ(e.operands().size(), 2U);
  EXPECT_EQ(e.operands()[0], x);
  EXPECT_EQ(e.operands()[1], y);
  EXPECT_TRUE(x.operands().empty());
  EXPECT_EQ(x.name(), "x");
  EXPECT_EQ(ratio(6, 4).number(), rational(3, 2));
}

TEST(expr, copies_moves_and_assigns) {
  expr a = x + y;
  expr b = std::move(a);
  EXPECT_EQ(b, x + y);
  a = b;
  EXPECT_EQ(a, b);
  a = static_cast<const expr&>(a);
  EXPECT_EQ(a, x + y);
  a += x;
  EXPECT_EQ(a, (x + y) + x);
}

TEST(simplification, folds_rational_numbers_exactly) {
  EXPECT_EQ(ratio(1, 3) + ratio(1, 6), ratio(1, 2));
  EXPECT_EQ(ratio(1, 3) - ratio(1, 2), ratio(-1, 6));
  EXPECT_EQ(ratio(2, 3) * ratio(3, 2), expr(1));
  EXPECT_EQ(expr(1) / 3 * 3, expr(1));
  EXPECT_EQ(pow(ratio(2, 3), 3), ratio(8, 27));
  EXPECT_EQ(pow(ratio(2, 3), -2), ratio(9, 4));
  EXPECT_EQ(sqrt(ratio(9, 4)), ratio(3, 2));
  EXPECT_EQ(sqrt(expr(2)).op(), operation::sqrt);
  EXPECT_EQ(sqrt(expr(-4)).op(), operation::sqrt);
  EXPECT_EQ(abs(expr(-3)), expr(3));
  EXPECT_EQ(sign(expr(-3)), expr(-1));
  EXPECT_EQ(sign(expr(0)), expr(0));
}

TEST(simplification, stops_folding_where_numbers_become_too_large) {
  const expr big = pow(expr(10), 1000);
  ASSERT_TRUE(big.is_number());
  EXPECT_EQ((big * big).op(), operation::power);
  EXPECT_EQ((big * (big + 1)).op(), operation::multiply);
  EXPECT_EQ(pow(expr(2), 1000000).op(), operation::power);
  EXPECT_TRUE((big / (big + 1)).is_number());
  EXPECT_EQ(pow(expr(-1), expr(rational(mp::pow(mp::cpp_int(10), 30)))), expr(1));
}

TEST(simplification, drops_neutral_numbers) {
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(0 + x, x);
  EXPECT_EQ(x - 0, x);
  EXPECT_EQ(0 - x, -x);
  EXPECT_EQ(x * 1, x);
  EXPECT_EQ(0 * x, expr(0));
  EXPECT_EQ(x / 1, x);
  EXPECT_EQ(0 / x, expr(0));
  EXPECT_EQ(pow(x, 0), expr(1));
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_EQ(pow(expr(1), x), expr(1));
}

TEST(simplification, brings_signs_outside) {
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ((-x) + y, y - x);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(-x - y, -(x + y));
  EXPECT_EQ((-x) + (-y), (-y) + (-x));
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) / y, -(x / y));
  EXPECT_EQ(x + (-2) * y, x - 2 * y);
  EXPECT_EQ(x - 5, x + (-5));
  EXPECT_EQ(-1 * x, -x);
  EXPECT_EQ(-(2 * x), -2 * x);
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-2 * x), cos(2 * x));
  EXPECT_EQ(abs(-x), abs(x));
  EXPECT_EQ(atan(-x), -atan(x));
}

TEST(simplification, collects_rational_factors_at_the_left) {
  const expr e = x * 2;
  ASSERT_EQ(e.op(), operation::multiply);
  EXPECT_EQ(e.operands()[0], expr(2));
  EXPECT_EQ(2 * (3 * x), 6 * x);
  EXPECT_EQ((2 * x) * (3 * y), 6 * (x * y));
  EXPECT_EQ(2 * x + 3 * x, 5 * x);
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_EQ(2 * x - x, x);
  EXPECT_EQ(x - 3 * x, -2 * x);
  EXPECT_EQ(x - x, expr(0));
  EXPECT_EQ(x / 2 + x / 2, x);
  EXPECT_EQ(x / 4, ratio(1, 4) * x);
  EXPECT_EQ((2 * x) / (4 * y), ratio(1, 2) * (x / y));
  EXPECT_EQ(3 / (4 * y), ratio(3, 4) / y);
  EXPECT_EQ(2 * (3 / x), 6 / x);
}

TEST(simplification, collects_powers_of_one_base) {
  EXPECT_EQ(x * x, pow(x, 2));
  EXPECT_EQ(x * pow(x, 2), pow(x, 3));
  EXPECT_EQ(pow(x, 2) * pow(x, 3), pow(x, 5));
  EXPECT_EQ(x / x, expr(1));
  EXPECT_EQ(pow(x, 3) / x, pow(x, 2));
  EXPECT_EQ(x / pow(x, 3), 1 / pow(x, 2));
  EXPECT_EQ(pow(pow(x, 2), 3), pow(x, 6));
  EXPECT_EQ(pow(x, -1), 1 / x);
  EXPECT_EQ(pow(x, -2), 1 / pow(x, 2));
  EXPECT_EQ(pow(x, ratio(1, 2)), sqrt(x));
  EXPECT_EQ(pow(x, ratio(-1, 2)), 1 / sqrt(x));
  EXPECT_EQ(pow(sqrt(x), 2), x);
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_EQ(sqrt(2 * x) * sqrt(2 * x), 2 * x);
  EXPECT_EQ(pow(sqrt(x), 6), pow(x, 3));
  EXPECT_EQ(pow(2 * x, 3), 8 * pow(x, 3));
  EXPECT_EQ(pow(abs(x), 2), pow(x, 2));
  // Only true for positive x, so it must stay.
  EXPECT_EQ(sqrt(pow(x, 2)).op(), operation::sqrt);
}

TEST(simplification, knows_reciprocals) {
  EXPECT_EQ(x * (1 / y), x / y);
  EXPECT_EQ(1 / (1 / x), x);
  EXPECT_EQ(1 / (x / y), y / x);
  EXPECT_EQ(x / (1 / y), x * y);
  EXPECT_EQ((1 / x) / y, 1 / (x * y));
}

TEST(simplification, keeps_division_by_zero) {
  EXPECT_EQ((x / 0).op(), operation::divide);
  EXPECT_EQ((expr(1) / 0).op(), operation::divide);
  EXPECT_EQ((expr(0) / 0).op(), operation::divide);
  EXPECT_EQ(pow(expr(0), -1).op(), operation::divide);
  EXPECT_EQ(pow(expr(0), 0), expr(1));
}

TEST(simplification, knows_functions_at_special_points) {
  EXPECT_EQ(sin(expr(0)), expr(0));
  EXPECT_EQ(cos(expr(0)), expr(1));
  EXPECT_EQ(exp(expr(0)), expr(1));
  EXPECT_EQ(log(expr(1)), expr(0));
  EXPECT_EQ(acos(expr(1)), expr(0));
  EXPECT_EQ(atan2(expr(0), expr(2)), expr(0));
  EXPECT_EQ(atan2(expr(0), expr(-2)).op(), operation::atan2);
  EXPECT_EQ(sin(expr::pi()), expr(0));
  EXPECT_EQ(cos(-expr::pi()), expr(-1));
  EXPECT_EQ(sin(3 * expr::pi() / 2), expr(-1));
  EXPECT_EQ(cos(expr::pi() / 2), expr(0));
  EXPECT_EQ(tan(expr::pi() / 2).op(), operation::tan);
}

TEST(simplification, does_not_change_values) {
  test_support::random_expressions expressions(7);
  std::map<std::string, double> values;
  for (const auto& [name, value] : test_support::random_expressions::symbols()) values[name] = value;
  int compared = 0;
  for (int i = 0; i < 5000; ++i) {
    const test_support::valued_expression wanted = expressions.next(1 + i % 4);
    const double found = test_support::evaluated(wanted.e, values);
    // Where the unsimplified arithmetic leaves the reals or the range of double, there is nothing to compare with.
    if (!std::isfinite(wanted.value) || std::abs(wanted.value) > 1e8 || std::abs(wanted.value) < 1e-8) continue;
    EXPECT_NEAR(found, wanted.value, 1e-6 * std::abs(wanted.value)) << to_text(wanted.e);
    ++compared;
  }
  EXPECT_GT(compared, 3000);
}

TEST(simplification, makes_every_node_again_as_itself) {
  test_support::random_expressions expressions(11);
  for (int i = 0; i < 1000; ++i) {
    const expr e = expressions.next(5).e;
    for (const expr& part : topological_order({&e, 1})) {
      if (part.operands().empty()) continue;
      EXPECT_EQ(expr::make(part.op(), part.operands()), part);
      if (part.op() == operation::add || part.op() == operation::multiply) {
        const std::vector<expr> swapped = {part.operands()[1], part.operands()[0]};
        EXPECT_EQ(expr::make(part.op(), swapped), part);
      }
    }
  }
}

TEST(decimal, is_exact) {
  EXPECT_EQ(decimal("9.81"), ratio(981, 100));
  EXPECT_EQ(decimal("0.1"), ratio(1, 10));
  EXPECT_EQ(decimal("007"), expr(7));
  EXPECT_EQ(decimal("0000"), expr(0));
  EXPECT_EQ(decimal(".5"), ratio(1, 2));
  EXPECT_EQ(decimal("5."), expr(5));
  EXPECT_EQ(decimal("1.5E+3"), expr(1500));
  EXPECT_EQ(decimal("-2.5e-1"), ratio(-1, 4));
  EXPECT_EQ(decimal("6.02e23").number(), rational(mp::cpp_int("602000000000000000000000")));
  EXPECT_EQ(decimal("1e-1000").number(), rational(1, mp::pow(mp::cpp_int(10), 1000)));
}

TEST(decimal, refuses_what_is_no_number_or_too_large) {
  const auto id_of = [](const std::string& text) {
    try {
      decimal(text);
    } catch (const input_error& e) {
      return e.id();
    }
    return std::string("accepted");
  };
  for (const char* text : {"", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1 ", "inf", "--1"}) {
    EXPECT_EQ(id_of(text), "bad-number") << text;
  }
  for (const char* text : {"1e1001", "1e-1001", "1e99999999999999999999"}) {
    EXPECT_EQ(id_of(text), "number-out-of-range") << text;
  }
  EXPECT_EQ(id_of(std::string(10001, '1')), "number-out-of-range");
  EXPECT_THROW(expr{std::numeric_limits<double>::infinity()}, input_error);
  EXPECT_THROW(expr{std::numeric_limits<double>::quiet_NaN()}, input_error);
}

TEST(topological_order, has_operands_first_and_every_node_once) {
  const expr shared = sin(x + y);
  const std::vector<expr> roots = {shared * z, shared + exp(shared)};
  const std::vector<expr> order = topological_order(roots);
  EXPECT_EQ(order, (std::vector<expr>{x, y, x + y, shared, z, roots[0], exp(shared), roots[1]}));
}

TEST(symbols_in, come_in_order_of_first_appearance) {
  const expr e = sin(z) / x - y * z;
  EXPECT_EQ(symbols_in({&e, 1}), (std::vector<expr>{z, x, y}));
  EXPECT_TRUE(depends_on(e, y));
  EXPECT_FALSE(depends_on(e, n));
}

TEST(substitute, replaces_all_symbols_at_once) {
  const expr e = x / y + sin(x);
  EXPECT_EQ(substitute(e, {{x, y}, {y, x}}), y / x + sin(y));
  EXPECT_EQ(substitute(e, {{x, expr(0)}}), expr(0));
  EXPECT_EQ(substitute(e, {{n, x}}), e);
  EXPECT_EQ(substitute(x * y, {{x, 2 / y}}), expr(2));
}

// The pool without what a test makes; 0 and 1 are made on first use and kept for good.
std::size_t resting_pool_size() {
  static_cast<void>((x - x) + (x / x));
  return expr_pool_size();
}

TEST(node_pool, frees_what_is_dropped) {
  const std::size_t before = resting_pool_size();
  {
    const expr a = expr::symbol("only here");
    expr e = a;
    for (int i = 1; i < 100; ++i) e = sin(e) + expr(rational(i, 1000003)) * a;
    EXPECT_GT(expr_pool_size(), before + 300);
  }
  EXPECT_EQ(expr_pool_size(), before);
}

TEST(node_pool, destroys_and_walks_deep_chains_without_recursion) {
  const std::size_t before = resting_pool_size();
  {
    expr chain = x, sum = x, huge_factors = x;
    const expr big = pow(expr(10), 1000) + 1;
    for (int i = 0; i < 200000; ++i) {
      chain = sin(chain);
      sum = sum + chain;
    }
    for (int i = 0; i < 20000; ++i) huge_factors = big * huge_factors;
    const expr product = y * huge_factors;
    EXPECT_EQ(topological_order({&sum, 1}).size(), 400001U);
    EXPECT_TRUE(depends_on(product, x));
    EXPECT_EQ(substitute(chain, {{x, expr(0)}}), expr(0));
  }
  EXPECT_EQ(expr_pool_size(), before);
}

#ifndef ACTIO_NO_THREADS
TEST(node_pool, serves_many_threads) {
  const std::size_t before = resting_pool_size();
  {
    // All threads make and drop the same nodes all the time, so that the last reference of one thread meets the
    // lookup of another.
    constexpr int threads = 4;
    std::vector<expr> results(threads);
    std::atomic<int> ready = 0;
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        ++ready;
        while (ready < threads) std::this_thread::yield();
        for (int round = 0; round < 300; ++round) {
          expr e = expr::symbol("shared");
          for (int i = 0; i < 10; ++i) e = t % 2 == 0 ? sin(e) * y + (2 * i + 1) : (1 + 2 * i) + y * sin(e);
          results[static_cast<std::size_t>(t)] = e;
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    for (const expr& result : results) EXPECT_EQ(result, results[0]);
  }
  EXPECT_EQ(expr_pool_size(), before);
}
#endif

}  // namespace
}  // namespace actio
