#include "actio/mechanics/model.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "actio/expr/parse.hpp"
#include "tests/mechanics/model_text.hpp"

namespace actio {
namespace {

using testing::oscillator_with;

constexpr const char* full_model = R"toml(
name = "everything"
coordinates = ["q1", 'q2']
lagrangian = """
  1/2*m1*(x1'^2 + y1'^2) \
  + 1/2*m2*(x2'^2 + y2'^2)
  - m1*g*y1 - m2*g*y2"""

[parameters]
m1 = 1.0
m2 = 1_000.5e-3
g  = 9.81
l  = "g/(2*pi)^2"
c = 0x10

[definitions]
x1 = "l*sin(q1)"
y1 = '-l*cos(q1)'
x2 = "x1 + l*sin(q2)"
y2 = "y1 - l*cos(q2)"

[forces]
q2 = "-c*q2'"

[observables]
height = "y2"
spin = "p_q1 + p_q2 + x2'"

[initial.position]
q2 = "pi/3"
q1 = "pi/4"

[initial.momentum]
q1 = 0
q2 = -0.5

[run]
method = "gauss-4"
step = 0.010
until = "2*l"
precision = 64
)toml";

expr parsed_lagrangian(const std::string& lagrangian, const std::string& tables) {
  return parse_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - (" + lagrangian + ")\"\n" +
                         tables + "\n[initial]\nposition = {x = 0, y = 0}\nvelocity = {x = 0, y = 0}\n",
                     "test.toml")
      .system.lagrangian;
}

TEST(parse_model, reads_every_part) {
  const model m = parse_model(full_model, "full.toml");
  EXPECT_EQ(m.system.name, "everything");
  EXPECT_EQ(m.system.coordinate_names(), (std::vector<std::string>{"q1", "q2"}));
  ASSERT_EQ(m.system.parameters.size(), 5u);
  EXPECT_EQ(m.system.parameters[1].value, expr(rational(2001, 2000)));
  EXPECT_EQ(m.system.parameters[2].value, expr(rational(981, 100)));
  EXPECT_EQ(m.system.parameters[4].value, expr(16));
  EXPECT_EQ(m.system.parameters[3].place.line, 13);
  ASSERT_EQ(m.system.definitions.size(), 4u);
  EXPECT_EQ(m.system.definitions[2].name, "x2");
  EXPECT_EQ(m.system.definitions[2].value, expr::symbol("x1") + expr::symbol("l") * sin(expr::symbol("q2")));
  ASSERT_EQ(m.system.forces.size(), 2u);
  EXPECT_TRUE(m.system.forces[0].is_zero());
  EXPECT_EQ(m.system.forces[1], -(expr::symbol("c") * expr::symbol("q2'")));
  ASSERT_EQ(m.system.observables.size(), 2u);
  EXPECT_TRUE(depends_on(m.system.observables[1].value, expr::symbol("p_q2")));
  EXPECT_EQ(m.initial.rate, rate_kind::momentum);
  EXPECT_EQ(m.initial.position[0].name, "q1");
  EXPECT_EQ(m.initial.position[0].value, expr::pi() / 4);
  EXPECT_EQ(m.initial.rates[1].value, expr(rational(-1, 2)));
  EXPECT_EQ(m.run.find("method")->text, "gauss-4");
  EXPECT_EQ(m.run.find("step")->text, "0.010");
  EXPECT_EQ(m.run.find("until")->text, "2*l");
  EXPECT_EQ(m.run.find("precision")->text, "64");
  EXPECT_EQ(m.file, "full.toml");
  EXPECT_EQ(m.text, full_model);
}

TEST(parse_model, substitutes_definitions_and_their_rates) {
  const model m = parse_model(full_model, "full.toml");
  const auto by_hand = [](const std::string& text) {
    return parse_expression({text, {}, ""}, [](const parsed_name& n) {
      return expr::symbol(n.name + std::string(static_cast<std::size_t>(n.primes), '\''));
    });
  };
  // What x1' and the others stand for, written by hand; compared as numbers, since sums may be ordered otherwise.
  const expr expected = by_hand(
      "1/2*m1*l^2*q1'^2 + 1/2*m2*l^2*(q1'^2 + q2'^2 + 2*q1'*q2'*cos(q1 - q2)) + (m1 + m2)*g*l*cos(q1) + "
      "m2*g*l*cos(q2)");
  std::mt19937 bits(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int i = 0; i < 10; ++i) {
    expr_map<expr> point;
    for (const char* name : {"q1", "q2", "q1'", "q2'"}) point.emplace(expr::symbol(name), expr(uniform(bits)));
    const double a = quantity_value<double>(m.system, substitute(m.system.lagrangian, point));
    const double b = quantity_value<double>(m.system, substitute(expected, point));
    EXPECT_NEAR(a, b, 1e-13 * (1 + std::abs(b)));
  }
}

