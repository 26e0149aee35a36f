#include "actio/io/comparing_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace actio {

namespace {

constexpr std::size_t block = 8192;  // rows that are read together

template <class S>
bool is_same(const std::string& stored, const S& now) {
  try {
    const S value = from_digits<S>(stored);
    if (value != value) return now != now;
    using std::signbit;
    return value == now && signbit(value) == signbit(now);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

const std::vector<std::string>& passing_keys() {
  static const std::vector<std::string> keys{"seconds", "setup_seconds", "backend", "engine", "choice", "suggestion"};
  return keys;
}

std::string difference(const nlohmann::json& stored, const nlohmann::json& now, const std::string& where) {
  if (stored.is_array() && now.is_array() && stored.size() == now.size()) {
    for (std::size_t k = 0; k < stored.size(); ++k) {
      std::string inside = difference(stored[k], now[k], fmt::format("{}[{}]", where, k));
      if (!inside.empty()) return inside;
    }
    return "";
  }
  if (!stored.is_object() || !now.is_object()) {
    return stored == now ? "" : fmt::format("'{}' is {} there and {} here", where, stored.dump(), now.dump());
  }
  const auto inside = [&](const std::string& key) { return where.empty() ? key : where + "." + key; };
  const auto counts = [](const std::string& key) {
    return std::ranges::find(passing_keys(), key) == passing_keys().end();
  };
  for (const auto& [key, value] : stored.items()) {
    if (!counts(key)) continue;
    if (!now.contains(key)) return fmt::format("'{}' is not there any more", inside(key));
    std::string deeper = difference(value, now[key], inside(key));
    if (!deeper.empty()) return deeper;
  }
  for (const auto& [key, value] : now.items()) {
    if (counts(key) && !stored.contains(key)) return fmt::format("'{}' is missing", inside(key));
  }
  return "";
}

}  // namespace

std::string json_difference(const std::string& stored, const std::string& now) {
  auto before = nlohmann::json::parse(stored, nullptr, false), after = nlohmann::json::parse(now);
  if (before.is_discarded()) return "it cannot be read";
  if (before.is_object() && before.contains("choice")) {  // the error of a motion was measured when it was chosen
    for (const char* key : {"motion", "trust"}) {
      before.erase(key);
      after.erase(key);
    }
  }
  if (interruption_in(stored, "steps")) before.erase("reason");  // words of an observer that is not there any more
  return difference(before, after, "");
}

std::optional<std::size_t> interruption_in(const std::string& json, const std::string& key) {
  const auto object = nlohmann::json::parse(json, nullptr, false);
  const auto is_unsigned = [&] { return object.contains(key) && object[key].is_number_unsigned(); };
  if (!object.is_object() || !object.contains("status") || object["status"] != "interrupted" || !is_unsigned())
    return {};
  return object[key].get<std::size_t>();
}

template <class S>
comparing_sink<S>::comparing_sink(const std::string& path, const std::vector<std::string>& columns,
                                  const std::vector<sink_table>& more, std::string& first_difference)
    : first_difference_(first_difference) {
  open(path, "", columns);
  for (const sink_table& t : more) open(path, t.name, t.columns);
}

template <class S>
void comparing_sink<S>::open(const std::string& path, const std::string& name,
                             const std::vector<std::string>& columns) {
  const std::vector<std::string> expected = stored_names({path, {}, ""}, columns);
  tables_.push_back({name, trajectory_file::open(path, name)});
  const trajectory_file& file = tables_.back().file;
  for (const std::string& c : expected) {
    if (std::ranges::find(file.columns(), c) == file.columns().end()) note(fmt::format("it has no column '{}'", c));
  }
  if (file.columns() != expected) note("it has other columns");
  const auto& rows = file.rows_of_columns();
  const auto shorter = std::ranges::min_element(rows);
  if (*shorter != std::ranges::max(rows)) {
    note(fmt::format("the column '{}' ends after {} rows, others have {}",
                     file.columns()[static_cast<std::size_t>(shorter - rows.begin())], *shorter,
                     std::ranges::max(rows)));
  }
}

template <class S>
void comparing_sink<S>::compare(table& with, std::span<const S> row) {
  const std::size_t at = with.rows++;
  if (!first_difference_.empty() || at >= with.file.rows()) return;
  const std::vector<std::string>& columns = with.file.columns();
  if (at % block == 0) {
    with.stored.clear();
    for (const std::string& name : columns) {
      with.stored.push_back(with.file.values(name, at, std::min(block, with.file.rows() - at)));
    }
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (is_same(with.stored[k][at % block], row[k])) continue;
    return note(fmt::format("{}row {}, '{}' is {} there and {} here", with.name.empty() ? "" : with.name + ": ", at,
                            columns[k], with.stored[k][at % block], to_digits(row[k])));
  }
}

template <class S>
void comparing_sink<S>::annotate(const std::string& name, const std::string& text) {
  compare_counts();
  const std::string stored = tables_[0].file.text(name);
  if (stored.empty()) return note(fmt::format("it has no {}: it was not finished, or has lost it", name));
  const std::string found = json_difference(stored, text);
  if (!found.empty()) note(fmt::format("{}: {}", name, found));
}

template <class S>
void comparing_sink<S>::compare_counts() {
  for (const table& t : tables_) {
    if (t.rows == t.file.rows()) continue;
    note(fmt::format("{}it has {} rows where there should be {}", t.name.empty() ? "" : t.name + ": ", t.file.rows(),
                     t.rows));
  }
}

template <class S>
void comparing_sink<S>::note(const std::string& difference) {
  if (first_difference_.empty()) first_difference_ = difference;
}

#define ACTIO_INSTANTIATE(S) template class comparing_sink<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
