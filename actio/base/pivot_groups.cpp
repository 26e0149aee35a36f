#include "actio/base/pivot_groups.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>

namespace actio {

namespace {

using index_list = std::vector<std::uint32_t>;

constexpr std::size_t most_together = 12;  // coordinates of a group
constexpr std::size_t most_hosts = 16;     // groups that a constraint may contain without being last
constexpr std::size_t most_last = 64;      // constraints; beyond, they are given to coordinates all the same

std::vector<index_list> lists(std::size_t size, std::span<const index_pair> pairs) {
  std::vector<index_list> result(size);
  for (const auto& [i, j] : pairs) result[i].push_back(j);
  for (index_list& list : result) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  }
  return result;
}

// Coordinates with the same constraints, or without any with the same couplings, stand together: those of a point.
// Constraints of a single coordinate do not tell it from others.
index_list group_coordinates(std::size_t n, std::span<const index_pair> coupled, const std::vector<index_list>& held) {
  std::vector<index_pair> pairs, both;
  for (std::uint32_t c = 0; c < held.size(); ++c) {
    if (held[c].size() < 2) continue;
    for (const std::uint32_t a : held[c]) pairs.emplace_back(a, c);
  }
  for (const auto& [i, j] : coupled) {
    both.emplace_back(i, j);
    both.emplace_back(j, i);
  }
  for (std::uint32_t a = 0; a < n; ++a) both.emplace_back(a, a);
  const std::vector<index_list> constraints = lists(n, pairs), neighbours = lists(n, both);
  index_list group(n);
  std::map<std::pair<index_list, index_list>, index_list> known;
  for (std::uint32_t a = 0; a < n; ++a) {
    const bool is_held = !constraints[a].empty();
    known[{constraints[a], is_held ? index_list{} : neighbours[a]}].push_back(a);
  }
  std::uint32_t next = 0;
  std::vector<bool> done(n, false);
  for (const auto& [key, members] : known) {
    const bool together = members.size() > 1 && members.size() <= most_together;
    for (const std::uint32_t a : members) group[a] = together ? members.front() : a;
  }
  // Numbers in the order of the coordinates.
  index_list number(n, ~std::uint32_t(0));
  for (std::uint32_t a = 0; a < n; ++a) {
    if (number[group[a]] == ~std::uint32_t(0)) number[group[a]] = next++;
    group[a] = number[group[a]];
  }
  return group;
}

// Gives constraints to groups, outermost ones first.
class constraint_hosts {
 public:
  constraint_hosts(const index_list& group, const std::vector<index_list>& held) : open_(held.size()) {
    std::size_t groups = 0;
    for (const std::uint32_t g : group) groups = std::max<std::size_t>(groups, g + 1);
    room_.assign(groups, 0);
    waiting_.resize(groups);
    queued_.assign(groups, false);
    for (const std::uint32_t g : group) ++room_[g];
    host_.assign(held.size(), nobody);
    for (std::uint32_t c = 0; c < held.size(); ++c) {
      std::set<std::uint32_t> touched;
      for (const std::uint32_t a : held[c]) touched.insert(group[a]);
      open_[c].assign(touched.begin(), touched.end());
      if (touched.size() > most_hosts || touched.empty()) continue;  // last
      for (const std::uint32_t g : touched) waiting_[g].insert(c);
    }
  }

  static constexpr std::uint32_t nobody = ~std::uint32_t(0);

  // The group of each constraint, or nobody: it comes last.
  const index_list& find() {
    for (std::uint32_t g = 0; g < waiting_.size(); ++g) look_at(g);
    std::size_t set_aside = 0;
    for (std::uint32_t g = 0;;) {
      peel();
      while (g < waiting_.size() && waiting_[g].empty()) ++g;
      if (g == waiting_.size()) return host_;
      // All that is left lies on loops.
      const std::uint32_t c = *waiting_[g].rbegin();
      if (++set_aside > most_last) host_[c] = g;
      remove(c);
    }
  }

