// What is said of names that have no meaning where they stand.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "actio/mechanics/name_scope.hpp"

namespace actio {

namespace {

// The coordinate that a misspelt velocity such as xdot, x_dot, dx or v_x seems to mean, or "".
template <class IsCoordinate>
std::string velocity_meant_by(const std::string& name, IsCoordinate&& is_coordinate) {
  for (const std::string affix : {"_dot", "dot"}) {
    if (name.size() <= affix.size() || !name.ends_with(affix)) continue;
    const std::string rest = name.substr(0, name.size() - affix.size());
    if (is_coordinate(rest)) return rest;
  }
  for (const std::string affix : {"v_", "v", "d"}) {
    if (name.size() <= affix.size() || !name.starts_with(affix)) continue;
    const std::string rest = name.substr(affix.size());
    if (is_coordinate(rest)) return rest;
  }
  return "";
}

// "a → b → a"; of a long chain the first and last names.
std::string chain_text(const std::vector<std::string>& names) {
  constexpr std::size_t most_at_each_end = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= most_at_each_end && i + most_at_each_end < names.size()) {
      if (i == most_at_each_end) text += " → ...";
      continue;
    }
    text += (text.empty() ? "" : " → ") + names[i];
  }
  return text;
}

}  // namespace

// "x goes from 0 to 100" for members of the same base as `name`; empty where there are none.
std::string name_scope::members_beside(const std::string& name) const {
  const member_parts wanted = parts_of_member(name);
  if (wanted.indices.empty()) return "";
  std::vector<std::int64_t> least, most;
  const auto add = [&](const std::vector<std::int64_t>& at) {
    if (at.size() != wanted.indices.size()) return;
    if (least.empty()) least = most = at;
    for (std::size_t k = 0; k < at.size(); ++k) {
      least[k] = std::min(least[k], at[k]);
      most[k] = std::max(most[k], at[k]);
    }
  };
  for (const std::string& known : order_) {
    if (!known.starts_with(wanted.base) || known.size() <= wanted.base.size() || known[wanted.base.size()] != '[')
      continue;
    add(parts_of_member(known).indices);
  }
  for (const coordinate_box& box : boxes_.all()) {
    if (box.base != wanted.base) continue;
    add(box.least);
    add(box.most);
  }
  std::string text;
  for (std::size_t k = 0; k < least.size(); ++k) {
    text += (k == 0 ? wanted.base + " goes" : " and") + std::string(" from ") + std::to_string(least[k]) + " to " +
            std::to_string(most[k]);
  }
  return text;
}

void name_scope::throw_unknown(const parsed_name& name, const context& in) const {
  if (const bool is_momentum = name.name.starts_with("p_"); name.name.ends_with(']')) {
    const std::string of = is_momentum && members_beside(name.name).empty() ? name.name.substr(2) : name.name;
    const std::string known = members_beside(of);
    const std::string base = parts_of_member(name.name).base;
    throw input_error("unknown-member", name.name + " does not exist" + (known.empty() ? "" : ": " + known), name.place,
                      !known.empty()          ? "define the members beyond, as in \"" + name.name + "\" = 0"
                      : find(base) != nullptr ? "'" + base + "' has no members"
                                              : "declare it with a range, as in \"" + base + "[1..n]\"");
  }
  std::string cure;
  const std::string q = velocity_meant_by(name.name, [&](const std::string& s) { return is_coordinate(s); });
  if (!q.empty() && in.use >= expression_use::dynamics) {
    cure = "the velocity of '" + q + "' is written " + q + "'";
  } else {
    std::vector<std::string> candidates;
    for (const coordinate_box& box : boxes_.all()) {
      if (in.use != expression_use::constant) candidates.insert(candidates.end(), {box.first_name(), box.last_name()});
    }
    for (const std::string& known : order_) {
      const name_kind kind = names_.at(known).kind;
      const bool is_constant = kind == name_kind::parameter || kind == name_kind::variable;
      if (in.use != expression_use::constant || is_constant) candidates.push_back(known);
    }
    candidates.push_back("pi");
    if (in.use != expression_use::constant) candidates.push_back("t");
    cure = suggest(name.name, candidates);
  }
  throw input_error("unknown-name", "unknown name '" + name.name + "' in " + in.source.role, name.place, cure);
}

void name_scope::throw_not_yet_defined(const parsed_name& name, const context& in) const {
  const std::string what(name_of(names_.at(name.name).kind));
  if (std::vector<std::string> path = path_between(name.name, current_); !path.empty()) {
    path.insert(path.begin(), current_);
    throw input_error("parameter-cycle",
                      "the " + what + " '" + current_ + "' is defined through itself: " + chain_text(path), name.place,
                      "give one of them a value of its own");
  }
  throw input_error("unknown-name", "'" + name.name + "' in " + in.source.role + " is defined later", name.place,
                    parts_of_member(name.name).base == parts_of_member(current_).base
                        ? "a recursion goes on from members that are defined before: " + current_ + " is defined first"
                        : what + "s are read in order; move '" + name.name + "' above '" + current_ + "'");
}

// The names from `from` to `to`, each defined through the next; empty when there is no such path.
std::vector<std::string> name_scope::path_between(const std::string& from, const std::string& to) const {
  std::unordered_map<std::string, std::string> came_from{{from, ""}};
  std::vector<std::string> queue{from};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::string at = queue[next];
    if (at == to) {
      std::vector<std::string> path;
      for (std::string name = at; !name.empty(); name = came_from.at(name)) path.push_back(name);
      std::reverse(path.begin(), path.end());
      return path;
    }
    for (const std::string& used : names_used_by(at)) {
      if (came_from.emplace(used, at).second) queue.push_back(used);
    }
  }
  return {};
}

std::vector<std::string> name_scope::names_used_by(const std::string& name) const {
  std::vector<std::string> used;
  try {
    for (const parsed_name& word : names_in(names_.at(name).source)) {
      const auto found = names_.find(word.name);
      if (found != names_.end() && found->second.kind != name_kind::coordinate) used.push_back(word.name);
    }
  } catch (const input_error&) {
    return {};  // its own error is reported when its turn comes
  }
  return used;
}

}  // namespace actio
