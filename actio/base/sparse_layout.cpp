#include "actio/base/sparse_layout.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "actio/base/error.hpp"

namespace actio {

namespace {

// The quotient graph of an elimination: variables that are left, and elements, each standing for the variables that an
// eliminated one has joined.
class quotient_graph {
 public:
  quotient_graph(std::size_t size, std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs)
      : variables_(size), elements_(size), members_(size), is_gone_(size, 0), mark_(size, 0), outside_(size, 0) {
    for (const auto& [i, j] : pairs) {
      if (i == j) continue;
      variables_[i].push_back(j);
      variables_[j].push_back(i);
    }
    for (auto& list : variables_) {
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
    }
  }

  std::size_t degree(std::uint32_t i) const { return variables_[i].size(); }  // before anything is eliminated

  // The variables that p was joined to become an element; `changed` gets each with its new degree.
  template <class Changed>
  void eliminate(std::uint32_t p, Changed&& changed) {
    std::vector<std::uint32_t>& joined = members_[p];
    const std::uint32_t stamp = ++stamp_;
    mark_[p] = stamp;
    const auto join = [&](std::uint32_t i) {
      if (is_gone_[i] || mark_[i] == stamp) return;
      mark_[i] = stamp;
      joined.push_back(i);
    };
    for (const std::uint32_t i : variables_[p]) join(i);
    for (const std::uint32_t e : elements_[p]) {
      for (const std::uint32_t i : members_[e]) join(i);
      members_[e] = {};
      is_gone_[e] = absorbed;
    }
    is_gone_[p] = element;
    variables_[p] = {};
    elements_[p] = {};
    count_outside(joined);
    for (const std::uint32_t i : joined) {
      std::erase_if(variables_[i], [&](std::uint32_t j) { return mark_[j] == stamp || is_gone_[j]; });
      std::erase_if(elements_[i], [&](std::uint32_t e) { return is_gone_[e] == absorbed; });
      std::size_t degree = variables_[i].size() + joined.size() - 1;
      for (const std::uint32_t e : elements_[i]) degree += outside_[e];
      elements_[i].push_back(p);
      changed(i, degree);
    }
    for (const std::uint32_t i : joined) {
      for (const std::uint32_t e : elements_[i]) outside_[e] = 0;
    }
  }

 private:
  enum : std::uint8_t { element = 1, absorbed = 2 };

  // outside_[e] := |members of e that are not in `joined`| for the elements of those.
  void count_outside(const std::vector<std::uint32_t>& joined) {
    for (const std::uint32_t i : joined) {
      for (const std::uint32_t e : elements_[i]) {
        if (is_gone_[e] != element) continue;
        if (outside_[e] == 0) {
          std::erase_if(members_[e], [&](std::uint32_t k) { return is_gone_[k] != 0; });
          outside_[e] = members_[e].size() + 1;
        }
        --outside_[e];
      }
    }
    for (const std::uint32_t i : joined) {
      for (const std::uint32_t e : elements_[i]) {
        if (is_gone_[e] == element && outside_[e] == 1) {  // nothing that the new element does not have
          is_gone_[e] = absorbed;
          members_[e] = {};
        }
      }
    }
  }

