#include "actio/expr/terms.hpp"

#include <utility>
#include <vector>

#include "actio/expr/derivative.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/walk.hpp"

namespace actio {

namespace {

// |∂f/∂x| of a function of one argument, at `at`.
expr slope_of(operation op, const expr& at) {
  const expr x = expr::symbol("(argument)");  // no name that a model can have
  return abs(substitute(derivative(expr::make(op, std::span(&x, 1)), x), {{x, at}}));
}

expr own_rounding(const expr& leaf) {
  if (!leaf.is_number()) return abs(leaf);
  const rational& value = leaf.number();
  return denominator(value) == 1 && abs(value) < rational(1 << 20) ? expr(0) : abs(leaf);  // exact in every scalar
}

}  // namespace

expr rounding_size(const expr& e) {
  const walk order({&e, 1});
  std::vector<expr> sizes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const expr& node = order[i];
    const auto operand = [&](std::size_t k) -> const expr& { return node.operands()[k]; };
    const auto size = [&](std::size_t k) -> const expr& { return sizes[order.place_of(operand(k))]; };
    switch (node.op()) {
      case operation::number:
      case operation::pi:
      case operation::symbol: sizes[i] = own_rounding(node); break;
      case operation::negate:
      case operation::abs: sizes[i] = size(0); break;
      case operation::table:
      case operation::sign:
      case operation::step:
      case operation::floor:
      case operation::negation:
      case operation::both: sizes[i] = 0; break;
      case operation::where: sizes[i] = where(operand(0), size(1)); break;
      case operation::hypot: sizes[i] = size(0) + size(1) + abs(node); break;
      case operation::jn: sizes[i] = size(1) + abs(node); break;  // |J_n'| ≤ 1
      case operation::lookup: {
        const signal_part& part = operand(0).part();
        sizes[i] = abs(expr::signal(part.samples, operand(1), part.order + 1)) * size(1) + abs(node);
        break;
      }
      case operation::add:
      case operation::subtract: sizes[i] = size(0) + size(1) + abs(node); break;
      case operation::multiply: sizes[i] = size(0) * abs(operand(1)) + abs(operand(0)) * size(1) + abs(node); break;
      case operation::divide: sizes[i] = (size(0) + abs(node) * size(1)) / abs(operand(1)) + abs(node); break;
      case operation::power:
        sizes[i] = operand(1).is_number() ? abs(operand(1) * pow(operand(0), operand(1) - 1)) * size(0) + abs(node)
                                          : abs(node) * (1 + size(0) + size(1));
        break;
      case operation::atan2: sizes[i] = abs(node) + 1; break;
      default: sizes[i] = slope_of(node.op(), operand(0)) * size(0) + abs(node);
    }
  }
  return sizes.back();
}

expr size_of_terms(const expr& e) {
  expr sum = 0;
  std::vector<expr> pending{e};
  while (!pending.empty()) {
    const expr term = std::move(pending.back());
    pending.pop_back();
    const bool is_sum =
        term.op() == operation::add || term.op() == operation::subtract || term.op() == operation::negate;
    if (is_sum) pending.insert(pending.end(), term.operands().begin(), term.operands().end());
    else sum += abs(term);
  }
  return sum;
}

split_sum split_constant(const expr& e, std::span<const expr> variables) {
  const walk order({&e, 1});
  std::vector<char> varies(order.size(), 0);
  for (const expr& x : variables) {
    if (const std::uint32_t place = order.place_of(x); place != walk::nowhere) varies[place] = 1;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const expr& operand : order[i].operands()) varies[i] |= varies[order.place_of(operand)];
  }
  split_sum result{0, 0};
  std::vector<std::pair<expr, bool>> pending{{e, false}};  // terms, and whether they are subtracted
  while (!pending.empty()) {
    const auto [term, minus] = std::move(pending.back());
    pending.pop_back();
    const bool is_sum = term.op() == operation::add || term.op() == operation::subtract;
    if (varies[order.place_of(term)] && is_sum) {
      pending.emplace_back(term.operands()[1], minus != (term.op() == operation::subtract));
      pending.emplace_back(term.operands()[0], minus);
    } else if (varies[order.place_of(term)] && term.op() == operation::negate) {
      pending.emplace_back(term.operands()[0], !minus);
    } else {
      expr& part = varies[order.place_of(term)] ? result.varying : result.constant;
      part = minus ? part - term : part + term;
    }
  }
  if (result.constant.is_zero()) result.varying = e;
  return result;
}

}  // namespace actio
