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

constexpr condition_signs signs = {" >= ", " < ", " <= ", " > ", " == ", " != ", " and ", " or ", "not "};

layout function_layout(std::string name, const expr& a, const expr& b) {
  return {{std::move(name) + "(", {a, binding::sum}, ", ", {b, binding::sum}, ")"}, binding::atom};
}

layout conditional_layout(const expr& condition, const expr& a, const expr& b) {
  return {{"if(", {condition, binding::sum, true}, ", ", {a, binding::sum}, ", ", {b, binding::sum}, ")"},
          binding::atom};
}

layout bessel_layout(const expr& order, const expr& x) {
  if (order.is_zero() || order.is_one()) {
    return {{order.is_zero() ? "j0(" : "j1(", {x, binding::sum}, ")"}, binding::atom};
  }
  return function_layout("jn", order, x);
}

layout text_layout(const expr& e, bool as_condition) {
  if (as_condition) return condition_layout(e, signs);
  const auto operands = e.operands();
  switch (e.op()) {
    case operation::number: return number_layout(e.number());
    case operation::pi: return {{"pi"}, binding::atom};
    case operation::symbol: return {{e.name()}, binding::atom};
    case operation::negate: return {{"-", {operands[0], needed_after_sign(operands[0])}}, binding_of(e)};
    case operation::add: {
      if (const auto chosen = parts_of_conditional(e)) {
        const std::string name(extremum_name(*chosen));
        return name.empty() ? conditional_layout(chosen->condition, chosen->a, chosen->b)
                            : function_layout(name, chosen->a, chosen->b);
      }
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
    case operation::hypot: return function_layout(std::string(name_of(e.op())), operands[0], operands[1]);
    case operation::jn: return bessel_layout(operands[0], operands[1]);
    case operation::where: return conditional_layout(operands[0], operands[1], expr(0));
    case operation::lookup:
      return {{signal_name(operands[0].part()) + "(", {operands[1], binding::sum}, ")"}, binding::atom};
    case operation::table: return {{signal_name(e.part())}, binding::atom};
    default: return {{std::string(name_of(e.op())) + "(", {operands[0], binding::sum}, ")"}, binding::atom};
  }
}

}  // namespace

std::string to_text(const expr& e) { return written(e, text_layout, "(", ")"); }

}  // namespace actio