  std::vector<std::vector<std::uint32_t>> variables_, elements_, members_;
  std::vector<std::uint8_t> is_gone_;
  std::vector<std::uint32_t> mark_;
  std::vector<std::size_t> outside_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

std::vector<std::uint32_t> minimum_degree_order(std::size_t size,
                                                std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                                std::span<const group_turn> turn) {
  quotient_graph graph(size, pairs);
  const auto turn_of = [&](std::uint32_t i) { return turn.empty() ? group_turn::any : turn[i]; };
  // How many of those that one is joined to must go before it, and who waits for whom.
  std::vector<std::uint32_t> awaited(size, 0);
  std::vector<std::vector<std::uint32_t>> waiting(turn.empty() ? 0 : size);
  for (const auto& [i, j] : turn.empty() ? decltype(pairs){} : pairs) {
    for (const auto& [a, b] : {std::pair(i, j), std::pair(j, i)}) {
      if (turn_of(a) != group_turn::after_neighbours || turn_of(b) != group_turn::any) continue;
      ++awaited[a];
      waiting[b].push_back(a);
    }
  }
  // Queues by degree; an entry that is not of the current degree is out of date.
  std::vector<std::deque<std::uint32_t>> queues(size + 1);
  std::vector<std::size_t> degree(size);
  std::vector<bool> is_done(size, false);
  std::vector<std::uint32_t> order;
  order.reserve(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    degree[i] = graph.degree(i);
    if (turn_of(i) == group_turn::last) is_done[i] = true;
    else if (awaited[i] == 0) queues[degree[i]].push_back(i);
  }
  std::size_t lowest = 0;
  while (lowest < queues.size()) {
    if (queues[lowest].empty()) {
      ++lowest;
      continue;
    }
    const std::uint32_t p = queues[lowest].front();
    queues[lowest].pop_front();
    if (is_done[p] || degree[p] != lowest) continue;
    is_done[p] = true;
    order.push_back(p);
    const auto queue = [&](std::uint32_t i) {
      queues[degree[i]].push_back(i);
      lowest = std::min(lowest, degree[i]);
    };
    graph.eliminate(p, [&](std::uint32_t i, std::size_t joined) {
      joined = std::min(joined, size - 1);
      if (is_done[i] || joined == degree[i]) return;
      degree[i] = joined;
      if (awaited[i] == 0) queue(i);
    });
    for (std::size_t k = 0; !waiting.empty() && k < waiting[p].size(); ++k) {
      if (--awaited[waiting[p][k]] == 0) queue(waiting[p][k]);
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    if (turn_of(i) == group_turn::last) order.push_back(i);
  }
  ACTIO_ASSERT(order.size() == size);
  return order;
}

sparse_layout::sparse_layout(const sparse_pattern& pattern, const pivot_order& pivots) {
  const std::size_t n = pattern.size;
  std::size_t groups = 0;
  for (const std::uint32_t g : pivots.group) groups = std::max<std::size_t>(groups, g + 1);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t e = 0; e < pattern.row.size(); ++e) {
    const std::uint32_t i = pivots.group[pattern.row[e]], j = pivots.group[pattern.column[e]];
    if (i != j) pairs.emplace_back(std::min(i, j), std::max(i, j));
  }
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  const std::vector<std::uint32_t> order = minimum_degree_order(groups, pairs, pivots.turn);
  std::vector<std::uint32_t> turn(groups), sizes(groups, 0), next(groups, 0);
  for (std::uint32_t k = 0; k < groups; ++k) turn[order[k]] = k;
  for (const std::uint32_t g : pivots.group) ++sizes[turn[g]];
  for (std::size_t k = 1; k < groups; ++k) next[k] = next[k - 1] + sizes[k - 1];
  place.resize(n);
  for (std::size_t j = 0; j < n; ++j) place[j] = next[turn[pivots.group[j]]]++;

  // What a block is joined to: its own entries, and what is left of those whose first later neighbour it is.
  std::vector<std::vector<std::uint32_t>> later(groups);
  for (const auto& [i, j] : pairs) later[std::min(turn[i], turn[j])].push_back(std::max(turn[i], turn[j]));
  std::vector<std::vector<std::uint32_t>> children(groups);
  std::vector<std::uint32_t> mark(groups, 0);
  for (std::uint32_t k = 0; k < groups; ++k) {
    std::vector<std::uint32_t> all;
    mark[k] = k + 1;
    const auto join = [&](std::uint32_t j) {
      if (mark[j] == k + 1) return;
      mark[j] = k + 1;
      all.push_back(j);
    };
    for (const std::uint32_t j : later[k]) join(j);
    for (const std::uint32_t c : children[k]) {
      for (const std::uint32_t j : later[c]) join(j);
    }
    std::ranges::sort(all);
    later[k] = std::move(all);
    if (!later[k].empty()) children[later[k].front()].push_back(k);
  }
  place_blocks(later, sizes);

  std::vector<std::uint32_t> block_of(n);
  for (std::size_t j = 0; j < n; ++j) block_of[j] = turn[pivots.group[j]];
  place_entries(pattern, block_of);
}

void sparse_layout::place_entries(const sparse_pattern& pattern, std::span<const std::uint32_t> block_of) {
  ACTIO_ASSERT(values <= std::numeric_limits<std::uint32_t>::max());
  const auto owner = [&](std::size_t e) { return std::min(block_of[pattern.row[e]], block_of[pattern.column[e]]); };
  std::vector<std::uint32_t> next(blocks.size() + 1, 0);
  for (std::size_t e = 0; e < pattern.row.size(); ++e) ++next[owner(e) + 1];
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    next[k + 1] += next[k];
    blocks[k].entry_end = next[k + 1];
  }
  entries.resize(pattern.row.size());
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    const std::uint32_t i = block_of[pattern.row[e]], j = block_of[pattern.column[e]];
    const auto [at, stride] = block_place(i, j);
    const std::size_t row = place[pattern.row[e]] - blocks[i].first,
                      column = place[pattern.column[e]] - blocks[j].first;
    entries[next[owner(e)]++] = {e, static_cast<std::uint32_t>(at + row * stride + column)};
  }
}

void sparse_layout::place_blocks(const std::vector<std::vector<std::uint32_t>>& later,
                                 std::span<const std::uint32_t> sizes) {
  std::uint32_t first = 0;
  for (std::size_t k = 0; k < later.size(); ++k) {
    block b{first, sizes[k], 0, static_cast<std::uint32_t>(neighbours.size()), 0, 0, 0, 0, 0};
    for (const std::uint32_t j : later[k]) {
      neighbours.push_back({j, b.width});
      b.width += sizes[j];
    }
    b.neighbour_end = static_cast<std::uint32_t>(neighbours.size());
    b.diagonal = values;
    b.upper = b.diagonal + std::size_t{b.size} * b.size;
    b.lower = b.upper + std::size_t{b.size} * b.width;
    values = b.lower + std::size_t{b.size} * b.width;
    first += b.size;
    b.reach = std::max({static_cast<std::uint32_t>(k), blocks.empty() ? 0 : blocks.back().reach,
                        later[k].empty() ? 0 : later[k].back()});
    largest_block = std::max(largest_block, b.size);
    largest_width = std::max(largest_width, b.width);
    blocks.push_back(b);
  }
  for (block& b : blocks) {
    b.target = targets.size();
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      for (std::uint32_t j = b.neighbour; j < b.neighbour_end; ++j) {
        const auto [at, stride] = block_place(neighbours[i].block, neighbours[j].block);
        targets.push_back({at, stride});
      }
    }
  }
}

std::pair<std::size_t, std::uint32_t> sparse_layout::block_place(std::uint32_t i, std::uint32_t j) const {
  if (i == j) return {blocks[i].diagonal, blocks[i].size};
  const block& b = blocks[std::min(i, j)];
  const auto begin = neighbours.begin() + b.neighbour, end = neighbours.begin() + b.neighbour_end;
  const auto found = std::ranges::lower_bound(begin, end, std::max(i, j), {}, &neighbour::block);
  ACTIO_ASSERT(found != end && found->block == std::max(i, j));
  if (i < j) return {b.upper + found->offset, b.width};
  return {b.lower + std::size_t{found->offset} * b.size, b.size};
}

}  // namespace actio
