#include "actio/expr/piecewise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/branches.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/written_form.hpp"
#include "tests/expr/show.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y");

expr read(const std::string& text) {
  return parse_expression({text, {"m.toml", 3, 10}, "lagrangian"}, [](const parsed_name& name) {
    return expr::symbol(name.name + std::string(static_cast<std::size_t>(name.primes), '\''));
  });
}

double at(const expr& e, double x_value, double y_value = 0) {
  const std::vector<expr> symbols{x, y};
  const std::vector<double> values{x_value, y_value};
  return evaluate<double>(std::span(&e, 1), symbols, values)[0];
}

TEST(piecewise, functions_choose) {
  EXPECT_EQ(at(read("min(x, y)"), 2, 3), 2);
  EXPECT_EQ(at(read("max(x, y, 2.5)"), 2, 3), 3);
  EXPECT_EQ(at(read("clamp(x, -1, 1)"), -7), -1);
  EXPECT_EQ(at(read("clamp(x, -1, 1)"), 7), 1);
  EXPECT_EQ(at(read("clamp(x, -1, 1)"), 0.25), 0.25);
  EXPECT_EQ(at(read("mod(x, 3)"), -7), 2);
  EXPECT_EQ(at(read("mod(x, -3)"), 7), -2);
  EXPECT_EQ(at(read("step(x)"), 0), 1);
  EXPECT_EQ(at(read("step(x)"), -1e-300), 0);
  EXPECT_EQ(at(read("sign(x)"), 0), 0);
  EXPECT_EQ(at(read("if(x == y, 1, 2)"), 0.5, 0.5), 1);
  EXPECT_EQ(at(read("if(x != y, 1, 2)"), 0.5, 0.5), 2);
  EXPECT_EQ(at(read("if(x < 0 or y > 1 and not x > 5, 1, 2)"), 4, 2), 1);
  EXPECT_EQ(at(read("if(x < 0 or y > 1 and not x > 5, 1, 2)"), 6, 2), 2);
  EXPECT_EQ(at(read("if((x < 0 or y > 1) and not x > 5, 1, 2)"), -1, 0), 1);
  EXPECT_TRUE(std::isnan(at(read("if(x > 0, 1, 2)"), std::nan(""))));
}

TEST(piecewise, what_is_not_chosen_does_not_disturb) {
  const expr root = read("if(x >= 0, sqrt(x), -sqrt(-x)*log(-x))");
  const expr slope = derivative(root, x), curvature = derivative(slope, x);
  for (const double v : {4.0, 0.25, -1.0, -9.0}) {
    const double size = std::abs(v), s = std::sqrt(size);
    const double expected = v > 0 ? s : -s * std::log(size);
    const double first = v > 0 ? 0.5 / s : 0.5 / s * std::log(size) + 1 / s;
    EXPECT_NEAR(at(root, v), expected, 1e-14);
    EXPECT_NEAR(at(slope, v), first, 1e-14);
    EXPECT_TRUE(std::isfinite(at(curvature, v)));
  }
  EXPECT_EQ(at(derivative(read("if(x > 0, 1/x, 0)*y"), x), 0, 3), 0);
  EXPECT_EQ(at(derivative(read("if(x > 0, if(x > 1, log(x - 1), 5), log(-x))"), x), 0.5), 0);
}

TEST(piecewise, derivatives_are_right_on_both_sides) {
  const double h = 1e-6;
  for (const char* text : {"min(x, 1/2*x^2)", "max(x^3, x)", "clamp(x^2, 1/4, 4)", "if(x < 1, x^2, 2*x - 1)",
                           "abs(x)*x", "mod(x, 0.75)*x", "floor(x)*sin(x)", "step(x - 1)*x^2", "sign(x)*exp(x)",
                           "hypot(x, 2)", "log1p(x^2)", "expm1(x)*x", "erf(2*x)", "j0(3*x)", "j1(2*x)", "jn(4, 5*x)"}) {
    const expr e = read(text), slope = derivative(e, x);
    for (const double v : {-2.7, -1.3, -0.4, 0.35, 0.9, 1.1, 2.2}) {
      EXPECT_NEAR(at(slope, v), (at(e, v + h) - at(e, v - h)) / (2 * h), 1e-7) << text << " at " << v;
    }
  }
  for (const int side : {-1, 1}) {
    const double v = 1 + side * 1e-9;
    EXPECT_NEAR(at(derivative(read("if(x < 1, x^2, 3*x - 2)"), x), v), side < 0 ? 2 : 3, 1e-8);
  }
  EXPECT_EQ(at(derivative(derivative(read("j0(x)"), x), x), 0), -0.5);
}

