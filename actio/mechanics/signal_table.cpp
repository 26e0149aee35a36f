#include "actio/mechanics/signal_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "actio/expr/expr.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/csv_table.hpp"
#include "actio/mechanics/indexed_tables.hpp"
#include "actio/mechanics/model_language.hpp"
#include "actio/mechanics/model_text.hpp"
#include "actio/mechanics/text_check.hpp"

namespace actio {

namespace {

struct sample_rows {
  std::vector<rational> times, values;
};

void add(sample_rows& rows, rational time, rational value, const source_place& place) {
  if (!rows.times.empty() && time <= rows.times.back()) {
    throw input_error("signal-times",
                      "the time " + to_text(expr(time)) + " does not come after " + to_text(expr(rows.times.back())),
                      place, "order the samples by time, each time once");
  }
  rows.times.push_back(std::move(time));
  rows.values.push_back(std::move(value));
}

class csv_reader {
 public:
  explicit csv_reader(std::string file) : file_(std::move(file)) {}

  // The first line names the columns.
  sample_rows read(std::string_view text) {
    sample_rows rows;
    for_each_csv_line(text, file_, [&](const std::vector<csv_field>& fields) {
      if (!time_) find_columns(fields);
      else read_row(fields, rows);
    });
    if (!time_) throw input_error("signal-column", "the file has no columns", {file_, 0, 0}, columns_wanted);
    return rows;
  }

 private:
  static constexpr const char* columns_wanted = "its first line names the columns: time,value";

  void find_columns(const std::vector<csv_field>& fields) {
    const auto column = [&](std::string_view name) {
      const auto found = std::ranges::find(fields, name, &csv_field::text);
      if (found == fields.end()) {
        throw input_error("signal-column", "the file has no column '" + std::string(name) + "'", line_of(fields),
                          columns_wanted);
      }
      return static_cast<std::size_t>(found - fields.begin());
    };
    time_ = column("time");
    value_ = column("value");
    columns_ = fields.size();
  }

  void read_row(const std::vector<csv_field>& fields, sample_rows& rows) {
    for (const std::size_t column : {*time_, value_}) {
      if (column < fields.size()) continue;
      throw input_error("signal-column", "the line ends before its column " + std::to_string(column + 1),
                        line_of(fields), "every line has a time and a value");
    }
    const csv_field &time = fields[*time_], &value = fields[value_];
    add(rows, csv_number(time.text, time.place), csv_number(value.text, value.place), time.place);
    for (std::size_t k = columns_; k < fields.size(); ++k) {
      if (fields[k].text.empty()) continue;
      throw input_error("signal-column",
                        "the line goes on behind its column " + std::to_string(columns_) + ", which is the last one",
                        fields[k].place, "give each column a name, and write numbers with points: 2.5");
    }
  }

  source_place line_of(const std::vector<csv_field>& fields) const { return {file_, fields.front().place.line, 1}; }

