#include "actio/expr/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "actio/expr/language.hpp"
#include "tests/expr/evaluate.hpp"
#include "tests/expr/show.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), z = expr::symbol("z");

// Knows x, y, z, l and θ with any number of primes.
expr resolved(const parsed_name& name) {
  const std::vector<std::string> known = {"x", "y", "z", "l", "θ"};
  if (std::find(known.begin(), known.end(), name.name) == known.end()) {
    throw input_error("unknown-name", "unknown name '" + name.name + "'", name.place, suggest(name.name, known));
  }
  return expr::symbol(name.name + std::string(static_cast<std::size_t>(name.primes), '\''));
}

expr read(const std::string& text) { return parse_expression({text, {"m.toml", 3, 10}, "lagrangian"}, resolved); }

std::string failure(const std::string& text) {
  try {
    return "accepted as " + to_text(read(text));
  } catch (const input_error& e) {
    return "[" + e.id() + "] " + e.what();
  }
}

TEST(parse_expression, knows_precedence_and_associativity) {
  EXPECT_EQ(read("x - y - z"), (x - y) - z);
  EXPECT_EQ(read("x / y / z"), (x / y) / z);
  EXPECT_EQ(read("x / y * z"), (x / y) * z);
  EXPECT_EQ(read("x + y*z^2"), x + y * pow(z, 2));
  EXPECT_EQ(read("-x^2"), -pow(x, 2));
  EXPECT_EQ(read("(-x)^y"), pow(-x, y));
  EXPECT_EQ(read("x^y^z"), pow(x, pow(y, z)));
  EXPECT_EQ(read("x^-y^2"), pow(x, -pow(y, 2)));
  EXPECT_EQ(read("2^-1"), expr(rational(1, 2)));
  EXPECT_EQ(read("-2^2"), expr(-4));
  EXPECT_EQ(read("x*-y"), -(x * y));
  EXPECT_EQ(read("--x"), x);
  EXPECT_EQ(read("+-+x"), -x);
  EXPECT_EQ(read("x - -y"), x + y);
}

TEST(parse_expression, reads_numbers_exactly) {
  EXPECT_EQ(read("9.81").number(), rational(981, 100));
  EXPECT_EQ(read(".5").number(), rational(1, 2));
  EXPECT_EQ(read("1.5E+3").number(), rational(1500));
  EXPECT_EQ(read("1e-3*x"), x / 1000);
  EXPECT_EQ(read("0.1 + 0.2"), read("0.3"));
  EXPECT_EQ(read("1e1000/1e1000"), expr(1));
}

TEST(parse_expression, reads_names_functions_and_constants) {
  EXPECT_EQ(read("x'"), expr::symbol("x'"));
  EXPECT_EQ(read("x''^2"), pow(expr::symbol("x''"), 2));
  EXPECT_EQ(read("2*pi"), 2 * expr::pi());
  EXPECT_EQ(read("l*sin(θ')"), expr::symbol("l") * sin(expr::symbol("θ'")));
  EXPECT_EQ(read("atan2(y, x)"), atan2(y, x));
  EXPECT_EQ(read("sin (x)"), sin(x));
  EXPECT_EQ(read(" \t\r\n x\n+\ny "), x + y);
  for (const std::string& name : reserved_names()) {
    EXPECT_EQ(name_of(read(name + (name == "atan2" ? "(x, y)" : "(x)")).op()), name);
  }
  EXPECT_EQ(reserved_names().size(), 15U);
}

TEST(parse_expression, gives_the_place_of_names) {
  std::vector<std::string> places;
  parse_expression({"θ*x'\n  + y", {"m.toml", 3, 10}, ""}, [&](const parsed_name& name) {
    places.push_back(name.name + "/" + std::to_string(name.primes) + " " + to_text(name.place));
    return expr::symbol(name.name);
  });
  EXPECT_EQ(places, (std::vector<std::string>{"θ/0 m.toml:3:10", "x/1 m.toml:3:12", "y/0 m.toml:4:5"}));
}

