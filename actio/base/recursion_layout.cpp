#include "actio/base/recursion_layout.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace actio {

namespace {

// The unknowns that are joined while others go.
class joined_places {
 public:
  explicit joined_places(std::size_t count) : near_(count) {}

  const std::vector<std::uint32_t>& of(std::uint32_t place) const { return near_[place]; }
  void join(std::uint32_t a, std::uint32_t b) {
    insert(a, b);
    if (a != b) insert(b, a);
  }
  void take_out(std::uint32_t place) {
    for (const std::uint32_t other : near_[place]) {
      if (other != place) std::erase(near_[other], place);
    }
    near_[place].clear();
  }

 private:
  void insert(std::uint32_t a, std::uint32_t b) {
    const auto at = std::ranges::lower_bound(near_[a], b);
    if (at == near_[a].end() || *at != b) near_[a].insert(at, b);
  }
  std::vector<std::vector<std::uint32_t>> near_;  // sorted
};

// Dependent unknowns with the longest way to them first, and free ones as soon as nothing contains them; those that
// nothing ever contained come last.
std::vector<std::uint32_t> order_of(const recursion_pattern& p) {
  const auto n = static_cast<std::uint32_t>(p.free);
  std::vector<std::uint32_t> depth(p.dependent, 0), users(n, 0), dependent(p.dependent), order;
  for (std::size_t i = 0; i < p.dependent; ++i) {
    for (std::uint32_t e = p.first[i]; e < p.first[i + 1]; ++e) {
      if (p.column[e] < n) ++users[p.column[e]];
      else depth[i] = std::max(depth[i], depth[p.column[e] - n] + 1);
    }
  }
  std::vector<std::uint32_t> unused;
  for (std::uint32_t a = 0; a < n; ++a) {
    if (users[a] == 0) unused.push_back(a);
  }
  std::iota(dependent.begin(), dependent.end(), 0U);
  std::ranges::stable_sort(dependent, std::ranges::greater{}, [&](std::uint32_t i) { return depth[i]; });
  for (const std::uint32_t i : dependent) {
    order.push_back(n + i);
    for (std::uint32_t e = p.first[i]; e < p.first[i + 1]; ++e) {
      if (p.column[e] < n && --users[p.column[e]] == 0) order.push_back(p.column[e]);
    }
  }
  order.insert(order.end(), unused.begin(), unused.end());
  return order;
}

}  // namespace

recursion_layout::recursion_layout(recursion_pattern given) : pattern(std::move(given)) {
  find_steps(order_of(pattern));
  sort_entries();
  find_beginnings();
}

void recursion_layout::find_steps(std::span<const std::uint32_t> order) {
  const std::size_t count = pattern.free + pattern.dependent;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_row(count);  // column, block; sorted
  joined_places joined(count);
  const auto block_at = [&](std::uint32_t row, std::uint32_t column) {
    auto& known = by_row[row];
    const auto at = std::ranges::lower_bound(known, column, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
    if (at != known.end() && at->first == column) return at->second;
    const auto number = static_cast<std::uint32_t>(blocks.size());
    known.insert(at, {column, number});
    blocks.push_back({row, column, 0, 0, false});
    return number;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    joined.join(a, b);
    block_at(a, b);
    block_at(b, a);
  };
  for (const recursion_pattern::entry& e : pattern.form) join(e.row, e.column);
  for (const std::uint32_t place : order) {
    std::vector<std::uint32_t> near = joined.of(place);
    const bool is_free = place < pattern.free, has_own = std::erase(near, place) > 0 || is_free;
    step s{place, static_cast<std::uint32_t>(neighbours.size()), 0, targets.size(), none, 0, 0};
    if (has_own) s.own = block_at(place, place);
    for (const std::uint32_t u : near) neighbours.push_back({u, block_at(u, place), block_at(place, u)});
    if (is_free) {
      for (const std::uint32_t u : near) {
        for (const std::uint32_t w : near) {
          join(u, w);
          targets.push_back(block_at(u, w));
        }
      }
    } else {
      const std::size_t i = place - pattern.free;
      const std::span columns(&pattern.column[pattern.first[i]], pattern.first[i + 1] - pattern.first[i]);
      for (const std::uint32_t u : near) {
        for (const std::uint32_t c : columns) {
          join(u, c);
          targets.push_back(block_at(u, c));
        }
      }
      for (const std::uint32_t c : columns) {
        if (has_own) targets.push_back(block_at(place, c));
      }
      for (const std::uint32_t c : columns) {
        if (!has_own || std::ranges::find(near, c) != near.end()) continue;
        near.push_back(c);
        neighbours.push_back({c, none, block_at(place, c)});
      }
      for (const std::uint32_t w : near) {
        for (const std::uint32_t c : columns) {
          join(c, w);
          targets.push_back(block_at(c, w));
        }
      }
    }
    s.neighbour_end = static_cast<std::uint32_t>(neighbours.size());
    joined.take_out(place);
    steps.push_back(s);
  }
  // Blocks of the form are found again by their places.
  for (recursion_pattern::entry& e : pattern.form) entries.push_back(block_at(e.row, e.column));
}

// `entries` holds the block of each entry before.
void recursion_layout::sort_entries() {
  const std::vector<std::uint32_t> block_of = std::move(entries);
  entries.resize(block_of.size());
  std::iota(entries.begin(), entries.end(), 0U);
  std::ranges::stable_sort(entries, {}, [&](std::uint32_t e) { return block_of[e]; });
  for (std::uint32_t k = 0; k < entries.size(); ++k) {
    block& b = blocks[block_of[entries[k]]];
    if (b.entry == b.entry_end) b.entry = k;
    b.entry_end = k + 1;
  }
}

void recursion_layout::find_beginnings() {
  std::vector<bool> has_begun(blocks.size(), false);
  const auto touch = [&](std::uint32_t b) {
    if (b == none || has_begun[b]) return;
    has_begun[b] = true;
    begun.push_back(b);
  };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    step& s = steps[k];
    s.begin = static_cast<std::uint32_t>(begun.size());
    touch(s.own);
    for (std::uint32_t j = s.neighbour; j < s.neighbour_end; ++j) {
      touch(neighbours[j].column);
      touch(neighbours[j].row);
      if (s.place < pattern.free) blocks[neighbours[j].column].is_kept = blocks[neighbours[j].row].is_kept = true;
    }
    const std::size_t end = k + 1 < steps.size() ? steps[k + 1].target : targets.size();
    for (std::size_t t = s.target; t < end; ++t) touch(targets[t]);
    s.begin_end = static_cast<std::uint32_t>(begun.size());
  }
}

}  // namespace actio
