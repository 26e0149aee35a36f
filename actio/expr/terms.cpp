#include "actio/expr/terms.hpp"

#include <utility>
#include <vector>

#include "actio/expr/walk.hpp"

namespace actio {

expr magnitude(const expr& e) {
  const walk order({&e, 1});
  std::vector<expr> sizes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const expr& node = order[i];
    const auto size = [&](std::size_t k) -> const expr& { return sizes[order.place_of(node.operands()[k])]; };
    switch (node.op()) {
      case operation::negate: sizes[i] = size(0); break;
      case operation::add:
      case operation::subtract: sizes[i] = size(0) + size(1); break;
      case operation::multiply: sizes[i] = size(0) * size(1); break;
      case operation::divide: sizes[i] = size(0) / abs(node.operands()[1]); break;
      case operation::power: {
        const expr& exponent = node.operands()[1];
        const bool is_whole = exponent.is_number() && denominator(exponent.number()) == 1;
        sizes[i] = is_whole ? pow(size(0), exponent) : abs(node);
        break;
      }
      default: sizes[i] = abs(node);
    }
  }
  return sizes.back();
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
