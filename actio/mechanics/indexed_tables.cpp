#include "actio/mechanics/indexed_tables.hpp"

#include <algorithm>
#include <utility>

#include "actio/expr/expr.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/csv_table.hpp"
#include "actio/mechanics/model_language.hpp"

namespace actio {

namespace {

[[noreturn]] void throw_bad_size(const std::string& name, const std::string& found, const source_place& place) {
  throw input_error("bad-size", "the size '" + name + "' is " + found, place,
                    "sizes are whole numbers from 0 to " + std::to_string(most_elements));
}

const file_value& required_table(const file_entry& entry, const std::string& where) {
  if (entry.value.kind != file_value_kind::table) {
    throw_wrong_type("'" + entry.key + "'", "a table", entry.value, entry.place,
                     "write [" + where + "] on a line of its own, and its keys below");
  }
  return entry.value;
}

void read_sizes(const file_value& root, const size_overrides& given, index_names& names) {
  const file_entry* sizes = find_entry(root, "sizes");
  if (sizes == nullptr) return;
  for (const file_entry& entry : required_table(*sizes, "sizes").entries) {
    if (const auto found = given.find(entry.key); found != given.end()) {
      names.sizes[entry.key] = found->second;
      continue;
    }
    const file_value_kind kind = entry.value.kind;
    if (kind != file_value_kind::number && kind != file_value_kind::text) {
      throw_wrong_type("'" + entry.key + "'", "a whole number", entry.value, entry.place);
    }
    source_text source = entry.value.source;
    source.role = "size " + entry.key;
    std::int64_t value = 0;
    try {
      value = parse_whole(source, names);
    } catch (const input_error& error) {
      throw input_error(error.id() == "bad-index" ? "bad-size" : error.id(), error.message(), error.place(),
                        "sizes are whole numbers, or made of sizes above them");
    }
    if (value < 0) throw_bad_size(entry.key, std::to_string(value), entry.value.place);
    names.sizes[entry.key] = value;
  }
}

std::vector<std::string> columns_of(const file_entry& entry) {
  const file_entry* columns = find_entry(entry.value, "columns");
  if (columns == nullptr) {
    throw input_error("missing-key", "the table '" + entry.key + "' has no 'columns'", entry.place,
                      "name them, as in columns = [\"a\", \"b\"]");
  }
  std::vector<std::string> names;
  for (const file_value& item : columns->value.items) {
    if (item.kind != file_value_kind::text) throw_wrong_type("a column", "a name in quotes", item, item.place);
    if (std::ranges::find(names, item.source.text) != names.end()) {
      throw input_error("table-column", "the column '" + item.source.text + "' stands there twice", item.place,
                        "give each column its own name");
    }
    names.push_back(item.source.text);
  }
  if (names.empty()) throw_wrong_type("'columns'", "an array of names", columns->value, columns->place);
  return names;
}

// A number as typed, or in quotes what is exactly one: "1/3".
rational number_of(const file_value& item) {
  const bool is_number = item.kind == file_value_kind::number;
  if (!is_number && item.kind != file_value_kind::text)
    throw_wrong_type("a value of a row", "a number", item, item.place);
  if (is_number) return csv_number(item.source.text, item.place);
  const auto refuse = [&](const parsed_name&) -> expr {
    throw input_error("bad-number", "'" + item.source.text.substr(0, 60) + "' is no number", item.place,
                      "write a number such as 2.5, or a fraction in quotes");
  };
  const expr exact = parse_expression(item.source, refuse);
  return exact.is_number() ? exact.number() : refuse({}).number();
}

index_table read_table(const file_entry& entry, const std::string& file) {
  required_table(entry, "tables." + entry.key);
  check_keys(entry.value, "[tables." + entry.key + "]", keys_of_table("tables"));
  index_table table{entry.key, {}, {}};
  const file_entry *outside = find_entry(entry.value, "file"), *rows = find_entry(entry.value, "rows");
  if ((outside == nullptr) == (rows == nullptr)) {
    throw input_error("missing-key", "the table '" + entry.key + "' needs either a file or rows", entry.place,
                      "write rows = [[1, 2], [2, 3]], or file = \"" + entry.key + ".csv\"");
  }
  if (outside != nullptr) {
    if (outside->value.kind != file_value_kind::text) {
      throw_wrong_type("'file'", "a string", outside->value, outside->place);
    }
    const std::string path = path_beside(outside->value, file);
    csv_contents contents = read_csv(path, contents_of(path, outside->value.place));
    if (find_entry(entry.value, "columns") == nullptr) {
      table.columns = std::move(contents.columns);
      table.rows = std::move(contents.rows);
      return table;
    }
    table.columns = columns_of(entry);
    std::vector<std::size_t> order;
    for (const std::string& name : table.columns) {
      const auto found = std::ranges::find(contents.columns, name);
      if (found == contents.columns.end()) {
        throw input_error("table-column", "the file has no column '" + name + "'", {path, 1, 1},
                          suggest(name, contents.columns));
      }
      order.push_back(static_cast<std::size_t>(found - contents.columns.begin()));
    }
    for (const std::vector<rational>& row : contents.rows) {
      std::vector<rational>& values = table.rows.emplace_back();
      for (const std::size_t k : order) values.push_back(row[k]);
    }
    return table;
  }
  table.columns = columns_of(entry);
  if (rows->value.kind != file_value_kind::array)
    throw_wrong_type("'rows'", "an array of rows", rows->value, rows->place);
  for (const file_value& row : rows->value.items) {
    if (row.kind != file_value_kind::array) throw_wrong_type("a row", "an array of numbers", row, row.place);
    if (row.items.size() != table.columns.size()) {
      throw input_error("table-column",
                        "a row of the table '" + entry.key + "' has " + std::to_string(row.items.size()) +
                            " values for " + std::to_string(table.columns.size()) + " columns",
                        row.place, "give one value a column");
    }
    std::vector<rational> values;
    for (const file_value& item : row.items) values.push_back(number_of(item));
    table.rows.push_back(std::move(values));
  }
  return table;
}

// Writes keys out into members.
class member_writer {
 public:
  explicit member_writer(const index_names& names) : names_(names) {}