  std::string file_;
  std::optional<std::size_t> time_;
  std::size_t value_ = 0, columns_ = 0;
};

// A number as typed, or in quotes what is exactly one: "1/3".
rational number_of(const file_value& value) {
  const auto refuse = [&](const parsed_name&) -> expr {
    throw input_error("bad-number", "'" + value.source.text.substr(0, 60) + "' is no number", value.place,
                      "write a number such as 2.5, or a fraction in quotes");
  };
  const expr exact = parse_expression(value.source, refuse);
  return exact.is_number() ? exact.number() : refuse({}).number();
}

sample_rows rows_of(const file_value& samples) {
  const std::string cure = "write samples = [[0, 0], [1, 2.5]], times and values";
  if (samples.kind != file_value_kind::array) {
    throw_wrong_type("'samples'", "an array of rows", samples, samples.place, cure);
  }
  sample_rows rows;
  for (const file_value& row : samples.items) {
    const auto is_number = [](const file_value& v) {
      return v.kind == file_value_kind::number || v.kind == file_value_kind::text;
    };
    if (row.kind != file_value_kind::array || row.items.size() != 2 || !std::ranges::all_of(row.items, is_number)) {
      throw input_error("wrong-type", "a row of 'samples' is a time and a value", row.place, cure);
    }
    add(rows, number_of(row.items[0]), number_of(row.items[1]), row.place);
  }
  return rows;
}

interpolation interpolation_of(const file_value& table) {
  const file_entry* entry = find_entry(table, "interpolation");
  if (entry == nullptr) return interpolation::linear;
  for (const interpolation kind : {interpolation::linear, interpolation::cubic}) {
    if (entry->value.kind == file_value_kind::text && entry->value.source.text == name_of(kind)) return kind;
  }
  throw input_error("unknown-option-value", "'" + entry->value.source.text + "' is no interpolation",
                    entry->value.place, "write \"linear\" or \"cubic\"");
}

}  // namespace

std::shared_ptr<const sample_table> read_signal(const file_entry& entry, const std::string& file) {
  if (entry.value.kind != file_value_kind::table) {
    throw_wrong_type("'" + entry.key + "'", "a table", entry.value, entry.place,
                     "write [signals." + entry.key + "], and its keys below");
  }
  check_keys(entry.value, "[signals." + entry.key + "]", keys_of_table("signals"));
  const file_entry *outside = find_entry(entry.value, "file"), *inside = find_entry(entry.value, "samples");
  if ((outside == nullptr) == (inside == nullptr)) {
    throw input_error("missing-key", "the signal '" + entry.key + "' needs either a file or samples", entry.place,
                      "write file = \"" + entry.key + ".csv\", a file with columns time and value");
  }
  const interpolation kind = interpolation_of(entry.value);
  sample_rows rows;
  source_place place = entry.place;
  if (inside != nullptr) {
    rows = rows_of(inside->value);
  } else {
    if (outside->value.kind != file_value_kind::text) {
      throw_wrong_type("'file'", "a string", outside->value, outside->place);
    }
    const std::string path = path_beside(outside->value, file);
    rows = csv_reader(path).read(contents_of(path, outside->value.place));
    place = {path, 0, 0};
  }
  if (rows.times.size() < 2) {
    throw input_error("signal-too-short",
                      "the signal '" + entry.key + "' has " + std::to_string(rows.times.size()) + " sample" +
                          (rows.times.size() == 1 ? "" : "s"),
                      place, "at least two are needed to interpolate");
  }
  return sample_table::make(entry.key, std::move(rows.times), std::move(rows.values), kind);
}

file_value samples_value(const sample_table& samples) {
  const auto number = [](const rational& x) {
    file_value value;
    value.kind = file_value_kind::number;
    value.source.text = to_text(expr(x));
    return value;
  };
  file_value rows;
  rows.kind = file_value_kind::array;
  for (std::size_t k = 0; k < samples.times().size(); ++k) {
    file_value row;
    row.kind = file_value_kind::array;
    row.items = {number(samples.times()[k]), number(samples.values()[k])};
    rows.items.push_back(std::move(row));
  }
  return rows;
}

namespace {

// The byte at which a place of the text stands.
std::size_t offset_of(std::string_view text, const source_place& place) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int line = 1; line < place.line && at < text.size(); ++line) at = std::min(text.find('\n', at), text.size()) + 1;
  for (int column = 1; column < place.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return std::min(at, text.size());
}

// The end of the string in quotes that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string fence(text.substr(begin).starts_with(std::string(3, quote)) ? 3 : 1, quote);
  std::size_t at = begin + fence.size();
  while (at < text.size() && !text.substr(at).starts_with(fence)) at += quote == '"' && text[at] == '\\' ? 2 : 1;
  return std::min(at + fence.size(), text.size());
}

}  // namespace

std::string with_samples_inside(const std::string& text, const file_value& root, const std::string& file) {
  struct replacement {
    const file_entry* outside;
    std::string text;
  };
  std::vector<replacement> replacements;
  for (const std::string table : {"signals", "tables"}) {
    const file_entry* entries = find_entry(root, table);
    if (entries == nullptr) continue;
    for (const file_entry& entry : entries->value.entries) {
      const file_entry* outside = find_entry(entry.value, "file");
      if (outside == nullptr) continue;
      replacements.push_back({outside, table == "signals"
                                           ? "samples = " + value_text(samples_value(*read_signal(entry, file)))
                                           : rows_text(entry, file)});
    }
  }
  if (replacements.empty()) return text;
  std::string result = text;
  std::ranges::sort(replacements, [](const replacement& a, const replacement& b) {  // from the last one on
    return std::pair(a.outside->place.line, a.outside->place.column) >
           std::pair(b.outside->place.line, b.outside->place.column);
  });
  for (const replacement& r : replacements) {
    const std::size_t key = offset_of(result, r.outside->place), value = offset_of(result, r.outside->value.place);
    result.replace(key, end_of_string(result, value) - key, r.text);
  }
  if (result.size() > most_model_bytes) {
    throw input_error("file-too-large", "the model is larger than 4 MB with its signals and tables", {file, 0, 0},
                      "give fewer samples or rows; runs keep the whole model");
  }
  return result;
}

}  // namespace actio
