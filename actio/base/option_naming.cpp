#include "actio/base/option_naming.hpp"

#include <algorithm>
#include <atomic>

#include "actio/base/option.hpp"

namespace actio {

namespace {

std::atomic<option_naming> naming_in_use = option_naming::words;

bool belongs_to_name(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

// The name alone, as those who type it spell it.
std::string spelled(std::string_view name) {
  switch (naming_in_use.load()) {
    case option_naming::words: return std::string(name);
    case option_naming::flags: return "--" + std::string(name);
    case option_naming::keywords: break;
  }
  std::string keyword(name);
  std::ranges::replace(keyword, '-', '_');
  return keyword;
}

std::string quoted(std::string_view name) { return "'" + spelled(name) + "'"; }

std::string alone(std::string_view name) {
  switch (naming_in_use.load()) {
    case option_naming::words: return quoted(name);
    case option_naming::flags: return spelled(name);
    case option_naming::keywords: break;
  }
  return spelled(name) + "=";
}

std::string before_value(std::string_view name) {
  switch (naming_in_use.load()) {
    case option_naming::words: return spelled(name) + " = ";
    case option_naming::flags: return spelled(name) + " ";
    case option_naming::keywords: break;
  }
  return spelled(name) + "=";
}

bool is_command(std::string_view name) { return !options_of(name).empty(); }

std::string command_named(std::string_view name) {
  switch (naming_in_use.load()) {
    case option_naming::words: return "'" + std::string(name) + "'";
    case option_naming::flags: return "'actio " + std::string(name) + "'";
    case option_naming::keywords: break;
  }
  return std::string(name) + "()";
}

// A mark at the front of `text`: how it reads, and how long it is; 0 where there is none.
struct mark {
  std::string reading = {};
  std::size_t length = 0;
};

mark mark_at(std::string_view text) {
  if (text.starts_with("@{")) {
    const std::size_t end = text.find('}');
    return end == std::string_view::npos ? mark{} : mark{command_named(text.substr(2, end - 2)), end + 1};
  }
  const bool is_quoted = text.starts_with("@'");
  const std::size_t begin = is_quoted ? 2 : 1;
  std::size_t end = begin;
  while (end < text.size() && belongs_to_name(text[end])) ++end;
  const std::string_view name = text.substr(begin, end - begin);
  if (find_option(name) == nullptr) return {};
  const char next = end < text.size() ? text[end] : '\0';
  if (is_quoted) return next == '\'' ? mark{quoted(name), end + 1} : mark{};
  return next == '=' ? mark{before_value(name), end + 1} : mark{alone(name), end};
}

}  // namespace

void name_options_as(option_naming naming) { naming_in_use = naming; }

std::string named_options(std::string_view text) {
  std::string result;
  char before = ' ';
  while (!text.empty()) {
    const bool begins_word = before == ' ' || before == '(';
    const mark found = text.front() == '@' && begins_word ? mark_at(text) : mark{};
    result += found.length > 0 ? found.reading : std::string(1, text.front());
    before = text.front();
    text.remove_prefix(std::max<std::size_t>(found.length, 1));
  }
  return result;
}

source_place named_options(source_place place) {
  if (!place.file.starts_with('@')) return place;
  const std::string name = place.file.substr(1);
  const option_naming naming = naming_in_use;
  if (find_option(name) != nullptr) place.file = (naming == option_naming::words ? "option " : "") + alone(name);
  else if (is_command(name)) place.file = (naming == option_naming::flags ? "actio " : "") + name;
  return place;
}

source_text typed_option(std::string_view name, std::string_view value) {
  const std::string mark = "@" + std::string(name);
  const option_descriptor* option = find_option(name);
  const bool is_list = option != nullptr && option->metavar.find(',') != std::string_view::npos;
  const bool has_columns =
      is_list ||
      (option != nullptr && (option->type == option_type::number || option->type == option_type::assignment));
  const int first = has_columns ? 1 : 0;
  return {std::string(value), {mark, first, first}, mark};
}

source_place whole_place(const source_text& typed) {
  if (typed.origin.file.starts_with('@')) return {typed.origin.file, 0, 0};
  return typed.origin;
}

}  // namespace actio
