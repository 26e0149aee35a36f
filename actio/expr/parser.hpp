// A recursive-descent parser, internal to expr/:
//   value      = conjunction {"or" conjunction}
//   conjunction = negation {"and" negation}
//   negation = {"not"} comparison
//   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum     = product {("+" | "-") product}
//   product = signed {("*" | "/") signed | "deg"}
//   signed  = {"+" | "-"} power
//   power   = part ["^" signed]
//   part    = primary {"." component}
//   primary = number | name | member | function "(" value {"," value} ")" | "sum" "(" range {"," range} "," value ")"
//           | "(" value ")"
//   member  = name "[" sum {"," sum} "]" {"'"}
//   range   = name "=" sum ".." sum | name "in" table
// It recurses only into parentheses and exponents, which max_nesting bounds. Conditions go through it as tuples of
// their own shape, which no operator takes for numbers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actio/expr/language.hpp"
#include "actio/expr/lexer.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/parse_failures.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/sample_table.hpp"

namespace actio {

class parser {
 public:
  parser(const source_text& source, const tuple_names& names) : source_(source), names_(names), lexer_(source) {
    if (names.bound != nullptr) bound_ = *names.bound;
  }

  expr_tuple whole() {
    take();
    if (current_.type == token::kind::end) {
      throw input_error("expression-syntax",
                        source_.role.empty() ? "the expression is empty" : source_.role + " is empty",
                        source_.place_at(0), "write an expression such as 1/2*x'^2");
    }
    expr_tuple result = value();
    if (current_.type != token::kind::end) fail_after_value();
    return result;
  }

  // A whole number, and a key such as "m[i = 1..n]" (indices.hpp).
  std::int64_t whole_number();
  indexed_key key();

 private:
  // Counts the nesting that its life adds.
  class nested {
   public:
    explicit nested(parser& owner) : owner_(owner) { owner_.deepen(1); }
    ~nested() { --owner_.nesting_; }
    nested(const nested&) = delete;
    nested& operator=(const nested&) = delete;

   private:
    parser& owner_;
  };

  void take() {
    previous_ = current_;
    current_ = lexer_.next();
  }

  bool at(token::kind type) const { return current_.type == type; }

  void deepen(int levels) {
    if (nesting_ + levels > max_nesting) {
      lexer_.fail("expression-too-deep", fmt::format("more than {} nested parentheses, signs and powers", max_nesting),
                  current_, "split the expression into definitions");
    }
    nesting_ += levels;
  }

  bool at_word(std::string_view word) const { return at(token::kind::name) && current_.text == word; }

  // Whether `not` stands here before what it denies, and is no name.
  bool at_negation() const {
    if (!at_word("not")) return false;
    lexer ahead = lexer_;
    const token next = ahead.next();
    const bool is_name = next.type == token::kind::name && next.text != "and" && next.text != "or";
    return is_name || next.type == token::kind::number || next.type == token::kind::open;
  }

  expr_tuple value() {
    return joined("or", either, [this] { return conjunction(); });
  }
  expr_tuple conjunction() {
    return joined("and", both, [this] { return negation(); });
  }

  template <class Part>
  expr_tuple joined(std::string_view word, expr (*join)(const expr&, const expr&), Part&& part) {
    expr_tuple result = part();
    while (at_word(word)) {
      const token between = current_;
      take();
      const expr_tuple other = part();
      require_condition(between, result);
      require_condition(between, other);
      result = expr_tuple::condition(join(result.scalar(), other.scalar()));
    }
    return result;
  }

  void require_condition(const token& word, const expr_tuple& given) {
    if (given.is_condition()) return;
    lexer_.fail("wrong-shape", fmt::format("{} takes conditions, found {}", shown(word), name_of(given.shape())), word,
                "compare, as in x > 0");
  }

  expr_tuple negation() {
    int denials = 0;
    token last;
    for (; at_negation(); ++denials) {
      deepen(1);
      last = current_;
      take();
    }
    expr_tuple result = comparison();
    nesting_ -= denials;
    if (denials == 0) return result;
    require_condition(last, result);
    return denials % 2 == 0 ? result : expr_tuple::condition(actio::negation(result.scalar()));
  }

  bool at_comparison() const { return current_.type >= token::kind::less && current_.type <= token::kind::unequal; }

