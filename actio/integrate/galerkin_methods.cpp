// The Galerkin variational integrators: the same step with other nodes.
#include "actio/integrate/galerkin_methods.hpp"

#include <fmt/format.h>

#include "actio/backend/backend.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/collocation_step.hpp"
#include "actio/integrate/constrained_step.hpp"
#include "actio/integrate/fused_step.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/linear_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"

namespace actio {

namespace {

// Beyond, compiling takes longer than a second or two; of small systems more is compiled, as they gain more.
constexpr std::size_t most_fused_operations = 2000, most_operations_of_small = 4000;

// Other first guesses than extrapolation are those of the general steps, whose iterations are Newton's one by one.
// One piece of machine code a Newton iteration for small systems, and for sparse ones some times larger.
template <class S>
std::unique_ptr<step_workspace<S>> galerkin_workspace(const galerkin_scheme& scheme, const step_context<S>& context) {
  if (context.space.constraints() != nullptr) return std::make_unique<constrained_step<S>>(scheme, context);
  if constexpr (std::same_as<S, double>) {
    if (!context.space.has_one_branch() || context.guess != first_guess::extrapolation) {
      return std::make_unique<galerkin_step<S>>(scheme, context);
    }
    const std::size_t n = context.space.size(), unknowns = scheme.degree * n;
    const bool is_sparse = context.space.jet().entries().size() <= 5 * n;
    if (unknowns <= most_fused_unknowns || (is_sparse && unknowns <= 5 * most_fused_unknowns)) {
      const newton_code& code = newton_code_of(*context.space.code(), scheme);
      const std::size_t most = unknowns <= most_fused_unknowns ? most_operations_of_small : most_fused_operations;
      const bool is_short = code.at_nodes.body.size() + code.update.body.size() <= most;
      if (is_short || default_backend() == backend::machine_code) {
        if (auto kernel = make_newton_kernel(code, context.space.parameters(), context.step)) {
          return std::make_unique<fused_step>(scheme, std::move(kernel), context);
        }
      }
    }
  }
  return std::make_unique<galerkin_step<S>>(scheme, context);
}

// Constraint forces act at the control points, Lobatto points all of them. A path of degree one has no others; longer
// ones keep their order only where the action is sampled at these points too.
bool holds_constraints(const galerkin_scheme& scheme) {
  if (scheme.degree == 1) return true;
  return scheme.quadrature == node_family::lobatto && scheme.points == scheme.degree + 1;
}

constexpr const char* gauss_cannot_hold =
    "its nodes leave out the ends of a step, where constraints are held, and with forces there it would lose its order";

struct galerkin_method {
  method description;
  galerkin_scheme scheme;
};

galerkin_method galerkin(method description, galerkin_scheme scheme) {
  description.holds_constraints = holds_constraints(scheme);
  return {with_factory(
              needing_lagrangian(std::move(description)),
              [scheme]<class S>(const step_context<S>& context) { return galerkin_workspace<S>(scheme, context); }),
          scheme};
}

// The same with its own step for linear systems.
galerkin_method galerkin(method description, galerkin_scheme scheme, linear_scheme linear) {
  description.holds_constraints = holds_constraints(scheme);
  return {with_factory(needing_lagrangian(std::move(description)),
                       [scheme, linear]<class S>(const step_context<S>& context) {
                         const bool iterates = context.guess != first_guess::extrapolation;
                         if (context.linear == nullptr || iterates) return galerkin_workspace<S>(scheme, context);
                         return std::unique_ptr<step_workspace<S>>(std::make_unique<linear_step<S>>(linear, context));
                       }),
          scheme};
}

// A Gauss method on Hamilton's equations where these can be written down, with all nodes in lanes; else the general
// step.
template <class S>
std::unique_ptr<step_workspace<S>> gauss_workspace(std::size_t points, const step_context<S>& context) {
  if (context.space.constraints() != nullptr) {
    return std::make_unique<constrained_step<S>>(galerkin_scheme{points, node_family::gauss, points}, context);
  }
  if constexpr (std::same_as<S, double>) {
    const bool by_stages = context.guess == first_guess::extrapolation;
    if (const auto& field = hamilton_program(*context.space.code()); by_stages && field) {
      return std::make_unique<collocation_step>(collocation_code{*field, points}, context);
    }
  }
  return std::make_unique<galerkin_step<S>>(galerkin_scheme{points, node_family::gauss, points}, context);
}

constexpr method_traits variational(int order, bool symmetric = true) { return {order, true, symmetric, true}; }

std::vector<galerkin_method> all_galerkin_methods() {
  std::vector<galerkin_method> methods{
      galerkin(
          {.name = "midpoint",
           .aliases = {"newmark", "implicit-midpoint"},
           .traits = variational(2),
           .summary = "implicit midpoint rule; Newmark's scheme where mass and stiffness are constant",
           .formula = "straight path, L at its middle: L_d = h L((q0+q1)/2, (q1-q0)/h); on phase space (z1-z0)/h = "
                      "X_H((z0+z1)/2), Examples 2 and 3 of marsden1997",
           .reference = "marsden1997, rojas2025"},
          {1, node_family::gauss, 1}, linear_scheme::newmark),
      galerkin({.name = "verlet",
                .aliases = {"stoermer-verlet", "leapfrog"},
                .traits = variational(2),
                .summary = "Störmer–Verlet: trapezoidal action on a straight path",
                .formula = "L_d = h/2 L(q0, (q1-q0)/h) + h/2 L(q1, (q1-q0)/h)",
                .reference = "marsden2001, hairer2006"},
               {1, node_family::lobatto, 2}),
      galerkin({.name = "simpson",
                .aliases = {},
                .traits = variational(4),
                .summary = "parabolic path, Simpson's rule for the action: fourth order",
                .formula = "L_d = h/6 L_left + 2h/3 L_middle + h/6 L_right on the parabola through q0, qm, q1",
                .reference = "dubois2023, rojas2024, rojas2025"},
               {2, node_family::lobatto, 3}, linear_scheme::simpson),
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
    const int order = static_cast<int>(2 * points - 2);
    methods.push_back(galerkin(
        {.name = fmt::format("lobatto-{}", points),
         .aliases = {},
         .traits = variational(order),
         .summary = fmt::format("path of degree {}, {} Lobatto nodes: order {}", points - 1, points, order),
         .formula = fmt::format("L_d = h sum b_i L at {} Lobatto nodes of a path of degree {}", points, points - 1),
         .reference = "marsden2001, hairer2006"},
        {points - 1, node_family::lobatto, points}));
  }
  for (std::size_t points = 1; points <= 10; ++points) {
    const int order = static_cast<int>(2 * points);
    methods.push_back(
        {with_factory(
             needing_lagrangian(
                 {.name = fmt::format("gauss-{}", points),
                  .aliases = {},
                  .traits = variational(order),
                  .summary = fmt::format("path of degree {}, {} Gauss nodes: order {}", points, points, order),
                  .formula = fmt::format("L_d = h sum b_i L at {} Gauss nodes of a path of degree {}", points, points),
                  .reference = "marsden2001, hairer2006",
                  .holds_constraints = holds_constraints({points, node_family::gauss, points}),
                  .why_unheld = gauss_cannot_hold}),
             [points]<class S>(const step_context<S>& context) { return gauss_workspace<S>(points, context); }),
         {points, node_family::gauss, points}});
  }
  return methods;
}

}  // namespace

std::vector<method> galerkin_methods() {
  std::vector<method> methods;
  for (galerkin_method& m : all_galerkin_methods()) methods.push_back(std::move(m.description));
  return methods;
}

std::optional<galerkin_scheme> galerkin_scheme_of(const method& m) {
  for (const galerkin_method& known : all_galerkin_methods()) {
    if (known.description.name == m.name) return known.scheme;
  }
  return std::nullopt;
}

bool is_gauss_method(const method& m) { return m.name.starts_with("gauss-"); }

}  // namespace actio
