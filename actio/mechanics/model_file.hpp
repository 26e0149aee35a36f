// The text of a model file as a tree of tables and values, each with its place, numbers as they were typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/expr/indices.hpp"

namespace actio {

enum class file_value_kind { text, number, boolean, array, table, date };

struct file_entry;

struct file_value {
  file_value_kind kind = file_value_kind::table;
  source_place place;               // of its first character, the opening quote of a string
  source_text source;               // text, number, boolean: what was typed, without quotes, and where that stands
  bool has_escapes = false;         // text: offsets in `source` are no places in the file
  std::vector<file_value> items;    // array
  std::vector<file_entry> entries;  // table, in the order of the file
};

struct file_entry {
  std::string key;
  source_place place;  // of the key
  file_value value;
  index_binding bound =
      {};  // with which its texts are read, where it is one of many that a key with a range stands for
};

// "a string", "a number", ...: how a message names the kind.
std::string_view name_of(file_value_kind kind);

// The entry of a table that has this key; nullptr where there is none.
const file_entry* find_entry(const file_value& table, std::string_view key);

// Throws unknown-key where the table `where` has another key than these.
void check_keys(const file_value& table, const std::string& where, const std::vector<std::string>& known);

// wrong-type: "'mass' must be an array of rows, not a number".
[[noreturn]] void throw_wrong_type(const std::string& what, std::string_view expected, const file_value& value,
                                   const source_place& place, const std::string& cure = "");

// What a number or an expression string says, ready to be parsed. Throws wrong-type for all else.
source_text source_of_value(const file_entry& entry, const std::string& role);

// Runs `parse`. The characters of a string with escapes have no places of their own: its errors name the string's.
template <class Parse>
auto located(const file_entry& entry, Parse&& parse) {
  try {
    return parse();
  } catch (const input_error& error) {
    if (!entry.value.has_escapes) throw;
    throw input_error(error.id(), error.message(), entry.value.place, error.cure());
  }
}

// The whole file as one table. Throws file-empty, file-not-text, file-too-large, toml-syntax, bad-number (inf, nan).
file_value read_tables(std::string_view text, const std::string& file);

}  // namespace actio
