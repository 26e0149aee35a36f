#include "actio/expr/branches.hpp"

#include <algorithm>
#include <string>

#include "actio/expr/sample_table.hpp"
#include "actio/expr/walk.hpp"

namespace actio {

namespace {

// a^(1/2), a^(3/2), a^(1/4): both signs are roots.
bool is_even_root(const expr& e) {
  const expr& exponent = e.operands()[1];
  return exponent.is_number() && mp::denominator(exponent.number()) % 2 == 0;
}

class sign_maker {
 public:
  explicit sign_maker(branched_expressions& result) : result_(result) {}

  // The expression with its operands replaced by `operands`, in all its pieces.
  expr operator()(const expr& e, std::span<const expr> operands) {
    switch (e.op()) {
      case operation::abs: return of_argument(operands[0]) * operands[0];
      case operation::sign: result_.jumps.push_back(operands[0]); return of_argument(operands[0]);
      case operation::step: result_.jumps.push_back(operands[0]); return (1 + of_argument(operands[0])) / 2;
      case operation::floor: {
        result_.jumps.push_back(operands[0]);
        const auto [known, is_new] = of_floor_.try_emplace(operands[0]);
        if (is_new) known->second = next() + 2 * next() + 4 * next();
        return known->second;
      }
      case operation::sqrt:
      case operation::asin:
      case operation::acos: return next() * expr::make(e.op(), operands);
      case operation::exp:
      case operation::sinh:
      case operation::cosh:
      case operation::tanh:
      case operation::expm1:
      case operation::erf: {
        const expr smaller = scale() * operands[0];
        return expr::make(e.op(), std::span(&smaller, 1));
      }
      case operation::power:
        if (!operands[1].is_number()) return pow(operands[0], scale() * operands[1]);
        return is_even_root(e) ? next() * expr::make(e.op(), operands) : expr::make(e.op(), operands);
      default: return expr::make(e.op(), operands);
    }
  }

 private:
  expr next() {
    // No name of a model has a space in it.
    return result_.signs.emplace_back(expr::symbol("sign " + std::to_string(result_.signs.size() + 1)));
  }
  expr scale() {
    if (scale_.is_zero()) {
      const expr one = next(), two = next(), four = next();
      scale_ = pow(expr(64), one + 2 * two + 4 * four - 7);
    }
    return scale_;
  }
  expr of_argument(const expr& a) {
    const auto [known, is_new] = of_argument_.try_emplace(a);
    if (is_new) known->second = next();
    return known->second;
  }

  branched_expressions& result_;
  expr_map<expr> of_argument_, of_floor_;
  expr scale_ = 0;
};

}  // namespace

namespace {

// d^k/dx^k of 3/2 + sin(a x + b)/2, with a and b that belong to the signal.
expr generic_value(const signal_part& part, const expr& x) {
  const auto seed = static_cast<int>(part.samples->code(0) / 4 % 61);
  const expr a(rational(67 + seed, 64)), b(rational(11 + 7 * seed, 32)), at = a * x + b;
  expr result = expr(rational(3, 2)) + sin(at) / 2;
  if (part.order == 1) result = a * cos(at) / 2;
  if (part.order == 2) result = -a * a * sin(at) / 2;
  if (part.order == 3) result = -a * a * a * cos(at) / 2;
  return result;
}

}  // namespace

std::vector<expr> with_generic_signals(std::span<const expr> es) {
  const walk nodes(es);
  bool has_signals = false;
  for (std::size_t i = 0; i < nodes.size() && !has_signals; ++i) has_signals = nodes[i].op() == operation::lookup;
  if (!has_signals) return {es.begin(), es.end()};
  std::vector<expr> replaced(nodes.size()), operands;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    operands.clear();
    for (const expr& operand : nodes[i].operands()) operands.push_back(replaced[nodes.place_of(operand)]);
    if (nodes[i].op() == operation::lookup) replaced[i] = generic_value(operands[0].part(), operands[1]);
    else replaced[i] = operands.empty() ? nodes[i] : expr::make(nodes[i].op(), operands);
  }
  std::vector<expr> values;
  for (const expr& e : es) values.push_back(replaced[nodes.place_of(e)]);
  return values;
}

branched_expressions with_free_signs(std::span<const expr> given, std::span<const expr> variables) {
  branched_expressions result;
  const std::vector<expr> es = with_generic_signals(given);
  const walk nodes(es);
  std::vector<expr> replaced(nodes.size());
  std::vector<char> moves(nodes.size(), 0);
  for (const expr& v : variables) {
    if (const std::uint32_t at = nodes.place_of(v); at != walk::nowhere) moves[at] = 1;
  }
  sign_maker make(result);
  std::vector<expr> operands;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    operands.clear();
    for (const expr& operand : nodes[i].operands()) {
      const std::uint32_t at = nodes.place_of(operand);
      moves[i] = moves[i] != 0 || moves[at] != 0;
      operands.push_back(replaced[at]);
    }
    if (operands.empty() || moves[i] == 0) replaced[i] = nodes[i];
    else replaced[i] = make(nodes[i], operands);
  }
  for (const expr& e : es) result.values.push_back(replaced[nodes.place_of(e)]);
  return result;
}

}  // namespace actio
