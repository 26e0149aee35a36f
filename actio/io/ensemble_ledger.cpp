#include "actio/io/ensemble_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "actio/io/checkpoint.hpp"
#include "actio/io/trajectory_file.hpp"

namespace actio {

namespace {

// What an ensemble needs so that it can be made again: model and options, what varied, the seed; beside them what came
// out of these.
run_metadata ensemble_metadata(const ensemble_plan& plan, const ensemble_options& options, const run_recipe& recipe) {
  std::string sweeps, samples;
  for (const swept_variable& s : plan.variation().sweeps) {
    sweeps += to_text(s) + "\n";
  }
  for (const random_variable& r : plan.variation().samples) {
    const char* kind = r.kind == distribution::normal ? "normal" : "uniform";
    samples += fmt::format("{}={}({},{})\n", r.name, kind, r.first, r.second);
  }
  std::string parameters;
  const std::vector<double> values = parameter_values<double>(plan.base().system);
  for (std::size_t k = 0; k < values.size(); ++k) {
    parameters += fmt::format("{}={}\n", plan.base().system.parameters[k].name, values[k]);
  }
  std::string event_names;
  for (const model_event& event : plan.base().events) event_names += event.name + "\n";
  run_metadata metadata = metadata_of(recipe);
  std::erase_if(metadata, [](const auto& entry) { return entry.first == "seed"; });
  metadata.insert(metadata.end(), {{"kind", "ensemble"},
                                   {"parameters", parameters},
                                   {"sweep", sweeps},
                                   {"sample", samples},
                                   {"count", std::to_string(plan.variation().count)},
                                   {"seed", std::to_string(plan.variation().seed)},
                                   {"method", options.integrator.method},
                                   {"step", fmt::format("{}", options.integrator.step)},
                                   {"steps", std::to_string(options.steps)},
                                   {"events", event_names},
                                   {"poincare", options.poincare ? options.poincare->text : ""},
                                   {"lyapunov", options.lyapunov ? "true" : "false"}});
  return metadata;
}

// The first line of `one` that `other` lacks, up to its " = ".
std::string differing_option(const std::string& one, const std::string& other) {
  std::istringstream lines(one);
  for (std::string line; std::getline(lines, line);) {
    if (("\n" + other).find("\n" + line + "\n") == std::string::npos) return line.substr(0, line.find(" = "));
  }
  return "options";
}

void put_count(snapshot& to, const char* name, std::initializer_list<std::size_t> values) {
  std::vector<std::string> texts;
  for (const std::size_t value : values) texts.push_back(std::to_string(value));
  to.put_texts(name, std::move(texts));
}

}  // namespace

trajectory_range ensemble_ledger::range() const {
  return range_of(report.part.value_or(ensemble_part()), report.whole);
}

ensemble_ledger new_ledger(const ensemble_plan& plan, const ensemble_options& options, const run_recipe& recipe) {
  ensemble_ledger ledger{.made_by = ensemble_metadata(plan, options, recipe),
                         .layout = ensemble_layout::of(plan, options)};
  ledger.report.whole = plan.size();
  ledger.report.part = options.part;
  ledger.report.accuracy = options.accuracy;
  return ledger;
}

snapshot to_snapshot(const ensemble_ledger& ledger) {
  const ensemble_report& report = ledger.report;
  const ensemble_layout& layout = ledger.layout;
  snapshot to;
  std::vector<std::string> names, failures;
  for (const auto& [name, text] : ledger.made_by) {
    names.push_back(name);
    to.put_text("ensemble." + name, text);
  }
  to.put_texts("ensemble", std::move(names));
  to.put_texts("columns", layout.columns);
  to.put_texts("crossing_columns", layout.crossing_columns);
  to.put_texts("event_columns", layout.event_columns);
  to.put_texts("events", layout.events);
  put_count(
      to, "layout",
      {layout.positions, layout.momenta, layout.errors, layout.has_energy ? 1U : 0U, layout.has_lyapunov ? 1U : 0U});
  std::vector<std::string> varied;
  for (const std::size_t v : layout.varied) varied.push_back(std::to_string(v));
  to.put_texts("varied", std::move(varied));
  to.put_texts("report", {report.model, report.method, report.engine, report.section});
  to.put_texts("coordinates", report.coordinates);
  to.put("numbers", std::vector<double>{report.step, report.seconds});
  const ensemble_accuracy promised = report.accuracy.value_or(ensemble_accuracy());
  to.put("accuracy", std::vector<double>{promised.asked, static_cast<double>(promised.sample), promised.median,
                                         promised.ninth_decile, promised.percentile_99, promised.worst,
                                         promised.uncertainty, promised.energy_limit});
  to.put_text("accuracy.reason", promised.reason);
  const ensemble_part part = report.part.value_or(ensemble_part{0, 0});
  put_count(to, "counts",
            {report.steps, report.whole, part.number, part.parts, report.has_energy ? 1U : 0U,
             ledger.is_piece ? 1U : 0U, ledger.rows, ledger.crossing_rows, ledger.event_rows, report.untrusted,
             report.tangencies, report.discontinuities});
  for (const ensemble_failure& f : report.first_failures) {
    failures.push_back(std::to_string(f.index));
    failures.push_back(f.reason);
  }
  to.put_texts("failures", std::move(failures));
  return to;
}

namespace {

std::size_t count_in(const std::string& text) {
  const auto value = static_cast<double>(std::stoull("0" + text));
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || value > 0x1p53) {
    throw snapshot_error(fmt::format("'{}' is no count", text.substr(0, 40)));
  }
  return static_cast<std::size_t>(value);
}

ensemble_layout layout_in(const snapshot& from) {
  const std::vector<std::size_t> shape = from.counts("layout", 5);
  ensemble_layout layout{.columns = from.texts("columns"),
                         .crossing_columns = from.texts("crossing_columns"),
                         .event_columns = from.texts("event_columns"),
                         .events = from.texts("events"),
                         .positions = shape[0],
                         .momenta = shape[1],
                         .errors = shape[2],
                         .has_energy = shape[3] != 0,
                         .has_lyapunov = shape[4] != 0};
  for (const std::string& text : from.texts("varied")) layout.varied.push_back(count_in(text));
  const std::size_t states = layout.positions + layout.momenta;
  const std::size_t columns = 3 + layout.varied.size() + 2 * states + (layout.has_energy ? 1 + layout.errors : 0) +
                              (layout.has_lyapunov ? 1 : 0);
  const bool fits = layout.positions > 0 && states <= layout.columns.size() && layout.columns.size() == columns &&
                    (!layout.has_crossings() || layout.crossing_columns.size() == 2 + states) &&
                    (!layout.has_events() || layout.event_columns.size() == 3 + states) &&
                    layout.has_events() == !layout.events.empty() &&
                    std::ranges::all_of(layout.varied, [](std::size_t v) { return v < 1000000; });
  if (!fits) throw snapshot_error("its columns do not fit");
  return layout;
}

ensemble_ledger ledger_in_texts(const snapshot& from) {
  ensemble_ledger ledger{.made_by = {}, .layout = layout_in(from)};
  for (const std::string& name : from.texts("ensemble"))
    ledger.made_by.emplace_back(name, from.text("ensemble." + name));
  ensemble_report& report = ledger.report;
  const std::vector<std::string>& words = from.texts("report");
  const std::vector<std::string>& failures = from.texts("failures");
  if (words.size() != 4 || failures.size() % 2 != 0) throw snapshot_error("its report is not complete");
  report.model = words[0];
  report.method = words[1];
  report.engine = words[2];
  report.section = words[3];
  report.coordinates = from.texts("coordinates");
  const std::vector<double> numbers = from.get<double>("numbers", 2);
  report.step = numbers[0];
  report.seconds = numbers[1];
  const std::vector<double> promised = from.get<double>("accuracy", 8);
  if (promised[0] > 0) {
    report.accuracy = {.asked = promised[0],
                       .sample = static_cast<std::size_t>(std::clamp(promised[1], 0.0, 1e9)),
                       .median = promised[2],
                       .ninth_decile = promised[3],
                       .percentile_99 = promised[4],
                       .worst = promised[5],
                       .uncertainty = promised[6],
                       .energy_limit = promised[7],
                       .reason = from.text("accuracy.reason")};
  }
  const std::vector<std::size_t> counts = from.counts("counts", 12);
  report.steps = counts[0];
  report.whole = counts[1];
  const ensemble_part part{counts[2], counts[3]};
  if (part.parts > 0) report.part = part;
  const bool is_part = part.parts == 0 || (part.number >= 1 && part.number <= part.parts);
  if (!is_part || part.parts > most_trajectories || report.whole > most_trajectories) {
    throw snapshot_error("its part is none");
  }
  report.has_energy = counts[4] != 0;
  ledger.is_piece = counts[5] != 0;
  ledger.rows = counts[6];
  ledger.crossing_rows = counts[7];
  ledger.event_rows = counts[8];
  report.watches_events = ledger.layout.has_events();
  report.planned = ledger.range().size();
  if (ledger.rows > report.planned) throw snapshot_error("it speaks of too many rows");
  report.untrusted = counts[9];
  report.tangencies = counts[10];
  report.discontinuities = counts[11];
  for (std::size_t k = 0; k < failures.size(); k += 2) {
    report.first_failures.push_back({count_in(failures[k]), failures[k + 1]});
  }
  if (report.coordinates.size() != ledger.layout.positions && !report.coordinates.empty()) {
    throw snapshot_error("its coordinates do not fit");
  }
  return ledger;
}

}  // namespace

