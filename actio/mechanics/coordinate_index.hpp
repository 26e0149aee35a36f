// Which coordinate a symbol belongs to, without a symbol for each velocity and momentum there might be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

// Of q, q', q'' and p_q.
enum class coordinate_role : std::uint8_t { position, velocity, acceleration, momentum };

class coordinate_index {
 public:
  // The coordinates must outlive it. Of equal ones the first is found.
  explicit coordinate_index(std::span<const expr> coordinates);

  struct meaning {
    coordinate_role role;
    std::uint32_t number;
  };
  std::optional<meaning> find(const expr& symbol) const;
  std::optional<std::uint32_t> position(const expr& symbol) const;

 private:
  std::size_t slot_of(const expr& symbol) const;

  std::span<const expr> coordinates_;
  std::vector<std::uint32_t> slots_;  // numbers counted from one, by addresses; 0 where nobody stands
};

}  // namespace actio