  file_value root(const file_value& given) {
    file_value result;
    result.place = given.place;
    result.entries = given.entries;
    if (const file_entry* entry = find_entry(given, "coordinates")) look_at_coordinates(*entry);
    for (file_entry& entry : result.entries) {
      if (std::ranges::find(flat, entry.key) != std::end(flat)) entry.value = table(entry.value);
      if (entry.key != "initial" && entry.key != "symmetries") continue;
      for (file_entry& inside : entry.value.entries) {
        const bool keeps =
            entry.key == "initial" && std::ranges::find(of_coordinates, inside.key) != std::end(of_coordinates);
        inside.value = table(inside.value, keeps);
      }
    }
    return result;
  }

 private:
  static constexpr std::string_view flat[] = {"parameters",  "definitions", "constraints", "forces",
                                              "observables", "invariants",  "equations"};
  static constexpr std::string_view of_coordinates[] = {"position", "velocity", "momentum", "next"};

  // A range that is written backwards stands for nothing, which is never meant of coordinates. Sizes may be zero.
  static void require_members(const source_text& key, const indexed_key& parsed) {
    for (const index_range& r : parsed.ranges) {
      if (r.count() > 0 || r.last >= r.first - 1) continue;
      throw input_error("bad-index",
                        "'" + key.text + "' has no members: ranges go up, and " + std::to_string(r.first) +
                            " is beyond " + std::to_string(r.last),
                        key.origin, "write the smaller end first, as in q[1..3]");
    }
  }

  void look_at_coordinates(const file_entry& entry) {
    for (const file_value& item : entry.value.items) {
      if (item.kind != file_value_kind::text || !has_index(item.source.text)) continue;
      source_text key = item.source;
      key.role = "coordinates";
      const indexed_key parsed = ranges_of(key, names_);
      require_members(key, parsed);
      if (parsed.ranges.size() != 1 || parsed.ranges.front().count() == 0) continue;
      const std::int64_t first = parsed.ranges.front().first;
      const auto [known, is_new] = first_members_.try_emplace(parsed.base, first);
      if (!is_new) known->second = std::min(known->second, first);
    }
  }

