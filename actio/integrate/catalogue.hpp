// The catalogue of methods: what each claims, and how to make it. Everything else (command line, contract tests,
// documentation) is derived from here.
//
// To add a method: one file in this folder that returns its `method`, and one line in catalogue.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

// What a method promises; `actio verify` measures it.
struct method_traits {
  int order = 0;
  bool symplectic = false;
  bool symmetric = false;          // a step back undoes a step: reversible
  bool conserves_momenta = false;  // linear and quadratic momenta of symmetries, to rounding
  bool conserves_energy = false;   // to rounding
};

struct method {
  std::string name;
  std::vector<std::string> aliases;
  method_traits traits;
  std::string summary;    // one line
  std::string formula;    // its definition in words and symbols
  std::string reference;  // keys of docs/references.bib
  // What the method asks of a system, where that is more than equations y' = f(t, y): in words ("a Lagrangian"), and as
  // a check that throws input_error where a system does not have it.
  std::string needs{};
  std::function<void(const lagrangian_system&)> require{};
  // Whether it holds constraints g(q) = 0; where it does not, why. The catalogue lets the others refuse such systems.
  bool holds_constraints = false;
  std::string why_unheld{};
  // What it promises on separable systems, L = T(v) − V(q), where that is more than `traits`.
  std::optional<method_traits> separable_traits{};
  std::function<std::unique_ptr<step_workspace<double>>(const step_context<double>&)> in_double{};
  std::function<std::unique_ptr<step_workspace<quad>>(const step_context<quad>&)> in_quad{};
  std::function<std::unique_ptr<step_workspace<multi>>(const step_context<multi>&)> in_multi{};

  template <class S>
  std::unique_ptr<step_workspace<S>> make(const step_context<S>& context) const {
    if constexpr (std::same_as<S, double>) return in_double(context);
    else if constexpr (std::same_as<S, quad>) return in_quad(context);
    else return in_multi(context);
  }
};

// Fills the three factories of `m` from a generic `[]<class S>(const step_context<S>&) -> unique_ptr<…>`.
template <class Make>
method with_factory(method m, Make make) {
  m.in_double = [make](const step_context<double>& c) { return make.template operator()<double>(c); };
  m.in_quad = [make](const step_context<quad>& c) { return make.template operator()<quad>(c); };
  m.in_multi = [make](const step_context<multi>& c) { return make.template operator()<multi>(c); };
  return m;
}

// The same method with its need for a Lagrangian declared: it refuses systems of first order (method-needs-lagrangian)
// and goes on with whatever else the method requires.
method needing_lagrangian(method m);

// The same method, which refuses constrained systems (method-refuses-constraints) unless it holds constraints.
method refusing_constraints(method m);

// Throws what the method's own check throws, at `place` where the check knows no better one.
void require_suited(const method& m, const lagrangian_system& system, const source_place& place = {});

const std::vector<method>& method_catalogue();

bool suits(const method& m, const lagrangian_system& system);
method_traits promises_on(const method& m, const lagrangian_system& system);

// By name or alias; nullptr when there is none.
const method* find_method(std::string_view name);
// Throws input_error("unknown-method") with a suggestion.
const method& method_named(const source_text& name);
// The method for a system about which nothing else is known.
std::string_view default_method(const lagrangian_system& system);

}  // namespace actio
