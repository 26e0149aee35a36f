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
