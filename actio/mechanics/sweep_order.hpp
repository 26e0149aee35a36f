// The order in which sums over elements are taken so that each coordinate is met while its numbers are near the
// processor: a tile of coordinates is opened before the first elements that touch it and closed after the last ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "actio/mechanics/element_families.hpp"

namespace actio {

enum class sweep_action : std::uint8_t { open, add, close };

// Coordinates first … first + count − 1, or elements of run `run` of family `family`, both by their numbers.
struct sweep_move {
  sweep_action action;
  std::uint32_t family = 0, run = 0;
  std::size_t first = 0, count = 0;
};

// Depends on the tables of the families alone. At most `elements` of them at a time.
std::vector<sweep_move> sweep_order(std::span<const element_family* const> families, std::size_t coordinates,
                                    std::size_t elements);

// Who moves coordinates on the way. False where something is not finite, which ends the sweep.
class sweep_visitor {
 public:
  virtual bool open(std::size_t first, std::size_t count) = 0;
  virtual bool close(std::size_t first, std::size_t count) = 0;

 protected:
  ~sweep_visitor() = default;
};

}  // namespace actio
