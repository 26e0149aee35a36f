#include "actio/analysis/candidates.hpp"

#include <string_view>

namespace actio {

namespace {

// In the order in which they are tried: those first that are most often the cheapest, so that others are soon seen to
// be dearer. Numbers of Gauss nodes are those that fill vectors of nodes, and some between; Lobatto methods are left
// out, since Gauss methods of the same cost have a higher order.
const std::vector<std::string_view>& usual_candidates() {
  static const std::vector<std::string_view> names = {"gauss-8",     "gauss-10",  "gauss-4",   "gauss-6",
                                                      "mclachlan-8", "yoshida-8", "yoshida-6", "suzuki-4",
                                                      "strang",      "simpson",   "midpoint"};
  return names;
}

// Constraints are held by Lobatto methods.
const std::vector<std::string_view>& constrained_candidates() {
  static const std::vector<std::string_view> names = {"lobatto-5", "lobatto-4", "lobatto-6", "lobatto-7",
                                                      "lobatto-9", "lobatto-8", "simpson",   "verlet"};
  return names;
}

// At kinks all methods have order one: the cheapest step wins.
const std::vector<std::string_view>& candidates_at_kinks() {
  static const std::vector<std::string_view> names = {"strang", "simpson"};
  return names;
}

}  // namespace

std::vector<const method*> candidates_for(const lagrangian_system& system) {
  std::vector<const method*> result;
  for (const std::string_view name : system.is_constrained() ? constrained_candidates()
                                     : is_smooth(system)     ? usual_candidates()
                                                             : candidates_at_kinks()) {
    const method* m = find_method(name);
    if (m != nullptr && suits(*m, system)) result.push_back(m);
  }
  if (!result.empty()) return result;
  for (const method& m : method_catalogue()) {
    if (m.traits.order > 1 && suits(m, system)) result.push_back(&m);
  }
  return result;
}

}  // namespace actio
