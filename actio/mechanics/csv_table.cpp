#include "actio/mechanics/csv_table.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "actio/expr/expr.hpp"
#include "actio/mechanics/text_check.hpp"

namespace actio {

namespace {

namespace fs = std::filesystem;

int characters_in(std::string_view text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<csv_field> fields_of(std::string_view line, const std::string& file, int number) {
  std::vector<csv_field> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin, last = end;
    const auto is_blank = [&](std::size_t k) { return line[k] == ' ' || line[k] == '\t' || line[k] == '\r'; };
    while (first < last && is_blank(first)) ++first;
    while (last > first && is_blank(last - 1)) --last;
    if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') ++first, --last;
    fields.push_back({line.substr(first, last - first), {file, number, characters_in(line.substr(0, first)) + 1}});
    begin = end + 1;
  }
  return fields;
}

}  // namespace

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
  const fs::path real = fs::weakly_canonical(fs::absolute(path), error),
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
                      is_large ? "give fewer rows; runs keep the whole model" : error.cure());
  }
}

void for_each_csv_line(std::string_view text, const std::string& file,
                       const std::function<void(const std::vector<csv_field>&)>& use) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const bool has_both = text.substr(end).starts_with("\r\n");
    ++number;
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') use(fields_of(line, file, number));
    begin = end + (has_both ? 2 : 1);
  }
}

rational csv_number(std::string_view text, const source_place& place) {
  try {
    return decimal(text).number();
  } catch (const input_error&) {
    throw input_error("bad-number", "'" + std::string(text.substr(0, 60)) + "' is no number", place,
                      "write a decimal number such as 2.5 or 1e-3");
  }
}

csv_contents read_csv(const std::string& file, std::string_view text) {
  csv_contents contents;
  for_each_csv_line(text, file, [&](const std::vector<csv_field>& fields) {
    if (contents.columns.empty()) {
      for (const csv_field& f : fields) {
        if (f.text.empty() || std::ranges::find(contents.columns, f.text) != contents.columns.end()) {
          throw input_error("table-column", "the column '" + std::string(f.text) + "' has no name of its own", f.place,
                            "the first line names the columns, each once");
        }
        const bool is_name =
            std::ranges::all_of(f.text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
        if (!is_name || std::isdigit(static_cast<unsigned char>(f.text.front()))) {
          throw input_error("table-column", "'" + std::string(f.text) + "' is no name of a column", f.place,
                            "names are made of letters, digits and _ and start with a letter");
        }
        contents.columns.emplace_back(f.text);
      }
      return;
    }
    if (fields.size() != contents.columns.size()) {
      throw input_error("table-column",
                        "the line has " + std::to_string(fields.size()) + " values for " +
                            std::to_string(contents.columns.size()) + " columns",
                        {file, fields.front().place.line, 1}, "give one value a column");
    }
    std::vector<rational>& row = contents.rows.emplace_back();
    for (const csv_field& f : fields) row.push_back(csv_number(f.text, f.place));
  });
  if (contents.columns.empty()) {
    throw input_error("table-column", "the file has no columns", {file, 0, 0}, "its first line names them");
  }
  if (contents.rows.empty()) {
    throw input_error("table-empty", "the file names columns, but has no rows", {file, 0, 0},
                      "give a row on every further line; a table that is meant to have none is rows = [] in the model");
  }
  return contents;
}

}  // namespace actio
