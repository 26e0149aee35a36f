#include "actio/mechanics/text_check.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace actio {

namespace {

// A position in the file that knows its line and column.
class cursor {
 public:
  cursor(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool at_end() const { return at_ >= text_.size(); }
  unsigned char byte(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? static_cast<unsigned char>(text_[at_ + ahead]) : 0;
  }
  bool starts_with(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  source_place place() const { return {file_, line_, column_}; }

  // One character of `bytes` bytes.
  void pass(std::size_t bytes = 1) {
    if (byte() == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
    at_ += bytes;
  }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Length of the UTF-8 character at the cursor, 0 where there is none (overlong forms and surrogates included).
std::size_t character_length(const cursor& at) {
  const unsigned char first = at.byte(), second = at.byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_continuation(second) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool is_overlong = first == 0xE0 && second < 0xA0, is_surrogate = first == 0xED && second > 0x9F;
    return is_continuation(second) && is_continuation(at.byte(2)) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool is_overlong = first == 0xF0 && second < 0x90, is_beyond = first == 0xF4 && second > 0x8F;
    const bool continues = is_continuation(second) && is_continuation(at.byte(2)) && is_continuation(at.byte(3));
    return continues && !is_overlong && !is_beyond ? 4 : 0;
  }
  return 0;
}

void check_characters(std::string_view text, const std::string& file) {
  for (cursor at(text, file); !at.at_end();) {
    const unsigned char byte = at.byte();
    const bool is_control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
    const std::size_t length = character_length(at);
    if (is_control || length == 0) {
      throw input_error("file-not-text", "the file is not plain text", at.place(),
                        "a model file is UTF-8 text without control characters");
    }
    at.pass(length);
  }
}

// Moves behind the string or comment at the cursor. A string of one line ends with its line, even unfinished.
void pass_quoted(cursor& at) {
  const char quote = static_cast<char>(at.byte());
  const std::string fence(3, quote);
  const bool is_long = at.starts_with(fence);
  for (int i = 0; i < (is_long ? 3 : 1); ++i) at.pass();
  while (!at.at_end()) {
    if (is_long ? at.starts_with(fence) : at.byte() == static_cast<unsigned char>(quote)) break;
    if (!is_long && at.byte() == '\n') return;
    if (quote == '"' && at.byte() == '\\' && at.byte(1) != '\n') at.pass();
    if (!at.at_end()) at.pass();
  }
  for (int i = 0; i < (is_long ? 3 : 1) && !at.at_end(); ++i) at.pass();
}

// Outside strings and comments dots stand in keys and numbers alone. A key with thousands of parts would make a tree
// too deep for recursive functions, the parser's among them.
void check_dotted_keys(std::string_view text, const std::string& file) {
  constexpr int most_parts = 16;
  int dots = 0;
  for (cursor at(text, file); !at.at_end();) {
    const unsigned char byte = at.byte();
    if (byte == '"' || byte == '\'') {
      pass_quoted(at);
      continue;
    }
    if (byte == '#') {
      while (!at.at_end() && at.byte() != '\n') at.pass();
      continue;
    }
    if (byte == '.' && ++dots >= most_parts) {
      throw input_error("toml-syntax", "not valid TOML here: a key with too many dots", at.place(),
                        "keys have at most two dots, as in [initial.position]");
    }
    if (std::strchr("=,[]{}\n", byte) != nullptr) dots = 0;
    at.pass();
  }
}

[[noreturn]] void throw_too_large(const std::string& file) {
  throw input_error("file-too-large", "the model file is larger than 4 MB", {file, 0, 0},
                    "a model file holds formulas; keep data elsewhere");
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw input_error("file-unreadable", "cannot read '" + path + "': it is a directory", {},
                      "name a model file in it");
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "cannot be opened";
    throw input_error("file-unreadable", "cannot read '" + path + "': " + reason, {}, "check the path");
  }
  std::string text(most_model_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad())
    throw input_error("file-unreadable", "cannot read '" + path + "': reading failed", {}, "check the file");
  if (text.size() > most_model_bytes) throw_too_large(path);
  return text;
}

bool is_utf8(std::string_view text) {
  for (cursor at(text, ""); !at.at_end();) {
    const std::size_t length = character_length(at);
    if (length == 0) return false;
    at.pass(length);
  }
  return true;
}

void check_text(std::string_view text, const std::string& file) {
  if (text.size() > most_model_bytes) throw_too_large(file);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw input_error("file-empty", "the model file is empty", {file, 0, 0},
                      "a model needs coordinates, a lagrangian and initial values");
  }
  check_characters(text, file);
  check_dotted_keys(text, file);
}

}  // namespace actio
