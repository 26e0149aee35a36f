#include "actio/expr/branches.hpp"

#include <algorithm>
#include <string>

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
      case operation::sqrt:
      case operation::asin:
      case operation::acos: return next() * expr::make(e.op(), operands);
      case operation::exp:
      case operation::sinh:
      case operation::cosh:
      case operation::tanh: {
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
  expr_map<expr> of_argument_;
  expr scale_ = 0;
};

}  // namespace

branched_expressions with_free_signs(std::span<const expr> es, std::span<const expr> variables) {
  branched_expressions result;
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
