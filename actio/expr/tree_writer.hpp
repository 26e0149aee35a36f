// What the two printers share: precedence, the order of operands, and a walk without recursion. Internal to expr/.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

// How tightly a printed expression holds together, from weakest to strongest.
enum class binding { sum, product, sign, power, atom };

// A piece of output: text, or an expression that must hold together at least so tightly where it stands.
struct piece {
  piece(std::string written) : text(std::move(written)) {}  // NOLINT(google-explicit-constructor)
  piece(const char* written) : text(written) {}             // NOLINT(google-explicit-constructor)
  piece(const expr& inner, binding least) : e(&inner), needed(least) {}

  std::string text;
  const expr* e = nullptr;
  binding needed = binding::sum;
};

struct layout {
  std::vector<piece> pieces;
  binding strength = binding::atom;
};

// Writes `e` from the layouts of its parts, with brackets where a part is too weak for its place. Ends with "…" beyond
// max_printed_length.
std::string written(const expr& e, layout (*layout_of)(const expr&), const char* open, const char* close);

// The operands of a sum or product in the order that needs fewest parentheses: x + (y + z) is the same node as
// (y + z) + x.
std::pair<const expr*, const expr*> printed_operands(const expr& e);

// The first factor of a product as printed; anything else is its own first factor.
const expr& first_factor(const expr& e);

// How tightly the operation of `e` holds, unless it is a number.
binding binding_of(const expr& e);

}  // namespace actio
