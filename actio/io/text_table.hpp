// Columns of text, aligned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actio {

class text_table {
 public:
  explicit text_table(std::vector<std::string> heads) : rows_{std::move(heads)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // The heads, a rule below them, and the rows; the last column is not padded. Numbers keep to the left like words.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// How many columns a terminal needs for UTF-8 text without wide characters.
std::size_t display_width(std::string_view text);

}  // namespace actio
