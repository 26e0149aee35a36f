// The Galerkin variational integrators: the same step with other nodes.
#include "actio/integrate/galerkin_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/backend/backend.hpp"
#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/collocation_step.hpp"
#include "actio/integrate/constrained_step.hpp"
#include "actio/integrate/fused_step.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/gauss_tables.hpp"
#include "actio/integrate/linear_step.hpp"
#include "actio/integrate/method_families.hpp"
#include "actio/integrate/nystrom_step.hpp"
#include "actio/integrate/rattle_step.hpp"
#include "actio/integrate/splitting_step.hpp"
#include "actio/integrate/stage_newton_step.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/separability.hpp"

namespace actio {

namespace {

// Beyond, compiling takes longer than a second or two.
constexpr std::size_t most_fused_operations = 4000;

// One piece of machine code a Newton iteration for small systems, and for sparse ones some times larger; nothing for
// others.
std::unique_ptr<step_workspace<double>> fused_workspace(const galerkin_scheme& scheme,
                                                        const step_context<double>& context) {
  if (context.space.system().applied_force) return nullptr;
  const std::size_t n = context.space.size(), unknowns = scheme.degree * n;
  const bool is_sparse = context.space.jet().entries().size() <= 5 * n;
  if (unknowns > (is_sparse ? 5 : 1) * most_fused_unknowns) return nullptr;
  const newton_code& code = newton_code_of(*context.space.code(), scheme);
  const bool is_short = code.at_nodes.body.size() + code.update.body.size() <= most_fused_operations;
  if (!is_short && default_backend() != backend::machine_code) return nullptr;
  auto kernel = make_newton_kernel(code, context.space.parameters(), context.step);
  return kernel ? std::make_unique<fused_step>(scheme, std::move(kernel), context) : nullptr;
}

// A Gauss method with as many nodes as its degree is collocation on Hamilton's equations, of whatever H.
bool is_collocation(const galerkin_scheme& scheme) {
  return scheme.quadrature == node_family::gauss && scheme.points == scheme.degree;
}

// What a method with a straight path is where H = T(p) + V(q); nothing for the others.
std::optional<splitting_scheme> splitting_of(const galerkin_scheme& scheme) {
  if (scheme.degree != 1) return std::nullopt;
  switch (scheme.quadrature) {
    case node_family::left_end: return splitting_scheme{composition_kind::lie_trotter, 1};
    case node_family::right_end: return splitting_scheme{composition_kind::drift_first, 1};
    case node_family::lobatto:
      if (scheme.points == 2) return splitting_scheme{composition_kind::triple_jump, 2};
      break;
    case node_family::gauss: break;
  }
  return std::nullopt;
}

void require_separable(const std::string& name, const lagrangian_system& system) {
  if (!system.is_hamiltonian()) return;
  const std::optional<std::string> coupling = find_coupling(system);
  if (!coupling) return;
  throw input_error("method-needs-separable",
                    fmt::format("method '{}' needs a Hamiltonian T(p) + V(q), but {}", name, *coupling),
                    system.lagrangian_place, "choose gauss-4 or midpoint, which need no such form");
}

template <class S>
std::unique_ptr<step_workspace<S>> hamiltonian_workspace(const galerkin_scheme& scheme,
                                                         const step_context<S>& context) {
  if (!is_collocation(scheme)) return std::make_unique<splitting_step<S>>(*splitting_of(scheme), context);
  if constexpr (std::same_as<S, double>) {
    if (context.guess == first_guess::extrapolation) {
      const field_code& field = *hamilton_program(*context.space.code());
      return std::make_unique<collocation_step>(collocation_code{field, scheme.points}, context);
    }
  }
  return std::make_unique<stage_newton_step<S>>(scheme.points, context);
}

// Other first guesses than extrapolation are those of the general steps, whose iterations are Newton's one by one. A
// Gauss method is done on Hamilton's equations where these can be written down, with all nodes in lanes.
template <class S>
std::unique_ptr<step_workspace<S>> galerkin_workspace(const method& m, const step_context<S>& context) {
  const bool extrapolates = context.guess == first_guess::extrapolation;
  if (context.space.system().is_hamiltonian()) return hamiltonian_workspace<S>(*m.scheme, context);
  if (m.linear_form && context.linear != nullptr && extrapolates) {
    return std::make_unique<linear_step<S>>(*m.linear_form, context);
  }
  if (context.space.constraints() != nullptr) {
    const galerkin_scheme& scheme = *m.scheme;
    const bool is_trapezoidal = scheme.degree == 1 && scheme.quadrature == node_family::lobatto && scheme.points == 2;
    if (is_trapezoidal && extrapolates && has_rattle_form(context.space)) {
      return std::make_unique<rattle_step<S>>(scheme, context);
    }
    return std::make_unique<constrained_step<S>>(scheme, context);
  }
  if (is_made_of_elements(context.space.system())) {
    const std::optional<splitting_scheme> explicit_form = splitting_of(*m.scheme);
    if (explicit_form && extrapolates && !find_coupling(context.space.system())) {
      return std::make_unique<splitting_step<S>>(*explicit_form, context);  // the same map
    }
    if (m.solver == step_solver::fixed_point && extrapolates && has_nystrom_form(context.space)) {
      return std::make_unique<nystrom_step<S>>(m.scheme->points, context);
    }
    return std::make_unique<galerkin_step<S>>(*m.scheme, context);
  }
  if constexpr (std::same_as<S, double>) {
    if (m.solver == step_solver::fixed_point) {
      const std::optional<field_code>& field = hamilton_program(*context.space.code());
      if (extrapolates && field) {
        return std::make_unique<collocation_step>(collocation_code{*field, m.scheme->points}, context);
      }
    } else if (extrapolates && context.space.has_one_branch()) {
      if (auto fused = fused_workspace(*m.scheme, context)) return fused;
    }
  }
  return std::make_unique<galerkin_step<S>>(*m.scheme, context);
}

// Hamilton's equations of a Gauss method, where they can be written down; Newton's method for the others, where it is
// one program.
std::optional<kernel::step_text> text_of(const galerkin_scheme& scheme, step_solver solver, const system_code& code,
                                         parameter_role role) {
  const lagrangian_system& system = code.system();
  const bool is_hamiltonian = system.is_hamiltonian();
  const bool by_stages = solver == step_solver::fixed_point || (is_hamiltonian && is_collocation(scheme));
  if (by_stages && !is_made_of_elements(system)) {
    const std::optional<field_code>& field = hamilton_program(code, role);
    if (!field) return {};
    return kernel::gauss_trajectories(make_gauss_tables(scheme.points), *field);
  }
  if (is_hamiltonian || scheme.degree * system.size() > most_fused_unknowns) return {};
  const auto tableau = make_tableau<double>(scheme);
  kernel::newton_tables tables{.degree = scheme.degree};
  tables.control.assign(tableau.control.begin() + 1, tableau.control.end());
  const matrix<double> continuation = polynomial_continuation(tableau);
  for (std::size_t k = 0; k < scheme.degree; ++k) {
    for (std::size_t l = 0; l < scheme.degree; ++l) tables.continuation.push_back(continuation(k, l));
  }
  return kernel::newton_trajectories(key_of(scheme), std::move(tables), newton_program(code, tableau, role));
}

// Constraint forces act at the control points, Lobatto points all of them. A path of degree one has no others; longer
// ones keep their order only where the action is sampled at these points too.
bool holds_constraints(const galerkin_scheme& scheme) {
  if (scheme.degree == 1) return true;
  return scheme.quadrature == node_family::lobatto && scheme.points == scheme.degree + 1;
}

constexpr const char* gauss_cannot_hold =
    "its nodes leave out the ends of a step, where constraints are held, and with forces there it would lose its order";

method galerkin(method m, const galerkin_scheme& scheme, step_solver solver = step_solver::newton) {
  m.scheme = scheme;
  m.solver = solver;
  m.takes_guess = true;
  m.holds_constraints = holds_constraints(scheme);
  m.text = [scheme, solver](const system_code& code, parameter_role role) {
    return text_of(scheme, solver, code, role);
  };
  m.takes_hamiltonian = is_collocation(scheme) || splitting_of(scheme);
  if (!is_collocation(scheme)) {
    m.require = [name = m.name](const lagrangian_system& system) { require_separable(name, system); };
  }
  m = needing_lagrangian(std::move(m));
  const auto made = std::make_shared<const method>(m);  // without factories
  return with_factory(
      std::move(m), [made]<class S>(const step_context<S>& context) { return galerkin_workspace<S>(*made, context); });
}

constexpr method_traits variational(int order, bool symmetric = true) { return {order, true, symmetric, true}; }

// Places in choices by number of nodes: of Gauss nodes those that fill vectors of nodes, and some between. Without
// constraints Lobatto methods are left out, since Gauss methods of the same cost have a higher order.
constexpr int gauss_ranks[] = {0, 0, 0, 0, 3, 0, 4, 0, 1, 0, 2}, lobatto_ranks[] = {0, 0, 0, 0, 2, 1, 3, 4, 6, 5};

}  // namespace

std::vector<method> galerkin_methods() {
  std::vector<method> methods{
      galerkin(
          {.name = "midpoint",
           .aliases = {"newmark", "implicit-midpoint"},
           .traits = variational(2),
           .summary = "implicit midpoint rule; Newmark's scheme where mass and stiffness are constant",
           .formula = "straight path, L at its middle: L_d = h L((q0+q1)/2, (q1-q0)/h); on phase space (z1-z0)/h = "
                      "X_H((z0+z1)/2), Examples 2 and 3 of marsden1997",
           .reference = "marsden1997, rojas2025",
           .linear_form = linear_scheme::newmark,
           .rank = {.linear = 11}},
          {1, node_family::gauss, 1}),
      galerkin({.name = "verlet",
                .aliases = {"stoermer-verlet", "leapfrog"},
                .traits = variational(2),
                .summary = "Störmer–Verlet: trapezoidal action on a straight path",
                .formula = "L_d = h/2 L(q0, (q1-q0)/h) + h/2 L(q1, (q1-q0)/h)",
                .reference = "marsden2001, hairer2006",
                .rank = {.constrained = 8}},
               {1, node_family::lobatto, 2}),
      galerkin({.name = "simpson",
                .traits = variational(4),
                .summary = "parabolic path, Simpson's rule for the action: fourth order",
                .formula = "L_d = h/6 L_left + 2h/3 L_middle + h/6 L_right on the parabola through q0, qm, q1",
                .reference = "dubois2023, rojas2024, rojas2025",
                .linear_form = linear_scheme::simpson,
                .rank = {.smooth = 10, .constrained = 7, .kinked = 2}},
               {2, node_family::lobatto, 3}),
      galerkin(
          {.name = "euler-a",
           .aliases = {"adjoint-symplectic-euler"},
           .traits = variational(1, false),
           .summary = "symplectic Euler, L sampled at the left end: momentum first",
           .formula = "L_d = h L(q0, (q1-q0)/h); for L = v^2/2 - V: p1 = p0 - h V'(q0), q1 = q0 + h p1, the adjoint "
                      "of euler-b",
           .reference = "marsden1997, hairer2006"},
          {1, node_family::left_end, 1}),
      galerkin(
          {.name = "euler-b",
           .aliases = {"symplectic-euler"},
           .traits = variational(1, false),
           .summary = "symplectic Euler, L sampled at the right end: position first",
           .formula = "L_d = h L(q1, (q1-q0)/h), eq. 51 of marsden1997; for L = v^2/2 - V its Example 1: q1 = q0 + "
                      "h p0, p1 = p0 - h V'(q1)",
           .reference = "marsden1997, hairer2006"},
          {1, node_family::right_end, 1}),
  };
  for (std::size_t points = 2; points <= 9; ++points) {
    methods.push_back(galerkin_method(fmt::format("lobatto-{}", points), {points - 1, node_family::lobatto, points}));
    methods.back().rank.constrained = lobatto_ranks[points];
  }
  for (std::size_t points = 1; points <= 10; ++points) {
    methods.push_back(galerkin_method(fmt::format("gauss-{}", points), {points, node_family::gauss, points}));
    methods.back().rank.smooth = gauss_ranks[points];
  }
  return methods;
}

method galerkin_method(std::string name, const galerkin_scheme& scheme) {
  const auto [s, family, points] = scheme;
  const bool is_lobatto = family == node_family::lobatto, one_sided = !is_lobatto && family != node_family::gauss;
  if (s == 0 || points < s || (one_sided ? points != 1 : points < (is_lobatto ? 2 : 1))) {
    throw input_error("bad-method",
                      fmt::format("method '{}' has a path of degree {} and {} nodes of its rule", name, s, points), {},
                      "give a degree of at least 1 and as many nodes; a rule at one end has one node, Lobatto's two or "
                      "more");
  }
  const char* const rule = is_lobatto ? "Lobatto" : one_sided ? "one-sided" : "Gauss";
  const std::size_t exact = one_sided ? 1 : is_lobatto ? 2 * points - 2 : 2 * points, order = std::min(2 * s, exact);
  const bool by_stages = family == node_family::gauss && points == s;
  return galerkin({.name = std::move(name),
                   .traits = variational(static_cast<int>(order), !one_sided),
                   .summary = fmt::format("path of degree {}, {} {} nodes: order {}", s, points, rule, order),
                   .formula = fmt::format("L_d = h sum b_i L at {} {} nodes of a path of degree {}", points, rule, s),
                   .reference = "marsden2001, hairer2006",
                   .why_unheld = gauss_cannot_hold},
                  scheme, by_stages ? step_solver::fixed_point : step_solver::newton);
}

}  // namespace actio