TEST(parse_model, differentiates_definitions_by_the_chain_rule) {
  const expr x = expr::symbol("x"), y = expr::symbol("y"), vx = expr::symbol("x'"), vy = expr::symbol("y'");
  const expr t = expr::symbol("t"), k = expr::symbol("k");
  const expr kinetic = (vx * vx + vy * vy) / 2;
  const auto with_definition = [&](const std::string& definition, const std::string& potential) {
    return parsed_lagrangian(potential, "[parameters]\nk = 3\n[definitions]\n" + definition + "\n");
  };
  EXPECT_EQ(with_definition("s = \"x*y\"", "s'"), kinetic - (y * vx + x * vy));
  EXPECT_EQ(with_definition("s = \"k*t*x\"", "s'"), kinetic - (k * x + k * t * vx));
  EXPECT_EQ(with_definition("s = \"sin(x)\"\nr = \"k*s\"", "r'"), kinetic - k * (cos(x) * vx));
  EXPECT_EQ(with_definition("s = \"k^2\"", "s'*y"), kinetic);
  EXPECT_EQ(with_definition("s = \"x\"", "k'*y + t'*s"), kinetic - x);
  EXPECT_EQ(with_definition("s = \"x*x'\"\nr = \"y\"", "s + r'"), kinetic - (x * vx + vy));
  EXPECT_EQ(with_definition("s = \"x\"\nr = \"s'*y\"", "r"), kinetic - vx * y);
}

TEST(parse_model, keeps_long_chains_of_definitions_short) {
  constexpr int links = 2000;
  std::string definitions = "[definitions]\nx0 = \"x\"\n", sum;
  for (int i = 1; i <= links; ++i) {
    definitions +=
        "x" + std::to_string(i) + " = \"x" + std::to_string(i - 1) + " + sin(" + std::to_string(i) + "*y)\"\n";
    sum += (i > 1 ? " + x" : "x") + std::to_string(i) + "'";
  }
  const expr L = parsed_lagrangian(sum, definitions);
  EXPECT_LT(topological_order(std::span(&L, 1)).size(), 12u * links);
}

TEST(parse_model, keeps_decimal_values_at_any_precision) {
  const model m = parse_model(
      oscillator_with("g = 9.81\nsmall = 1e-3\nbig = 6.02e23\nthird = \"1/3\"\nl = \"g/(2*pi)^2\""), "decimals.toml");
  precision_scope digits(64);
  const auto values = parameter_values<multi>(m.system);
  const auto near = [](const multi& a, const char* b) {
    return abs(multi(a - multi(b))) <= 4 * epsilon<multi>() * abs(a);
  };
  EXPECT_TRUE(near(values[0], "9.81"));
  EXPECT_NE(values[0], multi(9.81));
  EXPECT_TRUE(near(values[1], "0.001"));
  EXPECT_TRUE(near(values[2], "602000000000000000000000"));
  EXPECT_TRUE(near(
      values[3],
      "0."
      "3333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"));
  EXPECT_TRUE(near(values[4],
                   "0."
                   "248490202882833384466114383521857034412939894883684661043856150720459579159882419521440744302587556"
                   "7474085544601"))
      << values[4];
  EXPECT_EQ(parameter_values<double>(m.system)[0], 9.81);
}

TEST(parse_model, takes_its_name_from_the_file_unless_given) {
  EXPECT_EQ(parse_model(oscillator_with(""), "/tmp/some/spring.toml").system.name, "spring");
  EXPECT_EQ(parse_model("name = \"my spring\"\n" + oscillator_with(""), "spring.toml").system.name, "my spring");
}

TEST(parse_model, accepts_other_ways_to_write_toml) {
  const std::string windows =
      "coordinates = [\"x\"]\r\nlagrangian = \"\"\"\r\n1/2*x'^2\r\n - x^2\"\"\"\r\n"
      "initial = {position = {x = 1}, velocity.x = 0}\r\n";
  EXPECT_EQ(parse_model(windows, "w.toml").initial.rate, rate_kind::velocity);
  EXPECT_EQ(parse_model("\xEF\xBB\xBF" + windows, "w.toml").system.size(), 1u);
  const std::string escaped =
      "coordinates = [\"\\u0078\"]\nlagrangian = \"1/2*x'^2\\t- x^2\"\n"
      "[initial.position]\n\"x\" = 0x1F\n[initial.velocity]\nx = 1_0\n";
  const model m = parse_model(escaped, "e.toml");
  EXPECT_EQ(m.initial.position[0].value, expr(31));
  EXPECT_EQ(m.initial.rates[0].value, expr(10));
}

TEST(parse_model, reads_greek_names) {
  const model m = parse_model(
      "coordinates = [\"θ\"]\nlagrangian = \"1/2*θ'^2 + ω^2*cos(θ)\"\n[parameters]\n\"ω\" = 2\n"
      "[initial]\nposition.\"θ\" = 1\nvelocity.\"θ\" = 0\n",
      "g.toml");
  EXPECT_EQ(m.system.coordinates[0].name(), "θ");
}

