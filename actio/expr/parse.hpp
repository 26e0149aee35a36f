// Reading expressions: operators + - * / ^ (right-associative, above unary minus), parentheses, functions, primes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/expr/expr.hpp"

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
inline constexpr int max_nesting = 1000;
// Longest text of an expression that is accepted, in characters.
inline constexpr std::size_t max_expression_length = 1'000'000;

// The expression that `source` holds; `pi` is known, every other name goes to `resolve`.
// Throws input_error with ids: expression-syntax, unknown-function, wrong-argument-count, expression-too-deep,
// expression-too-long, number-out-of-range (a literal whose exponent is beyond ±1000 or with more than 10000 digits),
// division-by-zero (by what is the number 0 as written), and whatever `resolve` throws.
expr parse_expression(const source_text& source, const name_resolver& resolve);

// The names of functions that expressions may call.
const std::vector<std::string>& function_names();

}  // namespace actio
