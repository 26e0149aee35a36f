#include "actio/io/paper_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/io/page.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/thinned_curve.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

// A curve has no more points than a wide screen has room for; all of them together make about 1.2 MB.
constexpr std::size_t most_points = 4000, most_points_of_page = 60'000;

std::vector<verdict_count> known_verdicts() {
  return {{"agrees", 0},           {"close", 0},        {"holds", 0},
          {"holds in part", 0},    {"misprint", 0},     {"unreliable digits", 0},
          {"not reproducible", 0}, {"disagrees", 0},    {"does not hold", 0},
          {"left out", 0},         {"computed here", 0}};
}

json cell_json(const table_cell& cell) {
  return {
      {"published", cell.published}, {"reproduced", cell.reproduced}, {"verdict", cell.verdict}, {"note", cell.note}};
}

json table_json(const paper_table& table) {
  json rows = json::array();
  for (const paper_table::row& row : table.rows) {
    json cells = json::array();
    for (const table_cell& cell : row.cells) cells.push_back(cell_json(cell));
    rows.push_back({{"heads", row.heads}, {"cells", cells}});
  }
  return {{"id", table.id},           {"title", table.title},         {"caption", table.caption},
          {"columns", table.columns}, {"row_heads", table.row_heads}, {"rows", rows},
          {"rule", table.rule}};
}

json claim_json(const paper_claim& claim) {
  return {{"statement", claim.statement}, {"published", claim.published}, {"reproduced", claim.reproduced},
          {"rule", claim.rule},           {"verdict", claim.verdict},     {"note", claim.note}};
}

// All but the figures, which a page draws and a program asks for by name.
json head_json(const paper_report& report) {
  json verdicts = json::object(), tables = json::array(), claims = json::array();
  for (const verdict_count& v : count_verdicts(report)) verdicts[v.verdict] = v.count;
  for (const paper_table& table : report.tables) tables.push_back(table_json(table));
  for (const paper_claim& claim : report.claims) claims.push_back(claim_json(claim));
  return {
      {"key", report.key},         {"title", report.title},
      {"authors", report.authors}, {"reference", report.reference},
      {"summary", report.summary}, {"version", program_version()},
      {"command", report.command}, {"seconds", std::isfinite(report.seconds) ? json(report.seconds) : json(nullptr)},
      {"verdicts", verdicts},      {"tables", tables},
      {"claims", claims}};
}

std::string_view name_of(curve_style style) {
  switch (style) {
    case curve_style::line: return "line";
    case curve_style::dashed: return "dashed";
    case curve_style::points: return "points";
    case curve_style::line_with_points: break;
  }
  return "line_with_points";
}

// Digits enough to zoom in by a thousand, also where all numbers begin with the same ones.
int digits_to_draw(const std::vector<double>& values, bool is_logarithmic) {
  constexpr int digits = 6, all_digits = 17;
  double low = 0, high = 0, size = 0;
  for (bool is_first = true; double value : values) {
    if (!std::isfinite(value)) continue;
    low = is_first ? value : std::min(low, value);
    high = is_first ? value : std::max(high, value);
    size = std::max(size, std::abs(value));
    is_first = false;
  }
  if (is_logarithmic || low == high) return digits;
  const double lost = std::log10(size / (high / 2 - low / 2));
  return std::min(all_digits, digits + static_cast<int>(std::ceil(std::max(0.0, lost))));
}

json numbers(const std::vector<double>& values, bool is_logarithmic) {
  const int digits = digits_to_draw(values, is_logarithmic);
  json list = json::array();
  for (double value : values) {
    list.push_back(std::isfinite(value) ? json(rounded_for_drawing(value, digits)) : json(nullptr));
  }
  return list;
}