  expr_tuple comparison() {
    const expr_tuple left = sum();
    if (!at_comparison()) return left;
    const token sign = current_;
    take();
    const expr_tuple right = sum();
    for (const expr_tuple* side : {&left, &right}) {
      if (side->is_scalar()) continue;
      lexer_.fail("wrong-shape", fmt::format("{} compares scalars, found {}", shown(sign), name_of(side->shape())),
                  sign, side->is_condition() ? "join conditions by and, or, not" : "compare components or lengths");
    }
    if (at_comparison()) {
      lexer_.fail("expression-syntax", "a comparison has two sides", current_, "write a < b and b < c");
    }
    return expr_tuple::condition(compared(sign.type, left.scalar(), right.scalar()));
  }

  static expr compared(token::kind sign, const expr& a, const expr& b) {
    switch (sign) {
      case token::kind::less: return is_less(a, b);
      case token::kind::at_most: return is_at_least(b, a);
      case token::kind::greater: return is_less(b, a);
      case token::kind::at_least: return is_at_least(a, b);
      case token::kind::equal: return is_equal(a, b);
      default: return actio::negation(is_equal(a, b));
    }
  }

  // A condition is no number.
  void require_number(const token& at, const expr_tuple& given) {
    if (!given.is_condition()) return;
    lexer_.fail("wrong-shape", "a condition is no number", at, "choose a value by it: if(c, a, b)");
  }

  expr_tuple sum() {
    expr_tuple result = product();
    while (at(token::kind::plus) || at(token::kind::minus)) {
      const token sign = current_;
      take();
      const expr_tuple term = product();
      require_number(sign, result);
      require_number(sign, term);
      const bool plus = sign.type == token::kind::plus;
      auto joined = plus ? actio::sum(result, term) : difference(result, term);
      if (!joined) fail_sum(lexer_, sign, result, term);
      result = std::move(*joined);
    }
    return result;
  }

  expr_tuple product() {
    expr_tuple result = signed_power();
    while (at(token::kind::times) || at(token::kind::over) || at_word("deg")) {
      const token sign = current_;
      take();
      if (sign.type == token::kind::name) {
        result = in_degrees(result, sign);
        continue;
      }
      const token first = current_;
      const expr_tuple factor = signed_power();
      require_number(sign, result);
      require_number(sign, factor);
      const bool times = sign.type == token::kind::times;
      if (!times && factor.is_scalar() && factor.scalar().is_zero()) fail_division(first);
      auto joined = times ? actio::product(result, factor) : quotient(result, factor);
      if (!joined) fail_product(lexer_, sign, result, factor);
      result = std::move(*joined);
    }
    return result;
  }

  // What stands before deg, as a product with its value in radians: 1/2 deg is half a degree.
  expr_tuple in_degrees(const expr_tuple& given, const token& unit) {
    require_number(unit, given);
    if (at(token::kind::power)) {
      lexer_.fail("expression-syntax", "a power of 'deg' is ambiguous", current_, "write (30 deg)^2 for the square");
    }
    return *actio::product(expr_tuple(expr::pi() / 180), given);
  }

  expr_tuple signed_power() {
    const token first = current_;
    int signs = 0;
    bool negative = false;
    for (; at(token::kind::plus) || at(token::kind::minus); ++signs) {
      deepen(1);
      negative = negative != at(token::kind::minus);
      take();
    }
    expr_tuple result = power();
    nesting_ -= signs;
    if (signs > 0) require_number(first, result);
    if (!negative) return result;
    return result.mapped([](const expr& part) { return -part; });
  }

  expr_tuple power() {
    const token first = current_;
    expr_tuple base = part();
    if (!at(token::kind::power)) return base;
    const nested level(*this);
    const token sign = current_;
    take();
    const expr_tuple exponent = signed_power();
    require_number(sign, base);
    require_number(sign, exponent);
    if (!base.is_scalar() || !exponent.is_scalar()) fail_power(lexer_, sign, base, exponent);
    const expr &b = base.scalar(), &e = exponent.scalar();
    if (b.is_zero() && e.is_number() && e.number() < 0) fail_division(first);
    return pow(b, e);
  }

  expr_tuple part() {
    expr_tuple result = primary();
    while (at(token::kind::point)) {
      take();
      const token word = current_;
      take();
      result = component(result, word);
    }
    return result;
  }