TEST(piecewise, prints_what_it_reads) {
  for (const char* text : {"if(x < y, 1, 2)",
                           "if(x >= 0, x, -x)",
                           "min(x, y)",
                           "max(x, 2*y)",
                           "min(x, 0)",
                           "if(x >= y and x < 3 or x == 7, y, x)",
                           "if(not (x >= 0 and y >= 0), 1, 2)",
                           "if(x != y, 1, 0)",
                           "2*if(x < 0, y, 0) - 3",
                           "-if(x < 0, y, x)",
                           "y + if(x < 0, y, x)",
                           "if(x < 0, -y, y) - x",
                           "clamp(x, 0, y)",
                           "hypot(x, y)",
                           "j0(x)",
                           "j1(x)",
                           "jn(5, x)",
                           "mod(x, y)",
                           "step(x) + floor(y)",
                           "if(x < 0 and (y < 0 and x < -1), 1, 2)",
                           "if(x < 0 or (y < 0 or x < -1), 1, 2)",
                           "if(x >= 0 or y >= 0, 1, 2)"}) {
    const expr e = read(text);
    EXPECT_EQ(read(to_text(e)), e) << text << " is printed as " << to_text(e);
  }
  EXPECT_EQ(to_text(read("min(x, y)")), "min(x, y)");
  EXPECT_EQ(to_text(read("max(x, y)")), "max(x, y)");
  EXPECT_EQ(to_text(read("if(x < y and y > 0, 1, 2)")), "if(x < y and y > 0, 1, 2)");
  EXPECT_EQ(to_latex(read("floor(x)")), "\\left\\lfloor x \\right\\rfloor");
  EXPECT_NE(to_latex(read("if(x < y, 1, 2)")).find("\\begin{array}"), std::string::npos);
}

TEST(piecewise, names_are_functions_before_a_parenthesis_only) {
  EXPECT_EQ(read("step*min + max"), expr::symbol("step") * expr::symbol("min") + expr::symbol("max"));
  EXPECT_EQ(read("deg*3"), 3 * expr::symbol("deg"));
  EXPECT_EQ(read("not + or*and"), expr::symbol("not") + expr::symbol("or") * expr::symbol("and"));
  EXPECT_EQ(read("if"), expr::symbol("if"));
  EXPECT_EQ(read("min'"), expr::symbol("min'"));
}

TEST(piecewise, degrees_are_exact) {
  EXPECT_EQ(read("30 deg"), expr::pi() / 6);
  EXPECT_EQ(read("-1/2 deg"), -expr::pi() / 360);
  EXPECT_EQ(read("x deg + 1"), expr::pi() / 180 * x + 1);
  EXPECT_EQ(read("sin(90 deg)"), expr(1));
  EXPECT_EQ(read("(30 deg)^2"), pow(expr::pi() / 6, 2));
  EXPECT_EQ(read("2*(10 + 5) deg"), expr::pi() / 6);
}

TEST(piecewise, is_not_taken_for_smooth_or_polynomial) {
  const std::vector<expr> in_x{x};
  for (const char* text : {"step(x)*y", "floor(x)", "min(x, 1)", "if(x > 0, x, x)*y + if(x < 1, 1, 2)", "mod(x, 2)"}) {
    EXPECT_FALSE(is_smooth_in(read(text), in_x)) << text;
    EXPECT_FALSE(polynomial_degree(read(text), in_x).has_value()) << text;
  }
  EXPECT_TRUE(is_smooth_in(read("if(y > 0, x, x^2) + erf(x) + j0(x) + hypot(x, 1)"), std::span(&y, 0)));
  EXPECT_TRUE(is_smooth_in(read("erf(x) + j0(x) + log1p(x) + expm1(x)"), in_x));
}

