// The local rules by which expressions are built.
//
// A node is interned only where no rule applies to its operation and operands, and the rules look at nothing else:
// making an existing node again gives that node, which is what printing and parsing back rely on. Every non-zero
// expression is seen as c*r with a rational coefficient c and a rest r (`split`); `scaled` puts the two together.
// Rules look one or two levels down, never further, so that building costs constant time and stack.
#include <algorithm>
#include <array>
#include <optional>

#include "actio/base/error.hpp"
#include "actio/expr/node_pool.hpp"

namespace actio {

namespace {

constexpr std::size_t most_bits = 4096;

// Without copies, which Boost's functions of these names make.
const mp::cpp_int& numerator_of(const rational& value) { return value.backend().data().numerator(); }
const mp::cpp_int& denominator_of(const rational& value) { return value.backend().data().denominator(); }

std::size_t bits(const rational& value) {
  const auto bits_of = [](const mp::cpp_int& n) { return n.is_zero() ? 0 : mp::msb(mp::abs(n)) + 1; };
  return std::max(bits_of(numerator_of(value)), bits_of(denominator_of(value)));
}

bool is_integer(const rational& value) { return denominator_of(value) == 1; }
// Comparing a rational with a number would divide.
bool equals(const rational& value, int number) { return is_integer(value) && numerator_of(value) == number; }
bool is_unit(const rational& value) { return equals(value, 1) || equals(value, -1); }
bool is_negative(const rational& value) { return value.sign() < 0; }
rational with_sign_of(const rational& unit, const rational& value) {
  return is_negative(unit) ? rational(-value) : value;
}

std::optional<rational> within_limit(const rational& value) {
  if (bits(value) > most_bits) return std::nullopt;
  return value;
}

bool both_small(const rational& a, const rational& b) { return bits(a) <= most_bits && bits(b) <= most_bits; }

// Exact results, where they are not too large. Signs, reciprocals and quotients of integers never grow, so they are
// folded at any size: then every number that can be printed as p/q is read back as one number.
std::optional<rational> folded_sum(const rational& a, const rational& b) {
  if (!both_small(a, b)) return std::nullopt;
  if (is_integer(a) && is_integer(b)) return within_limit(rational(numerator_of(a) + numerator_of(b)));
  return within_limit(a + b);
}

std::optional<rational> folded_product(const rational& a, const rational& b) {
  if (is_unit(a)) return with_sign_of(a, b);
  if (is_unit(b)) return with_sign_of(b, a);
  if (!both_small(a, b)) return std::nullopt;
  // Integers are known to be too large without multiplying them.
  if (is_integer(a) && is_integer(b)) {
    if (bits(a) + bits(b) > most_bits + 1) return std::nullopt;
    return within_limit(rational(numerator_of(a) * numerator_of(b)));
  }
  return within_limit(a * b);
}

std::optional<rational> folded_quotient(const rational& a, const rational& b) {
  if (b.is_zero()) return std::nullopt;
  if (is_unit(b)) return with_sign_of(b, a);
  if (is_unit(a) || (is_integer(a) && is_integer(b))) return a / b;
  if (!both_small(a, b)) return std::nullopt;
  return within_limit(a / b);
}

std::optional<rational> folded_power(const rational& base, const mp::cpp_int& exponent) {
  if (exponent < 0) return std::nullopt;
  if (base.is_zero() || equals(base, 1)) return exponent.is_zero() ? rational(1) : base;
  if (equals(base, -1)) return exponent % 2 == 0 ? rational(1) : base;
  if (exponent > most_bits || bits(base) * static_cast<std::size_t>(exponent) > most_bits) return std::nullopt;
  const auto n = static_cast<unsigned>(exponent);
  return rational(mp::pow(numerator_of(base), n), mp::pow(denominator_of(base), n));
}

std::optional<rational> folded_root(const rational& value) {
  if (is_negative(value) || bits(value) > most_bits) return std::nullopt;
  const mp::cpp_int p = mp::sqrt(numerator(value)), q = mp::sqrt(denominator(value));
  if (p * p != numerator(value) || q * q != denominator(value)) return std::nullopt;
  return rational(p, q);
}

const rational& one() {
  static const rational& value = *new rational(1);
  return value;
}

const rational& minus_one() {
  static const rational& value = *new rational(-1);
  return value;
}

// The coefficient belongs to the expression that was split, or is one() or minus_one().
struct scaled_rest {
  const rational& coefficient;
  expr rest;
  bool has_coefficient() const { return !equals(coefficient, 1); }
};

bool is_reciprocal(const expr& e) { return e.op() == operation::divide && e.operands()[0].is_one(); }

bool has_coefficient(const expr& e) {
  switch (e.op()) {
    case operation::number: return !e.is_one();
    case operation::negate: return true;
    case operation::multiply: return e.operands()[0].is_number();
    case operation::divide: return e.operands()[0].is_number() && !e.operands()[0].is_one();
    default: return false;
  }
}

// e = coefficient * rest, where the rest has no coefficient of its own. Coefficients too large to be folded into one
// another stay nested, and such an expression is its own rest.
scaled_rest split(const expr& e) {
  if (e.is_number()) return {e.number(), expr(1)};
  if (!has_coefficient(e)) return {one(), e};
  const auto operands = e.operands();
  if (has_coefficient(operands.back()) || operands.back().is_number()) return {one(), e};
  switch (e.op()) {
    case operation::negate: return {minus_one(), operands[0]};
    case operation::multiply: return {operands[0].number(), operands[1]};
    default: return {operands[0].number(), expr(1) / operands[1]};
  }
}

bool is_integer_power(const expr& e) {
  return e.op() == operation::power && e.operands()[1].is_number() && is_integer(e.operands()[1].number());
}

// e = base^exponent with an integer exponent, perhaps 1.
const expr& base_of(const expr& e) { return is_integer_power(e) ? e.operands()[0] : e; }
mp::cpp_int exponent_of(const expr& e) {
  return is_integer_power(e) ? numerator_of(e.operands()[1].number()) : mp::cpp_int(1);
}

}  // namespace

class simplifier {
 public:
  static expr add(const expr& a, const expr& b);
  static expr subtract(const expr& a, const expr& b);
  static expr negate(const expr& a);
  static expr multiply(const expr& a, const expr& b);
  static expr divide(const expr& a, const expr& b);
  static expr power(const expr& base, const expr& exponent);
  static expr function(operation op, const expr& x);
  static expr atan2(const expr& y, const expr& x);
  static expr hypot(const expr& x, const expr& y);
  static expr jn(const expr& n, const expr& x);
  static expr where(const expr& condition, const expr& x);
  static expr both(const expr& a, const expr& b);
  static expr lookup(const expr& table, const expr& x) { return interned(operation::lookup, table, x); }

