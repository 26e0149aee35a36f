// The nodes under some expressions, each once, operands first, from left to right. Internal to expr/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

class walk {
 public:
  // The roots must outlive it: nodes are not retained.
  explicit walk(std::span<const expr> roots);

  static constexpr std::uint32_t nowhere = UINT32_MAX;
  std::size_t size() const { return order_.size(); }
  const expr& operator[](std::size_t i) const { return *order_[i]; }
  // The place of an expression; nowhere where it is not under the roots.
  std::uint32_t place_of(const expr& e) const { return slots_[slot_of(e.id())].place; }

 private:
  // Open addressing: walks are short, many, and ask for every operand.
  struct slot {
    const void* id = nullptr;
    std::uint32_t place = nowhere;
  };
  std::size_t slot_of(const void* id) const;
  bool enter(const expr& e);
  void grow();

  std::vector<const expr*> order_;
  std::vector<slot> slots_;  // their number is a power of two
  std::size_t entered_ = 0;
};

}  // namespace actio