TEST(parse_expression, explains_what_is_wrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "[expression-syntax] lagrangian is empty, m.toml:3:10; write an expression such as 1/2*x'^2"},
      {"  ", "[expression-syntax] lagrangian is empty, m.toml:3:10; write an expression such as 1/2*x'^2"},
      {"x +",
       "[expression-syntax] expected a value after '+', found the end in lagrangian, m.toml:3:13; "
       "write a number, a name or an expression in parentheses there"},
      {"* x",
       "[expression-syntax] expected a value, found '*' in lagrangian, m.toml:3:10; "
       "write a number, a name or an expression in parentheses there"},
      {"x**2",
       "[expression-syntax] expected a value after '*', found '*' in lagrangian, m.toml:3:12; powers are written x^2"},
      {"2 x", "[expression-syntax] expected an operator before 'x' in lagrangian, m.toml:3:12; write 2*x to multiply"},
      {"2x'",
       "[expression-syntax] expected an operator before 'x'' in lagrangian, m.toml:3:11; write 2*x' to multiply"},
      {"2(x + 1)",
       "[expression-syntax] expected an operator before '(' in lagrangian, m.toml:3:11; write 2*(...) to multiply"},
      {"(x)(y)",
       "[expression-syntax] expected an operator before '(' in lagrangian, m.toml:3:13; write (...)*(...) to multiply"},
      {"x'(y)",
       "[expression-syntax] expected an operator before '(' in lagrangian, m.toml:3:12; write x'*(...) to multiply"},
      {"1.2.3",
       "[expression-syntax] expected an operator before '.3' in lagrangian, m.toml:3:13; a number has one point and no "
       "spaces"},
      {"(x + y", "[expression-syntax] this '(' is never closed in lagrangian, m.toml:3:10; add the missing ')'"},
      {"x + sin(y", "[expression-syntax] this '(' is never closed in lagrangian, m.toml:3:17; add the missing ')'"},
      {"x + y)",
       "[expression-syntax] this ')' closes nothing in lagrangian, m.toml:3:15; remove it, or add the missing '('"},
      {"()",
       "[expression-syntax] expected a value after '(', found ')' in lagrangian, m.toml:3:11; "
       "write an expression between them"},
      {"1,5*x",
       "[expression-syntax] unexpected ',' in lagrangian, m.toml:3:11; "
       "write decimals with a point; commas separate the arguments of a function"},
      {"(x, y)",
       "[expression-syntax] unexpected ',' in lagrangian, m.toml:3:12; commas separate the arguments of a function"},
      {"x $ y",
       "[expression-syntax] unexpected character '$' in lagrangian, m.toml:3:12; "
       "operators are + - * / ^, names consist of letters, digits and _"},
      {"θ + [x]", "[expression-syntax] unexpected character '[' in lagrangian, m.toml:3:14; group with ( and )"},
      {"x − y", "[expression-syntax] unexpected character '−' in lagrangian, m.toml:3:12; write the minus sign as -"},
      {"x’", "[expression-syntax] unexpected character '’' in lagrangian, m.toml:3:11; write primes as '"},
      {"2'",
       "[expression-syntax] unexpected character ''' in lagrangian, m.toml:3:11; "
       "a prime stands directly behind the name that it differentiates"},
      {"x\x01",
       "[expression-syntax] unexpected character with code 1 in lagrangian, m.toml:3:11; "
       "operators are + - * / ^, names consist of letters, digits and _"},
      {"2*sin + 1",
       "[expression-syntax] the function 'sin' has no arguments in lagrangian, m.toml:3:12; write sin(...)"},
      {"sin x", "[expression-syntax] the function 'sin' has no arguments in lagrangian, m.toml:3:10; write sin(...)"},
      {"sin'(x)", "[expression-syntax] the function 'sin' has no arguments in lagrangian, m.toml:3:10; write sin(...)"},
      {"x + sine(y)", "[unknown-function] unknown function 'sine' in lagrangian, m.toml:3:14; did you mean 'sin'?"},
      {"x(y + 1)",
       "[unknown-function] unknown function 'x' in lagrangian, m.toml:3:10; "
       "x is not a function; multiplication needs an operator: x*(...)"},
      {"pi(x)",
       "[unknown-function] unknown function 'pi' in lagrangian, m.toml:3:10; "
       "pi is not a function; multiplication needs an operator: pi*(...)"},
      {"sin(x, y)",
       "[wrong-argument-count] the function 'sin' takes 1 argument, found 2 in lagrangian, m.toml:3:10; write sin(x)"},
      {"1 + atan2(x)",
       "[wrong-argument-count] the function 'atan2' takes 2 arguments, found 1 in lagrangian, m.toml:3:14; "
       "write atan2(y, x)"},
      {"sqrt()",
       "[wrong-argument-count] the function 'sqrt' takes 1 argument, found 0 in lagrangian, m.toml:3:10; write "
       "sqrt(x)"},
      {"x/0", "[division-by-zero] division by zero in lagrangian, m.toml:3:12; the divisor is 0 as written"},
      {"x/(1 - 1)", "[division-by-zero] division by zero in lagrangian, m.toml:3:12; the divisor is 0 as written"},
      {"0^-1", "[division-by-zero] division by zero in lagrangian, m.toml:3:10; the divisor is 0 as written"},
      {"x + 1e10001",
       "[number-out-of-range] the number 1e10001 has an exponent that is too large in lagrangian, m.toml:3:14; "
       "exponents go to ±1000 and numbers have at most 10000 digits"},
      {"x + w", "[unknown-name] unknown name 'w', m.toml:3:14; known: x, y, z, l, θ"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(failure(text), expected) << text;
}