 private:
  static expr interned(operation op, const expr& a, const expr& b) {
    return expr::pool::instance().operation_node(op, a, b);
  }
  static expr interned(operation op, const expr& a) { return interned(op, a, a); }
  static expr scaled(const rational& c, const expr& r);
  static std::optional<expr> integer_power_rules(const expr& base, const mp::cpp_int& n);
  static std::optional<expr> function_of_number(operation op, const rational& x);
  static std::optional<expr> function_of_quarter_turns(operation op, const mp::cpp_int& turns);
};

// c*r in the form that every other way to write it takes.
expr simplifier::scaled(const rational& c, const expr& r) {
  if (c.is_zero()) return 0;
  if (equals(c, 1)) return r;
  if (r.is_one()) return expr(c);
  if (equals(c, -1)) return negate(r);
  const scaled_rest inner = split(r);
  if (inner.has_coefficient()) {
    if (const auto product = folded_product(c, inner.coefficient)) return scaled(*product, inner.rest);
  }
  if (is_reciprocal(r)) return interned(operation::divide, expr(c), r.operands()[1]);
  return interned(operation::multiply, expr(c), r);
}

expr simplifier::add(const expr& a, const expr& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const scaled_rest left = split(a), right = split(b);
  if (left.rest == right.rest) {
    if (const auto sum = folded_sum(left.coefficient, right.coefficient)) return scaled(*sum, left.rest);
  }
  const bool left_negative = is_negative(left.coefficient), right_negative = is_negative(right.coefficient);
  if (left_negative && right_negative) return negate(add(negate(a), negate(b)));
  if (right_negative) return subtract(a, negate(b));
  if (left_negative) return subtract(b, negate(a));
  return interned(operation::add, a, b);
}

expr simplifier::subtract(const expr& a, const expr& b) {
  if (a == b) return 0;
  if (b.is_zero()) return a;
  if (a.is_zero()) return negate(b);
  const scaled_rest left = split(a), right = split(b);
  if (left.rest == right.rest) {
    if (const auto sum = folded_sum(left.coefficient, rational(-right.coefficient))) return scaled(*sum, left.rest);
  }
  if (is_negative(right.coefficient)) return add(a, negate(b));
  if (is_negative(left.coefficient)) return negate(add(negate(a), b));
  return interned(operation::subtract, a, b);
}

expr simplifier::negate(const expr& a) {
  if (a.is_number()) return expr(rational(-a.number()));
  if (a.op() == operation::negate) return a.operands()[0];
  if (a.op() == operation::subtract) return interned(operation::subtract, a.operands()[1], a.operands()[0]);
  if (is_reciprocal(a)) return interned(operation::divide, expr(-1), a.operands()[1]);
  const scaled_rest parts = split(a);
  if (parts.has_coefficient()) return scaled(rational(-parts.coefficient), parts.rest);
  return interned(operation::negate, a);
}

expr simplifier::multiply(const expr& a, const expr& b) {
  if (a.is_zero() || b.is_zero()) return 0;
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  const scaled_rest left = split(a), right = split(b);
  if (left.has_coefficient() || right.has_coefficient()) {
    if (const auto product = folded_product(left.coefficient, right.coefficient)) {
      return scaled(*product, multiply(left.rest, right.rest));
    }
  }
  if (is_reciprocal(b)) return divide(a, b.operands()[1]);
  if (is_reciprocal(a)) return divide(b, a.operands()[1]);
  if (base_of(a) == base_of(b)) return power(base_of(a), expr(rational(exponent_of(a) + exponent_of(b))));
  return b.is_number() && !a.is_number() ? interned(operation::multiply, b, a) : interned(operation::multiply, a, b);
}

expr simplifier::divide(const expr& a, const expr& b) {
  if (b.is_zero()) return interned(operation::divide, a, b);
  if (a.is_zero()) return 0;
  if (b.is_one()) return a;
  if (a == b) return 1;
  const scaled_rest above = split(a), below = split(b);
  if (above.has_coefficient() || below.has_coefficient()) {
    if (const auto quotient = folded_quotient(above.coefficient, below.coefficient)) {
      return scaled(*quotient, divide(above.rest, below.rest));
    }
  }
  if (is_reciprocal(b)) return multiply(a, b.operands()[1]);
  if (is_reciprocal(a)) return divide(1, multiply(a.operands()[1], b));
  if (a.is_one() && b.op() == operation::divide) return divide(b.operands()[1], b.operands()[0]);
  if (base_of(a) == base_of(b)) return power(base_of(a), expr(rational(exponent_of(a) - exponent_of(b))));
  return interned(operation::divide, a, b);
}

expr simplifier::power(const expr& base, const expr& exponent) {
  if (base.is_one() || exponent.is_zero()) return 1;
  if (!exponent.is_number()) return interned(operation::power, base, exponent);
  const rational& n = exponent.number();
  if (equals(n, 1)) return base;
  if (is_negative(n)) return divide(1, power(base, expr(rational(-n))));
  if (base.is_zero()) return 0;
  if (numerator_of(n) == 1 && denominator_of(n) == 2) return function(operation::sqrt, base);
  if (is_integer(n)) {
    if (const auto result = integer_power_rules(base, numerator_of(n))) return *result;
  }
  return interned(operation::power, base, exponent);
}

// base^n for an integer n > 1, where a rule says more than that.
std::optional<expr> simplifier::integer_power_rules(const expr& base, const mp::cpp_int& n) {
  const scaled_rest parts = split(base);
  if (parts.has_coefficient()) {
    const auto coefficient = folded_power(parts.coefficient, n);
    if (!coefficient) return std::nullopt;
    return scaled(*coefficient, power(parts.rest, expr(rational(n))));
  }
  if (is_reciprocal(base)) return divide(1, power(base.operands()[1], expr(rational(n))));
  const bool even = n % 2 == 0;
  if (base.op() == operation::sqrt && even) return power(base.operands()[0], expr(rational(n / 2)));
  if (base.op() == operation::abs && even) return power(base.operands()[0], expr(rational(n)));
  if (base.op() == operation::power && base.operands()[1].is_number()) {
    if (const auto product = folded_product(base.operands()[1].number(), n)) {
      return power(base.operands()[0], expr(*product));
    }
  }
  return std::nullopt;
}

expr simplifier::function(operation op, const expr& x) {
  if (x.is_number()) {
    if (const auto result = function_of_number(op, x.number())) return *result;
  }
  const scaled_rest parts = split(x);
  if (parts.rest.op() == operation::pi) {
    const rational turns = 2 * parts.coefficient;
    const auto result = is_integer(turns) ? function_of_quarter_turns(op, numerator_of(turns)) : std::nullopt;
    if (result) return *result;
  }
  const bool negative = is_negative(parts.coefficient);
  switch (op) {
    case operation::negate: return negate(x);
    case operation::sin:
    case operation::tan:
    case operation::asin:
    case operation::atan:
    case operation::sinh:
    case operation::tanh:
    case operation::erf:
    case operation::sign:
      if (negative) return negate(function(op, negate(x)));
      break;
    case operation::step:  // a positive factor does not matter
      if (!is_unit(parts.coefficient)) return function(op, negative ? negate(parts.rest) : parts.rest);
      break;
    case operation::negation:
      if (x.op() == operation::negation) return x.operands()[0];
      break;
    case operation::cos:
    case operation::cosh:
      if (negative) return function(op, negate(x));
      break;
    case operation::abs:
      if (x.op() == operation::abs) return x;
      if (negative) return function(op, negate(x));
      break;
    default: break;
  }
  return interned(op, x);
}

std::optional<expr> simplifier::function_of_number(operation op, const rational& x) {
  switch (op) {
    case operation::sqrt:
      if (const auto root = folded_root(x)) return expr(*root);
      break;
    case operation::abs: return expr(rational(abs(x)));
    case operation::sign: return expr(x.sign());
    case operation::step: return expr(x.sign() >= 0 ? 1 : 0);
    case operation::negation: return expr(x.is_zero() ? 1 : 0);
    case operation::floor: {
      const mp::cpp_int towards_zero = numerator_of(x) / denominator_of(x);
      return expr(rational(is_negative(x) && !is_integer(x) ? mp::cpp_int(towards_zero - 1) : towards_zero));
    }
    case operation::exp:
    case operation::cos:
    case operation::cosh:
      if (x.is_zero()) return 1;
      break;
    case operation::log:
    case operation::acos:
      if (equals(x, 1)) return 0;
      break;
    case operation::sin:
    case operation::tan:
    case operation::asin:
    case operation::atan:
    case operation::sinh:
    case operation::tanh:
    case operation::erf:
    case operation::expm1:
    case operation::log1p:
      if (x.is_zero()) return 0;
      break;
    default: break;
  }
  return std::nullopt;
}

// sin, cos and tan of turns*pi/2: exactly 0 or ±1, where a rounded pi would leave 1e-16.
std::optional<expr> simplifier::function_of_quarter_turns(operation op, const mp::cpp_int& turns) {
  static constexpr std::array<int, 4> sine = {0, 1, 0, -1};
  const int quarter = static_cast<int>(((turns % 4) + 4) % 4);
  switch (op) {
    case operation::sin: return sine[static_cast<std::size_t>(quarter)];
    case operation::cos: return sine[static_cast<std::size_t>((quarter + 1) % 4)];
    case operation::tan:
      if (quarter % 2 == 0) return 0;
      break;
    default: break;
  }
  return std::nullopt;
}

expr simplifier::atan2(const expr& y, const expr& x) {
  if (y.is_zero() && x.is_number() && x.number().sign() > 0) return 0;
  return interned(operation::atan2, y, x);
}

expr simplifier::hypot(const expr& x, const expr& y) {
  if (x.is_zero()) return function(operation::abs, y);
  if (y.is_zero()) return function(operation::abs, x);
  if (is_negative(split(x).coefficient)) return hypot(negate(x), y);
  if (is_negative(split(y).coefficient)) return hypot(x, negate(y));
  if (x.is_number() && y.is_number()) {
    const auto square = folded_sum(x.number() * x.number(), y.number() * y.number());
    const auto root = square ? folded_root(*square) : std::nullopt;
    if (root) return expr(*root);
  }
  return interned(operation::hypot, x, y);
}

expr simplifier::jn(const expr& n, const expr& x) {
  ACTIO_ASSERT(n.is_number() && is_integer(n.number()) && !is_negative(n.number()));
  if (x.is_zero()) return n.is_zero() ? 1 : 0;
  if (is_negative(split(x).coefficient)) {
    const expr mirrored = jn(n, negate(x));
    return numerator_of(n.number()) % 2 == 0 ? mirrored : negate(mirrored);
  }
  return interned(operation::jn, n, x);
}

expr simplifier::where(const expr& condition, const expr& x) {
  if (condition.is_number()) return condition.is_zero() ? expr(0) : x;
  if (x.is_zero()) return 0;
  if (x.op() == operation::where && x.operands()[0] == condition) return x;
  return interned(operation::where, condition, x);
}

expr simplifier::both(const expr& a, const expr& b) {
  if (a.is_number()) return a.is_zero() ? expr(0) : b;
  if (b.is_number()) return b.is_zero() ? expr(0) : a;
  return a == b ? a : interned(operation::both, a, b);
}

expr expr::make(operation op, std::span<const expr> operands) {
  ACTIO_ASSERT(operand_count(op) > 0 && operands.size() == static_cast<std::size_t>(operand_count(op)));
  switch (op) {
    case operation::add: return simplifier::add(operands[0], operands[1]);
    case operation::subtract: return simplifier::subtract(operands[0], operands[1]);
    case operation::multiply: return simplifier::multiply(operands[0], operands[1]);
    case operation::divide: return simplifier::divide(operands[0], operands[1]);
    case operation::power: return simplifier::power(operands[0], operands[1]);
    case operation::atan2: return simplifier::atan2(operands[0], operands[1]);
    case operation::hypot: return simplifier::hypot(operands[0], operands[1]);
    case operation::jn: return simplifier::jn(operands[0], operands[1]);
    case operation::where: return simplifier::where(operands[0], operands[1]);
    case operation::both: return simplifier::both(operands[0], operands[1]);
    case operation::lookup: return simplifier::lookup(operands[0], operands[1]);
    default: return simplifier::function(op, operands[0]);
  }
}

expr operator+(const expr& a, const expr& b) { return simplifier::add(a, b); }
expr operator-(const expr& a, const expr& b) { return simplifier::subtract(a, b); }
expr operator*(const expr& a, const expr& b) { return simplifier::multiply(a, b); }
expr operator/(const expr& a, const expr& b) { return simplifier::divide(a, b); }
expr operator-(const expr& a) { return simplifier::negate(a); }
expr pow(const expr& base, const expr& exponent) { return simplifier::power(base, exponent); }
expr sqrt(const expr& x) { return simplifier::function(operation::sqrt, x); }
expr exp(const expr& x) { return simplifier::function(operation::exp, x); }
expr log(const expr& x) { return simplifier::function(operation::log, x); }
expr sin(const expr& x) { return simplifier::function(operation::sin, x); }
expr cos(const expr& x) { return simplifier::function(operation::cos, x); }
expr tan(const expr& x) { return simplifier::function(operation::tan, x); }
expr asin(const expr& x) { return simplifier::function(operation::asin, x); }
expr acos(const expr& x) { return simplifier::function(operation::acos, x); }
expr atan(const expr& x) { return simplifier::function(operation::atan, x); }
expr atan2(const expr& y, const expr& x) { return simplifier::atan2(y, x); }
expr sinh(const expr& x) { return simplifier::function(operation::sinh, x); }
expr cosh(const expr& x) { return simplifier::function(operation::cosh, x); }
expr tanh(const expr& x) { return simplifier::function(operation::tanh, x); }
expr abs(const expr& x) { return simplifier::function(operation::abs, x); }
expr sign(const expr& x) { return simplifier::function(operation::sign, x); }
expr step(const expr& x) { return simplifier::function(operation::step, x); }
expr floor(const expr& x) { return simplifier::function(operation::floor, x); }
expr log1p(const expr& x) { return simplifier::function(operation::log1p, x); }
expr expm1(const expr& x) { return simplifier::function(operation::expm1, x); }
expr erf(const expr& x) { return simplifier::function(operation::erf, x); }
expr hypot(const expr& x, const expr& y) { return simplifier::hypot(x, y); }
expr jn(unsigned n, const expr& x) { return simplifier::jn(expr(static_cast<long long>(n)), x); }

}  // namespace actio
