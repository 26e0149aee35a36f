#include "papers/published.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/base/scalar.hpp"

namespace actio {

namespace {

using nlohmann::json;

published_cell cell_of(const json& cell) {
  if (cell.is_string()) return {cell.get<std::string>()};
  published_cell result{cell.at("published").get<std::string>(), cell.value("misprint", ""),
                        cell.value("unreliable", "")};
  if (!result.misprint.empty()) result.right = cell.at("right").get<std::string>();
  return result;
}

published_table table_of(const json& table) {
  published_table result;
  result.id = table.at("id").get<std::string>();
  result.title = table.at("title").get<std::string>();
  result.caption = table.at("caption").get<std::string>();
  result.row_heads = table.at("row_heads").get<std::vector<std::string>>();
  result.columns = table.at("columns").get<std::vector<std::string>>();
  for (const json& row : table.at("rows")) {
    published_row& added = result.rows.emplace_back();
    added.heads = row.at("heads").get<std::vector<std::string>>();
    for (const json& cell : row.at("cells")) added.cells.push_back(cell_of(cell));
  }
  return result;
}

// A printed number as digits · unit: 7.51e-2 is 751 · 1e-4.
struct printed_number {
  double digits, unit;
};

printed_number taken_apart(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size()), point = text.find('.');
  const int decimals = point < e ? static_cast<int>(e - point - 1) : 0;
  const int exponent = e < text.size() ? std::stoi(text.substr(e + 1)) : 0;
  const double unit = std::pow(10.0, exponent - decimals);
  return {std::round(std::stod(text) / unit), unit};
}

// Whether the digits are those of `value`.
bool has_digits_of(const std::string& printed, double value) {
  const printed_number number = taken_apart(printed);
  const double scaled = value / number.unit;
  constexpr double slack = 1e-6;  // of a unit in the last printed place
  const bool rounded = std::abs(scaled - number.digits) <= 0.5 + slack;
  const bool cut_off = std::trunc(scaled + std::copysign(slack, scaled)) == number.digits;
  return rounded || cut_off;
}

// Orders are printed without their sign.
bool is_close_order(const std::string& printed, double value) {
  const printed_number number = taken_apart(printed);
  return std::abs(std::abs(value) - number.digits * number.unit) <= order_tolerance;
}

}  // namespace

published_paper read_published(std::string_view text) {
  const json document = json::parse(text);
  published_paper paper;
  paper.title = document.at("title").get<std::string>();
  paper.authors = document.at("authors").get<std::string>();
  paper.summary = document.at("summary").get<std::string>();
  paper.year = document.at("year").get<int>();
  for (const json& table : document.at("tables")) paper.tables.push_back(table_of(table));
  return paper;
}

std::string to_text(verdict v) {
  switch (v) {
    case verdict::agrees: return "agrees";
    case verdict::close: return "close";
    case verdict::holds: return "holds";
    case verdict::holds_in_part: return "holds in part";
    case verdict::misprint: return "misprint";
    case verdict::unreliable_digits: return "unreliable digits";
    case verdict::not_reproducible: return "not reproducible";
    case verdict::disagrees: return "disagrees";
    case verdict::does_not_hold: return "does not hold";
    case verdict::left_out: break;
  }
  return "left out";
}

bool is_failure(verdict v) {
  return v == verdict::disagrees || v == verdict::does_not_hold || v == verdict::not_reproducible;
}

verdict judge(const published_cell& printed, double value, bool is_order) {
  if (!std::isfinite(value)) return verdict::not_reproducible;
  if (has_digits_of(printed.value, value)) return verdict::agrees;
  if (is_order && is_close_order(printed.value, value)) return verdict::close;
  if (!printed.misprint.empty()) {
    const bool is_right = has_digits_of(printed.right, value) || (is_order && is_close_order(printed.right, value));
    return is_right ? verdict::misprint : verdict::disagrees;
  }
  const printed_number number = taken_apart(printed.value);
  const double magnitude = std::floor(std::log10(number.digits)), first = std::pow(10.0, magnitude);
  const bool shares_first_digit = std::abs(value / number.unit - number.digits) <= first;
  return !printed.unreliable.empty() && shares_first_digit ? verdict::unreliable_digits : verdict::disagrees;
}

std::string rule_of_cells() {
  return fmt::format(
      "A cell agrees where its printed digits are those of the computed value, rounded or cut off; an order is close "
      "where it is within {:g}, its sign apart.",
      order_tolerance);
}

}  // namespace actio
