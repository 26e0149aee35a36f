// Expressions as LaTeX.
#include <algorithm>
#include <array>

#include "actio/expr/number_form.hpp"
#include "actio/expr/print.hpp"
#include "actio/expr/tree_writer.hpp"

namespace actio {

namespace {

constexpr std::array<std::string_view, 36> greek_letters = {
    "alpha",    "beta",  "gamma",   "delta",  "epsilon", "varepsilon", "zeta", "eta",   "theta",
    "vartheta", "iota",  "kappa",   "lambda", "mu",      "nu",         "xi",   "pi",    "rho",
    "sigma",    "tau",   "upsilon", "phi",    "varphi",  "chi",        "psi",  "omega", "Gamma",
    "Delta",    "Theta", "Lambda",  "Xi",     "Pi",      "Sigma",      "Phi",  "Psi",   "Omega"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '_') result += '\\';
    result += c;
  }
  return result;
}

// One word of a name: a Greek letter, a single letter, digits, or an upright word.
std::string word_to_latex(std::string_view word) {
  const bool greek = std::find(greek_letters.begin(), greek_letters.end(), word) != greek_letters.end();
  if (greek) return "\\" + std::string(word);
  if (character_count(word) <= 1 || std::all_of(word.begin(), word.end(), is_digit)) return escaped(word);
  return "\\mathrm{" + escaped(word) + "}";
}

std::string with_dots(const std::string& letter, std::size_t primes) {
  switch (primes) {
    case 0: return letter;
    case 1: return "\\dot{" + letter + "}";
    case 2: return "\\ddot{" + letter + "}";
    default: return "{" + letter + "}^{(" + std::to_string(primes) + ")}";
  }
}

std::string number_text(const number_form& form) {
  std::string text = form.digits;
  if (form.exponent != 0) text += " \\cdot 10^{" + std::to_string(form.exponent) + "}";
  if (!form.denominator.empty()) text = "\\frac{" + text + "}{" + form.denominator + "}";
  return text;
}

layout number_layout(const rational& value) {
  const number_form form = form_of(value);
  const bool compound = form.exponent != 0 || !form.denominator.empty();
  const binding strength = compound ? binding::product : form.negative ? binding::sign : binding::atom;
  return {{(form.negative ? "-" : "") + number_text(form)}, strength};
}

std::string function_command(operation op) {
  switch (op) {
    case operation::asin: return "\\arcsin";
    case operation::acos: return "\\arccos";
    case operation::atan: return "\\arctan";
    case operation::sign: return "\\operatorname{sgn}";
    case operation::atan2:
    case operation::hypot:
    case operation::step:
    case operation::log1p:
    case operation::expm1:
    case operation::erf: return "\\operatorname{" + std::string(name_of(op)) + "}";
    default: return "\\" + std::string(name_of(op));
  }
}

// Functions whose powers are written \sin^{2}.
bool takes_exponent_before_argument(operation op) {
  switch (op) {
    case operation::sin:
    case operation::cos:
    case operation::tan:
    case operation::sinh:
    case operation::cosh:
    case operation::tanh: return true;
    default: return false;
  }
}

layout power_layout(const expr& base, const expr& exponent) {
  if (takes_exponent_before_argument(base.op()) && exponent.is_number()) {
    const std::string before = function_command(base.op()) + "^{";
    return {{before, {exponent, binding::sum}, "}\\left(", {base.operands()[0], binding::sum}, "\\right)"},
            binding::power};
  }
  return {{{base, binding::atom}, "^{", {exponent, binding::sum}, "}"}, binding::power};
}

// The quotient itself never needs brackets inside a product, unlike its text form; a power of it does.
layout divide_layout(const expr& above, const expr& below) {
  if (!above.is_number()) return {{"\\frac{", {above, binding::sum}, "}{", {below, binding::sum}, "}"}, binding::power};
  const number_form form = form_of(above.number());
  number_form numerator = form;
  numerator.denominator.clear();
  const std::string before = (form.negative ? "-\\frac{" : "\\frac{") + number_text(numerator) + "}{";
  const binding strength = form.negative ? binding::product : binding::power;
  if (form.denominator.empty()) return {{before, {below, binding::sum}, "}"}, strength};
  return {{before + form.denominator + " ", {below, binding::product}, "}"}, strength};
}

// A factor that begins with a digit needs a dot before it.
const char* times_before(const expr& factor) {
  const expr* first = &factor;
  while (first->op() == operation::multiply || first->op() == operation::power) {
    first = first->op() == operation::multiply ? printed_operands(*first).first : &first->operands()[0];
  }
  return first->is_number() ? " \\cdot " : " ";
}

