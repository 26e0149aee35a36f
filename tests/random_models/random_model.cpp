#include "tests/random_models/random_model.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <random>

namespace actio::random_models {

namespace {

// --- formulas: texts with parentheses around everything, so that no precedence is taken for granted ---

formula number(const std::string& text) {
  const real value = std::strtold(text.c_str(), nullptr);
  return {text, [value](const point&) { return jet(value); }};
}

const formula half{"1/2", [](const point&) { return jet(0.5L); }};

formula variable(const std::string& name, std::size_t index) {
  return {name, [index](const point& x) { return x[index]; }};
}

formula operator+(const formula& a, const formula& b) {
  return {a.text + " + " + b.text, [f = a.value, g = b.value](const point& x) { return f(x) + g(x); }};
}
std::string enclosed(const formula& a) { return "(" + a.text + ")"; }
formula operator-(const formula& a, const formula& b) {
  return {a.text + " - " + enclosed(b), [f = a.value, g = b.value](const point& x) { return f(x) - g(x); }};
}
formula operator*(const formula& a, const formula& b) {
  return {enclosed(a) + "*" + enclosed(b), [f = a.value, g = b.value](const point& x) { return f(x) * g(x); }};
}
formula operator/(const formula& a, const formula& b) {
  return {enclosed(a) + "/" + enclosed(b), [f = a.value, g = b.value](const point& x) { return f(x) / g(x); }};
}
formula operator-(const formula& a) {
  return {"-" + enclosed(a), [f = a.value](const point& x) { return -f(x); }};
}
formula power(const formula& a, const std::string& exponent, real n) {
  return {enclosed(a) + "^" + exponent, [f = a.value, n](const point& x) { return pow(f(x), n); }};
}
formula square(const formula& a) {
  return {enclosed(a) + "^2", [f = a.value](const point& x) {
            const jet y = f(x);
            return y * y;
          }};
}
formula angle(const formula& y, const formula& x) {
  return {"atan2(" + y.text + ", " + x.text + ")",
          [f = y.value, g = x.value](const point& at) { return atan2(f(at), g(at)); }};
}

using binary = jet (*)(const jet&, const jet&);
formula call(const char* name, binary function, const formula& a, const formula& b) {
  return {fmt::format("{}({}, {})", name, a.text, b.text),
          [function, f = a.value, g = b.value](const point& x) { return function(f(x), g(x)); }};
}
// a where u is below the bound, otherwise b.
formula choice(const formula& u, const std::string& bound, const formula& a, const formula& b) {
  const real limit = std::strtold(bound.c_str(), nullptr);
  return {fmt::format("if({} < {}, {}, {})", u.text, bound, a.text, b.text),
          [limit, c = u.value, f = a.value, g = b.value](const point& x) { return c(x).value < limit ? f(x) : g(x); }};
}

using unary = jet (*)(const jet&);
formula call(const char* name, unary function, const formula& a) {
  return {fmt::format("{}({})", name, a.text), [function, f = a.value](const point& x) { return function(f(x)); }};
}

// --- drawing ---

class drawing {
 public:
  explicit drawing(std::uint64_t seed) : random_(seed) { m_.seed = seed; }

  random_model model();

 private:
  // std distributions differ between libraries; these do not.
  std::size_t below(std::size_t end) { return random_() % end; }
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
  real between(real low, real high) { return low + (high - low) * static_cast<real>(below(1000001)) / 1000000; }
  std::string digits(real low, real high) { return fmt::format("{:.3f}", static_cast<double>(between(low, high))); }

  formula constant(real low, real high);
  formula some_function(const formula& u, bool rough);
  formula risky_function(const formula& u);
  formula nested_function(const formula& u);
  formula positive_function(const formula& u);
  formula argument();
  formula kinetic_energy();
  formula potential();
  formula cartesian();
  formula plain();
  void add_gyroscopic(formula& lagrangian);
  void add_time(formula& lagrangian);
  formula force(std::size_t on);
  void draw_run();
  std::string file_text() const;

