#include "actio/mechanics/signal_table.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "actio/expr/expr.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/model_language.hpp"
#include "actio/mechanics/model_text.hpp"
#include "actio/mechanics/text_check.hpp"

namespace actio {

namespace {

namespace fs = std::filesystem;

struct sample_rows {
  std::vector<rational> times, values;
};

rational number_in(std::string_view text, const source_place& place) {
  try {
    return decimal(text).number();
  } catch (const input_error&) {
    throw input_error("bad-number", "'" + std::string(text.substr(0, 60)) + "' is no number", place,
                      "write a decimal number such as 2.5 or 1e-3");
  }
}

void add(sample_rows& rows, rational time, rational value, const source_place& place) {
  if (!rows.times.empty() && time <= rows.times.back()) {
    throw input_error("signal-times",
                      "the time " + to_text(expr(time)) + " does not come after " + to_text(expr(rows.times.back())),
                      place, "order the samples by time, each time once");
  }
  rows.times.push_back(std::move(time));
  rows.values.push_back(std::move(value));
}

// A field of a line of CSV, without blanks and quotes around it, and where it begins, in characters.
struct csv_field {
  std::string_view text;
  int column;
};

int characters_in(std::string_view text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<csv_field> fields_of(std::string_view line) {
  std::vector<csv_field> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin, last = end;
    const auto is_blank = [&](std::size_t k) { return line[k] == ' ' || line[k] == '\t' || line[k] == '\r'; };
    while (first < last && is_blank(first)) ++first;
    while (last > first && is_blank(last - 1)) --last;
    if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') ++first, --last;
    fields.push_back({line.substr(first, last - first), characters_in(line.substr(0, first)) + 1});
    begin = end + 1;
  }
  return fields;
}

class csv_reader {
 public:
  explicit csv_reader(std::string file) : file_(std::move(file)) {}

  // Lines that are empty or begin with # do not count; the first of the others names the columns.
  sample_rows read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    sample_rows rows;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      const std::string_view line = text.substr(begin, end - begin);
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && line[first] != '#') {
        const std::vector<csv_field> fields = fields_of(line);
        if (!time_) find_columns(fields);
        else read_row(fields, rows);
      }
      begin = end + 1;
    }
    if (!time_) throw input_error("signal-column", "the file has no columns", {file_, 0, 0}, columns_wanted);
    return rows;
  }

 private:
  static constexpr const char* columns_wanted = "its first line names the columns: time,value";

  void find_columns(const std::vector<csv_field>& fields) {
    const auto column = [&](std::string_view name) {
      const auto found = std::ranges::find(fields, name, &csv_field::text);
      if (found == fields.end()) {
        throw input_error("signal-column", "the file has no column '" + std::string(name) + "'", {file_, line_, 1},
                          columns_wanted);
      }
      return static_cast<std::size_t>(found - fields.begin());
    };
    time_ = column("time");
    value_ = column("value");
  }

  void read_row(const std::vector<csv_field>& fields, sample_rows& rows) {
    for (const std::size_t column : {*time_, value_}) {
      if (column < fields.size()) continue;
      throw input_error("signal-column", "the line ends before its column " + std::to_string(column + 1),
                        {file_, line_, 1}, "every line has a time and a value");
    }
    const auto place = [&](std::size_t column) { return source_place{file_, line_, fields[column].column}; };
    add(rows, number_in(fields[*time_].text, place(*time_)), number_in(fields[value_].text, place(value_)),
        place(*time_));
  }

  std::string file_;
  int line_ = 0;
  std::optional<std::size_t> time_;
  std::size_t value_ = 0;
};

// The file that a model names, in its own folder or below.
std::string path_beside(const file_value& named, const std::string& model) {
  const fs::path given(named.source.text), folder = fs::path(model).parent_path();
  const auto refuse = [&](const std::string& why) {
    throw input_error("path-outside", "'" + named.source.text + "' " + why, named.place,
                      "put the file beside the model and give its name");
  };
  if (given.empty()) refuse("names no file");
  if (given.is_absolute()) refuse("is no path below the folder of the model");
  for (const fs::path& part : given) {
    if (part == "..") refuse("leaves the folder of the model");
  }
  const fs::path path = folder / given;
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error),
                 home = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  if (!error && std::ranges::mismatch(home, real).in1 != home.end()) refuse("leads out of the folder of the model");
  return path.string();
}

std::string contents_of(const std::string& path, const source_place& place) {
  try {
    return read_file(path);
  } catch (const input_error& error) {
    const bool is_large = error.id() == "file-too-large";
    throw input_error(error.id(), is_large ? "'" + path + "' is larger than 4 MB" : error.message(), place,
                      is_large ? "give fewer samples; runs keep the whole model" : error.cure());
  }
}

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
  const file_entry* signals = find_entry(root, "signals");
  if (signals == nullptr) return text;
  std::string result = text;
  for (auto entry = signals->value.entries.rbegin(); entry != signals->value.entries.rend(); ++entry) {
    const file_entry* outside = find_entry(entry->value, "file");
    if (outside == nullptr) continue;
    const std::size_t key = offset_of(result, outside->place), value = offset_of(result, outside->value.place);
    const std::string samples = "samples = " + value_text(samples_value(*read_signal(*entry, file)));
    result.replace(key, end_of_string(result, value) - key, samples);
  }
  if (result.size() > most_model_bytes) {
    throw input_error("file-too-large", "the model is larger than 4 MB with the samples of its signals", {file, 0, 0},
                      "give fewer samples; runs keep the whole model");
  }
  return result;
}

}  // namespace actio
