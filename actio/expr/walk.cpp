#include "actio/expr/walk.hpp"

#include <utility>

namespace actio {

walk::walk(std::span<const expr> roots) : slots_(64) {
  struct frame {
    const expr* e;
    std::size_t next_operand;
  };
  std::vector<frame> path;
  for (const expr& root : roots) {
    if (!enter(root)) continue;
    path.push_back({&root, 0});
    while (!path.empty()) {
      frame& top = path.back();
      const auto operands = top.e->operands();
      if (top.next_operand == operands.size()) {
        slots_[slot_of(top.e->id())].place = static_cast<std::uint32_t>(order_.size());
        order_.push_back(top.e);
        path.pop_back();
        continue;
      }
      const expr& operand = operands[top.next_operand++];
      if (enter(operand)) path.push_back({&operand, 0});
    }
  }
}

// Where an id stands, or the free slot where it would.
std::size_t walk::slot_of(const void* id) const {
  const std::size_t mask = slots_.size() - 1;
  const std::size_t mixed = reinterpret_cast<std::size_t>(id) * 0x9e3779b97f4a7c15ULL;  // nodes are aligned
  std::size_t k = (mixed >> 32) & mask;
  while (slots_[k].id != nullptr && slots_[k].id != id) k = (k + 1) & mask;
  return k;
}

bool walk::enter(const expr& e) {
  slot& s = slots_[slot_of(e.id())];
  if (s.id != nullptr) return false;
  s.id = e.id();
  if (2 * ++entered_ > slots_.size()) grow();
  return true;
}

void walk::grow() {
  const std::vector<slot> before = std::exchange(slots_, std::vector<slot>(4 * slots_.size()));
  for (const slot& s : before) {
    if (s.id != nullptr) slots_[slot_of(s.id)] = s;
  }
}

}  // namespace actio
