#include "actio/io/text_table.hpp"

#include <algorithm>

namespace actio {

std::size_t display_width(std::string_view text) {
  const auto is_continuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  std::size_t width = 0;
  while (!text.empty()) {
    std::size_t length = 1;
    while (length < text.size() && is_continuation(text[length])) ++length;
    const std::string_view character = text.substr(0, length);
    if (character < "\u0300" || character > "\u036F") ++width;  // accents stand above the character before them
    text.remove_prefix(length);
  }
  return width;
}

std::string text_table::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], display_width(row[k]));
  }
  std::string text;
  const auto write = [&](const std::vector<std::string>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      text += row[k];
      if (k + 1 < row.size()) text += std::string(widths[k] - display_width(row[k]) + 2, ' ');
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  };
  write(rows_.front());
  std::vector<std::string> rule;
  for (std::size_t width : widths) rule.emplace_back(std::string(width, '-'));
  write(rule);
  for (std::size_t k = 1; k < rows_.size(); ++k) write(rows_[k]);
  return text;
}

}  // namespace actio
