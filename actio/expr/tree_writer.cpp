#include "actio/expr/tree_writer.hpp"

#include "actio/expr/print.hpp"
#include "actio/expr/sample_table.hpp"

namespace actio {

namespace {

bool is_sum(const expr& e) { return e.op() == operation::add || e.op() == operation::subtract; }

void cut(std::string& text) {
  std::size_t length = max_printed_length;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  text.resize(length);
  text += "…";
}

}  // namespace

std::string written(const expr& e, layout (*layout_of)(const expr&, bool), const char* open, const char* close) {
  std::string text;
  std::vector<piece> pending = {piece(e, binding::sum)};
  while (!pending.empty()) {
    const piece next = std::move(pending.back());
    pending.pop_back();
    if (next.is_text) {
      text += next.text;
      if (text.size() > max_printed_length) {
        cut(text);
        return text;
      }
      continue;
    }
    layout parts = layout_of(next.e, next.as_condition);
    const bool enclosed = parts.strength < next.needed;
    if (enclosed) pending.emplace_back(close);
    for (auto part = parts.pieces.rbegin(); part != parts.pieces.rend(); ++part) pending.push_back(std::move(*part));
    if (enclosed) pending.emplace_back(open);
  }
  return text;
}

namespace {

// The sides a and b of step(a − b).
std::pair<expr, expr> sides_of(const expr& e) {
  const expr& x = e.operands()[0];
  if (x.op() == operation::subtract) return {x.operands()[0], x.operands()[1]};
  if (x.op() == operation::negate) return {expr(0), x.operands()[0]};
  return {x, expr(0)};
}

bool is_equality(const expr& e) {
  if (e.op() != operation::both) return false;
  const expr &a = e.operands()[0], &b = e.operands()[1];
  return a.op() == operation::step && b.op() == operation::step && b == step(-a.operands()[0]);
}

}  // namespace

printed_condition printed_form(const expr& condition) {
  using kind = printed_condition::kind;
  const auto compared = [](kind type, const expr& e) {
    auto [a, b] = sides_of(e);
    if (!a.is_number() || type == kind::equal || type == kind::unequal) {
      return printed_condition{type, std::move(a), std::move(b)};
    }
    return printed_condition{type == kind::less ? kind::greater : kind::at_most, std::move(b), std::move(a)};
  };
  if (condition.op() == operation::step) return compared(kind::at_least, condition);
  if (is_equality(condition)) return compared(kind::equal, condition.operands()[0]);
  if (condition.op() == operation::both) {
    return {kind::conjunction, condition.operands()[0], condition.operands()[1]};
  }
  if (condition.op() != operation::negation) return {kind::unequal, condition, expr(0)};
  const expr& denied = condition.operands()[0];
  if (denied.op() == operation::step) return compared(kind::less, denied);
  if (is_equality(denied)) return compared(kind::unequal, denied.operands()[0]);
  const auto is_denial = [](const expr& e) { return e.op() == operation::negation; };
  if (denied.op() == operation::both && (is_denial(denied.operands()[0]) || is_denial(denied.operands()[1]))) {
    return {kind::disjunction, negation(denied.operands()[0]), negation(denied.operands()[1])};
  }
  return {kind::denial, denied, expr(0)};
}

std::string_view extremum_name(const conditional_parts& e) {
  if (e.condition == step(e.b - e.a)) return "min";
  return e.condition == step(e.a - e.b) ? "max" : "";
}

std::pair<const expr*, const expr*> printed_operands(const expr& e) {
  const expr& a = e.operands()[0];
  const expr& b = e.operands()[1];
  const bool swap = (e.op() == operation::add && is_sum(b) && !is_sum(a)) ||
                    (e.op() == operation::multiply && b.op() == operation::multiply && a.op() != operation::multiply &&
                     a.op() != operation::divide && !a.is_number());
  return swap ? std::pair(&b, &a) : std::pair(&a, &b);
}

const expr& first_factor(const expr& e) {
  const expr* first = &e;
  while (binding_of(*first) == binding::product) {
    first = first->op() == operation::negate ? &first->operands()[0] : printed_operands(*first).first;
  }
  return *first;
}

std::string signal_name(const signal_part& part) { return part.samples->name() + std::string(part.order, '\''); }

binding binding_of(const expr& e) {
  switch (e.op()) {
    case operation::add:
    case operation::subtract: return binding::sum;
    case operation::multiply:
    case operation::divide: return binding::product;
    case operation::negate: {
      const operation inner = e.operands()[0].op();
      return inner == operation::multiply || inner == operation::divide ? binding::product : binding::sign;
    }
    case operation::power: return binding::power;
    default: return binding::atom;
  }
}

layout condition_layout(const expr& condition, const condition_signs& signs) {
  using kind = printed_condition::kind;
  const printed_condition form = printed_form(condition);
  const char* const sign = signs[static_cast<std::size_t>(form.type)];
  switch (form.type) {
    case kind::conjunction:
      return {{{form.left, binding::product, true}, sign, {form.right, binding::power, true}}, binding::product};
    case kind::disjunction:
      return {{{form.left, binding::sum, true}, sign, {form.right, binding::product, true}}, binding::sum};
    case kind::denial: return {{sign, {form.left, binding::power, true}}, binding::power};
    default: return {{{form.left, binding::sum}, sign, {form.right, binding::sum}}, binding::power};
  }
}

}  // namespace actio