  file_value table(const file_value& given, bool keeps_ranges = false) {
    if (given.kind != file_value_kind::table) return given;
    file_value result = given;
    result.entries.clear();
    for (const file_entry& entry : given.entries) {
      if (entry.value.kind == file_value_kind::array && !has_index(entry.key)) {
        add_array(entry, result.entries);
      } else if (has_index(entry.key)) {
        const indexed_key key = ranges_of({entry.key, entry.place, "key"}, names_);
        if (keeps_ranges) {
          result.entries.push_back(entry);
          continue;
        }
        for_each_member(key, [&](std::string name, const index_binding& bound) {
          result.entries.push_back({std::move(name), entry.place, entry.value, bound});
        });
      } else {
        result.entries.push_back(entry);
      }
    }
    return result;
  }

  // m = [1, 2, 3]: one value a member, from the first one that the coordinates of this name have, else from 1.
  void add_array(const file_entry& entry, std::vector<file_entry>& into) {
    const auto known = first_members_.find(entry.key);
    std::int64_t index = known == first_members_.end() ? 1 : known->second;
    for (const file_value& item : entry.value.items) {
      into.push_back({member_name(entry.key, {index++}), item.place, item, {}});
    }
  }

  const index_names& names_;
  std::map<std::string, std::int64_t, std::less<>> first_members_;  // of coordinates with one index
};

}  // namespace

std::shared_ptr<const index_names> read_indices(const file_value& root, const std::string& file,
                                                const size_overrides& sizes) {
  auto names = std::make_shared<index_names>();
  read_sizes(root, sizes, *names);
  for (const auto& [name, value] : sizes) {
    if (names->sizes.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [size, number] : names->sizes) known.push_back(size);
    throw input_error("unknown-name", "the model has no size '" + name + "'", {}, suggest(name, known));
  }
  if (const file_entry* tables = find_entry(root, "tables")) {
    for (const file_entry& entry : required_table(*tables, "tables").entries) {
      names->tables.emplace(entry.key, read_table(entry, file));
    }
  }
  return names;
}

std::string rows_text(const file_entry& entry, const std::string& file) {
  const index_table table = read_table(entry, file);
  std::string text;
  if (find_entry(entry.value, "columns") == nullptr) {
    for (const std::string& name : table.columns) text += (text.empty() ? "columns = [\"" : ", \"") + name + "\"";
    text += "]\n";
  }
  text += "rows = [";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += r == 0 ? "[" : ", [";
    for (std::size_t k = 0; k < table.rows[r].size(); ++k) {
      const expr value(table.rows[r][k]);
      const std::string number = to_text(value);
      const bool is_fraction = number.find('/') != std::string::npos;
      text += (k == 0 ? "" : ", ") + (is_fraction ? "\"" + number + "\"" : number);
    }
    text += "]";
  }
  return text + "]";
}

indexed_key ranges_of(const source_text& key, const index_names& names) {
  constexpr std::int64_t most_members = 4'000'000;
  indexed_key parsed = parse_indexed_key(key, names);
  std::int64_t count = 1;
  for (const index_range& r : parsed.ranges) {
    count = r.count() > 0 && count > most_elements / r.count() ? most_elements + 1 : count * r.count();
  }
  if (count <= most_members) return parsed;
  throw input_error("too-many-elements",
                    "'" + key.text + "' stands for more than " + std::to_string(most_members) + " members", key.origin,
                    "choose smaller sizes");
}

void for_each_member(const indexed_key& key, const member_use& use) {
  std::vector<std::int64_t> at;
  index_binding bound;
  const auto visit = [&](auto&& self, std::size_t k) -> void {
    if (k == key.ranges.size()) return use(member_name(key.base, at), bound);
    const index_range& r = key.ranges[k];
    for (std::int64_t i = r.first; i <= r.last; ++i) {
      at.push_back(i);
      if (!r.name.empty()) bound.push_back({r.name, i, r.table});
      self(self, k + 1);
      at.pop_back();
      if (!r.name.empty()) bound.pop_back();
    }
  };
  visit(visit, 0);
}

file_value with_members(const file_value& root, const index_names& names) { return member_writer(names).root(root); }

}  // namespace actio
