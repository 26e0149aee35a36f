#include "actio/backend/interval_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "actio/base/error.hpp"
#include "actio/expr/sample_table.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), pi = std::numbers::pi;
constexpr interval everything{-infinite, infinite};

bool is_nothing(const interval& x) { return !(x.low <= x.high); }

interval hull(const interval& a, const interval& b) {
  if (is_nothing(a)) return b;
  if (is_nothing(b)) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Infinite ends stand for numbers: zero times any of them is zero.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

interval multiplied(const interval& a, const interval& b) {
  const double ends[]{product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)};
  const auto [low, high] = std::ranges::minmax(ends);
  return {low, high};
}

interval even(const interval& x, double (*f)(double)) {  // of a function that rises with |x|
  const double a = f(std::abs(x.low)), b = f(std::abs(x.high));
  return {x.low <= 0 && x.high >= 0 ? f(0.0) : std::min(a, b), std::max(a, b)};
}

interval inverse(const interval& x) {
  if (x.low == 0 && x.high == 0) return everything;
  if (x.low < 0 && x.high > 0) return everything;
  if (x.low == 0) return {1 / x.high, infinite};
  if (x.high == 0) return {-infinite, 1 / x.low};
  return {1 / x.high, 1 / x.low};
}

template <class F>
interval rising(const interval& x, F&& f) {
  return {f(x.low), f(x.high)};
}

// Of a function that rises and has values in [low, high] alone.
template <class F>
interval rising_within(const interval& x, double low, double high, F&& f) {
  if (x.high < low || x.low > high) return everything;
  return {f(std::max(x.low, low)), f(std::min(x.high, high))};
}

interval sine(const interval& x) {
  if (!(x.high - x.low < 2 * pi)) return {-1, 1};
  const auto has = [&](double place) {  // place + 2πk
    return place + 2 * pi * std::ceil((x.low - place) / (2 * pi)) <= x.high;
  };
  const double a = std::sin(x.low), b = std::sin(x.high);
  return {has(-pi / 2) ? -1 : std::min(a, b), has(pi / 2) ? 1 : std::max(a, b)};
}

interval tangent(const interval& x) {
  if (!(x.high - x.low < pi)) return everything;
  const double pole = pi / 2 + pi * std::ceil((x.low - pi / 2) / pi);
  return pole <= x.high ? everything : rising(x, [](double y) { return std::tan(y); });
}

interval powered(const interval& base, const interval& exponent) {
  if (is_nothing(base) || is_nothing(exponent)) return everything;
  const double e = exponent.low;
  const bool is_whole = exponent.high == e && e == std::floor(e);
  if (is_whole && base.low < 0) {
    const interval size = even(base, [](double x) { return x; });
    const bool has_pole = e < 0 && base.high >= 0;
    if (std::fmod(e, 2) == 0) return powered(size, exponent);
    if (has_pole) return everything;
    return {std::pow(e < 0 ? base.high : base.low, e), std::pow(e < 0 ? base.low : base.high, e)};
  }
  const double low = std::max(base.low, 0.0), high = std::max(base.high, 0.0);
  const double ends[]{std::pow(low, e), std::pow(high, e), std::pow(low, exponent.high), std::pow(high, exponent.high)};
  const auto [least, most] = std::ranges::minmax(ends);
  return {least, most};
}

interval angle(const interval& y, const interval& x) {
  const bool meets_cut = x.low <= 0 && y.low <= 0 && y.high >= 0;
  if (meets_cut) return {-pi, pi};
  const double corners[]{std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
                         std::atan2(y.high, x.high)};
  const auto [low, high] = std::ranges::minmax(corners);
  return {low, high};
}

interval bessel_in(const interval& order, const interval& x) {  // neither |J_n| nor |J_n'| is more than one
  const double middle = x.low / 2 + x.high / 2, reach = (x.high - x.low) / 2;
  const double value = ::jn(static_cast<int>(order.low), middle);
  if (!std::isfinite(value) || !std::isfinite(reach)) return {-1, 1};
  return {std::max(-1.0, value - reach), std::min(1.0, value + reach)};
}

}  // namespace

double largest_in(const interval& x) {
  const double size = std::max(std::abs(x.low), std::abs(x.high));
  return size == size ? size : infinite;
}

interval_bounds::interval_bounds(program p) : code_(std::move(p)), registers_(code_.registers) {
  for (const program::constant& c : code_.constants) {
    const auto value = from_rational<double>(c.value);
    registers_[c.target] = {value, value};
  }
  for (const std::uint32_t r : code_.pi_registers) registers_[r] = {pi, pi};
  if (code_.parameters == 0) set_parameters({});
}

void interval_bounds::set_parameters(std::span<const double> values) {
  ACTIO_ASSERT(values.size() == code_.parameters);
  for (std::size_t k = 0; k < values.size(); ++k) registers_[k] = {values[k], values[k]};
  carry_out(code_.setup);
}

