#include "actio/expr/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace actio {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && continues_character(text[length])) ++length;
  return length;
}

struct stray_character {
  std::string_view character, cure;
};

// Characters with an obvious replacement. The typographic ones come from text copied out of a paper, and would
// otherwise be taken for letters of a name.
constexpr std::array<stray_character, 28> known_strays = {{
    {"[", "group with ( and )"},
    {"]", "group with ( and )"},
    {"{", "group with ( and )"},
    {"}", "group with ( and )"},
    {"=", "an expression has no '='; write only its right-hand side, and compare with =="},
    {"'", "a prime stands directly behind the name that it differentiates"},
    {"\"", "a prime is written ', a second one ''"},
    {"\u2212", "write the minus sign as -"},
    {"\u2013", "write the minus sign as -"},
    {"\u2014", "write the minus sign as -"},
    {"\u00d7", "multiply with *"},
    {"\u00b7", "multiply with *"},
    {"\u22c5", "multiply with *"},
    {"\u00f7", "divide with /"},
    {"\u2215", "divide with /"},
    {"\u00b2", "write powers as ^2"},
    {"\u00b3", "write powers as ^3"},
    {"\u221a", "write sqrt(...)"},
    {"\u2019", "write primes as '"},
    {"\u2032", "write primes as '"},
    {"\u2033", "write primes as ''"},
    {"&", "write and"},
    {"|", "write or between conditions, abs(x) for an absolute value"},
    {"\u2264", "write <="},
    {"\u2265", "write >="},
    {"\u2260", "write !="},
    {"\u00a0", "replace this special space by an ordinary one"},
    {"\u202f", "replace this special space by an ordinary one"},
}};

const stray_character* known_stray(std::string_view character) {
  const auto found = std::find_if(known_strays.begin(), known_strays.end(),
                                  [&](const stray_character& stray) { return stray.character == character; });
  return found == known_strays.end() ? nullptr : &*found;
}

std::string shown(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character[0]);
  if (byte < 0x20U || byte == 0x7FU) return fmt::format("with code {}", byte);
  return fmt::format("'{}'", character);
}

}  // namespace

lexer::lexer(const source_text& source)
    : source_(&source), line_(source.origin.line), column_(std::max(source.origin.column, 1)) {}

char lexer::peek(std::size_t ahead) const {
  return offset_ + ahead < source_->text.size() ? source_->text[offset_ + ahead] : '\0';
}

void lexer::advance(std::size_t bytes) {
  for (const std::size_t end = offset_ + bytes; offset_ < end; ++offset_) {
    const char c = source_->text[offset_];
    if (c == '\n') {
      if (line_ > 0) ++line_;
      column_ = 1;
    } else if (!continues_character(c)) {
      ++column_;
    }
  }
}

token lexer::word(token::kind type, std::size_t length) {
  token result;
  result.type = type;
  result.text = std::string_view(source_->text).substr(offset_, length);
  result.line = line_;
  result.column = line_ > 0 ? column_ : 0;
  advance(length);
  return result;
}

// Digits with at most one point, then an exponent only where digits follow its e: 2e is 2 and a name e.
std::size_t lexer::number_length() const {
  std::size_t length = 0;
  while (is_digit(peek(length))) ++length;
  if (peek(length) == '.' && peek(length + 1) != '.') {
    ++length;
    while (is_digit(peek(length))) ++length;
  }
  if (peek(length) == 'e' || peek(length) == 'E') {
    std::size_t exponent = length + 1;
    if (peek(exponent) == '+' || peek(exponent) == '-') ++exponent;
    if (is_digit(peek(exponent))) {
      while (is_digit(peek(exponent))) ++exponent;
      length = exponent;
    }
  }
  return length;
}

std::size_t lexer::name_length() const {
  std::size_t length = 0;
  for (;;) {
    const char c = peek(length);
    if (is_ascii_letter(c) || (length > 0 && is_digit(c))) {
      ++length;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x80U) return length;
    const std::string_view rest = std::string_view(source_->text).substr(offset_ + length);
    const std::size_t bytes = character_length(rest);
    if (known_stray(rest.substr(0, bytes)) != nullptr) return length;
    length += bytes;
  }
}

token lexer::next() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') advance(1);
  if (offset_ == source_->text.size()) return word(token::kind::end, 0);
  switch (peek()) {
    case '+': return word(token::kind::plus, 1);
    case '-': return word(token::kind::minus, 1);
    case '*': return word(token::kind::times, 1);
    case '/': return word(token::kind::over, 1);
    case '^': return word(token::kind::power, 1);
    case '(': return word(token::kind::open, 1);
    case ')': return word(token::kind::close, 1);
    case ',': return word(token::kind::comma, 1);
    case '<': return peek(1) == '=' ? word(token::kind::at_most, 2) : word(token::kind::less, 1);
    case '>': return peek(1) == '=' ? word(token::kind::at_least, 2) : word(token::kind::greater, 1);
    case '=': return peek(1) == '=' ? word(token::kind::equal, 2) : word(token::kind::assign, 1);
    case '!':
      if (peek(1) == '=') return word(token::kind::unequal, 2);
      break;
    case '.':  // before a component; before a digit it begins a number
      if (is_ascii_letter(peek(1))) return word(token::kind::point, 1);
      if (peek(1) == '.') return word(token::kind::range, 2);
      break;
    case '[': return word(token::kind::open_index, 1);
    case ']': return with_primes(token::kind::close_index, 1);
    default: break;
  }
  if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return word(token::kind::number, number_length());
  const std::size_t length = name_length();
  if (length == 0) fail_at_stray_character();
  return with_primes(token::kind::name, length);
}

token lexer::with_primes(token::kind type, std::size_t length) {
  std::size_t primes = 0;
  while (peek(length + primes) == '\'') ++primes;
  token result = word(type, length + primes);
  result.primes = static_cast<int>(primes);
  return result;
}

void lexer::fail(std::string_view id, std::string message, const token& at, std::string cure) const {
  if (!source_->role.empty()) message += " in " + source_->role;
  throw input_error(id, std::move(message), place_of(at), std::move(cure));
}

void lexer::fail_at_stray_character() {
  const std::string_view rest = std::string_view(source_->text).substr(offset_);
  fail_at_stray(word(token::kind::end, character_length(rest)));
}

void lexer::fail_at_stray(const token& at) const {
  const std::string_view character = at.text.substr(0, character_length(at.text));
  const stray_character* const stray = known_stray(character);
  const std::string cure =
      stray != nullptr ? std::string(stray->cure) : "operators are + - * / ^, names consist of letters, digits and _";
  fail("expression-syntax", "unexpected character " + shown(character), at, cure);
}

}  // namespace actio
