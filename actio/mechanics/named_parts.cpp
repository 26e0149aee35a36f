#include "actio/mechanics/named_parts.hpp"

#include <algorithm>

namespace actio {

namespace {

constexpr double long_text = 4000, long_part = 1000, worth_sharing = 40;  // leaves and operations of the tree
constexpr int deep = 100;                                                 // parentheses

struct extent {
  double size = 1;
  int depth = 0;
  bool is_long() const { return size > long_text || depth > deep; }
};

bool is_sum(const expr& e) { return e.op() == operation::add || e.op() == operation::subtract; }
bool is_product(const expr& e) { return e.op() == operation::multiply || e.op() == operation::divide; }

// Of a text in which sums and products go on to the right without parentheses.
extent extent_of(const expr& e, std::span<const extent> operands) {
  extent all;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const expr& operand = e.operands()[k];
    const bool goes_on = k == 0 && ((is_sum(e) && is_sum(operand)) || (is_product(e) && is_product(operand)));
    all.size += operands[k].size;
    all.depth = std::max(all.depth, operands[k].depth + (goes_on || operands[k].size == 1 ? 0 : 1));
  }
  return all;
}

}  // namespace

expr named_parts::shortened(const expr& e) {
  const std::vector<expr> order = topological_order(std::span(&e, 1));
  expr_map<extent> whole;
  expr_map<int> uses;
  for (const expr& node : order) {
    std::vector<extent> below;
    for (const expr& operand : node.operands()) {
      below.push_back(whole.at(operand));
      ++uses[operand];
    }
    whole[node] = extent_of(node, below);
  }
  if (!whole.at(e).is_long()) return e;
  expr_map<expr> short_forms;
  expr_map<extent> extents;  // of the short forms
  for (const expr& node : order) {
    std::vector<expr> operands;
    std::vector<extent> below;
    for (const expr& operand : node.operands()) {
      const extent& has = extents.at(operand);
      const bool is_condition = node.op() == operation::both || node.op() == operation::negation ||
                                (node.op() == operation::where && operands.empty());  // no definition can be one
      const bool is_part = !is_condition && (has.size > long_part || has.depth > deep / 2 ||
                                             (uses[operand] > 1 && has.size > worth_sharing));
      operands.push_back(is_part ? part_for(operand, short_forms.at(operand)) : short_forms.at(operand));
      below.push_back(is_part ? extent{} : has);
    }
    short_forms[node] = operands.empty() ? node : expr::make(node.op(), operands);
    extents[node] = extent_of(node, below);
  }
  return short_forms.at(e);
}

expr named_parts::part_for(const expr& e, const expr& short_form) {
  const auto found = known_.find(e);
  if (found != known_.end()) return found->second;
  std::string name;
  do {
    name = "part_" + std::to_string(++count_);
  } while (taken_.contains(name));
  new_.emplace_back(name, short_form);
  return known_.emplace(e, expr::symbol(name)).first->second;
}

}  // namespace actio
