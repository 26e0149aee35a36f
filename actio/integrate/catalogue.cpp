#include "actio/integrate/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <shared_mutex>

#include "actio/integrate/method_families.hpp"
#include "actio/mechanics/separability.hpp"

namespace actio {

method needing_lagrangian(method m) {
  if (m.needs.empty()) m.needs = m.takes_hamiltonian ? "a Lagrangian or a Hamiltonian" : "a Lagrangian";
  m.require = [name = m.name, takes_hamiltonian = m.takes_hamiltonian,
               more = m.require](const lagrangian_system& system) {
    if (system.has_lagrangian() || (system.is_hamiltonian() && takes_hamiltonian)) {
      if (more) more(system);
      return;
    }
    if (system.is_hamiltonian()) {
      throw input_error(
          "method-needs-lagrangian",
          fmt::format("method '{}' discretises a Lagrangian, but '{}' gives a Hamiltonian", name, system.name), {},
          "choose @method=gauss-4 or another Gauss method, midpoint, or rk4; strang and its "
          "compositions where H = T(p) + V(q)");
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

std::string_view default_method(const lagrangian_system& system) {
  return system.is_first_order() ? "rk4" : system.is_hamiltonian() ? "gauss-2" : "simpson";
}

void method::refuse(const precision& numbers) const {
  const bool is_quad = numbers == precision::of_quad();
  throw input_error("method-lacks-precision",
                    fmt::format("method '{}' computes in double, not {}", name,
                                is_quad ? "in quad precision" : fmt::format("with {} digits", numbers.digits)),
                    {}, "leave @precision out, or choose a method of actio, such as simpson");
}

namespace {

// Methods only ever come, and a deque leaves them where they are.
class method_registry {
 public:
  method_registry() {
    for (auto family : {galerkin_methods, partitioned_methods, linear_methods, splitting_methods, energy_methods,
                        newmark_methods, runge_kutta_methods, extrapolation_methods}) {
      for (method& m : family()) methods_.push_back(refusing_constraints(std::move(m)));
    }
  }

  std::vector<std::reference_wrapper<const method>> all() const {
    const std::shared_lock lock(mutex_);
    return {methods_.begin(), methods_.end()};
  }

  const method* find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    return known(name);
  }

  const method& add(method m) {
    const std::unique_lock lock(mutex_);
    std::vector<std::string> names = m.aliases;
    names.push_back(m.name);
    for (const std::string& name : names) {
      if (known(name) == nullptr && std::ranges::count(names, name) == 1) continue;
      throw input_error("duplicate-method", fmt::format("there is a method '{}' already", name), {},
                        "give the method another name");
    }
    return methods_.emplace_back(refusing_constraints(std::move(m)));
  }

 private:
  const method* known(std::string_view name) const {
    const auto found = std::ranges::find_if(methods_, [&](const method& m) {
      return m.name == name || std::ranges::find(m.aliases, name) != m.aliases.end();
    });
    return found == methods_.end() ? nullptr : &*found;
  }

  mutable std::shared_mutex mutex_;
  std::deque<method> methods_;
};

method_registry& registry() {
  static method_registry all;
  return all;
}

// The words "auto" and "all" mean methods that are to be chosen, or every one.
bool is_method_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto belongs = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, belongs) && name != "auto" &&
         name != "all";
}

}  // namespace

std::vector<std::reference_wrapper<const method>> method_catalogue() { return registry().all(); }

const method& register_method(method m) {
  const auto refuse = [](const std::string& what, const char* cure) {
    throw input_error("bad-method", what, {}, cure);
  };
  std::vector<std::string> names = m.aliases;
  names.push_back(m.name);
  for (const std::string& name : names) {
    if (!is_method_name(name)) {
      refuse(fmt::format("'{}' cannot be the name of a method", name),
             "give small letters, digits and hyphens, beginning with a letter, such as my-method; auto and all have "
             "meanings of their own");
    }
  }
  if (!m.in_double) refuse(fmt::format("method '{}' makes no steps in double", m.name), "set method::in_double");
  if (m.traits.order < 1) refuse(fmt::format("method '{}' has no order", m.name), "set method::traits");
  return registry().add(std::move(m));
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

std::optional<rational> family_number(std::string_view text) {
  try {
    const std::size_t slash = text.find('/');
    rational value = decimal(text.substr(0, slash)).number();
    if (slash != std::string_view::npos) {
      const rational divisor = decimal(text.substr(slash + 1)).number();
      if (divisor == 0) return std::nullopt;
      value /= divisor;
    }
    return value < 0 ? std::nullopt : std::optional(value);
  } catch (const input_error&) {
    return std::nullopt;
  }
}

const method* find_method(std::string_view name) {
  const std::size_t colon = name.find(':');
  const method* found = registry().find(name.substr(0, colon));
  if (found == nullptr || colon == std::string_view::npos) return found;
  if (!found->family || name.substr(0, colon) != found->name) return nullptr;
  std::vector<rational> values;
  for (std::size_t at = colon; at != std::string_view::npos;) {
    const std::size_t end = name.find(':', at + 1);
    const auto number = family_number(name.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
    if (!number) return nullptr;
    values.push_back(*number);
    at = end;
  }
  return values.size() == found->family->parameters.size() ? &found->family->member(values) : nullptr;
}

const method* family_named(std::string_view name) {
  for (const method& m : method_catalogue()) {
    if (!m.family) continue;
    if (m.name == name || std::ranges::find(m.family->also_of, name) != m.family->also_of.end()) return &m;
  }
  return nullptr;
}

const method& method_named(const source_text& name) {
  if (const method* found = find_method(name.text)) return *found;
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) {
    names.push_back(m.name);
    names.insert(names.end(), m.aliases.begin(), m.aliases.end());
  }
  throw input_error("unknown-method", fmt::format("unknown method '{}'", name.text), name.origin,
                    suggest(name.text, names) + " (@{methods} lists them all)");
}

}  // namespace actio