  // v.x, and v.x' for its time derivative.
  expr_tuple component(const expr_tuple& whole, const token& word) {
    const std::string_view name = word.text.substr(0, word.text.size() - static_cast<std::size_t>(word.primes));
    const std::string_view known = components_of(whole.shape());
    const std::size_t k = name.size() == 1 ? known.find(name) : std::string_view::npos;
    if (k == std::string_view::npos) {
      const std::string cure = whole.size() == 1                      ? "remove it; vectors have .x .y .z"
                               : whole.shape() == tuple_shape::vector ? "a vector has .x .y .z"
                                                                      : "a quaternion has .w .x .y .z";
      lexer_.fail("unknown-component", fmt::format("{} has no component {}", name_of(whole.shape()), shown(word)), word,
                  cure);
    }
    expr result = whole[k];
    for (int prime = 0; prime < word.primes; ++prime) {
      result = names_.rate(result, {std::string(name), word.primes, lexer_.place_of(word)});
    }
    return result;
  }

  expr_tuple primary() {
    switch (current_.type) {
      case token::kind::number: return number();
      case token::kind::name: return named();
      case token::kind::open: return group();
      default: fail_without_value();
    }
  }

  expr number() {
    take();
    try {
      return decimal(previous_.text);
    } catch (const input_error& e) {
      lexer_.fail(e.id(), e.message(), previous_, e.cure());
    }
  }

  expr_tuple group() {
    const nested level(*this);
    const token open = current_;
    take();
    expr_tuple result = value();
    close(open);
    return result;
  }

  void close(const token& open) {
    if (at(token::kind::end)) {
      lexer_.fail("expression-syntax", "this '(' is never closed", open, "add the missing ')'");
    }
    if (!at(token::kind::close)) fail_after_value();
    take();
  }

  expr_tuple named() {
    const token word = current_;
    take();
    const std::string_view name = word.text.substr(0, word.text.size() - static_cast<std::size_t>(word.primes));
    if (is_reserved_function(name) && (word.primes > 0 || !at(token::kind::open))) {
      lexer_.fail("expression-syntax", fmt::format("the function '{}' has no arguments", name), word,
                  fmt::format("write {}(...)", name));
    }
    if (at(token::kind::open) && name == "sum" && word.primes == 0) return indexed_sum();
    if (at(token::kind::open)) {
      const auto samples = names_.signal ? names_.signal(name) : nullptr;
      if (samples) return signal(samples, word);
      if (word.primes == 0) return call(word);
    }
    if (at(token::kind::open_index) && word.primes == 0) return member(word);
    if (name == "pi" && word.primes == 0) return expr::pi();
    if (const bound_index* index = word.primes == 0 ? bound_to(name) : nullptr) return value_of(*index, word);
    if (const auto size = word.primes == 0 ? size_called(name) : std::nullopt) return expr(rational(*size));
    return names_.resolve({std::string(name), word.primes, lexer_.place_of(word)});
  }

  // Indices: parse_indices.cpp.
  const bound_index* bound_to(std::string_view name) const;
  std::optional<std::int64_t> size_called(std::string_view name) const;
  expr value_of(const bound_index& index, const token& word);
  std::int64_t index();
  std::int64_t whole_value(const token& first, const expr_tuple& given);
  std::optional<std::size_t> symbolic_range(const bound_index& index) const;
  expr_tuple member(const token& word);
  int close_index(const token& open);
  bool at_range() const;
  index_range range();
  index_range range_of_key();
  const index_table* table_called(const token& word);
  expr_tuple indexed_sum();
  void add_terms(std::vector<expr_tuple>& terms);
  [[noreturn]] void fail_long_sum(const token& word);
  // Sums that stay sums: parse_symbolic.cpp.
  struct symbolic_reading;
  std::optional<expr_tuple> kept_sum(const token& open);
  void read_symbolic_ranges();
  expr symbolic_index(const bound_index& index, std::size_t range, const token& word);
  std::optional<expr_tuple> symbolic_member(const token& word, const std::vector<expr>& indices, int primes);
  expr index_expression();
  void skip_argument();

  std::vector<expr_tuple> arguments() {
    const nested level(*this);
    const token open = current_;
    take();
    std::vector<expr_tuple> result;
    if (!at(token::kind::close)) {
      result.push_back(value());
      while (at(token::kind::comma)) {
        take();
        result.push_back(value());
      }
    }
    close(open);
    return result;
  }