  std::mt19937_64 random_;
  random_model m_;
  std::vector<formula> q_, v_;
  formula t_ = variable("t", 2 * most_coordinates);
  std::string parameters_, definitions_;
  std::size_t named_ = 0;
  bool time_ = false;
};

// A number, or a parameter with that value.
formula drawing::constant(real low, real high) {
  formula result = number(digits(low, high));
  if (chance(50)) return result;
  const std::string name = fmt::format("k{}", ++named_);
  parameters_ += fmt::format("{} = {}\n", name, result.text);
  result.text = name;
  return result;
}

// Functions that are defined everywhere; rough ones have kinks. Jumps are for forces alone: a Lagrangian that jumps has
// no equations of motion there.
formula drawing::some_function(const formula& u, bool rough) {
  const formula one = number("1"), two = number("2");
  switch (below(rough ? 31 : 26)) {
    case 0: return call("sin", sin, u);
    case 1: return call("cos", cos, u);
    case 2: return call("tanh", tanh, u);
    case 3: return call("exp", exp, -square(u));
    case 4: return one / (one + square(u));
    case 5: return call("sqrt", sqrt, one + square(u));
    case 6: return call("log", log, two + square(u));
    case 7: return call("atan", atan, u);
    case 8: return call("sinh", sinh, u / two);
    case 9: return call("cosh", cosh, u / two);
    case 10: return call("asin", asin, number("0.9") * call("sin", sin, u));
    case 11: return call("acos", acos, number("0.9") * call("cos", cos, u));
    case 12: return angle(u, two);
    case 13: return angle(call("sin", sin, u), two + call("cos", cos, u));
    case 14: return call("tan", tan, number("0.7") * call("tanh", tanh, u));
    case 15: return square(u);
    case 16: return power(two + call("sin", sin, u), "1.5", 1.5L);
    case 17: return power(one + square(u), "(1/3)", 1.0L / 3);
    case 18: return call("exp", exp, u / two);
    case 19: return square(square(u));
    case 20: return call("erf", erf, u);
    case 21: return call("log1p", log1p, square(u));
    case 22: return call("expm1", expm1, u / two);
    case 23: return call("j0", j0, u);
    case 24: return call("j1", j1, u);
    case 25: return call("hypot", hypot, u, two);
    case 26: return call("min", min, u, number("0.3"));
    case 27: return call("max", max, u, square(u));
    case 28: return choice(u, "0.1", square(u), number("0.2") * u - number("0.01"));
    default: return call("abs", abs, u);
  }
}

// Functions that end or become infinite somewhere: a motion may run into that.
formula drawing::risky_function(const formula& u) {
  switch (below(6)) {
    case 0: return number("1") / u;
    case 1: return call("log", log, u);
    case 2: return call("tan", tan, u);
    case 3: return call("sqrt", sqrt, u);
    case 4: return power(u, "(-2)", -2);
    default: return call("asin", asin, u / number("3"));
  }
}

formula drawing::nested_function(const formula& u) {
  const formula inner = chance(30) ? some_function(u, false) : constant(0.5L, 2) * u;
  if (chance(6)) return risky_function(inner);
  return some_function(inner, chance(40));
}

formula drawing::positive_function(const formula& u) {
  switch (below(6)) {
    case 0: return square(u);
    case 1: return square(call("sin", sin, u));
    case 2: return call("exp", exp, -square(u));
    case 3: return number("1") + number("0.8") * call("cos", cos, u);
    case 4: return number("1") / (number("1") + square(u));
    default: return call("abs", abs, u);
  }
}

// Something of position to take a function of.
formula drawing::argument() {
  const formula& q = q_[below(q_.size())];
  if (q_.size() == 1 || chance(40)) return chance(20) ? q - constant(-1, 1) : q;
  switch (below(3)) {
    case 0: return q_[0] - q_[1];
    case 1: return q_[0] + constant(0.3L, 1.5L) * q_[1];
    default: return q_[0] * q_[1];
  }
}

// Positive definite: masses of at least a half, coupled by less than that.
formula drawing::kinetic_energy() {
  formula result = number("0");
  for (std::size_t k = 0; k < q_.size(); ++k) {
    formula mass = constant(0.5L, 2);
    if (chance(50)) mass = mass + constant(0.1L, 1) * positive_function(argument());
    formula term = half * mass * square(v_[k]);
    if (chance(8)) term = mass * call("sqrt", sqrt, number("1") + square(v_[k]));
    if (chance(8)) term = term + constant(0.02L, 0.2L) * square(square(v_[k]));
    result = k == 0 ? term : result + term;
  }
  if (q_.size() == 2 && chance(40)) {
    result = result + number(digits(0.05L, 0.4L)) * call("cos", cos, argument()) * v_[0] * v_[1];
  }
  return result;
}

formula drawing::potential() {
  formula result = constant(0.2L, 4) * nested_function(argument());
  for (std::size_t terms = below(3); terms > 0; --terms) {
    result = result + constant(-1, 2) * nested_function(argument());
  }
  for (const formula& q : q_) {  // mostly, motions stay where they are
    if (chance(75)) result = result + constant(0.2L, 5) * half * square(q);
  }
  if (chance(10)) result = result + number(chance(50) ? "1000" : "-250");
  return result;
}

// A mass on a rod or a curve, by definitions and their time derivatives.
formula drawing::cartesian() {
  const formula l = constant(0.5L, 1.5L), m = constant(0.5L, 2), g = constant(1, 10);
  definitions_ = fmt::format("x = \"{0}*sin(q1)\"\ny = \"-{0}*cos(q1)\"\n", l.text);
  formula vx = l * call("cos", cos, q_[0]) * v_[0], vy = l * call("sin", sin, q_[0]) * v_[0];
  formula y = -(l * call("cos", cos, q_[0]));
  if (q_.size() == 2) {
    definitions_ += "X = \"x + q2\"\n";
    vx = vx + v_[1];
  }
  vx.text = q_.size() == 2 ? "X'" : "x'";
  vy.text = "y'";
  y.text = "y";
  formula result = half * m * (square(vx) + square(vy)) - m * g * y;
  if (q_.size() == 2) {
    result = result + constant(0.5L, 2) * half * square(v_[1]) - constant(0.5L, 5) * square(q_[1]);
  }
  return result;
}

// Constant masses, and a potential of one or two simple terms: what looks like a linear system, and often is one.
formula drawing::plain() {
  formula result = half * constant(0.5L, 2) * square(v_[0]);
  if (q_.size() == 2) result = result + half * constant(0.5L, 2) * square(v_[1]);
  for (std::size_t terms = 1 + below(2); terms > 0; --terms) {
    const formula u = argument(), k = constant(0.3L, 3);
    switch (below(4)) {
      case 0: result = result - k * u; break;
      case 1: result = result - k * call("abs", abs, u); break;
      default: result = result - k * square(u);
    }
  }
  return result;
}

// Terms linear in the velocities: magnetic ones, and time derivatives of nothing but position.
void drawing::add_gyroscopic(formula& lagrangian) {
  const std::size_t k = below(v_.size());
  lagrangian = lagrangian + constant(-1, 1) * nested_function(q_[v_.size() - 1 - k]) * v_[k];
}

void drawing::add_time(formula& lagrangian) {
  time_ = true;
  const formula wave = call("cos", cos, constant(0.5L, 3) * t_);
  switch (below(3)) {
    case 0: lagrangian = lagrangian + constant(0.1L, 1) * wave * q_[0]; break;
    case 1: lagrangian = lagrangian + constant(0.1L, 0.5L) * wave * square(q_.back()); break;
    default: lagrangian = (number("1") + number("0.3") * wave) * lagrangian;
  }
}

formula drawing::force(std::size_t on) {
  const formula& v = v_[on];
  switch (below(7)) {
    case 0: return -(constant(0.05L, 0.5L) * v);
    case 1: return -(constant(0.05L, 0.5L) * v * call("abs", abs, v));
    case 2: return constant(0.1L, 1) * call("sin", sin, constant(0.5L, 3) * t_);
    case 3: return constant(-0.3L, 0.3L) * v_[v_.size() - 1 - on];
    case 4: return constant(-0.5L, 0.5L) * nested_function(argument());
    case 5: return constant(-0.5L, 0.5L) * call("sign", sign, chance(50) ? argument() : call("sin", sin, t_));
    default: return -(constant(0.05L, 0.3L) * call("tanh", tanh, number("5") * v));
  }
}

void drawing::draw_run() {
  static const char* const usual[] = {"simpson", "midpoint", "gauss-4", "gauss-8", "verlet", "lobatto-4"};
  static const char* const others[] = {"gauss-2", "gauss-3", "gauss-10",        "lobatto-3",        "lobatto-6",
                                       "rk4",     "euler-b", "energy-momentum", "energy-difference"};
  m_.method = chance(85) ? usual[below(std::size(usual))] : others[below(std::size(others))];
  m_.backend = chance(80) ? "auto" : "interpreter";
  static const char* const lengths[] = {"0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.4"};
  const std::string step = lengths[below(std::size(lengths))];
  m_.step = std::strtold(step.c_str(), nullptr);
  m_.steps = std::min<std::size_t>(1500, 1 + static_cast<std::size_t>(between(1, 12) / m_.step));
  m_.text += fmt::format("\n[run]\nmethod = \"{}\"\nstep = {}\nsteps = {}\n", m_.method, step, m_.steps);
}

std::string drawing::file_text() const {
  std::string text = fmt::format("name = \"random {}\"\ncoordinates = [{}]\nlagrangian = \"{}\"\n", m_.seed,
                                 m_.coordinates == 1 ? "\"q1\"" : "\"q1\", \"q2\"", m_.lagrangian.text);
  if (!parameters_.empty()) text += "\n[parameters]\n" + parameters_;
  if (!definitions_.empty()) text += "\n[definitions]\n" + definitions_;
  if (!m_.forces.empty()) text += "\n[forces]\n";
  for (std::size_t k = 0; k < m_.forces.size(); ++k) text += fmt::format("q{} = \"{}\"\n", k + 1, m_.forces[k].text);
  return text;
}

random_model drawing::model() {
  m_.coordinates = 1 + below(2);
  for (std::size_t k = 0; k < m_.coordinates; ++k) {
    q_.push_back(variable(fmt::format("q{}", k + 1), k));
    v_.push_back(variable(fmt::format("q{}'", k + 1), most_coordinates + k));
  }
  m_.lagrangian = chance(15) ? cartesian() : chance(12) ? plain() : kinetic_energy() - potential();
  if (chance(25)) add_gyroscopic(m_.lagrangian);
  if (chance(20)) add_time(m_.lagrangian);
  if (chance(25)) {
    for (std::size_t k = 0; k < m_.coordinates; ++k) m_.forces.push_back(force(k));
  }
  m_.conservative = !time_ && m_.forces.empty();
  m_.text = file_text();
  m_.from_momentum = chance(30);
  std::string position = "\n[initial.position]\n";
  std::string rate = m_.from_momentum ? "\n[initial.momentum]\n" : "\n[initial.velocity]\n";
  for (std::size_t k = 0; k < m_.coordinates; ++k) {
    const std::string q = digits(-1.5L, 1.5L), v = digits(-1.5L, 1.5L);
    m_.position.push_back(std::strtold(q.c_str(), nullptr));
    m_.rate.push_back(std::strtold(v.c_str(), nullptr));
    position += fmt::format("q{} = {}\n", k + 1, q);
    rate += fmt::format("q{} = {}\n", k + 1, v);
  }
  m_.text += position + rate;
  draw_run();
  return m_;
}

}  // namespace

random_model make_random_model(std::uint64_t seed) { return drawing(seed).model(); }

}  // namespace actio::random_models
