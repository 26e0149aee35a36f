#include "actio/integrate/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/integrate/energy_methods.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/integrate/linear_methods.hpp"
#include "actio/integrate/newmark_methods.hpp"
#include "actio/integrate/partitioned_methods.hpp"
#include "actio/integrate/runge_kutta_methods.hpp"
#include "actio/integrate/splitting_methods.hpp"
#include "actio/mechanics/separability.hpp"

namespace actio {

method needing_lagrangian(method m) {
  if (m.needs.empty()) m.needs = "a Lagrangian";
  m.require = [name = m.name, more = m.require](const lagrangian_system& system) {
    if (!system.is_first_order()) {
      if (more) more(system);
      return;
    }
    throw input_error(
        "method-needs-lagrangian",
        fmt::format("method '{}' discretises a Lagrangian, but '{}' gives equations y' = f(t, y)", name, system.name),
        {}, "choose @method=rk4");
  };
  return m;
}

method refusing_constraints(method m) {
  if (m.holds_constraints) return m;
  m.require = [name = m.name, why = m.why_unheld, more = m.require](const lagrangian_system& system) {
    if (system.is_constrained()) {
      throw input_error(
          "method-refuses-constraints",
          fmt::format("method '{}' cannot hold the constraint '{}': {}", name, system.constraints.front().name,
                      why.empty() ? "it has no place for the forces of constraints" : why),
          {}, "choose simpson, lobatto-4 or another Lobatto method, verlet or midpoint");
    }
    if (more) more(system);
  };
  return m;
}

void require_suited(const method& m, const lagrangian_system& system, const source_place& place) {
  if (!m.require) return;
  try {
    m.require(system);
  } catch (const input_error& error) {
    if (!error.place().file.empty()) throw;
    throw input_error(error.id(), error.message(), place, error.cure());
  }
}

std::string_view default_method(const lagrangian_system& system) { return system.is_first_order() ? "rk4" : "simpson"; }

const std::vector<method>& method_catalogue() {
  static const std::vector<method> all = [] {
    std::vector<method> methods;
    for (auto family : {galerkin_methods, partitioned_methods, linear_methods, splitting_methods, energy_methods,
                        newmark_methods, runge_kutta_methods}) {
      for (method& m : family()) methods.push_back(refusing_constraints(std::move(m)));
    }
    return methods;
  }();
  return all;
}

bool suits(const method& m, const lagrangian_system& system) {
  try {
    if (m.require) m.require(system);
    return true;
  } catch (const input_error&) {
    return false;
  }
}

method_traits promises_on(const method& m, const lagrangian_system& system) {
  return m.separable_traits && !find_coupling(system) ? *m.separable_traits : m.traits;
}

const method* find_method(std::string_view name) {
  for (const method& m : method_catalogue()) {
    if (m.name == name || std::ranges::find(m.aliases, name) != m.aliases.end()) return &m;
  }
  return newmark_member_named(name);
}

const method& method_named(const source_text& name) {
  if (const method* found = find_method(name.text)) return *found;
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) {
    names.push_back(m.name);
    names.insert(names.end(), m.aliases.begin(), m.aliases.end());
  }
  throw input_error("unknown-method", fmt::format("unknown method '{}'", name.text), name.origin,
                    suggest(name.text, names) + " ('actio methods' lists them all)");
}

}  // namespace actio