  // NAME(x), and NAME'(x) for its derivative.
  expr_tuple signal(const std::shared_ptr<const sample_table>& samples, const token& word) {
    const std::vector<expr_tuple> given = arguments();
    if (given.size() != 1 || !given[0].is_scalar()) {
      lexer_.fail("wrong-argument-count", fmt::format("the signal '{}' takes one scalar", samples->name()), word,
                  fmt::format("write {}(t)", samples->name()));
    }
    return expr::signal(samples, given[0].scalar(), static_cast<unsigned>(word.primes));
  }

  // What shapes a function takes is found when the arguments are known.
  expr_tuple call(const token& word) {
    const std::vector<const language_function*> candidates = functions_named(word.text);
    if (candidates.empty()) fail_unknown_function(word);
    std::vector<expr_tuple> given = arguments();
    for (const language_function* f : candidates) {
      if (!takes(*f, given)) continue;
      if (const std::string_view why = f->refusal ? f->refusal(given) : ""; !why.empty()) {
        lexer_.fail("bad-argument", std::string(why), word, fmt::format("write {}", f->usage));
      }
      if (f->type == language_function::kind::differentiates) {
        const parsed_name what{std::string(word.text), 0, lexer_.place_of(word)};
        given.push_back(given[0].mapped([&](const expr& part) { return names_.rate(part, what); }));
      }
      return f->apply(given);
    }
    fail_arguments(lexer_, word, candidates, given);
  }

  [[noreturn]] void fail_division(const token& divisor) {
    lexer_.fail("division-by-zero", "division by zero", divisor, "the divisor is 0 as written");
  }

  // `name(`: a misspelt function, or a product without its operator.
  [[noreturn]] void fail_unknown_function(const token& word) {
    bool known = word.text == "pi";
    if (!known) {
      try {
        names_.resolve({std::string(word.text), 0, lexer_.place_of(word)});
        known = true;
      } catch (const input_error&) {
        known = false;
      }
    }
    const std::string cure =
        known ? fmt::format("{} is not a function; multiplication needs an operator: {}*(...)", word.text, word.text)
              : suggest(word.text, function_names());
    lexer_.fail("unknown-function", "unknown function " + shown(word), word, cure);
  }

  // A complete value is followed by something that cannot follow a value.
  [[noreturn]] void fail_after_value() {
    fail_at_sign_of_indices();
    if (at(token::kind::close)) {
      lexer_.fail("expression-syntax", "this ')' closes nothing", current_, "remove it, or add the missing '('");
    }
    if (at(token::kind::comma)) {
      const bool number = previous_.type == token::kind::number;
      lexer_.fail("expression-syntax", "unexpected ','", current_,
                  number ? "write decimals with a point; commas separate the arguments of a function"
                         : "commas separate the arguments of a function");
    }
    std::string cure =
        fmt::format("write {}*{} to multiply", previous_.type == token::kind::close ? "(...)" : previous_.text,
                    at(token::kind::open) ? "(...)" : current_.text);
    if (previous_.type == token::kind::number && at(token::kind::number)) cure = "a number has one point and no spaces";
    if (cure.size() > 100) cure = "multiplication needs the operator *";
    lexer_.fail("expression-syntax", "expected an operator before " + shown(current_), current_, cure);
  }

  // Where a bracket, .. or = has no meaning.
  void fail_at_sign_of_indices() const {
    if (current_.type >= token::kind::open_index && current_.type <= token::kind::assign) {
      lexer_.fail_at_stray(current_);
    }
  }

  // A value should stand here.
  [[noreturn]] void fail_without_value() {
    fail_at_sign_of_indices();
    std::string message = "expected a value";
    if (previous_.type != token::kind::end) message += " after " + shown(previous_);
    message += ", found " + shown(current_);
    std::string cure = "write a number, a name or an expression in parentheses there";
    if (previous_.type == token::kind::times && at(token::kind::times)) cure = "powers are written x^2";
    if (previous_.type == token::kind::open && at(token::kind::close)) cure = "write an expression between them";
    lexer_.fail("expression-syntax", message, current_, cure);
  }

  const source_text& source_;
  const tuple_names& names_;
  lexer lexer_;
  token current_, previous_;
  int nesting_ = 0;
  static constexpr std::size_t most_terms = 1'000'000;  // of all sums of a text
  std::size_t readings_ = 0;
  index_binding bound_;
  symbolic_reading* symbolic_ = nullptr;  // while a body is read for all elements at once
};

}  // namespace actio