void interval_bounds::operator()(std::span<const interval> in, std::span<interval> out) {
  std::ranges::copy(in.first(code_.variables), registers_.begin() + static_cast<std::ptrdiff_t>(code_.parameters));
  carry_out(code_.body);
  for (std::size_t k = 0; k < code_.outputs.size(); ++k) out[k] = registers_[code_.outputs[k]];
}

// At the ends, at samples between them, and between these.
interval interval_bounds::looked_up_in(const interval& code, const interval& x) const {
  const auto value = [&](double at) { return looked_up(code.low, at); };
  interval found = hull({value(x.low), value(x.low)}, {value(x.high), value(x.high)});
  const auto part = static_cast<long long>(code.low);
  for (const auto& table : code_.tables) {
    if (table->code(0) != part - part % 4) continue;
    const std::vector<rational>& times = table->times();
    const auto at = [&](std::size_t k) { return from_rational<double>(times[k]); };
    std::size_t first = 0, count = times.size();
    while (count > 0) {  // the first sample behind the lower end
      const std::size_t half = count / 2;
      if (at(first + half) <= x.low) first += half + 1, count -= half + 1;
      else count = half;
    }
    double before = x.low;
    for (std::size_t k = first; k < times.size() && before < x.high; ++k) {
      const double end = std::min(at(k), x.high), between = value((before + end) / 2), there = value(end);
      found = hull(hull(found, {between, between}), {there, there});
      before = end;
    }
  }
  return found;
}

void interval_bounds::carry_out(std::span<const instruction> code) {
  for (const instruction& i : code) {
    const interval a = registers_[i.left], b = registers_[i.right];
    interval& to = registers_[i.target];
    const auto sum = [](double x, double y, double without) { return x + y == x + y ? x + y : without; };
    switch (i.op) {
      case operation::add: to = {sum(a.low, b.low, -infinite), sum(a.high, b.high, infinite)}; break;
      case operation::subtract: to = {sum(a.low, -b.high, -infinite), sum(a.high, -b.low, infinite)}; break;
      case operation::multiply:
        to = i.left == i.right ? even(a, [](double x) { return x * x; }) : multiplied(a, b);
        break;
      case operation::divide: to = multiplied(a, inverse(b)); break;
      case operation::negate: to = {-a.high, -a.low}; break;
      case operation::sqrt: to = rising_within(a, 0, infinite, [](double x) { return std::sqrt(x); }); break;
      case operation::exp: to = rising(a, [](double x) { return std::exp(x); }); break;
      case operation::log: to = rising_within(a, 0, infinite, [](double x) { return std::log(x); }); break;
      case operation::sin: to = sine(a); break;
      case operation::cos: to = sine({a.low + pi / 2, a.high + pi / 2}); break;
      case operation::tan: to = tangent(a); break;
      case operation::asin: to = rising_within(a, -1, 1, [](double x) { return std::asin(x); }); break;
      case operation::acos: {
        const interval down = rising_within(a, -1, 1, [](double x) { return -std::acos(x); });
        to = {-down.high, -down.low};
        break;
      }
      case operation::atan: to = rising(a, [](double x) { return std::atan(x); }); break;
      case operation::sinh: to = rising(a, [](double x) { return std::sinh(x); }); break;
      case operation::cosh: to = even(a, [](double x) { return std::cosh(x); }); break;
      case operation::tanh: to = rising(a, [](double x) { return std::tanh(x); }); break;
      case operation::abs: to = even(a, [](double x) { return x; }); break;
      case operation::sign: to = rising(a, [](double x) { return double(x > 0) - double(x < 0); }); break;
      case operation::step: to = rising(a, [](double x) { return x >= 0 ? 1.0 : 0.0; }); break;
      case operation::floor: to = rising(a, [](double x) { return std::floor(x); }); break;
      case operation::log1p: to = rising_within(a, -1, infinite, [](double x) { return std::log1p(x); }); break;
      case operation::expm1: to = rising(a, [](double x) { return std::expm1(x); }); break;
      case operation::erf: to = rising(a, [](double x) { return std::erf(x); }); break;
      case operation::power: to = powered(a, b); break;
      case operation::atan2: to = angle(a, b); break;
      case operation::hypot: {
        const interval x = even(a, [](double y) { return y; }), y = even(b, [](double z) { return z; });
        to = {std::hypot(x.low, y.low), std::hypot(x.high, y.high)};
        break;
      }
      case operation::jn: to = bessel_in(a, b); break;
      case operation::where: to = a.low == 0 && a.high == 0 ? interval{} : a.low == 1 ? b : hull({0, 0}, b); break;
      case operation::lookup: to = looked_up_in(a, b); break;
      case operation::negation:
      case operation::both:
      case operation::number:
      case operation::pi:
      case operation::symbol:
      case operation::table: ACTIO_ASSERT(false);
    }
    if (is_nothing(to)) to = everything;  // no value anywhere: nothing is known
  }
}

}  // namespace actio
