#include "actio/expr/parse_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace actio {

namespace {

std::string counted_arguments(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

// "a quaternion and two vectors"; functions of tuples have at most four arguments.
std::string shapes_text(std::span<const tuple_shape> shapes) {
  constexpr std::array<std::string_view, 5> counts = {"", "", "two", "three", "four"};
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < shapes.size(); begin = end) {
    while (end < shapes.size() && shapes[end] == shapes[begin]) ++end;
    const std::string one(name_of(shapes[begin]));
    if (!text.empty()) text += " and ";
    text += end - begin == 1 ? one : fmt::format("{}{}s", counts[end - begin], one.substr(one.find(' ')));
  }
  return text;
}

std::string alternatives(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& t : texts) text += (text.empty() ? "" : " or ") + t;
  return text;
}

}  // namespace

std::string shown(const token& word) {
  if (word.type == token::kind::end) return "the end";
  if (word.text.size() <= 60) return fmt::format("'{}'", word.text);
  std::size_t length = 57;
  while (length > 0 && (static_cast<unsigned char>(word.text[length]) & 0xC0U) == 0x80U) --length;
  return fmt::format("'{}...'", word.text.substr(0, length));
}

void fail_arguments(const lexer& words, const token& word, const std::vector<const language_function*>& candidates,
                    const std::vector<expr_tuple>& given) {
  std::vector<std::string> usages, counts, shapes;
  bool counts_fit = false, only_scalars = true;
  for (const language_function* f : candidates) {
    for (const tuple_shape shape : f->parameters) only_scalars = only_scalars && shape == tuple_shape::scalar;
    usages.emplace_back(f->usage);
    const bool many = f->type == language_function::kind::many;
    const std::string count = counted_arguments(static_cast<int>(f->parameters.size())) + (many ? " or more" : "");
    if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
    if (many ? given.size() < f->parameters.size() : f->parameters.size() != given.size()) continue;
    counts_fit = true;
    shapes.push_back(many ? "scalars" : shapes_text(f->parameters));
  }
  const std::string usage = "write " + alternatives(usages);
  if (!counts_fit) {
    words.fail("wrong-argument-count",
               fmt::format("the function '{}' takes {}, found {}", word.text, alternatives(counts), given.size()), word,
               usage);
  }
  std::vector<tuple_shape> found;
  for (const expr_tuple& argument : given) found.push_back(argument.shape());
  std::string cure = usage;
  if (only_scalars) cure = word.text == "abs" ? "write norm(...) for a length" : "give one of its components";
  if (std::ranges::find(found, tuple_shape::condition) != found.end() && only_scalars) {
    cure = "choose a value by it: if(c, a, b)";
  }
  words.fail("wrong-shape",
             fmt::format("the function '{}' takes {}, found {}", word.text, alternatives(shapes), shapes_text(found)),
             word, cure);
}

void fail_sum(const lexer& words, const token& sign, const expr_tuple& left, const expr_tuple& right) {
  const bool plus = sign.type == token::kind::plus, scalar = left.is_scalar() || right.is_scalar();
  words.fail("wrong-shape",
             plus ? fmt::format("{} cannot be added to {}", name_of(right.shape()), name_of(left.shape()))
                  : fmt::format("{} cannot be taken from {}", name_of(right.shape()), name_of(left.shape())),
             sign,
             scalar ? "take a component of the other, such as .x"
                    : "write quaternion(v) for the quaternion without a scalar part");
}

void fail_product(const lexer& words, const token& sign, const expr_tuple& left, const expr_tuple& right) {
  if (sign.type == token::kind::over) {
    words.fail("wrong-shape", fmt::format("{} cannot be divided by {}", name_of(left.shape()), name_of(right.shape())),
               sign,
               right.shape() == tuple_shape::quaternion ? "the inverse of Q is conjugate(Q)/dot(Q, Q)"
                                                        : "divide by a component or by its length norm(v)");
  }
  const bool vectors = left.shape() == right.shape();
  words.fail("wrong-shape", fmt::format("{} times {} has no meaning", name_of(left.shape()), name_of(right.shape())),
             sign,
             vectors ? "write dot(u, v) or cross(u, v)"
                     : "write rotate(Q, v) to turn a vector, or quaternion(v) to multiply with it");
}

void fail_power(const lexer& words, const token& sign, const expr_tuple& base, const expr_tuple& exponent) {
  if (base.is_scalar()) {
    words.fail("wrong-shape", fmt::format("{} cannot be an exponent", name_of(exponent.shape())), sign,
               "give one of its components");
  }
  words.fail("wrong-shape", fmt::format("{} has no powers", name_of(base.shape())), sign,
             base.shape() == tuple_shape::vector ? "the square of its length is dot(v, v)"
                                                 : "the square of its norm is dot(Q, Q)");
}

}  // namespace actio