TEST(piecewise, opens_into_pieces_with_their_jumps) {
  const expr e = read("if(x > 1, x, y) + floor(x)");
  const branched_expressions opened = with_free_signs(std::span(&e, 1), std::vector<expr>{x, y});
  EXPECT_EQ(opened.signs.size(), 4U);
  EXPECT_EQ(opened.jumps.size(), 2U);
  for (const expr& part : topological_order(opened.values)) {
    EXPECT_NE(part.op(), operation::step);
    EXPECT_NE(part.op(), operation::floor);
  }
}

TEST(piecewise, refuses_conditions_as_numbers) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"x < 1",
       "[wrong-shape] lagrangian must be a value, but is a condition, m.toml:3:10; choose a value by it: "
       "if(c, a, b)"},
      {"2*(x < 1)",
       "[wrong-shape] a condition is no number in lagrangian, m.toml:3:11; choose a value by it: "
       "if(c, a, b)"},
      {"-(x < 1)",
       "[wrong-shape] a condition is no number in lagrangian, m.toml:3:10; choose a value by it: "
       "if(c, a, b)"},
      {"(x < 1)^2",
       "[wrong-shape] a condition is no number in lagrangian, m.toml:3:17; choose a value by it: "
       "if(c, a, b)"},
      {"sin(x < 1)",
       "[wrong-shape] the function 'sin' takes a scalar, found a condition in lagrangian, m.toml:3:10; "
       "choose a value by it: if(c, a, b)"},
      {"if(x and y, 1, 2)",
       "[wrong-shape] 'and' takes conditions, found a scalar in lagrangian, m.toml:3:15; compare, as in x > 0"},
      {"if(0 < x < 1, 1, 2)",
       "[expression-syntax] a comparison has two sides in lagrangian, m.toml:3:19; write a < b and b < c"},
      {"if((x < 1) < 2, 1, 2)",
       "[wrong-shape] '<' compares scalars, found a condition in lagrangian, m.toml:3:21; join conditions by and, or, "
       "not"},
      {"30 deg^2",
       "[expression-syntax] a power of 'deg' is ambiguous in lagrangian, m.toml:3:16; write (30 deg)^2 for the square"},
      {"min(x)",
       "[wrong-argument-count] the function 'min' takes 2 arguments or more, found 1 in lagrangian, "
       "m.toml:3:10; write min(a, b)"},
      {"mod(x, 0)", "[bad-argument] there is nothing modulo 0 in lagrangian, m.toml:3:10; write mod(a, b)"},
      {"jn(1/2, x)",
       "[bad-argument] the order of a Bessel function is a whole number from 0 to 1000 in lagrangian, "
       "m.toml:3:10; write jn(n, x)"},
      {"x | y",
       "[expression-syntax] unexpected character '|' in lagrangian, m.toml:3:12; write or between conditions, "
       "abs(x) for an absolute value"},
  };
  for (const auto& [text, expected] : cases) {
    try {
      read(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const input_error& error) {
      EXPECT_EQ("[" + std::string(error.id()) + "] " + error.what(), expected);
    }
  }
}

TEST(piecewise, shares_slopes_of_many_branches) {
  expr sum;
  std::vector<expr> symbols;
  for (int k = 0; k < 300; ++k) {
    symbols.push_back(expr::symbol("q" + std::to_string(k)));
    const expr contact = max(symbols.back() - (k > 0 ? symbols[static_cast<std::size_t>(k) - 1] : expr(0)), 0);
    sum += contact * contact * sqrt(contact);
  }
  const std::vector<expr> slopes = gradient(sum, symbols);
  EXPECT_LT(topological_order(slopes).size(), 20000U);
}

}  // namespace
}  // namespace actio