constexpr condition_signs signs = {" \\ge ", " < ", " \\le ", " > ", " = ", " \\ne ", " \\land ", " \\lor ", "\\lnot "};

layout function_layout(const std::string& command, const expr& a, const expr& b) {
  return {{command + "\\left(", {a, binding::sum}, ", ", {b, binding::sum}, "\\right)"}, binding::atom};
}

// \left and \right keep it in one piece where formulas are broken into lines.
layout conditional_layout(const expr& condition, const expr& a, const expr& b) {
  return {{"\\left\\lbrace\\begin{array}{ll} ",
           {a, binding::sum},
           " & \\text{if } ",
           {condition, binding::sum, true},
           " \\\\ ",
           {b, binding::sum},
           " & \\text{otherwise} \\end{array}\\right."},
          binding::sum};
}

layout latex_layout(const expr& e, bool as_condition) {
  if (as_condition) return condition_layout(e, signs);
  const auto operands = e.operands();
  switch (e.op()) {
    case operation::number: return number_layout(e.number());
    case operation::pi: return {{"\\pi"}, binding::atom};
    case operation::symbol: return {{symbol_to_latex(e.name())}, binding::atom};
    case operation::negate: return {{"-", {operands[0], binding::product}}, binding_of(e)};
    case operation::sqrt: return {{"\\sqrt{", {operands[0], binding::sum}, "}"}, binding::atom};
    case operation::exp: return {{"e^{", {operands[0], binding::sum}, "}"}, binding::power};
    case operation::abs: return {{"\\left|", {operands[0], binding::sum}, "\\right|"}, binding::atom};
    case operation::add: {
      if (const auto chosen = parts_of_conditional(e)) {
        const std::string name(extremum_name(*chosen));
        return name.empty() ? conditional_layout(chosen->condition, chosen->a, chosen->b)
                            : function_layout("\\" + name, chosen->a, chosen->b);
      }
      const auto [a, b] = printed_operands(e);
      return {{{*a, binding::sum}, " + ", {*b, binding::product}}, binding::sum};
    }
    case operation::subtract:
      return {{{operands[0], binding::sum}, " - ", {operands[1], binding::product}}, binding::sum};
    case operation::multiply: {
      const auto [a, b] = printed_operands(e);
      const bool number_first = a->is_number();
      return {{{*a, binding::product}, times_before(*b), {*b, number_first ? binding::product : binding::power}},
              binding::product};
    }
    case operation::divide: return divide_layout(operands[0], operands[1]);
    case operation::power: return power_layout(operands[0], operands[1]);
    case operation::atan2:
    case operation::hypot: return function_layout(function_command(e.op()), operands[0], operands[1]);
    case operation::floor: return {{"\\left\\lfloor ", {operands[0], binding::sum}, " \\right\\rfloor"}, binding::atom};
    case operation::jn:
      return {{"J_{", {operands[0], binding::sum}, "}\\left(", {operands[1], binding::sum}, "\\right)"}, binding::atom};
    case operation::where: return conditional_layout(operands[0], operands[1], expr(0));
    case operation::lookup:
      return {{symbol_to_latex(signal_name(operands[0].part())) + "\\left(", {operands[1], binding::sum}, "\\right)"},
              binding::atom};
    case operation::table: return {{symbol_to_latex(signal_name(e.part()))}, binding::atom};
    default: return {{function_command(e.op()) + "\\left(", {operands[0], binding::sum}, "\\right)"}, binding::atom};
  }
}

}  // namespace

std::string symbol_to_latex(std::string_view name) {
  const std::size_t end = name.find_last_not_of('\'') + 1;
  const std::size_t primes = name.size() - end;
  name = name.substr(0, end);
  std::size_t split = name.find_first_of("_.", 1);
  std::string_view index;
  if (split != std::string_view::npos && split + 1 < name.size()) {
    index = name.substr(split + 1);
  } else {
    split = name.size();
    while (split > 1 && is_digit(name[split - 1])) --split;
    index = name.substr(split);
  }
  const std::string letter = with_dots(word_to_latex(name.substr(0, split)), primes);
  return index.empty() ? letter : letter + "_{" + word_to_latex(index) + "}";
}

std::string to_latex(const expr& e) { return written(e, latex_layout, "\\left(", "\\right)"); }

}  // namespace actio
