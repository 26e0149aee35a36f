// Expressions as text that parses back to the same node.
#include "actio/expr/print.hpp"

#include "actio/expr/number_form.hpp"
#include "actio/expr/tree_writer.hpp"

namespace actio {

namespace {

std::string unsigned_text(const number_form& form) {
  std::string text = form.digits;
  if (form.exponent != 0) text += "e" + std::to_string(form.exponent);
  if (!form.denominator.empty()) text += "/" + form.denominator;
  return text;
}

layout number_layout(const rational& value) {
  const number_form form = form_of(value);
  const binding strength = !form.denominator.empty() ? binding::product : form.negative ? binding::sign : binding::atom;
  return {{(form.negative ? "-" : "") + unsigned_text(form)}, strength};
}

// A rational factor may stand before a product without parentheses, because reading the product factor by factor
// carries it along; but two numbers in a row would be folded.
binding needed_after_number(const expr& rest) {
  return first_factor(rest).is_number() ? binding::atom : binding::product;
}

// The same holds for a sign, which a difference would take in as well: -(x - y) is read as y - x.
binding needed_after_sign(const expr& rest) {
  if (binding_of(rest) != binding::product) return binding::power;
  return first_factor(rest).op() == operation::subtract ? binding::atom : needed_after_number(rest);
}

layout multiply_layout(const expr& e) {
  const auto [a, b] = printed_operands(e);
  if (a->is_number()) return {{{*a, binding::product}, "*", {*b, needed_after_number(*b)}}, binding::product};
  return {{{*a, binding::product}, "*", {*b, binding::power}}, binding::product};
}

layout divide_layout(const expr& e) {
  const expr& above = e.operands()[0];
  const expr& below = e.operands()[1];
  if (above.is_number() && !first_factor(below).is_number()) {
    const number_form form = form_of(above.number());
    if (!form.denominator.empty()) {
      const std::string before = (form.negative ? "-" : "") + form.digits + "/(" + form.denominator + "*";
      return {{before, {below, binding::product}, ")"}, binding::product};
    }
  }
  return {{{above, binding::product}, "/", {below, binding::power}}, binding::product};
}

layout text_layout(const expr& e) {
  const auto operands = e.operands();
  switch (e.op()) {
    case operation::number: return number_layout(e.number());
    case operation::pi: return {{"pi"}, binding::atom};
    case operation::symbol: return {{e.name()}, binding::atom};
    case operation::negate: return {{"-", {operands[0], needed_after_sign(operands[0])}}, binding_of(e)};
    case operation::add: {
      const auto [a, b] = printed_operands(e);
      return {{{*a, binding::sum}, " + ", {*b, b->op() == operation::negate ? binding::power : binding::product}},
              binding::sum};
    }
    case operation::subtract:
      return {{{operands[0], binding::sum}, " - ", {operands[1], binding::product}}, binding::sum};
    case operation::multiply: return multiply_layout(e);
    case operation::divide: return divide_layout(e);
    case operation::power: return {{{operands[0], binding::atom}, "^", {operands[1], binding::power}}, binding::power};
    case operation::atan2:
      return {{"atan2(", {operands[0], binding::sum}, ", ", {operands[1], binding::sum}, ")"}, binding::atom};
    default: return {{std::string(name_of(e.op())) + "(", {operands[0], binding::sum}, ")"}, binding::atom};
  }
}

}  // namespace

std::string to_text(const expr& e) { return written(e, text_layout, "(", ")"); }

}  // namespace actio
