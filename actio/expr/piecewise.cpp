#include "actio/expr/piecewise.hpp"

#include <array>

namespace actio {

namespace {

expr made(operation op, const expr& a, const expr& b) {
  const std::array operands{a, b};
  return expr::make(op, operands);
}

}  // namespace

expr negation(const expr& condition) { return expr::make(operation::negation, std::span(&condition, 1)); }
expr both(const expr& a, const expr& b) { return made(operation::both, a, b); }
expr either(const expr& a, const expr& b) { return negation(both(negation(a), negation(b))); }
expr is_at_least(const expr& a, const expr& b) { return step(a - b); }
expr is_less(const expr& a, const expr& b) { return negation(step(a - b)); }
expr is_equal(const expr& a, const expr& b) { return both(step(a - b), step(b - a)); }

expr where(const expr& condition, const expr& x) { return made(operation::where, condition, x); }

expr conditional(const expr& condition, const expr& a, const expr& b) {
  if (a == b) return a;
  return where(condition, a) + where(negation(condition), b);
}

expr min(const expr& a, const expr& b) { return conditional(is_at_least(b, a), a, b); }
expr max(const expr& a, const expr& b) { return conditional(is_at_least(a, b), a, b); }
expr clamp(const expr& x, const expr& low, const expr& high) {
  return conditional(is_less(x, low), low, conditional(is_less(high, x), high, x));
}
expr mod(const expr& a, const expr& b) { return a - b * floor(a / b); }

namespace {

// b of b ⌊…⌋, whatever the product was simplified to; nothing where there is no such factor.
std::optional<expr> factor_of_floor(const expr& product) {
  if (product.op() == operation::floor) return expr(1);
  const auto parts = product.operands();
  if (product.op() == operation::negate) {
    const auto inner = factor_of_floor(parts[0]);
    return inner ? std::optional(-*inner) : std::nullopt;
  }
  if (product.op() != operation::multiply) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    if (parts[k].op() == operation::floor) return parts[1 - k];
  }
  const auto inner = parts[0].is_number() ? factor_of_floor(parts[1]) : std::nullopt;  // one level: 2 (π ⌊…⌋)
  return inner ? std::optional(parts[0] * *inner) : std::nullopt;
}

}  // namespace

std::optional<mod_parts> parts_of_mod(const expr& e) {
  const bool is_negated = e.op() == operation::negate && e.operands()[0].op() == operation::add;
  const expr& sum = is_negated ? e.operands()[0] : e;
  if (sum.op() != operation::add && sum.op() != operation::subtract) return std::nullopt;
  const expr left = is_negated ? -sum.operands()[0] : sum.operands()[0];
  const bool subtracts = (sum.op() == operation::subtract) != is_negated;
  const expr right = subtracts ? -sum.operands()[1] : sum.operands()[1];
  for (const auto& [a, product] : {std::pair(left, right), std::pair(right, left)}) {
    const auto b = factor_of_floor(product);
    if (b && !b->is_zero() && mod(a, -*b) == e) return mod_parts{a, -*b};
  }
  return std::nullopt;
}

std::optional<conditional_parts> parts_of_conditional(const expr& e) {
  if (e.op() != operation::add) return std::nullopt;
  const expr &left = e.operands()[0], &right = e.operands()[1];
  if (left.op() != operation::where || right.op() != operation::where) return std::nullopt;
  const expr &of_left = left.operands()[0], &of_right = right.operands()[0];
  const auto denies = [](const expr& a, const expr& b) {
    return a.op() == operation::negation && a.operands()[0] == b;
  };
  if (denies(of_right, of_left)) return conditional_parts{of_left, left.operands()[1], right.operands()[1]};
  if (denies(of_left, of_right)) return conditional_parts{of_right, right.operands()[1], left.operands()[1]};
  return std::nullopt;
}

}  // namespace actio
