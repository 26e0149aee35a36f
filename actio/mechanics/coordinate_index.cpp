#include "actio/mechanics/coordinate_index.hpp"

#include <bit>
#include <string>

namespace actio {

coordinate_index::coordinate_index(std::span<const expr> coordinates)
    : coordinates_(coordinates), slots_(std::bit_ceil(2 * coordinates.size() + 2), 0) {
  for (std::uint32_t i = 0; i < coordinates.size(); ++i) {
    std::uint32_t& slot = slots_[slot_of(coordinates[i])];
    if (slot == 0) slot = i + 1;
  }
}

// Where a symbol stands, or would stand.
std::size_t coordinate_index::slot_of(const expr& symbol) const {
  const auto bits = reinterpret_cast<std::uintptr_t>(symbol.id()) * 0x9e3779b97f4a7c15ULL;
  std::size_t k = (bits >> 24) & (slots_.size() - 1);
  while (slots_[k] != 0 && !(coordinates_[slots_[k] - 1] == symbol)) k = (k + 1) & (slots_.size() - 1);
  return k;
}

std::optional<std::uint32_t> coordinate_index::position(const expr& symbol) const {
  const std::uint32_t found = slots_[slot_of(symbol)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

std::optional<coordinate_index::meaning> coordinate_index::find(const expr& symbol) const {
  if (const auto number = position(symbol)) return meaning{coordinate_role::position, *number};
  const std::string_view name = symbol.name();
  const auto as = [&](coordinate_role role, std::string_view base) -> std::optional<meaning> {
    const auto number = position(expr::symbol(base));
    return number ? std::optional(meaning{role, *number}) : std::nullopt;
  };
  if (name.ends_with('\'')) {
    if (const auto found = as(coordinate_role::velocity, name.substr(0, name.size() - 1))) return found;
    if (name.ends_with("''")) return as(coordinate_role::acceleration, name.substr(0, name.size() - 2));
  }
  return name.starts_with("p_") ? as(coordinate_role::momentum, name.substr(2)) : std::nullopt;
}

}  // namespace actio
