#include "common/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/io/svg.hpp"

namespace actio::bench {

namespace {

std::optional<double> best_of(const result& r, double target, const std::string& family, std::string* who = nullptr) {
  std::optional<double> best;
  for (const score& s : r.scores) {
    if (s.family != family) continue;
    const auto seconds = seconds_to_reach(s, target);
    if (!seconds || (best && *best <= *seconds)) continue;
    best = seconds;
    if (who) *who = s.name;
  }
  return best;
}

std::vector<std::string> families(const result& r) {
  std::vector<std::string> names;
  for (const score& s : r.scores) {
    if (std::find(names.begin(), names.end(), s.family) == names.end()) names.push_back(s.family);
  }
  return names;
}

std::string micros(std::optional<double> seconds) {
  if (!seconds) return "–";
  const double us = *seconds * 1e6;
  return us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string ratio_text(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return "–";
  return fmt::format("{:.2f}", *a / *b);
}

std::string target_text(double target) { return fmt::format("{:.0e}", target); }

// A table as rows of cells, the first of them its heading.
using table = std::vector<std::vector<std::string>>;

table times_table(const result& r) {
  table t{{"µs to reach an error of"}};
  for (const double target : r.targets) t[0].push_back(target_text(target));
  t[0].push_back("setup, µs");
  for (const score& s : r.scores) {
    std::vector<std::string> row{s.full_name()};
    for (const double target : r.targets) row.push_back(micros(seconds_to_reach(s, target)));
    std::optional<double> setup;
    for (const point& p : s.points) setup = setup ? std::min(*setup, p.setup_seconds) : p.setup_seconds;
    row.push_back(micros(setup));
    t.push_back(std::move(row));
  }
  return t;
}

table ratios_table(const result& r) {
  table t{{"best of the family / best of actio"}};
  for (const double target : r.targets) t[0].push_back(target_text(target));
  for (const std::string& family : families(r)) {
    std::vector<std::string> row{family};
    for (const double target : r.targets) {
      std::string who;
      const auto theirs = best_of(r, target, family, &who), ours = best_of(r, target, "actio");
      row.push_back(theirs && ours ? ratio_text(theirs, ours) + " " + who : "–");
    }
    t.push_back(std::move(row));
  }
  return t;
}

table alike_table(const result& r) {
  table t{{"the same method, ns a step", "steps", "first", "second", "first/second", "error", "error"}};
  for (const pair_ratio& p : r.alike) {
    t.push_back({p.left + " / " + p.right, fmt::format("{}", p.steps), fmt::format("{:.1f}", p.left_step * 1e9),
                 fmt::format("{:.1f}", p.right_step * 1e9), ratio_text(p.left_step, p.right_step),
                 fmt::format("{:.1e}", p.left_error), fmt::format("{:.1e}", p.right_error)});
  }
  return t;
}

std::size_t width(const std::string& text) {  // of UTF-8 on a terminal
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string to_text(const table& t) {
  std::vector<std::size_t> widths(t[0].size(), 0);
  for (const auto& row : t) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : t) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - width(row[i]), ' ');
      line += i == 0 ? row[i] + pad : "  " + pad + row[i];
    }
    text += line + "\n";
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

std::string to_html(const table& t) {
  std::string out = "<table>\n";
  for (std::size_t i = 0; i < t.size(); ++i) {
    out += "<tr>";
    for (const std::string& cell : t[i]) out += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", escaped(cell));
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string work_against_precision(const result& r) {
  panel p{.title = r.title, .x_label = "error", .y_label = "CPU time, µs", .x_log = true, .y_log = true};
  for (const score& s : r.scores) {
    curve c{.name = s.full_name(), .style = curve_style::line_with_points};
    for (const point& at : s.points) {
      c.x.push_back(at.error);
      c.y.push_back(at.seconds * 1e6);
    }
    if (!c.x.empty()) p.curves.push_back(std::move(c));
  }
  return to_svg(figure{.id = r.id, .title = r.title, .caption = "", .panels = {p}});
}

std::string many_digits_line(const many_digits_result& r) {
  std::string line =
      fmt::format("{} digits, one Simpson step of {}: actio {:.1f} µs", r.digits, r.step, r.actio_seconds * 1e6);
  if (r.mpmath_seconds > 0) {
    line += fmt::format(", mpmath {:.0f} µs: {:.1f} times as long; after {} steps their ends differ by {:.0e}",
                        r.mpmath_seconds * 1e6, r.mpmath_seconds / r.actio_seconds, r.steps, r.difference);
  }
  return line;
}

table study_table(const study& s) {
  table t{s.columns};
  for (const auto& row : s.rows) {
    std::vector<std::string>& cells = t.emplace_back();
    for (const double x : row) cells.push_back(x == 0 ? "–" : fmt::format("{:.4g}", x));
  }
  return t;
}

table ensemble_table(const ensemble_result& r) {
  table t{{"", "trajectories", "steps", "threads", "seconds", "CPU seconds", "trajectories a second", "largest error"}};
  for (const ensemble_level& level : r.levels) {
    for (const ensemble_attempt& a : level.attempts) {
      t.push_back({a.name, fmt::format("{}", level.count), fmt::format("{}", a.steps), fmt::format("{}", a.threads),
                   fmt::format("{:.3g}", a.seconds), fmt::format("{:.3g}", a.cpu_seconds),
                   fmt::format("{:.3g}", static_cast<double>(level.count) / a.seconds),
                   fmt::format("{:.1e}", a.error)});
    }
  }
  return t;
}

std::string ensemble_statement(const ensemble_result& r) {
  double uncertainty = 0;
  for (const ensemble_level& level : r.levels) uncertainty = std::max(uncertainty, level.uncertainty);
  return fmt::format(
      "double pendulums from angles spread evenly, {}, at rest, to t = {}. Errors of angles and momenta in a "
      "sample of {}; reference: {}, which differ by {:.0e}",
      r.angles, r.until, r.sample, r.reference, uncertainty);
}

std::string ensemble_conclusion(const ensemble_result& r) {
  std::string text;
  for (const ensemble_level& level : r.levels) {
    text += fmt::format(
        "At rk4's error of {:.0e} rk4 takes {:.1f} times the CPU time of actio, which does {:.2f} times as "
        "many trajectories a second on two threads. ",
        level.attempts[0].error, level.ratio, level.scaling);
  }
  return text + "actio has " + r.same_bits;
}

}  // namespace

std::string terminal_text(const study& s) {
  return s.title + "\n\n" + to_text(study_table(s)) + (s.conclusion.empty() ? "" : "  " + s.conclusion + "\n") + "\n";
}

std::string terminal_text(const result& r) {
  std::string text = fmt::format("{}: {}\n  error: {}; reference: {}, which differ by {:.0e}\n\n", r.title, r.statement,
                                 r.error_means, r.reference, r.uncertainty);
  text += to_text(times_table(r)) + "\n" + to_text(ratios_table(r)) + "\n";
  if (!r.alike.empty()) text += to_text(alike_table(r)) + "\n";
  return text;
}

std::string terminal_text(const many_digits_result& r) { return many_digits_line(r) + "\n"; }

std::string terminal_text(const ensemble_result& r) {
  return fmt::format("Ensemble: {}\n\n{}\n  {}\n", ensemble_statement(r), to_text(ensemble_table(r)),
                     ensemble_conclusion(r));
}

std::string to_json(const summary& s) {
  using nlohmann::json;
  json out{{"processor", s.processor}, {"compiler", s.compiler}, {"load", s.load}, {"left_out", s.left_out}};
  out["contests"] = json::array();
  for (const result& r : s.contests) {
    json c{{"id", r.id}, {"statement", r.statement}, {"error", r.error_means}, {"reference", r.reference}};
    c["reference_uncertainty"] = r.uncertainty;
    for (const score& who : r.scores) {
      json w{{"family", who.family}, {"name", who.name}, {"knob", who.knob}, {"points", json::array()}};
      for (const point& p : who.points) {
        w["points"].push_back({{"setting", p.setting},
                               {"steps", p.steps},
                               {"error", p.error},
                               {"energy_error", p.energy_error},
                               {"seconds", p.seconds},
                               {"setup_seconds", p.setup_seconds}});
      }
      for (const double target : r.targets) {
        const auto seconds = seconds_to_reach(who, target);
        w["seconds_to_reach"][target_text(target)] = seconds ? json(*seconds) : json();
      }
      c["competitors"].push_back(std::move(w));
    }
    for (const std::string& family : families(r)) {
      for (const double target : r.targets) {
        std::string who;
        const auto theirs = best_of(r, target, family, &who), ours = best_of(r, target, "actio");
        if (theirs && ours)
          c["over_best_actio"][family][target_text(target)] = {{"ratio", *theirs / *ours}, {"by", who}};
      }
    }
    for (const pair_ratio& p : r.alike) {
      c["alike"].push_back({{"first", p.left},
                            {"second", p.right},
                            {"steps", p.steps},
                            {"first_seconds_a_step", p.left_step},
                            {"second_seconds_a_step", p.right_step},
                            {"ratio", p.left_step / p.right_step}});
    }
    out["contests"].push_back(std::move(c));
  }
  for (const many_digits_result& r : s.many_digits) {
    out["many_digits"].push_back({{"digits", r.digits},
                                  {"step", r.step},
                                  {"actio_seconds_a_step", r.actio_seconds},
                                  {"actio_setup_seconds", r.actio_setup_seconds},
                                  {"mpmath_seconds_a_step", r.mpmath_seconds},
                                  {"ratio", r.mpmath_seconds / r.actio_seconds},
                                  {"difference", r.difference}});
  }
  for (const study& one : s.studies) {
    json rows = json::array();
    for (const auto& row : one.rows) {
      json cells;
      for (std::size_t k = 0; k < row.size(); ++k) cells[one.columns[k]] = row[k];
      rows.push_back(std::move(cells));
    }
    out["studies"][one.id] = {
        {"title", one.title}, {"rows", std::move(rows)}, {"conclusion", one.conclusion}, {"value", one.value}};
  }
  for (const ensemble_result& r : s.ensembles) {
    json e{{"sample", r.sample}, {"until", r.until}, {"reference", r.reference}, {"same_bits", r.same_bits}};
    for (const ensemble_level& level : r.levels) {
      json l{{"trajectories", level.count},
             {"reference_uncertainty", level.uncertainty},
             {"ratio", level.ratio},
             {"scaling", level.scaling}};
      for (const ensemble_attempt& a : level.attempts) {
        l["attempts"].push_back({{"name", a.name},
                                 {"steps", a.steps},
                                 {"threads", a.threads},
                                 {"seconds", a.seconds},
                                 {"cpu_seconds", a.cpu_seconds},
                                 {"error", a.error}});
      }
      e["levels"].push_back(std::move(l));
    }
    out["ensembles"].push_back(std::move(e));
  }
  return out.dump(2) + "\n";
}

std::string to_page(const summary& s) {
  std::string page = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>actio: work against precision</title>
<meta name="viewport" content="width=device-width">
<style>
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1, h2 { font-weight: normal; }
table { border-collapse: collapse; margin: 1rem 0; font: 14px/1.4 sans-serif; }
th, td { padding: .15rem .7rem; text-align: right; }
th { border-bottom: 1px solid #222; font-weight: normal; }
th:first-child, td:first-child { text-align: left; }
tr:first-child th { border-top: 2px solid #222; } tr:last-child td { border-bottom: 2px solid #222; }
svg { max-width: 100%; height: auto; }
p.note { color: #555; }
</style></head><body>
<h1>Work against precision</h1>
)";
  page +=
      fmt::format("<p class=\"note\">{}; {}; load of the machine {:.1f}. CPU time, the least of several runs.</p>\n",
                  escaped(s.processor), escaped(s.compiler), s.load);
  for (const result& r : s.contests) {
    page += fmt::format("<h2>{}</h2>\n<p>{}. Error: {}. Reference: {}, which differ by {:.0e}.</p>\n", escaped(r.title),
                        escaped(r.statement), escaped(r.error_means), escaped(r.reference), r.uncertainty);
    page += work_against_precision(r) + to_html(times_table(r)) + to_html(ratios_table(r));
    if (!r.alike.empty()) page += to_html(alike_table(r));
  }
  if (!s.many_digits.empty()) page += "<h2>Many digits</h2>\n";
  for (const many_digits_result& r : s.many_digits) page += "<p>" + escaped(many_digits_line(r)) + "</p>\n";
  for (const study& one : s.studies) {
    page += "<h2>" + escaped(one.title) + "</h2>\n" + to_html(study_table(one));
    if (!one.conclusion.empty()) page += "<p>" + escaped(one.conclusion) + "</p>\n";
  }
  for (const ensemble_result& r : s.ensembles) {
    page += "<h2>Ensemble</h2>\n<p>" + escaped(ensemble_statement(r)) + ".</p>\n" + to_html(ensemble_table(r)) + "<p>" +
            escaped(ensemble_conclusion(r)) + ".</p>\n";
  }
  for (const std::string& line : s.left_out) page += "<p class=\"note\">" + escaped(line) + "</p>\n";
  return page + "</body></html>\n";
}

}  // namespace actio::bench