TEST(parse_expression, without_role_or_line_reports_what_it_knows) {
  try {
    parse_expression({"x $", {"--step", 0, 0}, ""}, resolved);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_STREQ(e.what(),
                 "unexpected character '$', --step; operators are + - * / ^, names consist of letters, digits and _");
  }
}

TEST(parse_expression, limits_nesting) {
  const auto nested = [](const std::string& open, int depth, const std::string& inside, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += inside;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(read(nested("(", max_nesting, "x", ")")), x);
  EXPECT_EQ(read(nested("-", max_nesting, "x", "")), x);
  EXPECT_NO_THROW(read(nested("sin(", max_nesting, "x", ")")));
  EXPECT_NO_THROW(read(nested("x^", max_nesting, "x", "")));
  const std::string too_deep =
      "more than 250 nested parentheses, signs and powers in lagrangian, m.toml:3:260; "
      "split the expression into definitions";
  EXPECT_EQ(failure(nested("(", max_nesting + 1, "x", ")")), "[expression-too-deep] " + too_deep);
  EXPECT_EQ(failure(nested("-", max_nesting + 1, "x", "")), "[expression-too-deep] " + too_deep);
  EXPECT_EQ(failure(nested("(", 300000, "", "")), "[expression-too-deep] " + too_deep);
  EXPECT_EQ(failure(nested("x^", 300000, "x", "")).substr(0, 21), "[expression-too-deep]");
  EXPECT_EQ(failure(nested("sin(", 200000, "", "")).substr(0, 21), "[expression-too-deep]");
  // Nesting that has ended does not count.
  EXPECT_NO_THROW(read(nested("(x)+-x^2*", 2000, "x", "")));
}

TEST(parse_expression, reads_long_sums_and_products) {
  std::string sum = "x", product = "x";
  for (int i = 0; i < 100000; ++i) {
    sum += i % 2 == 0 ? "+y" : "-sin(x)";
    product += i % 2 == 0 ? "*y" : "/z";
  }
  const expr e = read(sum);
  EXPECT_EQ(topological_order({&e, 1}).size(), 100003U);
  EXPECT_NEAR(test_support::evaluated(e, {{"x", 0.5}, {"y", std::sin(0.5)}}), 0.5, 1e-9);
  const expr p = read(product);
  EXPECT_NEAR(test_support::evaluated(p, {{"x", 0.5}, {"y", 3}, {"z", 3}}), 0.5, 1e-9);
  EXPECT_EQ(read("x" + std::string(1, '+') + std::string(max_expression_length - 3, ' ') + "x"), 2 * x);
}

TEST(parse_expression, limits_its_length) {
  EXPECT_EQ(failure(std::string(max_expression_length, ' ') + "x"),
            "[expression-too-long] lagrangian has 1000001 characters, m.toml:3:10; "
            "at most 1000000 are allowed; split it into definitions");
}

TEST(parse_expression, shortens_words_that_are_no_characters) {
  EXPECT_EQ(failure("0" + std::string(100, '\x84')).find("\x84"), std::string::npos);
}

TEST(parse_expression, survives_any_bytes) {
  std::mt19937 generator(5);
  const std::string alphabet = "xyz().,+-*/^'0123456789e \n\xce\xb8\xff\x80sinpi";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned length = generator() % 12; length > 0; --length) text += alphabet[generator() % alphabet.size()];
    EXPECT_FALSE(failure(text).empty());
  }
}

}  // namespace
}  // namespace actio
