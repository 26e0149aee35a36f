// Reading expressions: operators + - * / ^ (right-associative, above unary minus), parentheses, functions, primes,
// components of vectors and quaternions (v.x), degrees (30 deg), conditions (a < b and not c), signals, members q[i]
// and sums over indices (indices.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/expr/expr.hpp"
#include "actio/expr/expr_tuple.hpp"
#include "actio/expr/indices.hpp"
#include "actio/expr/symbolic_sums.hpp"

namespace actio {

// A name in an expression with the number of primes behind it (x1'' has 2), and where it stands.
struct parsed_name {
  std::string name;
  int primes = 0;
  source_place place;
};

// Gives the meaning of a name; throws input_error("unknown-name") for one it does not know.
using name_resolver = std::function<expr(const parsed_name&)>;

// Deepest nesting of parentheses, signs and powers that is accepted.
inline constexpr int max_nesting = 250;
// Longest text of an expression that is accepted, in characters.
inline constexpr std::size_t max_expression_length = 1'000'000;

// What the names of a text stand for, where they may be vectors and quaternions.
struct tuple_names {
  std::function<expr_tuple(const parsed_name&)> resolve;  // throws input_error("unknown-name")
  // The total time derivative of an expression in what `resolve` gives, for what is called `what.name`; throws
  // input_error where there is none.
  std::function<expr(const expr&, const parsed_name& what)> rate;
  // The signal of this name, called as NAME(x); null where there is none. May be left out.
  std::function<std::shared_ptr<const sample_table>(std::string_view)> signal = {};
  // Sizes and tables, and the indices that the text is read with; none where it is left out.
  const index_names* indices = nullptr;
  const index_binding* bound = nullptr;
  // Long sums are kept there; nullptr where all are written out.
  symbolic_sums* sums = nullptr;
};

// The scalar, vector or quaternion that `source` holds; `pi` is known, every other name goes to `names`. Names of
// functions that are not reserved (language.hpp) are functions only before a parenthesis, and free otherwise; so are
// deg, and, or and not where no value, unit or condition is expected.
// Throws input_error with ids: expression-syntax, unknown-function, wrong-argument-count, wrong-shape, bad-argument,
// unknown-component, expression-too-deep, expression-too-long, number-out-of-range (a literal whose exponent is beyond
// ±1000 or with more than 10000 digits), division-by-zero (by what is the number 0 as written), bad-index (no whole
// number, a range that is none, a row without the column), unknown-table, too-many-elements, and whatever `names`
// throw.
expr_tuple parse_tuple(const source_text& source, const tuple_names& names);

// The same where only a scalar has a meaning: wrong-shape for others.
expr parse_scalar(const source_text& source, const tuple_names& names);

// The condition that `source` holds, as an expression that is 0 or 1 (piecewise.hpp): wrong-shape for all else.
expr parse_condition(const source_text& source, const tuple_names& names);

// The same where all names are scalars that have no time derivatives but their primes.
expr parse_expression(const source_text& source, const name_resolver& resolve);

// Names in a text that are not called as functions, whatever they stand for. Throws expression-syntax for what is no
// word.
std::vector<parsed_name> names_in(const source_text& source);

}  // namespace actio
