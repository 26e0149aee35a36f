// What the two printers share: precedence, the order of operands, and a walk without recursion. Internal to expr/.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"
#include "actio/expr/piecewise.hpp"

namespace actio {

// How tightly a printed expression holds together, from weakest to strongest.
enum class binding { sum, product, sign, power, atom };

// A piece of output: text, or an expression that must hold together at least so tightly where it stands.
struct piece {
  piece(std::string written) : text(std::move(written)) {}  // NOLINT(google-explicit-constructor)
  piece(const char* written) : text(written) {}             // NOLINT(google-explicit-constructor)
  piece(const expr& inner, binding least, bool condition = false)
      : e(inner), needed(least), as_condition(condition), is_text(false) {}

  std::string text;
  expr e;
  binding needed = binding::sum;
  bool as_condition = false;  // x >= 0 instead of step(x)
  bool is_text = true;
};

struct layout {
  std::vector<piece> pieces;
  binding strength = binding::atom;
};

// Writes `e` from the layouts of its parts, with brackets where a part is too weak for its place. Ends with "…" beyond
// max_printed_length.
std::string written(const expr& e, layout (*layout_of)(const expr&, bool as_condition), const char* open,
                    const char* close);

// What a condition is printed as: a comparison, or conditions that are joined.
struct printed_condition {
  enum class kind { at_least, less, at_most, greater, equal, unequal, conjunction, disjunction, denial } type;
  expr left, right;  // sides of a comparison; conditions otherwise, of a denial `left` alone
};
printed_condition printed_form(const expr& condition);

// Between the sides of a comparison and between conditions, and before what is denied, in the order of kinds.
using condition_signs = std::array<const char*, 9>;
layout condition_layout(const expr& condition, const condition_signs& signs);
// min or max where e is that of two values, otherwise no name.
std::string_view extremum_name(const conditional_parts& e);

// The operands of a sum or product in the order that needs fewest parentheses: x + (y + z) is the same node as
// (y + z) + x.
std::pair<const expr*, const expr*> printed_operands(const expr& e);

// The first factor of a product as printed; anything else is its own first factor.
const expr& first_factor(const expr& e);

// The name of a signal with a prime for each derivative.
std::string signal_name(const signal_part& part);

// How tightly the operation of `e` holds, unless it is a number.
binding binding_of(const expr& e);

}  // namespace actio
