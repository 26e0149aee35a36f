#include "actio/expr/language.hpp"

#include <algorithm>
#include <array>

#include "actio/expr/piecewise.hpp"

namespace actio {

namespace {

using arguments_of = std::span<const expr_tuple>;
using kind = language_function::kind;
constexpr tuple_shape scalar = tuple_shape::scalar, vector = tuple_shape::vector, quaternion = tuple_shape::quaternion,
                      condition = tuple_shape::condition;

// A function that is one operation.
template <operation Op>
expr_tuple applied(arguments_of a) {
  std::vector<expr> operands;
  for (const expr_tuple& argument : a) operands.push_back(argument.scalar());
  return expr::make(Op, operands);
}

using function_of_two = expr (*)(const expr&, const expr&);
template <function_of_two F>
expr_tuple folded(arguments_of a) {
  expr result = a[0].scalar();
  for (const expr_tuple& next : a.subspan(1)) result = F(result, next.scalar());
  return result;
}

expr_tuple chosen(arguments_of a) {
  std::size_t k = 0;
  return a[1].mapped([&](const expr& part) { return conditional(a[0].scalar(), part, a[2][k++]); });
}

std::string_view refused_order(arguments_of a) {
  const expr& n = a[0].scalar();
  const bool is_whole = n.is_number() && denominator(n.number()) == 1 && n.number() >= 0 && n.number() <= 1000;
  return is_whole ? "" : "the order of a Bessel function is a whole number from 0 to 1000";
}

std::string_view refused_modulus(arguments_of a) { return a[1].scalar().is_zero() ? "there is nothing modulo 0" : ""; }

using table = std::vector<language_function>;

table scalar_functions() {
  constexpr kind reserved = kind::reserved, plain = kind::plain, many = kind::many;
  using enum operation;
  return {
      {"sqrt", {scalar}, "sqrt(x)", "The square root of x.", "sqrt(16*t^2)", "4*t", applied<sqrt>, reserved},
      {"exp", {scalar}, "exp(x)", "e to the power x.", "exp(2*log(t))", "t^2", applied<exp>, reserved},
      {"log", {scalar}, "log(x)", "The natural logarithm of x.", "log(exp(t))", "t", applied<log>, reserved},
      {"sin", {scalar}, "sin(x)", "The sine of x in radians.", "sin(30 deg)", "1/2", applied<sin>, reserved},
      {"cos", {scalar}, "cos(x)", "The cosine of x in radians.", "cos(2*t)", "1 - 2*sin(t)^2", applied<cos>, reserved},
      {"tan", {scalar}, "tan(x)", "The tangent of x in radians.", "tan(t)*cos(t)", "sin(t)", applied<tan>, reserved},
      {"asin",
       {scalar},
       "asin(x)",
       "The angle from -pi/2 to pi/2 whose sine is x.",
       "asin(1/2)",
       "pi/6",
       applied<asin>,
       reserved},
      {"acos",
       {scalar},
       "acos(x)",
       "The angle from 0 to pi whose cosine is x.",
       "acos(-1)",
       "pi",
       applied<acos>,
       reserved},
      {"atan",
       {scalar},
       "atan(x)",
       "The angle from -pi/2 to pi/2 whose tangent is x.",
       "atan(1)",
       "45 deg",
       applied<atan>,
       reserved},
      {"sinh",
       {scalar},
       "sinh(x)",
       "The hyperbolic sine of x.",
       "2*sinh(t)",
       "exp(t) - exp(-t)",
       applied<sinh>,
       reserved},
      {"cosh",
       {scalar},
       "cosh(x)",
       "The hyperbolic cosine of x.",
       "2*cosh(t)",
       "exp(t) + exp(-t)",
       applied<cosh>,
       reserved},
      {"tanh",
       {scalar},
       "tanh(x)",
       "The hyperbolic tangent of x.",
       "tanh(t)",
       "sinh(t)/cosh(t)",
       applied<tanh>,
       reserved},
      {"abs",
       {scalar},
       "abs(x)",
       "The absolute value of x. Its kink at 0 is known.",
       "abs(-3*t)",
       "3*t",
       applied<abs>,
       reserved},
      {"sign",
       {scalar},
       "sign(x)",
       "1 for x > 0, -1 for x < 0, and 0 at 0. Its jump is known.",
       "sign(t) + sign(-2) + sign(0)",
       "0",
       applied<sign>,
       reserved},
      {"atan2",
       {scalar, scalar},
       "atan2(y, x)",
       "The angle of the point (x, y), from -pi to pi.",
       "atan2(1, -1)",
       "3*pi/4",
       applied<atan2>,
       reserved},
      {"step",
       {scalar},
       "step(x)",
       "1 for x >= 0, 0 for x < 0: it is 1 at 0. Its jump is known.",
       "step(t) + 2*step(0) + 4*step(-t)",
       "3",
       applied<step>,
       plain},
      {"floor",
       {scalar},
       "floor(x)",
       "The largest whole number that is not above x. Its jumps are known.",
       "floor(-7/2)",
       "-4",
       applied<floor>,
       plain},
      {"mod",
       {scalar, scalar},
       "mod(a, b)",
       "a - b*floor(a/b): what is left of a, with the sign of b.",
       "mod(-7, 3)",
       "2",
       folded<actio::mod>,
       plain,
       refused_modulus},
      {"min",
       {scalar, scalar},
       "min(a, b)",
       "The smallest of two or more values. Its kinks are known.",
       "min(3, 2, 5 + t)",
       "2",
       folded<actio::min>,
       many},
      {"max",
       {scalar, scalar},
       "max(a, b)",
       "The largest of two or more values. Its kinks are known.",
       "max(-t, 1/2)",
       "1/2",
       folded<actio::max>,
       many},
      {"clamp",
       {scalar, scalar, scalar},
       "clamp(x, low, high)",
       "x, but low below low and high above high.",
       "clamp(t - 100, -1, 1)",
       "if(t < 99, -1, if(t > 101, 1, t - 100))",
       [](arguments_of a) { return expr_tuple(clamp(a[0].scalar(), a[1].scalar(), a[2].scalar())); },
       plain},
      {"hypot",
       {scalar, scalar},
       "hypot(x, y)",
       "sqrt(x^2 + y^2), without overflow on the way.",
       "hypot(3*t, 4*t)",
       "5*t",
       applied<hypot>,
       plain},
      {"log1p",
       {scalar},
       "log1p(x)",
       "log(1 + x), exact for small x too.",
       "log1p(t)",
       "log(1 + t)",
       applied<log1p>,
       plain},
      {"expm1",
       {scalar},
       "expm1(x)",
       "exp(x) - 1, exact for small x too.",
       "expm1(t)",
       "exp(t) - 1",
       applied<expm1>,
       plain},
      {"erf",
       {scalar},
       "erf(x)",
       "The error function: 2/sqrt(pi) times the integral of exp(-s^2) from 0 to x.",
       "erf(-t) + erf(t)",
       "0",
       applied<erf>,
       plain},
      {"j0",
       {scalar},
       "j0(x)",
       "The Bessel function of the first kind and order 0.",
       "j0(0)",
       "1",
       [](arguments_of a) { return expr_tuple(actio::jn(0, a[0].scalar())); },
       plain},
      {"j1",
       {scalar},
       "j1(x)",
       "The Bessel function of the first kind and order 1.",
       "j1(-t)",
       "-j1(t)",
       [](arguments_of a) { return expr_tuple(actio::jn(1, a[0].scalar())); },
       plain},
      {"jn",
       {scalar, scalar},
       "jn(n, x)",
       "The Bessel function of the first kind and order n, a whole number.",
       "jn(2, t)",
       "2*j1(t)/t - j0(t)",
       applied<operation::jn>,
       plain,
       refused_order},
      {"if",
       {condition, scalar, scalar},
       "if(c, a, b)",
       "a where the condition c holds, otherwise b; what is not chosen may be anything, also no number.",
       "if(t > 0 and not t < 0, t, sqrt(-t))",
       "t",
       chosen,
       plain},
      {"if",
       {condition, vector, vector},
       "if(c, u, v)",
       "The same for vectors.",
       "if(t > 0, vector(t, 0, 0), vector(0, t, 0)).x",
       "t",
       chosen,
       plain},
      {"if",
       {condition, quaternion, quaternion},
       "if(c, P, Q)",
       "The same for quaternions.",
       "if(t < 0, quaternion(0, 0, 0, 0), quaternion(t, 0, 0, 0)).w",
       "t",
       chosen,
       plain},
  };
}

table tuple_functions() {
  constexpr kind plain = kind::plain, differentiates = kind::differentiates;
  return {
      {"vector",
       {scalar, scalar, scalar},
       "vector(x, y, z)",
       "The vector with these components.",
       "vector(1, t, 3).y",
       "t",
       [](arguments_of a) { return expr_tuple::vector(a[0][0], a[1][0], a[2][0]); },
       plain},
      {"vector",
       {quaternion},
       "vector(Q)",
       "The vector part of a quaternion.",
       "vector(quaternion(1, 2, t, 4)).y",
       "t",
       [](arguments_of a) { return vector_part(a[0]); },
       plain},
      {"quaternion",
       {scalar, scalar, scalar, scalar},
       "quaternion(w, x, y, z)",
       "The quaternion w + xi + yj + zk.",
       "quaternion(1, 2, t, 4).y",
       "t",
       [](arguments_of a) { return expr_tuple::quaternion(a[0][0], a[1][0], a[2][0], a[3][0]); },
       plain},
      {"quaternion",
       {vector},
       "quaternion(v)",
       "The quaternion without a scalar part that a vector is.",
       "quaternion(vector(1, 2, t)).z",
       "t",
       [](arguments_of a) { return pure_quaternion(a[0]); },
       plain},
      {"rotation",
       {vector, scalar},
       "rotation(axis, angle)",
       "The unit quaternion of a turn about an axis.",
       "rotate(rotation(vector(0, 0, 2), 90 deg), vector(t, 0, 0)).y",
       "t",
       [](arguments_of a) { return rotation(a[0], a[1].scalar()); },
       plain},
      {"dot",
       {vector, vector},
       "dot(u, v)",
       "The scalar product of two vectors.",
       "dot(vector(1, 2, t), vector(4, 5, 6))",
       "14 + 6*t",
       [](arguments_of a) { return expr_tuple(dot(a[0], a[1])); },
       plain},
      {"dot",
       {quaternion, quaternion},
       "dot(P, Q)",
       "The scalar product of two quaternions.",
       "dot(quaternion(1, 2, 3, t), quaternion(1, 1, 1, 1))",
       "6 + t",
       [](arguments_of a) { return expr_tuple(dot(a[0], a[1])); },
       plain},
      {"cross",
       {vector, vector},
       "cross(u, v)",
       "The vector product of two vectors.",
       "cross(vector(1, 0, 0), vector(0, t, 0)).z",
       "t",
       [](arguments_of a) { return cross(a[0], a[1]); },
       plain},
      {"norm",
       {vector},
       "norm(v)",
       "The length of a vector.",
       "norm(vector(2*t, 3*t, 6*t))",
       "7*t",
       [](arguments_of a) { return expr_tuple(sqrt(dot(a[0], a[0]))); },
       plain},
      {"norm",
       {quaternion},
       "norm(Q)",
       "The norm of a quaternion.",
       "norm(quaternion(1, 1, 1, 1))",
       "2",
       [](arguments_of a) { return expr_tuple(sqrt(dot(a[0], a[0]))); },
       plain},
      {"conjugate",
       {quaternion},
       "conjugate(Q)",
       "The conjugate of a quaternion, its inverse where its norm is 1.",
       "conjugate(quaternion(1, 2, 3, t)).z",
       "-t",
       [](arguments_of a) { return conjugate(a[0]); },
       plain},
      {"rotate",
       {quaternion, vector},
       "rotate(Q, v)",
       "The vector v, in body axes, turned by the unit quaternion Q.",
       "rotate(rotation(vector(1, 0, 0), pi), vector(0, 0, t)).z",
       "-t",
       [](arguments_of a) { return rotated(a[0], a[1]); },
       plain},
      {"body_rate",
       {quaternion},
       "body_rate(Q)",
       "The angular velocity of the body that Q turns, in body axes.",
       "body_rate(rotation(vector(0, 0, 1), 3*t)).z",
       "3",
       [](arguments_of a) { return scaled(2, vector_part(hamilton_product(conjugate(a[0]), a[1]))); },
       differentiates},
      {"space_rate",
       {quaternion},
       "space_rate(Q)",
       "The angular velocity of the body that Q turns, in space axes.",
       "space_rate(rotation(vector(1, 0, 0), t^2)).x",
       "2*t",
       [](arguments_of a) { return scaled(2, vector_part(hamilton_product(a[1], conjugate(a[0])))); },
       differentiates},
  };
}

}  // namespace

const std::vector<language_function>& language_functions() {
  static const table functions = [] {
    table all = scalar_functions();
    for (const language_function& f : tuple_functions()) all.push_back(f);
    return all;
  }();
  return functions;
}

const std::vector<language_word>& language_words() {
  static const std::vector<language_word> words = {
      {"+", "a + b", "The sum; also of vectors and of quaternions.", "1/2 + t", "t + 0.5"},
      {"-", "a - b, -a", "The difference, and the opposite.", "-t - 1", "-(t + 1)"},
      {"*", "a*b", "The product; of two quaternions Hamilton's product. It is always written.", "2*t*3", "6*t"},
      {"/", "a/b", "The quotient, read from left to right.", "t/2/5", "t/10"},
      {"^", "a^b", "The power, read from right to left and before a sign: -x^2 is -(x^2).", "-2^3^2", "-512"},
      {"<", "a < b",
       "A condition, as are a <= b, a > b, a >= b, a == b and a != b. It is no number: if, and, or, not "
       "take it.",
       "if(t < 0, 1, 2) + if(t >= 0, 10, 20)", "12"},
      {"and", "c and d", "Whether both conditions hold.", "if(t > 0 and t < 0, 1, 2)", "2"},
      {"or", "c or d", "Whether one of two conditions holds; `and` binds before it.",
       "if(t > 0 or t < 0 and t > 1, 1, 2)", "1"},
      {"not", "not c", "Whether a condition does not hold.", "if(not t < 0, 1, 2)", "1"},
      {"deg", "30 deg", "Degrees: what stands before it times pi/180, exactly, at the precision of the run.",
       "30 deg + 1/2 deg", "61*pi/360"},
      {"pi", "pi", "The ratio of a circle's circumference to its diameter.", "cos(pi)", "-1"},
      {"t", "t", "The time.", "t + t", "2*t"},
      {"'", "x'", "The total time derivative of a coordinate or a definition, by the chain rule; of a signal u'(t).",
       "t'", "1"},
      {".", "v.x", "A component: .x .y .z of a vector, .w .x .y .z of a quaternion.", "vector(1, 2, 3).z", "3"},
  };
  return words;
}

namespace {

template <class Which>
std::vector<std::string> names_of_functions(Which&& which) {
  std::vector<std::string> found;
  for (const language_function& f : language_functions()) {
    if (which(f) && (found.empty() || found.back() != f.name)) found.emplace_back(f.name);
  }
  return found;
}

}  // namespace

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names =
      names_of_functions([](const language_function& f) { return f.type == language_function::kind::reserved; });
  return names;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = names_of_functions([](const language_function&) { return true; });
  return names;
}

bool is_reserved_function(std::string_view name) {
  const auto& names = reserved_names();
  return std::ranges::find(names, name) != names.end();
}

std::vector<const language_function*> functions_named(std::string_view name) {
  std::vector<const language_function*> found;
  for (const language_function& f : language_functions()) {
    if (f.name == name) found.push_back(&f);
  }
  return found;
}

bool takes(const language_function& f, std::span<const expr_tuple> given) {
  const std::vector<tuple_shape>& shapes = f.parameters;
  const bool count_fits =
      f.type == language_function::kind::many ? given.size() >= shapes.size() : given.size() == shapes.size();
  for (std::size_t k = 0; count_fits && k < given.size(); ++k) {
    if (given[k].shape() != shapes[std::min(k, shapes.size() - 1)]) return false;
  }
  return count_fits;
}

}  // namespace actio