 private:
  void look_at(std::uint32_t g) {
    if (queued_[g] || waiting_[g].empty() || waiting_[g].size() > room_[g]) return;
    const index_list& first = open_[*waiting_[g].begin()];
    for (const std::uint32_t c : waiting_[g]) {
      if (open_[c] != first) return;
    }
    queued_[g] = true;
    queue_.push_back(g);
  }

  // Groups all of whose constraints join them to the same others take these constraints, and are then out of sight.
  void peel() {
    while (!queue_.empty()) {
      const std::uint32_t g = queue_.front();
      queue_.pop_front();
      queued_[g] = false;
      const index_list taken(waiting_[g].begin(), waiting_[g].end());
      if (taken.empty() || taken.size() > room_[g]) continue;
      for (const std::uint32_t c : taken) {
        host_[c] = g;
        remove(c);
      }
      room_[g] -= taken.size();
    }
  }

  void remove(std::uint32_t c) {
    for (const std::uint32_t g : open_[c]) {
      waiting_[g].erase(c);
      look_at(g);
    }
  }

  std::vector<index_list> open_;                  // groups of each constraint
  std::vector<std::set<std::uint32_t>> waiting_;  // constraints of each group that have no host
  std::vector<std::size_t> room_;
  std::vector<bool> queued_;
  std::deque<std::uint32_t> queue_;
  index_list host_;
};

}  // namespace

pivot_groups group_pivots(std::size_t coordinates, std::span<const index_pair> coupled, std::size_t constraints,
                          std::span<const index_pair> held) {
  const std::vector<index_list> contained = lists(constraints, held);
  pivot_groups result;
  result.of_coordinate = group_coordinates(coordinates, coupled, contained);
  std::uint32_t groups = 0;
  for (const std::uint32_t g : result.of_coordinate) groups = std::max(groups, g + 1);
  result.of_constraint = constraint_hosts(result.of_coordinate, contained).find();
  result.turn.assign(groups, group_turn::any);
  for (std::uint32_t& g : result.of_constraint) {
    if (g != constraint_hosts::nobody) continue;
    g = groups;  // all that are last stand together: among them pivots are chosen freely
    result.turn.resize(groups + 1, group_turn::last);
  }
  return result;
}

pivot_groups group_pivots_apart(std::size_t coordinates, std::span<const index_pair> coupled, std::size_t constraints,
                                std::span<const index_pair> held) {
  const std::vector<index_list> contained = lists(constraints, held);
  pivot_groups result;
  result.of_coordinate = group_coordinates(coordinates, coupled, contained);
  const auto is_apart = [&](const index_pair& pair) {
    return result.of_coordinate[pair.first] != result.of_coordinate[pair.second];
  };
  if (std::ranges::any_of(coupled, is_apart)) return {};
  std::vector<std::size_t> members;
  for (const std::uint32_t g : result.of_coordinate) {
    if (g >= members.size()) members.resize(g + std::size_t{1}, 0);
    ++members[g];
  }
  std::vector<std::size_t> room = members;
  result.turn.assign(room.size(), group_turn::any);
  // Constraints between the same bodies stand together, though each may contain another coordinate that stands alone.
  std::map<index_list, std::pair<std::uint32_t, std::size_t>> between;  // groups: theirs, and how many it has
  for (const index_list& list : contained) {
    std::set<std::uint32_t> touched;
    for (const std::uint32_t a : list) touched.insert(result.of_coordinate[a]);
    if (touched.size() == 1 && room[*touched.begin()] > 0) {
      --room[*touched.begin()];
      result.of_constraint.push_back(*touched.begin());
      continue;
    }
    index_list bodies;
    std::ranges::copy_if(touched, std::back_inserter(bodies), [&](std::uint32_t g) { return members[g] > 1; });
    if (bodies.empty()) bodies.assign(touched.begin(), touched.end());
    auto& [group, count] = between[bodies];
    if (count++ % most_together == 0) {
      group = static_cast<std::uint32_t>(result.turn.size());
      result.turn.push_back(group_turn::after_neighbours);
    }
    result.of_constraint.push_back(group);
  }
  return result;
}

}  // namespace actio