ensemble_ledger ledger_in(const snapshot& from, const std::string& path) {
  std::string why;
  try {
    return ledger_in_texts(from);
  } catch (const snapshot_error& e) {
    why = e.what();
  } catch (const std::out_of_range&) {
    why = "a count is too large";
  }
  throw input_error("checkpoint-damaged", fmt::format("the checkpoint is none of an ensemble: {}", why), {path, 0, 0},
                    "remove it, or leave @resume out to start afresh");
}

std::optional<ensemble_ledger> ledger_of(const std::string& output) {
  if (output.ends_with(".h5") && std::filesystem::exists(output)) {
    const std::string inside = trajectory_file::open(output).text("ledger");
    if (!inside.empty()) return ledger_in(parse_checkpoint(inside, output), output);
  }
  const std::string path = checkpoint_path(output);
  const auto saved = read_checkpoint(path);
  if (!saved) return {};
  return ledger_in(*saved, path);
}

std::string difference(const ensemble_ledger& one, const ensemble_ledger& other) {
  for (const auto& [name, text] : one.made_by) {
    if (name == "machine" || name == "model_file") continue;
    const auto found = std::ranges::find(other.made_by, name, &run_metadata::value_type::first);
    if (found != other.made_by.end() && found->second == text) continue;
    return name == "options" && found != other.made_by.end() ? differing_option(text, found->second) : name;
  }
  if (one.report.whole != other.report.whole) return "number of trajectories";
  return one.layout.columns != other.layout.columns ? "columns" : "";
}

