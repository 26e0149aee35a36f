#include "papers/paper_reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "actio/io/append_file.hpp"
#include "actio/io/svg.hpp"
#include "actio/io/text_table.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

namespace {

std::vector<const paper*> requested_papers(const std::vector<source_text>& keys) {
  std::vector<const paper*> papers;
  const auto add_all = [&] {
    for (const paper& p : paper_catalogue()) papers.push_back(&p);
  };
  for (const source_text& key : keys) {
    if (key.text == "all") add_all();
    else papers.push_back(&paper_named(key));
  }
  if (keys.empty()) add_all();
  return papers;
}

// The folder for pages and figures, made and tried before anything is computed.
class output_folder {
 public:
  explicit output_folder(const option_values& options) : path_(options.find("output")) {
    if (!path_) return;
    std::error_code error;
    std::filesystem::create_directories(path_->text, error);
    const std::string obstacle = error ? error.message() : replace_obstacle(file("probe"));
    if (obstacle.empty()) return;
    throw input_error("output-unwritable", fmt::format("cannot write to the folder '{}': {}", path_->text, obstacle),
                      path_->origin, "give a folder that exists or can be made, and that may be written to");
  }

  bool is_wanted() const { return path_.has_value(); }

  // What went wrong, or "".
  std::string write(const paper_report& report) const {
    std::string error = replace_file(file(report.key + ".html"), paper_page(report));
    if (error.empty()) error = replace_file(file(report.key + ".json"), to_json(report));
    for (const figure& f : report.figures) {
      if (error.empty()) error = replace_file(file(fmt::format("{}-{}.svg", report.key, f.id)), to_svg(f));
    }
    return error.empty() ? "" : fmt::format("cannot write to the folder '{}': {}", path_->text, error);
  }

  std::string file(const std::string& name) const { return (std::filesystem::path(path_->text) / name).string(); }

 private:
  std::optional<source_text> path_;
};

std::string mark(const table_cell& cell) { return cell.verdict == "agrees" ? "" : " *"; }

std::string to_text(const paper_table& table) {
  std::vector<std::string> heads = table.row_heads;
  for (const std::string& column : table.columns) {
    heads.push_back(column);
    heads.emplace_back("reproduced");
  }
  text_table text(heads);
  std::string remarks;
  for (const auto& row : table.rows) {
    std::vector<std::string> line = row.heads;
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      const table_cell& cell = row.cells[k];
      line.push_back(cell.published);
      line.push_back(cell.reproduced.empty() ? "left out" : cell.reproduced + mark(cell));
      if (cell.verdict == "agrees" || cell.reproduced.empty()) continue;
      remarks +=
          fmt::format("* {}, {}: {}: printed {}, the value is {}{}\n", fmt::join(row.heads, ", "), table.columns[k],
                      cell.verdict, cell.published, cell.reproduced, cell.note.empty() ? "" : " (" + cell.note + ")");
    }
    text.add(line);
  }
  return fmt::format("{}. {}\n{}\n\n{}{}\n", table.title, table.caption, table.rule, text.text(),
                     remarks.empty() ? "" : "\n" + remarks);
}

// The verdict, and beside it everything that it was found by.
std::string to_text(const std::vector<paper_claim>& claims) {
  std::string text;
  std::size_t width = 0;
  for (const paper_claim& c : claims) width = std::max(width, c.verdict.size());
  const std::string indent(width + 2, ' ');
  for (const paper_claim& c : claims) {
    text += fmt::format("{:<{}}  {}\n", c.verdict, width, c.statement);
    if (!c.published.empty()) text += fmt::format("{}published: {}\n", indent, c.published);
    text += fmt::format("{}here: {}\n", indent, c.reproduced);
    if (!c.rule.empty()) text += fmt::format("{}rule: {}\n", indent, c.rule);
    if (!c.note.empty()) text += fmt::format("{}note: {}\n", indent, c.note);
  }
  return claims.empty() ? "" : text + "\n";
}

std::string to_text(const paper_report& report) {
  std::string text = fmt::format("{}: {}\n{}\n\n", report.key, report.title, report.reference);
  for (const paper_table& table : report.tables) text += to_text(table);
  text += to_text(report.claims);
  std::vector<std::string> counts;
  for (const verdict_count& c : count_verdicts(report)) counts.push_back(fmt::format("{} {}", c.count, c.verdict));
  return text + fmt::format("{}: {}; {:.1f} s\n\n", report.key, fmt::join(counts, ", "), report.seconds);
}

// "agrees", "disagrees", or "not reproducible" where nothing disagrees but something could not be computed.
std::string status_of(const std::vector<paper_report>& reports) {
  if (!std::ranges::any_of(reports, has_disagreement)) return "agrees";
  for (const paper_report& report : reports) {
    for (const verdict_count& count : count_verdicts(report)) {
      if (count.verdict == "disagrees" || count.verdict == "does not hold") return "disagrees";
    }
  }
  return "not reproducible";
}

// How long each paper took, and all of them.
std::string durations(const std::vector<paper_report>& reports, double seconds) {
  std::vector<std::string> parts;
  for (const paper_report& report : reports) parts.push_back(fmt::format("{} {:.1f} s", report.key, report.seconds));
  return fmt::format("{}; {:.1f} s in all", fmt::join(parts, ", "), seconds);
}

std::string conclusion(const std::string& status) {
  if (status == "agrees") return "everything that should agree does";
  if (status == "interrupted") return "interrupted: papers are missing";
  return status == "disagrees" ? "something disagrees" : "something could not be reproduced";
}

std::string to_json(const std::vector<paper_report>& reports, double seconds, const std::string& status) {
  std::string text = "{\n\"papers\": [\n";
  for (std::size_t k = 0; k < reports.size(); ++k) text += (k > 0 ? ",\n" : "") + actio::to_json(reports[k]);
  return text + fmt::format("],\n\"seconds\": {:.3f},\n\"status\": \"{}\"\n}}\n", seconds, status);
}

}  // namespace

paper_reproduction_result reproduce_papers(const paper_reproduction_options& options) {
  const std::vector<const paper*> papers = requested_papers(options.papers);
  const output_folder folder(options.given);
  reproduction_options settings{.quick = flag_from(options.given, "quick"),
                                .threads = threads_from(options.given),
                                .interrupted = options.interrupted};
  paper_reproduction_result result;
  for (const paper* p : papers) {
    settings.progress = [&, key = std::string(p->key)](double part) {
      if (options.progress) options.progress(key, part);
    };
    try {
      result.reports.push_back(reproduce(*p, settings));
    } catch (const reproduction_interrupted&) {
      result.interrupted = true;
      break;
    }
    const paper_report& report = result.reports.back();
    const std::string text = to_text(report);
    result.seconds += report.seconds;
    result.text += text;
    if (options.finished) options.finished(report, text);
    if (folder.is_wanted() && result.write_error.empty()) result.write_error = folder.write(report);
  }
  result.status = result.interrupted ? "interrupted" : status_of(result.reports);
  result.summary = fmt::format("{}\n{}{}", durations(result.reports, result.seconds), conclusion(result.status),
                               folder.is_wanted() ? fmt::format("; pages and figures in {}", folder.file("")) : "");
  result.text += result.summary + "\n";
  result.json = to_json(result.reports, result.seconds, result.status);
  return result;
}

}  // namespace actio
