#include "actio/analysis/candidates.hpp"

#include <algorithm>

namespace actio {

namespace {

// Over kinks all methods have order one: the cheapest step wins. Midpoint is cheap where systems are linear.
int rank_on(const method& m, const lagrangian_system& system, bool is_linear, bool ends_at_kinks) {
  if (system.is_constrained()) return m.rank.constrained;
  if (!ends_at_kinks && !is_smooth(system)) return m.rank.kinked;
  return m.rank.smooth == 0 && is_linear ? m.rank.linear : m.rank.smooth;
}

}  // namespace

std::vector<const method*> candidates_for(const lagrangian_system& system, bool is_linear, bool ends_at_kinks) {
  std::vector<const method*> result;
  for (const method& m : method_catalogue()) {
    if (rank_on(m, system, is_linear, ends_at_kinks) > 0 && suits(m, system)) result.push_back(&m);
  }
  std::ranges::stable_sort(result, {}, [&](const method* m) { return rank_on(*m, system, is_linear, ends_at_kinks); });
  if (!result.empty()) return result;
  for (const method& m : method_catalogue()) {
    if (m.traits.order > 1 && suits(m, system)) result.push_back(&m);
  }
  return result;
}

}  // namespace actio
