#include "actio/expr/parse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/expr/parser.hpp"

namespace actio {

namespace {

expr_tuple parsed(const source_text& source, const tuple_names& names) {
  const auto characters = std::count_if(source.text.begin(), source.text.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (static_cast<std::size_t>(characters) > max_expression_length) {
    const std::string role = source.role.empty() ? "the expression" : source.role;
    throw input_error("expression-too-long", fmt::format("{} has {} characters", role, characters), source.place_at(0),
                      fmt::format("at most {} are allowed; split it into definitions", max_expression_length));
  }
  return parser(source, names).whole();
}

[[noreturn]] void throw_wrong_shape(const source_text& source, std::string_view wanted, const expr_tuple& found,
                                    const char* cure) {
  throw input_error("wrong-shape",
                    fmt::format("{} must be {}, but is {}", source.role.empty() ? "the expression" : source.role,
                                wanted, name_of(found.shape())),
                    source.place_at(0), cure);
}

}  // namespace

expr_tuple parse_tuple(const source_text& source, const tuple_names& names) {
  expr_tuple result = parsed(source, names);
  if (result.is_condition()) throw_wrong_shape(source, "a value", result, "choose a value by it: if(c, a, b)");
  return result;
}

expr parse_condition(const source_text& source, const tuple_names& names) {
  const expr_tuple result = parsed(source, names);
  if (!result.is_condition()) throw_wrong_shape(source, "a condition", result, "compare, as in x > 0");
  return result.scalar();
}

expr parse_scalar(const source_text& source, const tuple_names& names) {
  const expr_tuple value = parse_tuple(source, names);
  if (value.is_scalar()) return value.scalar();
  throw_wrong_shape(source, "a scalar", value, "take a component such as .x, or a length norm(...)");
}

expr parse_expression(const source_text& source, const name_resolver& resolve) {
  const auto no_rate = [](const expr&, const parsed_name& what) -> expr {
    throw input_error("name-not-allowed",
                      fmt::format("'{}' needs a time derivative, which nothing has here", what.name), what.place,
                      "write the derivatives out");
  };
  return parse_scalar(source, {[&](const parsed_name& name) { return expr_tuple(resolve(name)); }, no_rate});
}

std::vector<parsed_name> names_in(const source_text& source) {
  std::vector<parsed_name> names;
  lexer words(source);
  token before, word = words.next();
  while (word.type != token::kind::end) {
    const token next = words.next();
    const bool is_component = before.type == token::kind::point, is_call = next.type == token::kind::open;
    if (word.type == token::kind::name && !is_component && !is_call) {
      const std::size_t length = word.text.size() - static_cast<std::size_t>(word.primes);
      names.push_back({std::string(word.text.substr(0, length)), word.primes, words.place_of(word)});
    }
    before = word;
    word = next;
  }
  return names;
}

}  // namespace actio