TEST(parse_model, names_places_inside_strings) {
  const auto place_of = [](const std::string& text) {
    try {
      parse_model(text, "f.toml");
    } catch (const input_error& error) {
      return to_text(error.place());
    }
    return std::string("no error");
  };
  const std::string head = "coordinates = [\"x\"]\n";
  EXPECT_EQ(place_of(head + "lagrangian = \"1/2*x'^2 - kk*x\"\n"), "f.toml:2:26");
  EXPECT_EQ(place_of(head + "lagrangian = '1/2*kk'\n"), "f.toml:2:19");
  EXPECT_EQ(place_of(head + "lagrangian = \"\"\"1/2*x'^2 -\n  kk*x\"\"\"\n"), "f.toml:3:3");
  EXPECT_EQ(place_of(head + "lagrangian = \"\"\"\n1/2*x'^2 \\\n   - kk*x\"\"\"\n"), "f.toml:4:6");
  EXPECT_EQ(place_of(head + "lagrangian = \"1/2*x'^2\\t- kk*x\"\n"), "f.toml:2:14");
  EXPECT_EQ(place_of("name = \"äöü\"\n" + head + "  lagrangian = \"α*x'^2 - kk*x\"\n[parameters]\n\"α\" = 1\n"),
            "f.toml:3:26");
}

TEST(read_model, reads_files) {
  const std::string path = ::testing::TempDir() + "actio_model_test.toml";
  std::ofstream(path) << oscillator_with("");
  const model m = read_model(path);
  EXPECT_EQ(m.system.name, "actio_model_test");
  EXPECT_EQ(m.file, path);
  std::remove(path.c_str());
}

TEST(set_parameter, replaces_a_value) {
  model m = parse_model(oscillator_with("a = 2\nb = \"2*a\"\nc = \"a*b\""), "m.toml");
  set_parameter(m, {"a=1/3", {"--set", 1, 1}, "--set"});
  EXPECT_EQ(quantity_value<quad>(m.system, expr::symbol("c")), quad(2) / 9);
  set_parameter(m, {" b = a^2 ", {"--set", 1, 1}, "--set"});
  EXPECT_EQ(m.system.parameters[1].value, pow(expr::symbol("a"), 2));
  EXPECT_DOUBLE_EQ(quantity_value<double>(m.system, expr::symbol("c")), 1.0 / 27);
}

TEST(parse_quantity, uses_the_parameters) {
  const model m = parse_model(oscillator_with("T = 0.5"), "m.toml");
  EXPECT_EQ(quantity_value<double>(m.system, parse_quantity(m, {"T/100", {"--step", 1, 1}, "--step"})), 0.005);
  EXPECT_EQ(parse_quantity(m, {"pi", {}, ""}), expr::pi());
  EXPECT_EQ(quantity_value<double>(m.system, parse_quantity(m, {"1e-2", {}, ""})), 0.01);
}

TEST(parameter_values, do_not_explode) {
  // Each parameter is the square of the one before: 2^70 digits as an exact rational.
  std::string parameters = "a0 = \"1 + 1/3^30\"\n";
  for (int i = 1; i <= 70; ++i) parameters += "a" + std::to_string(i) + " = \"a" + std::to_string(i - 1) + "^2\"\n";
  const model m = parse_model(oscillator_with(parameters.substr(0, parameters.find("a48"))), "m.toml");
  EXPECT_TRUE(is_finite(parameter_values<double>(m.system).back()));
  EXPECT_THROW(parse_model(oscillator_with(parameters), "m.toml"), input_error);  // too large for a number
}

TEST(parse_model, survives_large_inputs) {
  std::string sum = "0";
  for (int i = 0; i < 50000; ++i) sum += " + x^" + std::to_string(i % 7 + 2) + "*" + std::to_string(i);
  EXPECT_NO_THROW(parsed_lagrangian(sum, ""));
  std::string definitions = "[definitions]\nd0 = \"x\"\n";
  for (int i = 1; i < 300; ++i) {
    const std::string last = "d" + std::to_string(i - 1);
    definitions += "d" + std::to_string(i) + " = \"" + last + "*" + last + " + " + last + "\"\n";
  }
  EXPECT_NO_THROW(parsed_lagrangian("d299*y", definitions)) << "a tree of 2^300 leaves, a DAG of 900 nodes";
}

TEST(parse_model, survives_random_bytes) {
  std::mt19937_64 bits(7);
  const std::string valid = full_model;
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 3 == 0 ? std::string(bits() % 200, ' ') : valid;
    const std::size_t changes = i % 3 == 0 ? text.size() : 1 + bits() % 4;
    for (std::size_t k = 0; k < changes && !text.empty(); ++k) {
      const char byte = static_cast<char>(i % 2 == 0 ? bits() % 256 : 32 + bits() % 95);
      text[bits() % text.size()] = byte;
    }
    if (i % 3 == 2) text.resize(bits() % text.size());
    try {
      parse_model(text, "random.toml");
    } catch (const input_error&) {
      continue;  // every other way out is a bug
    }
  }
}

}  // namespace
}  // namespace actio
