// The catalogue of methods: what each claims, what it is made of, and how to make it. Everything else (command line,
// contract tests, choices, ensembles, documentation) is derived from here, and nothing asks a method for its name.
//
// To add a method to actio: one file in this folder that returns its `method`, and one line in catalogue.cpp. To add
// one of your own: register_method, with a class derived from step_workspace<S>, or with a new scheme
// (galerkin_methods.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/integrate/step.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

enum class linear_scheme;   // linear_schemes.hpp
enum class parameter_role;  // hamilton_program.hpp
namespace kernel {
struct step_text;  // backend/kernel/trajectory_code.hpp
}

// What a method promises; `actio verify` measures it.
struct method_traits {
  int order = 0;
  bool symplectic = false;
  bool symmetric = false;          // a step back undoes a step: reversible
  bool conserves_momenta = false;  // linear and quadratic momenta of symmetries, to rounding
  bool conserves_energy = false;   // to rounding
};

// How a step finds its end; what it costs is counted accordingly.
enum class step_solver {
  stages,       // evaluations of y' = f, as many as step_status::iterations says, at least one an order
  splitting,    // evaluations of forces, likewise
  newton,       // Newton's method
  fixed_point,  // iteration of the stages of a Gauss method, where Hamilton's equations can be written down
};

// The place among the methods that a choice of method tries, the most promising first, by kind of system; 0 where it is
// not considered. Linear systems try those for smooth ones as well.
struct choice_rank {
  int smooth = 0, linear = 0, constrained = 0, kinked = 0;
};

struct method;

// Methods that differ by numbers: the members of newmark-beta are named newmark-beta:0.3:0.6.
struct method_family {
  struct parameter {
    std::string name;  // that of an option
    rational usual;
  };
  std::vector<parameter> parameters;
  std::vector<std::string> also_of;  // names of other methods for which parameters mean a member of this family
  std::function<const method&(const std::vector<rational>&)> member;
};

struct method {
  std::string name;
  std::vector<std::string> aliases{};
  method_traits traits{};
  std::string summary{};    // one line
  std::string formula{};    // its definition in words and symbols
  std::string reference{};  // keys of docs/references.bib
  // What the method asks of a system, where that is more than equations y' = f(t, y): in words ("a Lagrangian"), and as
  // a check that throws input_error where a system does not have it.
  std::string needs{};
  std::function<void(const lagrangian_system&)> require{};
  // Whether it holds constraints g(q) = 0; where it does not, why. The catalogue lets the others refuse such systems.
  bool holds_constraints = false;
  std::string why_unheld{};
  // Whether it is for systems that give H(q, p) itself, where `require` does not refuse them.
  bool takes_hamiltonian = false;
  // What it promises on separable systems, L = T(v) − V(q), where that is more than `traits`.
  std::optional<method_traits> separable_traits{};
  // What it is made of, where that is known: the nodes of a Galerkin method; the scheme that it is where mass and
  // stiffness are constant; the solver; whether a first_guess means anything to it; the family that it stands for.
  std::optional<galerkin_scheme> scheme{};
  std::optional<linear_scheme> linear_form{};
  step_solver solver = step_solver::stages;
  bool takes_guess = false;
  // Methods without a scheme: whether they ask momentum states for Hamilton's equations alone, as numbers, so that
  // recursive definitions need not be written out.
  bool asks_for_field = false;
  // With step_context::accuracy it chooses order and length of every step; otherwise steps are equal and have the order
  // of its traits.
  bool chooses_steps = false;
  choice_rank rank{};
  std::optional<method_family> family{};
  // Its step as a text, which moves trajectories in lanes and on GPUs; nothing where there is none for this system.
  std::function<std::optional<kernel::step_text>(const system_code&, parameter_role)> text{};
  // Its steps, one trajectory at a time. A method need not compute in every scalar, but in double.
  std::function<std::unique_ptr<step_workspace<double>>(const step_context<double>&)> in_double{};
  std::function<std::unique_ptr<step_workspace<quad>>(const step_context<quad>&)> in_quad{};
  std::function<std::unique_ptr<step_workspace<multi>>(const step_context<multi>&)> in_multi{};

  template <class S>
  const auto& factory() const {
    if constexpr (std::same_as<S, double>) return in_double;
    else if constexpr (std::same_as<S, quad>) return in_quad;
    else return in_multi;
  }
  template <class S>
  bool computes_in() const {
    return static_cast<bool>(factory<S>());
  }
  // Throws method-lacks-precision where it does not compute in S.
  template <class S>
  void require_precision() const {
    if (computes_in<S>()) return;
    refuse(std::same_as<S, quad> ? precision::of_quad() : precision::of_digits(digits_in_use()));
  }
  template <class S>
  std::unique_ptr<step_workspace<S>> make(const step_context<S>& context) const {
    require_precision<S>();
    return factory<S>()(context);
  }

 private:
  [[noreturn]] void refuse(const precision& numbers) const;
};

// Fills the three factories of `m` from a generic `[]<class S>(const step_context<S>&) -> unique_ptr<…>`.
template <class Make>
method with_factory(method m, Make make) {
  m.in_double = [make](const step_context<double>& c) { return make.template operator()<double>(c); };
  m.in_quad = [make](const step_context<quad>& c) { return make.template operator()<quad>(c); };
  m.in_multi = [make](const step_context<multi>& c) { return make.template operator()<multi>(c); };
  return m;
}

// The same with the step class `Step<S>`, made from these arguments and the context.
template <template <class> class Step, class... Arguments>
method made_by(method m, const Arguments&... arguments) {
  return with_factory(std::move(m), [arguments...]<class S>(const step_context<S>& context) {
    return std::unique_ptr<step_workspace<S>>(std::make_unique<Step<S>>(arguments..., context));
  });
}

// The same method with its need for a Lagrangian declared: it refuses systems of first order, and those that give a
// Hamiltonian unless it takes_hamiltonian (method-needs-lagrangian), and goes on with whatever else the method
// requires.
method needing_lagrangian(method m);

// The same method, which refuses constrained systems (method-refuses-constraints) unless it holds constraints.
method refusing_constraints(method m);

// Throws what the method's own check throws, at `place` where the check knows no better one.
void require_suited(const method& m, const lagrangian_system& system, const source_place& place = {});

// All methods as they are now: those of actio, then those that were registered. They stay where they are.
std::vector<std::reference_wrapper<const method>> method_catalogue();

// Adds a method, which is then known by its name and aliases like any other; it stays where it is as long as the
// program runs. Safe on any thread. Throws duplicate-method where a name is taken, and bad-method where a name is not
// made of small letters, digits and hyphens after a letter, or a step in double or the order is missing.
const method& register_method(method m);

bool suits(const method& m, const lagrangian_system& system);
method_traits promises_on(const method& m, const lagrangian_system& system);

// By name or alias, or as a member of a family; nullptr when there is none.
const method* find_method(std::string_view name);
// The method of the family whose parameters may stand beside this name; nullptr when there is none.
const method* family_named(std::string_view name);
// A number as parameters of families are written, "0.25" or "1/4"; nothing where the text is none or negative.
std::optional<rational> family_number(std::string_view text);
// Throws input_error("unknown-method") with a suggestion.
const method& method_named(const source_text& name);
// The method for a system about which nothing else is known.
std::string_view default_method(const lagrangian_system& system);

}  // namespace actio
