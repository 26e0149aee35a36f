#include "actio/mechanics/model_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace actio {

namespace {

std::string quoted_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += std::string("\\") + c;
    else if (c == '\n') result += "\\n";
    else if (c == '\t') result += "\\t";
    else if (byte < 0x20 || byte == 0x7f) result += std::string("\\u00") + digits[byte >> 4U] + digits[byte & 15U];
    else result += c;
  }
  return result + "\"";
}

std::string key_text(std::string_view key) {
  const auto is_bare = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  return !key.empty() && std::ranges::all_of(key, is_bare) ? std::string(key) : quoted_text(key);
}

// What TOML takes for a number and keeps: others stand in quotes.
bool is_toml_number(std::string_view text) {
  constexpr std::size_t most_digits = 17;
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [&text] {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end;
  };
  const bool starts_with_zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || whole > most_digits || (starts_with_zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    const std::size_t exponent = digits();
    if (exponent == 0 || exponent > 2) return false;
  }
  return text.empty();
}

}  // namespace

std::string value_text(const file_value& value) {
  switch (value.kind) {
    case file_value_kind::number:
      return is_toml_number(value.source.text) ? value.source.text : quoted_text(value.source.text);
    case file_value_kind::boolean: return value.source.text;
    case file_value_kind::array: {
      std::string list = "[";
      for (const file_value& item : value.items) list += (list.size() > 1 ? ", " : "") + value_text(item);
      return list + "]";
    }
    case file_value_kind::text:
    case file_value_kind::table:
    case file_value_kind::date: break;
  }
  return quoted_text(value.source.text);
}

namespace {

void write_table(const file_value& table, const std::string& path, std::string& text) {
  const auto is_table = [](const file_entry& entry) { return entry.value.kind == file_value_kind::table; };
  const bool has_only_tables = !table.entries.empty() && std::ranges::all_of(table.entries, is_table);
  if (!path.empty() && !has_only_tables) text += "\n[" + path + "]\n";
  for (const file_entry& entry : table.entries) {
    if (!is_table(entry)) text += key_text(entry.key) + " = " + value_text(entry.value) + "\n";
  }
  for (const file_entry& entry : table.entries) {
    if (is_table(entry))
      write_table(entry.value, path.empty() ? key_text(entry.key) : path + "." + key_text(entry.key), text);
  }
}

}  // namespace

std::string model_text(const file_value& root) {
  std::string text;
  write_table(root, "", text);
  return text;
}

}  // namespace actio
