#include "actio/io/page.hpp"

#include <fmt/format.h>

#include <charconv>

#include "actio/base/error.hpp"
#include "actio/io/report_template.hpp"

namespace actio {

namespace {

std::string escaped_for_html(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (c == '&') result += "&amp;";
    else result += c;
  }
  return result;
}

void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  ACTIO_ASSERT(at != std::string::npos);
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string page_with(std::string_view json, std::string_view title, std::string_view summary) {
  std::string page(report_template());
  fill(page, "__TITLE__", escaped_for_html(title));
  fill(page, "__SUMMARY__", escaped_for_html(summary));
  fill(page, "__DATA__", escaped_for_script(json));
  return page;
}

std::string escaped_for_script(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (char c : json) {
    if (c == '<') result += "\\u003c";
    else result += c;
  }
  return result;
}

double rounded_for_drawing(double value, int digits) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace actio
