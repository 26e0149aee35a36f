// A recursive-descent parser:
//   sum     = product {("+" | "-") product}
//   product = signed {("*" | "/") signed}
//   signed  = {"+" | "-"} power
//   power   = primary ["^" signed]
//   primary = number | name | function "(" sum {"," sum} ")" | "(" sum ")"
// It recurses only into parentheses and exponents, which max_nesting bounds.
#include "actio/expr/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "actio/expr/lexer.hpp"

namespace actio {

namespace {

std::optional<operation> function_named(std::string_view name) {
  for (int code = static_cast<int>(operation::sqrt); code <= static_cast<int>(operation::atan2); ++code) {
    const auto op = static_cast<operation>(code);
    if (name_of(op) == name) {
      const char first = name[0];
      if (first >= 'a' && first <= 'z') return op;
    }
  }
  return std::nullopt;
}

std::string counted_arguments(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

// A word as it is shown in a message: the names and numbers of generated input may be very long.
std::string shown(const token& word) {
  if (word.type == token::kind::end) return "the end";
  if (word.text.size() <= 60) return fmt::format("'{}'", word.text);
  std::size_t length = 57;
  while (length > 0 && (static_cast<unsigned char>(word.text[length]) & 0xC0U) == 0x80U) --length;
  return fmt::format("'{}...'", word.text.substr(0, length));
}

class parser {
 public:
  parser(const source_text& source, const name_resolver& resolve)
      : source_(source), resolve_(resolve), lexer_(source) {}

  expr whole() {
    take();
    if (current_.type == token::kind::end) {
      throw input_error("expression-syntax",
                        source_.role.empty() ? "the expression is empty" : source_.role + " is empty",
                        source_.place_at(0), "write an expression such as 1/2*x'^2");
    }
    expr result = sum();
    if (current_.type != token::kind::end) fail_after_value();
    return result;
  }

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

  expr sum() {
    expr result = product();
    while (at(token::kind::plus) || at(token::kind::minus)) {
      const bool plus = at(token::kind::plus);
      take();
      const expr term = product();
      result = plus ? result + term : result - term;
    }
    return result;
  }

  expr product() {
    expr result = signed_power();
    while (at(token::kind::times) || at(token::kind::over)) {
      const bool times = at(token::kind::times);
      take();
      const token first = current_;
      const expr factor = signed_power();
      if (!times && factor.is_zero()) fail_division(first);
      result = times ? result * factor : result / factor;
    }
    return result;
  }

  expr signed_power() {
    int signs = 0;
    bool negative = false;
    for (; at(token::kind::plus) || at(token::kind::minus); ++signs) {
      deepen(1);
      negative = negative != at(token::kind::minus);
      take();
    }
    expr result = power();
    nesting_ -= signs;
    return negative ? -result : result;
  }

  expr power() {
    const token first = current_;
    expr base = primary();
    if (!at(token::kind::power)) return base;
    const nested level(*this);
    take();
    const expr exponent = signed_power();
    if (base.is_zero() && exponent.is_number() && exponent.number() < 0) fail_division(first);
    return pow(base, exponent);
  }

  expr primary() {
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

  expr group() {
    const nested level(*this);
    const token open = current_;
    take();
    expr result = sum();
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

  expr named() {
    const token word = current_;
    take();
    const std::string_view name = word.text.substr(0, word.text.size() - static_cast<std::size_t>(word.primes));
    if (const auto function = function_named(name)) return call(*function, word);
    if (at(token::kind::open) && word.primes == 0) fail_unknown_function(word);
    if (name == "pi" && word.primes == 0) return expr::pi();
    return resolve_({std::string(name), word.primes, lexer_.place_of(word)});
  }

  expr call(operation function, const token& word) {
    if (word.primes > 0 || !at(token::kind::open)) {
      lexer_.fail("expression-syntax", fmt::format("the function '{}' has no arguments", name_of(function)), word,
                  fmt::format("write {}(...)", name_of(function)));
    }
    const nested level(*this);
    const token open = current_;
    take();
    std::vector<expr> arguments;
    if (!at(token::kind::close)) {
      arguments.push_back(sum());
      while (at(token::kind::comma)) {
        take();
        arguments.push_back(sum());
      }
    }
    close(open);
    if (static_cast<int>(arguments.size()) != operand_count(function)) {
      lexer_.fail("wrong-argument-count",
                  fmt::format("the function '{}' takes {}, found {}", name_of(function),
                              counted_arguments(operand_count(function)), arguments.size()),
                  word,
                  function == operation::atan2 ? "write atan2(y, x)" : fmt::format("write {}(x)", name_of(function)));
    }
    return expr::make(function, arguments);
  }

  [[noreturn]] void fail_division(const token& divisor) {
    lexer_.fail("division-by-zero", "division by zero", divisor, "the divisor is 0 as written");
  }

  // `name(`: a misspelt function, or a product without its operator.
  [[noreturn]] void fail_unknown_function(const token& word) {
    bool known = word.text == "pi";
    if (!known) {
      try {
        resolve_({std::string(word.text), 0, lexer_.place_of(word)});
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

  // A value should stand here.
  [[noreturn]] void fail_without_value() {
    std::string message = "expected a value";
    if (previous_.type != token::kind::end) message += " after " + shown(previous_);
    message += ", found " + shown(current_);
    std::string cure = "write a number, a name or an expression in parentheses there";
    if (previous_.type == token::kind::times && at(token::kind::times)) cure = "powers are written x^2";
    if (previous_.type == token::kind::open && at(token::kind::close)) cure = "write an expression between them";
    lexer_.fail("expression-syntax", message, current_, cure);
  }

  const source_text& source_;
  const name_resolver& resolve_;
  lexer lexer_;
  token current_, previous_;
  int nesting_ = 0;
};

}  // namespace

expr parse_expression(const source_text& source, const name_resolver& resolve) {
  const auto characters = std::count_if(source.text.begin(), source.text.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (static_cast<std::size_t>(characters) > max_expression_length) {
    const std::string role = source.role.empty() ? "the expression" : source.role;
    throw input_error("expression-too-long", fmt::format("{} has {} characters", role, characters), source.place_at(0),
                      fmt::format("at most {} are allowed; split it into definitions", max_expression_length));
  }
  return parser(source, resolve).whole();
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (int code = static_cast<int>(operation::sqrt); code <= static_cast<int>(operation::atan2); ++code) {
      const std::string name(name_of(static_cast<operation>(code)));
      if (function_named(name)) found.push_back(name);
    }
    return found;
  }();
  return names;
}

}  // namespace actio
