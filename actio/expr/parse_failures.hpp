// What the parser says where values do not fit together. Internal to expr/.
#pragma once

#include <string>
#include <vector>

#include "actio/expr/language.hpp"
#include "actio/expr/lexer.hpp"

namespace actio {

// A word as it is shown in a message: the names and numbers of generated input may be very long.
std::string shown(const token& word);

// None of the functions of this name takes what was given: wrong-argument-count, wrong-shape.
[[noreturn]] void fail_arguments(const lexer& words, const token& word,
                                 const std::vector<const language_function*>& candidates,
                                 const std::vector<expr_tuple>& given);
// Shapes that no sum, product or power has: wrong-shape.
[[noreturn]] void fail_sum(const lexer& words, const token& sign, const expr_tuple& left, const expr_tuple& right);
[[noreturn]] void fail_product(const lexer& words, const token& sign, const expr_tuple& left, const expr_tuple& right);
[[noreturn]] void fail_power(const lexer& words, const token& sign, const expr_tuple& base, const expr_tuple& exponent);

}  // namespace actio