ensemble_reader::ensemble_reader(const std::string& path, const ensemble_ledger& ledger)
    : path_(path), layout_(ledger.layout), rows_(ledger.rows), row_(layout_.columns.size()) {
  crossings_.rows = ledger.crossing_rows;
  events_.rows = ledger.event_rows;
  if (rows_ > 0) source_ = open_rows(path, "", layout_.columns, rows_);
  if (layout_.has_crossings()) crossings_.open(path, crossing_table, layout_.crossing_columns);
  if (layout_.has_events()) events_.open(path, event_table, layout_.event_columns);
}

void ensemble_reader::beside::open(const std::string& path, const char* table,
                                   const std::vector<std::string>& columns) {
  if (rows > 0) source = open_rows(path, table, columns, rows);
  next.resize(columns.size());
  read();
}

void ensemble_reader::beside::read() {
  if (rows == 0) return next.clear();
  source->next(next);
  --rows;
}

bool ensemble_reader::beside::is_of(const trajectory_result& result) const {
  return !next.empty() && next.front() == static_cast<double>(result.index);
}

void ensemble_reader::damaged(const char* what) const {
  throw input_error("trajectory-damaged", fmt::format("'{}' has a row that no {} has", path_, what), {path_, 0, 0},
                    "compute the ensemble again");
}

bool ensemble_reader::next(trajectory_result& result) {
  if (rows_ == 0) return false;
  source_->next(row_);
  --rows_;
  if (!layout_.read(row_, result)) damaged("trajectory");
  for (; crossings_.is_of(result); crossings_.read()) {
    result.crossings.insert(result.crossings.end(), crossings_.next.begin() + 1, crossings_.next.end());
  }
  for (; events_.is_of(result); events_.read()) {
    if (!layout_.read_event(events_.next, result)) damaged("event");
  }
  return true;
}

}  // namespace actio
