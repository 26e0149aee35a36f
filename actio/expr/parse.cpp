// A recursive-descent parser:
//   sum     = product {("+" | "-") product}
//   product = signed {("*" | "/") signed}
//   signed  = {"+" | "-"} power
//   power   = part ["^" signed]
//   part    = primary {"." component}
//   primary = number | name | function "(" sum {"," sum} ")" | "(" sum ")"
// It recurses only into parentheses and exponents, which max_nesting bounds.
#include "actio/expr/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// Everything that can be called, for suggestions.
const std::vector<std::string>& callable_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = function_names();
    for (const tuple_function& f : tuple_functions()) {
      if (all.back() != f.name) all.emplace_back(f.name);
    }
    return all;
  }();
  return names;
}

class parser {
 public:
  parser(const source_text& source, const tuple_names& names) : source_(source), names_(names), lexer_(source) {}

  expr_tuple whole() {
    take();
    if (current_.type == token::kind::end) {
      throw input_error("expression-syntax",
                        source_.role.empty() ? "the expression is empty" : source_.role + " is empty",
                        source_.place_at(0), "write an expression such as 1/2*x'^2");
    }
    expr_tuple result = sum();
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

  expr_tuple sum() {
    expr_tuple result = product();
    while (at(token::kind::plus) || at(token::kind::minus)) {
      const token sign = current_;
      take();
      const expr_tuple term = product();
      const bool plus = sign.type == token::kind::plus;
      auto joined = plus ? actio::sum(result, term) : difference(result, term);
      if (!joined) fail_sum(sign, result, term);
      result = std::move(*joined);
    }
    return result;
  }

  expr_tuple product() {
    expr_tuple result = signed_power();
    while (at(token::kind::times) || at(token::kind::over)) {
      const token sign = current_;
      take();
      const token first = current_;
      const expr_tuple factor = signed_power();
      const bool times = sign.type == token::kind::times;
      if (!times && factor.is_scalar() && factor.scalar().is_zero()) fail_division(first);
      auto joined = times ? actio::product(result, factor) : quotient(result, factor);
      if (!joined) fail_product(sign, result, factor);
      result = std::move(*joined);
    }
    return result;
  }

  expr_tuple signed_power() {
    int signs = 0;
    bool negative = false;
    for (; at(token::kind::plus) || at(token::kind::minus); ++signs) {
      deepen(1);
      negative = negative != at(token::kind::minus);
      take();
    }
    expr_tuple result = power();
    nesting_ -= signs;
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
    if (!base.is_scalar() || !exponent.is_scalar()) fail_power(sign, base, exponent);
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
      const std::string cure = whole.is_scalar()                      ? "remove it; vectors have .x .y .z"
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
    expr_tuple result = sum();
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
    if (const auto function = function_named(name)) return call(*function, word);
    if (at(token::kind::open) && word.primes == 0) return call_of_tuples(word);
    if (name == "pi" && word.primes == 0) return expr::pi();
    return names_.resolve({std::string(name), word.primes, lexer_.place_of(word)});
  }

  std::vector<expr_tuple> arguments() {
    const nested level(*this);
    const token open = current_;
    take();
    std::vector<expr_tuple> result;
    if (!at(token::kind::close)) {
      result.push_back(sum());
      while (at(token::kind::comma)) {
        take();
        result.push_back(sum());
      }
    }
    close(open);
    return result;
  }

  expr_tuple call(operation function, const token& word) {
    if (word.primes > 0 || !at(token::kind::open)) {
      lexer_.fail("expression-syntax", fmt::format("the function '{}' has no arguments", name_of(function)), word,
                  fmt::format("write {}(...)", name_of(function)));
    }
    const std::vector<expr_tuple> given = arguments();
    if (static_cast<int>(given.size()) != operand_count(function)) {
      lexer_.fail("wrong-argument-count",
                  fmt::format("the function '{}' takes {}, found {}", name_of(function),
                              counted_arguments(operand_count(function)), given.size()),
                  word,
                  function == operation::atan2 ? "write atan2(y, x)" : fmt::format("write {}(x)", name_of(function)));
    }
    std::vector<expr> operands;
    for (const expr_tuple& argument : given) {
      if (!argument.is_scalar()) {
        lexer_.fail(
            "wrong-shape",
            fmt::format("the function '{}' takes a scalar, found {}", name_of(function), name_of(argument.shape())),
            word, function == operation::abs ? "write norm(...) for a length" : "give one of its components");
      }
      operands.push_back(argument.scalar());
    }
    return expr::make(function, operands);
  }

  // A function that takes or gives vectors and quaternions; what shapes it takes is found when the arguments are known.
  expr_tuple call_of_tuples(const token& word) {
    std::vector<const tuple_function*> candidates;
    for (const tuple_function& f : tuple_functions()) {
      if (f.name == word.text) candidates.push_back(&f);
    }
    if (candidates.empty()) fail_unknown_function(word);
    std::vector<expr_tuple> given = arguments();
    for (const tuple_function* f : candidates) {
      const auto fits = [](const expr_tuple& argument, tuple_shape shape) { return argument.shape() == shape; };
      if (!std::ranges::equal(given, f->parameters, fits)) continue;
      if (f->differentiates) {
        const parsed_name what{std::string(word.text), 0, lexer_.place_of(word)};
        given.push_back(given[0].mapped([&](const expr& part) { return names_.rate(part, what); }));
      }
      return f->apply(given);
    }
    fail_arguments(word, candidates, given);
  }

  [[noreturn]] void fail_arguments(const token& word, const std::vector<const tuple_function*>& candidates,
                                   const std::vector<expr_tuple>& given) {
    std::vector<std::string> usages, counts, takes;
    bool counts_fit = false;
    for (const tuple_function* f : candidates) {
      usages.emplace_back(f->usage);
      const std::string count = counted_arguments(static_cast<int>(f->parameters.size()));
      if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
      if (f->parameters.size() != given.size()) continue;
      counts_fit = true;
      takes.push_back(shapes_text(f->parameters));
    }
    const std::string cure = "write " + alternatives(usages);
    if (!counts_fit) {
      lexer_.fail("wrong-argument-count",
                  fmt::format("the function '{}' takes {}, found {}", word.text, alternatives(counts), given.size()),
                  word, cure);
    }
    std::vector<tuple_shape> found;
    for (const expr_tuple& argument : given) found.push_back(argument.shape());
    lexer_.fail("wrong-shape",
                fmt::format("the function '{}' takes {}, found {}", word.text, alternatives(takes), shapes_text(found)),
                word, cure);
  }

  [[noreturn]] void fail_sum(const token& sign, const expr_tuple& left, const expr_tuple& right) {
    const bool plus = sign.type == token::kind::plus, scalar = left.is_scalar() || right.is_scalar();
    lexer_.fail("wrong-shape",
                plus ? fmt::format("{} cannot be added to {}", name_of(right.shape()), name_of(left.shape()))
                     : fmt::format("{} cannot be taken from {}", name_of(right.shape()), name_of(left.shape())),
                sign,
                scalar ? "take a component of the other, such as .x"
                       : "write quaternion(v) for the quaternion without a scalar part");
  }

  [[noreturn]] void fail_product(const token& sign, const expr_tuple& left, const expr_tuple& right) {
    if (sign.type == token::kind::over) {
      lexer_.fail("wrong-shape",
                  fmt::format("{} cannot be divided by {}", name_of(left.shape()), name_of(right.shape())), sign,
                  right.shape() == tuple_shape::quaternion ? "the inverse of Q is conjugate(Q)/dot(Q, Q)"
                                                           : "divide by a component or by its length norm(v)");
    }
    const bool vectors = left.shape() == right.shape();
    lexer_.fail("wrong-shape", fmt::format("{} times {} has no meaning", name_of(left.shape()), name_of(right.shape())),
                sign,
                vectors ? "write dot(u, v) or cross(u, v)"
                        : "write rotate(Q, v) to turn a vector, or quaternion(v) to multiply with it");
  }

  [[noreturn]] void fail_power(const token& sign, const expr_tuple& base, const expr_tuple& exponent) {
    if (base.is_scalar()) {
      lexer_.fail("wrong-shape", fmt::format("{} cannot be an exponent", name_of(exponent.shape())), sign,
                  "give one of its components");
    }
    lexer_.fail("wrong-shape", fmt::format("{} has no powers", name_of(base.shape())), sign,
                base.shape() == tuple_shape::vector ? "the square of its length is dot(v, v)"
                                                    : "the square of its norm is dot(Q, Q)");
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
              : suggest(word.text, callable_names());
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
  const tuple_names& names_;
  lexer lexer_;
  token current_, previous_;
  int nesting_ = 0;
};

}  // namespace

expr_tuple parse_tuple(const source_text& source, const tuple_names& names) {
  const auto characters = std::count_if(source.text.begin(), source.text.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (static_cast<std::size_t>(characters) > max_expression_length) {
    const std::string role = source.role.empty() ? "the expression" : source.role;
    throw input_error("expression-too-long", fmt::format("{} has {} characters", role, characters), source.place_at(0),
                      fmt::format("at most {} are allowed; split it into definitions", max_expression_length));
  }
  return parser(source, names).whole();
}

expr parse_scalar(const source_text& source, const tuple_names& names) {
  const expr_tuple value = parse_tuple(source, names);
  if (value.is_scalar()) return value.scalar();
  throw input_error("wrong-shape",
                    fmt::format("{} must be a scalar, but is {}", source.role.empty() ? "the expression" : source.role,
                                name_of(value.shape())),
                    source.place_at(0), "take a component such as .x, or a length norm(...)");
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
