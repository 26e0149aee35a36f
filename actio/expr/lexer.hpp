// The words of an expression. Internal to expr/.
#pragma once

#include <cstddef>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

struct token {
  enum class kind {
    number,
    name,
    plus,
    minus,
    times,
    over,
    power,
    open,
    close,
    comma,
    point,
    less,
    at_most,
    greater,
    at_least,
    equal,
    unequal,
    open_index,
    close_index,  // with the primes behind it
    range,        // ..
    assign,       // a single =
    end
  };

  kind type = kind::end;
  std::string_view text;  // with its primes, for a name
  int primes = 0;         // of a name, or behind ]
  int line = 0, column = 0;
};

// Gives the words of `source` one after another, and after the last one `end` for ever.
class lexer {
 public:
  explicit lexer(const source_text& source);

  // Throws input_error("expression-syntax") at a character that no word begins with.
  token next();
  source_place place_of(const token& word) const { return {source_->origin.file, word.line, word.column}; }
  // That no value has such a word here, as if its character were unknown.
  [[noreturn]] void fail_at_stray(const token& at) const;
  // "MESSAGE in ROLE", at the word's place.
  [[noreturn]] void fail(std::string_view id, std::string message, const token& at, std::string cure) const;

 private:
  char peek(std::size_t ahead = 0) const;
  void advance(std::size_t bytes);
  token word(token::kind type, std::size_t length);
  token with_primes(token::kind type, std::size_t length);
  std::size_t number_length() const;
  std::size_t name_length() const;
  [[noreturn]] void fail_at_stray_character();

  const source_text* source_;
  std::size_t offset_ = 0;
  int line_, column_;
};

}  // namespace actio
