// Reading TOML. The only file that includes toml++, which is slow to compile.
#include "actio/mechanics/model_file.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

// toml++ 3.3 asserts on some broken files, such as one that holds "[+]", and assumes with NDEBUG that none is broken
// so. Without either it reports them as the syntax errors that they are.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include "actio/mechanics/text_check.hpp"

namespace actio {

namespace {

// The file's text, addressed by line and column as toml++ counts them: from 1, columns in characters.
class text_lines {
 public:
  explicit text_lines(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  std::string_view between(const toml::source_region& region) const {
    const std::size_t begin = offset(region.begin), end = offset(region.end);
    return text_.substr(begin, std::max(begin, end) - begin);
  }

 private:
  std::size_t offset(const toml::source_position& position) const {
    std::size_t at = starts_[std::min<std::size_t>(position.line, starts_.size()) - 1];
    for (std::uint32_t column = 1; column < position.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U) ++at;
    }
    return std::min(at, text_.size());
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
};

// A line that ends in a backslash goes on in the next one: spaces instead keep every place.
void blank_line_continuations(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') text[i] = ' ';
    if (text[i] != '\\') continue;
    const std::size_t next = text.find_first_not_of(" \t\r", i + 1);
    if (next != std::string::npos && text[next] == '\n') text[i] = ' ';
    else ++i;
  }
}

class tree_builder {
 public:
  tree_builder(std::string_view text, const std::string& file) : lines_(text), file_(file) {}

  file_value table(const toml::table& node) const {
    file_value result;
    result.kind = file_value_kind::table;
    result.place = place(node.source());
    for (const auto& [key, value] : node) {
      result.entries.push_back({std::string(key.str()), place(key.source()), this->value(value)});
    }
    std::stable_sort(result.entries.begin(), result.entries.end(), [](const file_entry& a, const file_entry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return result;
  }

 private:
  file_value value(const toml::node& node) const {
    if (const toml::table* inner = node.as_table()) return table(*inner);
    file_value result;
    result.place = place(node.source());
    if (const toml::array* items = node.as_array()) {
      result.kind = file_value_kind::array;
      for (const toml::node& item : *items) result.items.push_back(value(item));
    } else if (const auto* text = node.as_string()) {
      read_text(result, text->get(), lines_.between(node.source()));
    } else if (node.is_number()) {
      read_number(result, node);
    } else if (const auto* truth = node.as_boolean()) {
      result.kind = file_value_kind::boolean;
      result.source = {truth->get() ? "true" : "false", result.place, ""};
    } else {
      result.kind = file_value_kind::date;
    }
    return result;
  }

  // The characters between the quotes, so that a place inside the string is a place in the file. Escapes break that.
  void read_text(file_value& result, const std::string& value, std::string_view raw) const {
    result.kind = file_value_kind::text;
    const bool is_long = raw.size() >= 6 && (raw.starts_with("\"\"\"") || raw.starts_with("'''"));
    const std::size_t quotes = is_long ? 3 : 1;
    std::string content(raw.substr(quotes, raw.size() - 2 * quotes));
    if (is_long && raw.front() == '"') blank_line_continuations(content);
    if (is_long) std::replace(content.begin(), content.end(), '\r', ' ');
    if (raw.front() == '"' && content.find('\\') != std::string::npos) {
      result.has_escapes = true;
      result.source = {value, result.place, ""};
      return;
    }
    source_place origin = result.place;
    origin.column += static_cast<int>(quotes);
    result.source = {std::move(content), origin, ""};
  }

  // The literal's own digits: 9.81 is 981/100, not the double nearest to it.
  void read_number(file_value& result, const toml::node& node) const {
    result.kind = file_value_kind::number;
    std::string literal(lines_.between(node.source()));
    std::erase(literal, '_');
    if (literal.starts_with('+')) literal.erase(0, 1);
    const bool is_prefixed =
        literal.size() > 2 && literal[0] == '0' && std::isalpha(static_cast<unsigned char>(literal[1]));
    if (const auto* whole = node.as_integer(); whole != nullptr && is_prefixed) literal = std::to_string(whole->get());
    if (literal.find_first_of("n") != std::string::npos) {
      throw input_error("bad-number", "'" + literal + "' is not a finite number", result.place,
                        "write a finite number");
    }
    result.source = {std::move(literal), result.place, ""};
  }

  source_place place(const toml::source_region& region) const {
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  text_lines lines_;
  const std::string& file_;
};

[[noreturn]] void throw_syntax_error(const toml::parse_error& error, const std::string& file) {
  std::string description(error.description());
  constexpr std::string_view preamble = "Error while parsing ";
  if (description.starts_with(preamble)) description.erase(0, preamble.size());
  const auto contains = [&](std::string_view part) { return description.find(part) != std::string::npos; };
  std::string cure;
  if (contains("representable") || contains("could not be interpreted") || contains("length limit")) {
    cure = "write very long or very large numbers in quotes, they keep all their digits";
  } else if (contains("redefine")) {
    cure = "remove one of the two";
  } else if (contains("saw '.'")) {
    cure = "write a digit before the decimal point, as in 0.5";
  } else if (std::any_of(description.begin(), description.end(), [](char c) { return (c & 0x80) != 0; })) {
    cure = "keys with letters beyond a-z stand in quotes, as in \"ω\" = 1";
  } else {
    cure = "strings and expressions stand in quotes, every key has one '=', every table one [name]";
  }
  const auto& begin = error.source().begin;
  throw input_error("toml-syntax", "not valid TOML: " + description,
                    {file, static_cast<int>(begin.line), static_cast<int>(begin.column)}, cure);
}

}  // namespace

std::string_view name_of(file_value_kind kind) {
  switch (kind) {
    case file_value_kind::text: return "a string";
    case file_value_kind::number: return "a number";
    case file_value_kind::boolean: return "true or false";
    case file_value_kind::array: return "an array";
    case file_value_kind::table: return "a table";
    case file_value_kind::date: return "a date";
  }
  return "";
}

file_value read_tables(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  check_text(text, file);
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  try {
    return tree_builder(text, file).table(toml::parse(text, std::string_view(file)));
  } catch (const toml::parse_error& error) {
    throw_syntax_error(error, file);
  }
}

}  // namespace actio
