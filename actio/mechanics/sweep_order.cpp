#include "actio/mechanics/sweep_order.hpp"

#include <algorithm>
#include <optional>

#include "actio/base/placed_row.hpp"

namespace actio {

namespace {

constexpr std::size_t tile_size = 512;  // coordinates

// Tiles end where lines of the cache do.
std::size_t tile_of(std::size_t coordinate) {
  return coordinate < first_of_line ? 0 : (coordinate - first_of_line) / tile_size;
}
std::size_t beginning_of(std::size_t tile) { return tile == 0 ? 0 : first_of_line + tile * tile_size; }

// Some elements of one run and the tiles that they touch, ascending.
struct group {
  sweep_move elements;
  std::vector<std::uint32_t> tiles;
};

void add_tiles(const element_family& family, const element_run& run, std::size_t first, std::size_t count,
               std::vector<std::uint32_t>& tiles) {
  const auto add = [&](std::size_t tile) {
    if (tiles.empty() || tiles.back() != tile) tiles.push_back(static_cast<std::uint32_t>(tile));
  };
  for (std::size_t slot = 0; slot < family.slots(); ++slot) {
    const std::vector<std::uint32_t>& column = family.coordinates[slot];
    if (run.even) {
      const std::size_t from = tile_of(column[first]), to = tile_of(column[first + count - 1]);
      for (std::size_t tile = from; tile <= to; ++tile) add(tile);
    } else {
      for (std::size_t e = first; e < first + count; ++e) add(tile_of(column[e]));
    }
  }
  std::ranges::sort(tiles);
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
}

// The first group of an even run ends where a line of the row of its first moving coordinates does.
std::size_t first_count(const element_family& family, const element_run& run, std::size_t elements) {
  std::optional<std::size_t> coordinate;
  for (std::size_t slot = 0; slot < family.slots() && run.even; ++slot) {
    if (run.moves[slot] == 0) continue;
    const std::size_t here = family.coordinates[slot][run.first];
    if (!coordinate || here < *coordinate) coordinate = here;
  }
  constexpr std::size_t line = 64 / sizeof(double);
  return coordinate ? elements - (*coordinate + line - first_of_line) % line : elements;
}

std::vector<group> groups_of(std::span<const element_family* const> families, std::size_t elements) {
  std::vector<group> groups;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const element_family& family = *families[f];
    for (std::size_t r = 0; r < family.runs.size(); ++r) {
      const element_run& run = family.runs[r];
      const std::size_t end = run.first + run.count;
      std::size_t count = std::min(first_count(family, run, elements), run.count);
      for (std::size_t first = run.first; first < end; first += count, count = std::min(elements, end - first)) {
        group& made = groups.emplace_back();
        made.elements = {sweep_action::add, static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(r), first, count};
        add_tiles(family, run, first, count, made.tiles);
      }
    }
  }
  std::ranges::stable_sort(groups, {}, [](const group& g) { return g.tiles.empty() ? 0 : g.tiles.back(); });
  return groups;
}

}  // namespace

std::vector<sweep_move> sweep_order(std::span<const element_family* const> families, std::size_t coordinates,
                                    std::size_t elements) {
  const std::vector<group> groups = groups_of(families, elements);
  const std::size_t tiles = coordinates == 0 ? 0 : tile_of(coordinates - 1) + 1;
  std::vector<std::size_t> last(tiles, groups.size());  // group that touches a tile
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t tile : groups[g].tiles) last[tile] = g;
  }
  std::vector<bool> is_open(tiles, false);
  std::vector<sweep_move> moves;
  const auto add_tile = [&](sweep_action action, std::size_t tile) {
    const std::size_t first = beginning_of(tile), end = std::min(beginning_of(tile + 1), coordinates);
    moves.push_back({action, 0, 0, first, end - first});
  };
  const auto open = [&](std::size_t tile) {
    if (is_open[tile]) return;
    add_tile(sweep_action::open, tile);
    is_open[tile] = true;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t tile : groups[g].tiles) open(tile);
    moves.push_back(groups[g].elements);
    for (const std::uint32_t tile : groups[g].tiles) {
      if (last[tile] == g) add_tile(sweep_action::close, tile);
    }
  }
  for (std::size_t tile = 0; tile < tiles; ++tile) {  // that nothing touches
    if (last[tile] != groups.size()) continue;
    open(tile);
    add_tile(sweep_action::close, tile);
  }
  return moves;
}

}  // namespace actio
