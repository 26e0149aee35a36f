// Vectors and quaternions in expressions: what they expand to.
#include "actio/expr/expr_tuple.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/parse.hpp"
#include "tests/expr/show.hpp"

namespace actio {
namespace {

expr named(const std::string& name) { return expr::symbol(name); }

// u and v are vectors, P and Q quaternions, everything else is a scalar; the rate of a symbol x is x'.
tuple_names names() {
  const auto resolve = [](const parsed_name& n) -> expr_tuple {
    const std::string primes(static_cast<std::size_t>(n.primes), '\'');
    const auto part = [&](const char* c) { return named(n.name + c + primes); };
    if (n.name == "u" || n.name == "v") return expr_tuple::vector(part("1"), part("2"), part("3"));
    if (n.name == "P" || n.name == "Q") return expr_tuple::quaternion(part("0"), part("1"), part("2"), part("3"));
    return named(n.name + primes);
  };
  const auto rate = [](const expr& e, const parsed_name&) {
    return e.op() == operation::symbol ? named(e.name() + "'") : 0;
  };
  return {resolve, rate};
}

expr_tuple read(const std::string& text) { return parse_tuple({text, {"m.toml", 3, 10}, "lagrangian"}, names()); }

// The values of the components with every symbol at a value of its own.
std::vector<double> values(const std::string& text) {
  const expr_tuple tuple = read(text);
  const std::vector<expr> symbols = symbols_in(tuple.parts());
  std::vector<double> at;
  for (const expr& s : symbols) {
    double value = 0.3;
    for (const char c : s.name()) value = std::fmod(2.71 * value + 0.01 * c, 1.7);
    at.push_back(value - 0.8);
  }
  return evaluate<double>(tuple.parts(), symbols, at);
}

void expect_equal(const std::string& a, const std::string& b) {
  const std::vector<double> left = values(a), right = values(b);
  ASSERT_EQ(left.size(), right.size()) << a;
  double size = 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    EXPECT_NEAR(left[k], right[k], 1e-14) << a << " = " << b;
    size = std::max(size, std::abs(left[k]));
  }
  EXPECT_GT(size, 1e-4) << a;
}

TEST(expr_tuple, expands_to_scalars) {
  EXPECT_EQ(read("vector(x, y, z)"), expr_tuple::vector(named("x"), named("y"), named("z")));
  EXPECT_EQ(read("2*u - v/l").shape(), tuple_shape::vector);
  EXPECT_EQ(read("2*u - v/l")[1], 2 * named("u2") - named("v2") / named("l"));
  EXPECT_EQ(read("-u.z").scalar(), -named("u3"));
  EXPECT_EQ(read("Q.w").scalar(), named("Q0"));
  EXPECT_EQ(read("u'.x").scalar(), named("u1'"));
  EXPECT_EQ(read("u.x'").scalar(), named("u1'"));
  EXPECT_EQ(read("(u + v).y^2").scalar(), pow(named("u2") + named("v2"), 2));
  EXPECT_EQ(read("vector(1, 2, 2)"), expr_tuple::vector(1, 2, 2));
  EXPECT_EQ(read("norm(vector(1, 2, 2))").scalar(), expr(3));
  EXPECT_EQ(read("dot(u, v)").scalar(),
            named("u1") * named("v1") + named("u2") * named("v2") + named("u3") * named("v3"));
  EXPECT_EQ(read("rotation(vector(0, 0, 2), x).z").scalar(), sin(named("x") / 2));
}

TEST(expr_tuple, knows_the_rules_of_vectors) {
  expect_equal("cross(vector(1, 0, 0), vector(0, 1, 0))", "vector(0, 0, 1)");
  expect_equal("cross(u, v)", "-cross(v, u)");
  expect_equal("cross(u, cross(u, v))", "dot(u, v)*u - dot(u, u)*v");
  expect_equal("norm(u)^2", "dot(u, u)");
}

TEST(expr_tuple, knows_the_rules_of_quaternions) {
  expect_equal("quaternion(0, 1, 0, 0)*quaternion(0, 0, 1, 0)", "quaternion(0, 0, 0, 1)");
  expect_equal("Q*conjugate(Q)", "quaternion(dot(Q, Q), 0, 0, 0)");
  expect_equal("conjugate(P*Q)", "conjugate(Q)*conjugate(P)");
  expect_equal("norm(P*Q)", "norm(P)*norm(Q)");
  expect_equal("quaternion(u)*quaternion(v)", "quaternion(cross(u, v)) - quaternion(dot(u, v), 0, 0, 0)");
  expect_equal("vector(quaternion(u))", "u");
}

TEST(expr_tuple, rotates_from_the_body_into_space) {
  expect_equal("rotate(rotation(vector(0, 0, 1), x), vector(1, 0, 0))", "vector(cos(x), sin(x), 0)");
  expect_equal("rotate(rotation(u, x), u)", "u");
  expect_equal("rotate(P*Q, v)", "rotate(P, rotate(Q, v))");
  expect_equal("norm(rotate(rotation(u, x), v))", "norm(v)");
}

TEST(expr_tuple, has_rates_in_body_and_space_axes) {
  expect_equal("body_rate(Q)", "2*vector(conjugate(Q)*Q')");
  expect_equal("space_rate(Q)", "2*vector(Q'*conjugate(Q))");
  expect_equal("rotate(Q, body_rate(Q))", "dot(Q, Q)*space_rate(Q)");
}

// Q' from a rate, and the rate from Q' again.
TEST(expr_tuple, inverts_its_rates) {
  const expr_tuple q = read("rotation(u, x)"), rate = read("v");
  const std::vector<expr> symbols = {named("u1"), named("u2"), named("u3"), named("x"),
                                     named("v1"), named("v2"), named("v3")};
  const std::vector<double> at = {0.3, -0.7, 1.1, 2.1, -0.4, 0.9, 1.3};
  const expr_tuple body = hamilton_product(conjugate(q), velocity_of_body_rate(q, rate));
  const expr_tuple space = hamilton_product(velocity_of_space_rate(q, rate), conjugate(q));
  for (const expr_tuple& found : {body, space}) {
    const std::vector<double> half = evaluate<double>(found.parts(), symbols, at);
    EXPECT_NEAR(half[0], 0, 1e-15);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(2 * half[k + 1], at[4 + k], 1e-14);
  }
}

TEST(expr_tuple, leaves_the_names_of_its_functions_free) {
  EXPECT_EQ(read("2*dot + norm*vector").scalar(), 2 * named("dot") + named("norm") * named("vector"));
  EXPECT_EQ(read("rotate'").scalar(), named("rotate'"));
  EXPECT_EQ(read("x*.5").scalar(), named("x") / 2);
}

std::string failure(const std::string& text) {
  try {
    parse_scalar({text, {"m.toml", 3, 10}, "lagrangian"}, names());
    return "accepted";
  } catch (const input_error& e) {
    return "[" + e.id() + "] " + e.what();
  }
}

TEST(expr_tuple, explains_what_does_not_fit) {
  EXPECT_EQ(failure("1 + u"),
            "[wrong-shape] a vector cannot be added to a scalar in lagrangian, m.toml:3:12; take a component of the "
            "other, such as .x");
  EXPECT_EQ(failure("Q - u"),
            "[wrong-shape] a vector cannot be taken from a quaternion in lagrangian, m.toml:3:12; write quaternion(v) "
            "for the quaternion without a scalar part");
  EXPECT_EQ(failure("u*v"),
            "[wrong-shape] a vector times a vector has no meaning in lagrangian, m.toml:3:11; write dot(u, v) or "
            "cross(u, v)");
  EXPECT_EQ(
      failure("Q*v"),
      "[wrong-shape] a quaternion times a vector has no meaning in lagrangian, m.toml:3:11; write rotate(Q, v) to "
      "turn a vector, or quaternion(v) to multiply with it");
  EXPECT_EQ(
      failure("x/u"),
      "[wrong-shape] a scalar cannot be divided by a vector in lagrangian, m.toml:3:11; divide by a component or by "
      "its length norm(v)");
  EXPECT_EQ(
      failure("P/Q"),
      "[wrong-shape] a quaternion cannot be divided by a quaternion in lagrangian, m.toml:3:11; the inverse of Q is "
      "conjugate(Q)/dot(Q, Q)");
  EXPECT_EQ(failure("u^2"),
            "[wrong-shape] a vector has no powers in lagrangian, m.toml:3:11; the square of its length is dot(v, v)");
  EXPECT_EQ(failure("2^Q"),
            "[wrong-shape] a quaternion cannot be an exponent in lagrangian, m.toml:3:11; give one of its components");
  EXPECT_EQ(
      failure("sin(u)"),
      "[wrong-shape] the function 'sin' takes a scalar, found a vector in lagrangian, m.toml:3:10; give one of its "
      "components");
  EXPECT_EQ(
      failure("abs(u)"),
      "[wrong-shape] the function 'abs' takes a scalar, found a vector in lagrangian, m.toml:3:10; write norm(...) "
      "for a length");
  EXPECT_EQ(failure("dot(u, Q)"),
            "[wrong-shape] the function 'dot' takes two vectors or two quaternions, found a vector and a quaternion in "
            "lagrangian, m.toml:3:10; write dot(u, v) or dot(P, Q)");
  EXPECT_EQ(
      failure("quaternion(x, u, x, x)"),
      "[wrong-shape] the function 'quaternion' takes four scalars, found a scalar and a vector and two scalars in "
      "lagrangian, m.toml:3:10; write quaternion(w, x, y, z) or quaternion(v)");
  EXPECT_EQ(failure("cross(u)"),
            "[wrong-argument-count] the function 'cross' takes 2 arguments, found 1 in lagrangian, m.toml:3:10; write "
            "cross(u, v)");
  EXPECT_EQ(failure("vector(x, y)"),
            "[wrong-argument-count] the function 'vector' takes 3 arguments or 1 argument, found 2 in lagrangian, "
            "m.toml:3:10; write vector(x, y, z) or vector(Q)");
  EXPECT_EQ(failure("u.w"),
            "[unknown-component] a vector has no component 'w' in lagrangian, m.toml:3:12; a vector has .x .y .z");
  EXPECT_EQ(
      failure("Q.xy"),
      "[unknown-component] a quaternion has no component 'xy' in lagrangian, m.toml:3:12; a quaternion has .w .x .y "
      ".z");
  EXPECT_EQ(
      failure("l.x"),
      "[unknown-component] a scalar has no component 'x' in lagrangian, m.toml:3:12; remove it; vectors have .x .y "
      ".z");
  EXPECT_EQ(
      failure("u"),
      "[wrong-shape] lagrangian must be a scalar, but is a vector, m.toml:3:10; take a component such as .x, or a "
      "length norm(...)");
}

TEST(names_in, finds_names_without_their_meaning) {
  std::vector<std::string> found;
  for (const parsed_name& n : names_in({"dot(w', cross(a, b)).x + q*pi - sin(w.y)", {}, ""})) found.push_back(n.name);
  EXPECT_EQ(found, (std::vector<std::string>{"w", "a", "b", "q", "pi", "w"}));
}

}  // namespace
}  // namespace actio
