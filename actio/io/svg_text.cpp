#include "actio/io/svg_text.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace actio {

namespace {

// The length of the character that UTF-8 begins with, 0 where it is none or may not stand in XML.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > text.size()) return 0;
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3f);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_none = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return is_overlong || is_none ? 0 : length;
}

// With a mark in place of every byte that belongs to no character.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    result.push_back(length > 0 ? std::string(text.substr(0, length)) : "\uFFFD");
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

}  // namespace

std::string escaped_for_xml(std::string_view text) {
  std::string result;
  for (const std::string& c : characters(text)) {
    if (c == "<") result += "&lt;";
    else if (c == ">") result += "&gt;";
    else if (c == "&") result += "&amp;";
    else if (c == "\"") result += "&quot;";
    else result += c;
  }
  return result;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const std::string& c : characters(text)) {
    if (c >= "\u0300" && c <= "\u036F") continue;
    width += c == " " || c == "." || c == "," || c == "i" || c == "l" ? 0.33 : c == "m" || c == "w" ? 0.9 : 0.6;
  }
  return width * size;
}

}  // namespace actio