json panel_json(const panel& p, std::size_t most) {
  json curves = json::array();
  std::size_t order = 0;
  for (const curve& c : p.curves) {
    const curve few = thinned(p, c, most);
    curves.push_back({{"name", c.name},
                      {"style", name_of(c.style)},
                      {"look", c.look.value_or(order)},
                      {"x", numbers(few.x, p.x_log)},
                      {"y", numbers(few.y, p.y_log)}});
    if (!c.name.empty()) ++order;
  }
  return {{"title", p.title}, {"x_label", p.x_label}, {"y_label", p.y_label},          {"x_log", p.x_log},
          {"y_log", p.y_log}, {"curves", curves},     {"equal_scales", p.equal_scales}};
}

json figures_json(const std::vector<figure>& figures) {
  std::vector<std::size_t> lengths;
  for (const figure& f : figures) {
    for (const panel& p : f.panels) {
      for (const curve& c : p.curves) lengths.push_back(std::min(c.x.size(), most_points));
    }
  }
  const std::size_t most = std::min(most_points, points_allowed(lengths, most_points_of_page));
  json list = json::array();
  for (const figure& f : figures) {
    json panels = json::array();
    for (const panel& p : f.panels) panels.push_back(panel_json(p, most));
    list.push_back({{"id", f.id}, {"title", f.title}, {"caption", f.caption}, {"panels", panels}});
  }
  return list;
}

// For browsers without scripts.
std::string summary_text(const paper_report& report) {
  std::string text =
      fmt::format("{}\n{}\n{}\n\n{}\n\n", report.title, report.authors, report.reference, report.summary);
  for (const verdict_count& v : count_verdicts(report)) text += fmt::format("{:>6}  {}\n", v.count, v.verdict);
  for (const paper_table& table : report.tables) {
    text += fmt::format("\n{}\n", table.title);
    if (!table.rule.empty()) text += fmt::format("  {}\n", table.rule);
    for (const paper_table::row& row : table.rows) {
      text += fmt::format("  {}\n", fmt::join(row.heads, ", "));
      for (std::size_t k = 0; k < row.cells.size(); ++k) {
        const table_cell& cell = row.cells[k];
        text += fmt::format("    {}: published {}, reproduced {}: {}{}{}\n",
                            k < table.columns.size() ? table.columns[k] : "", cell.published, cell.reproduced,
                            cell.verdict, cell.note.empty() ? "" : "; ", cell.note);
      }
    }
  }
  for (const paper_claim& claim : report.claims) {
    text += fmt::format("\n{}\n    published {}, reproduced {}{}{}: {}{}{}\n", claim.statement, claim.published,
                        claim.reproduced, claim.rule.empty() ? "" : ", rule: ", claim.rule, claim.verdict,
                        claim.note.empty() ? "" : "; ", claim.note);
  }
  return text + fmt::format("\nDo it again: {}\n", report.command);
}

}  // namespace

std::vector<verdict_count> count_verdicts(const paper_report& report) {
  std::vector<verdict_count> counts = known_verdicts();
  const auto add = [&](const std::string& verdict) {
    const auto found = std::ranges::find(counts, verdict, &verdict_count::verdict);
    if (found != counts.end()) ++found->count;
    else if (!verdict.empty()) counts.push_back({verdict, 1});
  };
  for (const paper_table& table : report.tables) {
    for (const paper_table::row& row : table.rows) {
      for (const table_cell& cell : row.cells) add(cell.verdict);
    }
  }
  for (const paper_claim& claim : report.claims) add(claim.verdict);
  std::erase_if(counts, [](const verdict_count& v) { return v.count == 0; });
  return counts;
}

std::string paper_page(const paper_report& report) {
  json data = {{"kind", "paper"}};
  data.update(head_json(report));
  data["figures"] = figures_json(report.figures);
  return page_with(data.dump(-1, ' ', true, json::error_handler_t::replace), report.title, summary_text(report));
}

std::string to_json(const paper_report& report) {
  json object = head_json(report);
  object["figures"] = json::array();
  for (const figure& f : report.figures) object["figures"].push_back({{"id", f.id}, {"title", f.title}});
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace actio
