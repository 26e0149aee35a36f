#include "actio/expr/print.hpp"

#include <gtest/gtest.h>

#include "actio/expr/parse.hpp"
#include "tests/expr/random_expression.hpp"

namespace actio {
namespace {

expr read(const std::string& text) {
  return parse_expression({text, {"", 1, 1}, ""}, [](const parsed_name& n) {
    return expr::symbol(n.name + std::string(static_cast<std::size_t>(n.primes), '\''));
  });
}

std::string reprinted(const std::string& text) { return to_text(read(text)); }

TEST(to_text, writes_what_a_person_would_write) {
  const expr x = expr::symbol("x"), y = expr::symbol("y"), m = expr::symbol("m"), v = expr::symbol("x'");
  EXPECT_EQ(to_text(m * v * v / 2), "1/2*m*x'*x'");
  EXPECT_EQ(to_text(m * pow(v, 2) / 2), "1/2*m*x'^2");
  EXPECT_EQ(to_text(2 * x), "2*x");
  EXPECT_EQ(to_text(x * 2), "2*x");
  EXPECT_EQ(to_text(-x * y), "-x*y");
  EXPECT_EQ(to_text(-pow(x, 2)), "-x^2");
  EXPECT_EQ(to_text(pow(-x, expr::symbol("n"))), "(-x)^n");
  EXPECT_EQ(to_text(x - (y - m)), "x - (y - m)");
  EXPECT_EQ(to_text(x + (y + m)), "y + m + x");
  EXPECT_EQ(to_text(x / (y * m)), "x/(y*m)");
  EXPECT_EQ(to_text(x / y / 2), "1/2*x/y");
  EXPECT_EQ(to_text(1 / (2 * x)), "1/(2*x)");
  EXPECT_EQ(to_text(3 / x), "3/x");
  EXPECT_EQ(to_text(pow(x, -2)), "1/x^2");
  EXPECT_EQ(to_text(pow(x, expr(rational(3, 2)))), "x^(3/2)");
  EXPECT_EQ(to_text(pow(pow(x, y), m)), "(x^y)^m");
  EXPECT_EQ(to_text(pow(x, pow(y, m))), "x^y^m");
  EXPECT_EQ(to_text(pow(2, -x)), "2^(-x)");
  EXPECT_EQ(to_text(pow(sin(x), 2)), "sin(x)^2");
  EXPECT_EQ(to_text(atan2(y, -x)), "atan2(y, -x)");
  EXPECT_EQ(to_text(-x - y), "-(x + y)");
  EXPECT_EQ(to_text(2 * expr::pi()), "2*pi");
}

TEST(to_text, writes_numbers_in_their_shortest_usual_form) {
  EXPECT_EQ(reprinted("9.81"), "9.81");
  EXPECT_EQ(reprinted("0.5"), "1/2");
  EXPECT_EQ(reprinted("12.5"), "12.5");
  EXPECT_EQ(reprinted("1/3"), "1/3");
  EXPECT_EQ(reprinted("-7/3"), "-7/3");
  EXPECT_EQ(reprinted("0.001"), "0.001");
  EXPECT_EQ(reprinted("0.00001"), "0.00001");
  EXPECT_EQ(reprinted("1e-7"), "1e-7");
  EXPECT_EQ(reprinted("6.67430e-11"), "6.6743e-11");
  EXPECT_EQ(reprinted("6.02214076e23"), "6.02214076e23");
  EXPECT_EQ(reprinted("1000000"), "1000000");
  EXPECT_EQ(reprinted("1e-1000"), "1e-1000");
  EXPECT_EQ(to_text(expr(0.1)), "0.1000000000000000055511151231257827021181583404541015625");
}

TEST(to_text, of_numbers_beyond_folding_reads_back) {
  const rational huge = rational(mp::pow(mp::cpp_int(3), 5000));
  const expr x = expr::symbol("x"), y = expr::symbol("y");
  const expr a = expr(huge), b = expr(1 / huge), c = expr(rational(huge / 7));
  for (const expr& e : {a,
                        b,
                        c,
                        -c,
                        a * b,
                        a + b,
                        a - c,
                        c / a,
                        a * x,
                        a * (c * x),
                        -(a * (c * x)),
                        y * (a * (c * x)),
                        (a * x) * (c * y),
                        (a * x) / (c * y),
                        c / (c * (a * y)),
                        c / (a * y),
                        pow(a * x, 3),
                        2 * (a * (c * x)),
                        x + (-(a * (c * x))),
                        x / a,
                        sin(-a),
                        y * (x / (a * (c * y))),
                        b / y,
                        pow(a, c),
                        (a * b) * x}) {
    EXPECT_TRUE(read(to_text(e)) == e) << to_text(e).substr(0, 100);
  }
}

TEST(to_text, reads_back_as_the_same_node) {
  test_support::random_expressions expressions(20240229);
  int tried = 0;
  for (int i = 0; i < 3000; ++i) {
    const expr e = expressions.next(2 + i % 5).e;
    if (test_support::divides_by_zero(e)) continue;  // the parser rightly refuses to read that
    const std::string text = to_text(e);
    ASSERT_TRUE(read(text) == e) << text << " became " << to_text(read(text));
    ++tried;
  }
  EXPECT_GT(tried, 2500);
}

TEST(to_text, ends_with_dots_where_the_tree_is_exponentially_large) {
  expr e = expr::symbol("x");
  for (int i = 0; i < 200; ++i) e = sin(e) + cos(e);
  const std::string text = to_text(e);
  EXPECT_LE(text.size(), max_printed_length + 3);
  EXPECT_TRUE(text.ends_with("…"));
  EXPECT_TRUE(to_latex(e).ends_with("…"));
}

TEST(to_text, handles_long_sums_and_deep_chains_without_recursion) {
  expr sum = 0, product = 1, chain = expr::symbol("x");
  for (int i = 0; i < 20000; ++i) {
    const expr s = expr::symbol("s" + std::to_string(i));
    sum += s;
    product *= s;
    chain = sin(chain);
  }
  EXPECT_TRUE(read(to_text(sum)) == sum);
  EXPECT_TRUE(read(to_text(product)) == product);
  EXPECT_EQ(to_text(chain).size(), 20000 * 5 + 1);
}

TEST(to_latex, writes_formulas) {
  const expr x = expr::symbol("x"), y = expr::symbol("y"), m = expr::symbol("m");
  const expr v = expr::symbol("q1'");
  EXPECT_EQ(to_latex(m * pow(v, 2) / 2), "\\frac{1}{2} m \\dot{q}_{1}^{2}");
  EXPECT_EQ(to_latex(x / y), "\\frac{x}{y}");
  EXPECT_EQ(to_latex((x + 1) / (2 * y)), "\\frac{1}{2} \\frac{x + 1}{y}");
  EXPECT_EQ(to_latex(3 / (4 * y)), "\\frac{3}{4 y}");
  EXPECT_EQ(to_latex(-1 / y), "-\\frac{1}{y}");
  EXPECT_EQ(to_latex(sqrt(x)), "\\sqrt{x}");
  EXPECT_EQ(to_latex(pow(sin(x), 2)), "\\sin^{2}\\left(x\\right)");
  EXPECT_EQ(to_latex(pow(x / y, 2)), "\\left(\\frac{x}{y}\\right)^{2}");
  EXPECT_EQ(to_latex(x * (x + y)), "x \\left(x + y\\right)");
  EXPECT_EQ(to_latex(3 * pow(2, x)), "3 \\cdot 2^{x}");
  EXPECT_EQ(to_latex(exp(-x)), "e^{-x}");
  EXPECT_EQ(to_latex(decimal("6.02e23") * x), "6.02 \\cdot 10^{23} x");
  EXPECT_EQ(to_latex(atan2(y, x)), "\\operatorname{atan2}\\left(y, x\\right)");
  EXPECT_EQ(to_latex(abs(x)), "\\left|x\\right|");
}

TEST(symbol_to_latex, knows_indices_greek_letters_and_dots) {
  EXPECT_EQ(symbol_to_latex("q1"), "q_{1}");
  EXPECT_EQ(symbol_to_latex("q1'"), "\\dot{q}_{1}");
  EXPECT_EQ(symbol_to_latex("x''"), "\\ddot{x}");
  EXPECT_EQ(symbol_to_latex("theta"), "\\theta");
  EXPECT_EQ(symbol_to_latex("theta12'"), "\\dot{\\theta}_{12}");
  EXPECT_EQ(symbol_to_latex("v_x"), "v_{x}");
  EXPECT_EQ(symbol_to_latex("k_spring"), "k_{\\mathrm{spring}}");
  EXPECT_EQ(symbol_to_latex("mass"), "\\mathrm{mass}");
  EXPECT_EQ(symbol_to_latex("a_b_c"), "a_{\\mathrm{b\\_c}}");
  EXPECT_EQ(symbol_to_latex("θ"), "θ");
  EXPECT_EQ(symbol_to_latex("_"), "\\_");
}

}  // namespace
}  // namespace actio
