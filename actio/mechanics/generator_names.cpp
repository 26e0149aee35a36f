#include "actio/mechanics/generator_names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace actio {

namespace {

// What tells the members of a family apart: x1 and x2, x[1,2] and x[1,3].
bool counts(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_.[],").find(c) != std::string_view::npos;
}

std::string without_counters(std::string text) {
  while (!text.empty() && counts(text.back())) text.pop_back();
  std::size_t first = 0;
  while (first < text.size() && counts(text[first])) ++first;
  return text.substr(first);
}

bool is_one(const quad& x) { return abs(x - 1) < quad(1e-15); }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += "_" + part;
  return text;
}

void add_once(std::vector<std::string>& list, const std::string& one) {
  if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

constexpr std::size_t most_parts = 3;  // of a name

}  // namespace

std::string common_stem(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  // Members of an array have its name.
  const std::size_t bracket = names.front().find('[');
  const std::string array = names.front().substr(0, bracket);
  if (bracket != std::string::npos &&
      std::ranges::all_of(names, [&](const std::string& name) { return name.starts_with(array + '['); })) {
    return array;
  }
  std::size_t front = names.front().size(), back = front;
  for (const std::string& name : names) {
    const std::string& first = names.front();
    const auto same_from_front = std::mismatch(first.begin(), first.end(), name.begin(), name.end()).first;
    const auto same_from_back = std::mismatch(first.rbegin(), first.rend(), name.rbegin(), name.rend()).first;
    front = std::min(front, static_cast<std::size_t>(same_from_front - first.begin()));
    back = std::min(back, static_cast<std::size_t>(same_from_back - first.rbegin()));
  }
  // Words are not cut: what follows a stem is a counter, and so is what stands before it.
  const auto ends_word = [&](std::size_t length) {
    return std::ranges::all_of(names, [&](const std::string& name) {
      return length == 0 || name.size() == length || counts(name[length - 1]) || counts(name[length]);
    });
  };
  const auto begins_word = [&](std::size_t length) {
    return std::ranges::all_of(names, [&](const std::string& name) {
      const std::size_t at = name.size() - length;
      return length == 0 || at == 0 || counts(name[at]) || counts(name[at - 1]);
    });
  };
  while (!ends_word(front)) --front;
  while (!begins_word(back)) --back;
  const std::string stem = without_counters(names.front().substr(0, front));
  return stem.empty() ? without_counters(names.front().substr(names.front().size() - back)) : stem;
}

generator_names::generator_names(const lagrangian_system& system) : coordinates_(system.coordinate_names()) {
  taken_ = {"t", "energy"};
  taken_.insert(coordinates_.begin(), coordinates_.end());
  for (const auto* list :
       {&system.parameters, &system.observables, &system.constraints, &system.definitions, &system.invariants}) {
    for (const named_expr& e : *list) taken_.insert(e.name);
  }
  for (const symmetry& s : system.symmetries) taken_.insert(s.name);
}

std::string generator_names::name_of(const std::vector<generator_entry>& entries) {
  const std::string name = wanted(entries);
  if (name.empty()) {
    for (int k = 1;; ++k) {
      if (auto numbered = "symmetry_" + std::to_string(k); taken_.insert(numbered).second) return numbered;
    }
  }
  if (taken_.insert(name).second) return name;
  for (int k = 2;; ++k) {
    if (auto numbered = name + "_" + std::to_string(k); taken_.insert(numbered).second) return numbered;
  }
}

std::string generator_names::wanted(const std::vector<generator_entry>& entries) const {
  const std::size_t n = coordinates_.size();
  const bool has_turn = std::ranges::any_of(entries, [&](const generator_entry& e) { return e.by < n; });
  return has_turn ? rotation(entries) : translation(entries);
}

std::string generator_names::translation(const std::vector<generator_entry>& entries) const {
  std::vector<std::string> moved, stems;
  for (const generator_entry& e : entries) moved.push_back(coordinates_[e.moved]);
  if (moved.size() == 1) return "p_" + moved.front();
  const bool alike = std::ranges::all_of(entries, [](const generator_entry& e) { return is_one(e.value); });
  if (const std::string stem = common_stem(moved); alike && !stem.empty()) return "momentum_" + stem;
  for (const std::string& name : moved) add_once(stems, without_counters(name));
  return stems.size() <= most_parts ? "momentum" + joined(stems) : "";
}

// Planes (i, j) with ξ_i = −q_j, ξ_j = q_i; those between the same two families of coordinates are one word.
std::string generator_names::rotation(const std::vector<generator_entry>& entries) const {
  const std::size_t n = coordinates_.size();
  std::map<std::pair<std::size_t, std::size_t>, quad> at;
  for (const generator_entry& e : entries) at[{e.moved, e.by}] = e.value;
  std::vector<char> used(n, 0);
  std::vector<std::string> from, to;
  std::vector<std::size_t> moved;
  for (const auto& [place, value] : at) {
    const auto [i, j] = place;
    if (j == n) {
      moved.push_back(i);
      continue;
    }
    const auto back = at.find({j, i});
    if (i == j || used[i] != 0 || back == at.end() || value * back->second >= 0) return "";
    used[i] = 1;
    if (i > j) continue;
    from.push_back(coordinates_[value < 0 ? i : j]);
    to.push_back(coordinates_[value < 0 ? j : i]);
  }
  const auto word = [](const std::string& a, const std::string& b) {
    return a.size() == 1 && b.size() == 1 ? a + b : a + "_" + b;
  };
  std::vector<std::string> words;
  const std::string first = common_stem(from), second = common_stem(to);
  const bool is_one_family = !first.empty() && !second.empty() && first != second;
  if (is_one_family) words.push_back(word(first, second));
  for (std::size_t k = 0; k < from.size() && !is_one_family; ++k) {
    const std::string a = without_counters(from[k]), b = without_counters(to[k]);
    add_once(words, a != b && !a.empty() && !b.empty() ? word(a, b) : word(from[k], to[k]));
  }
  for (const std::size_t i : moved) {  // a plane may turn about any point; what moves beside it makes a screw
    if (used[i] == 0) add_once(words, without_counters(coordinates_[i]));
  }
  return words.size() <= most_parts ? "rotation" + joined(words) : "";
}

}  // namespace actio
