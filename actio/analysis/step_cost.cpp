#include "actio/analysis/step_cost.hpp"

#include <algorithm>
#include <cmath>

#include "actio/expr/derivative.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/program/program.hpp"

namespace actio {

namespace {

// Weights of what is not an operation of a program, found by timing runs of small and large systems once; a choice
// between methods needs them to within some ten per cent.
constexpr double lanes = 4;  // points that one vector operation handles
constexpr double iteration_overhead = 30;
constexpr double weighted_sum = 1.7;  // a vector of stage sums, loads included
constexpr double step_overhead = 90;
constexpr double stage_overhead = 30;
constexpr double newton_iterations = 6;  // in a step that fixed-point iteration could not solve
constexpr double call_overhead = 400;    // a general step goes from function to function
constexpr double elimination = 0.4;      // a multiplication and addition inside dense elimination
constexpr double linear_solve = 12;      // an entry of a matrix in the solves of a linear step, refined twice

double weight_of(operation op) {
  switch (op) {
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::negate:
    case operation::abs: return 0.5;
    case operation::divide:
    case operation::sqrt: return 4;
    default: return 10;
  }
}

double weight_of(const program& p) {
  double sum = 0;
  for (const instruction& i : p.body) sum += weight_of(i.op);
  return sum;
}

}  // namespace

step_cost::step_cost(const lagrangian_system& system, bool is_linear)
    : n_(static_cast<double>(system.size())), first_order_(system.is_first_order()), linear_(is_linear) {
  std::vector<expr> variables = system.coordinates;
  const std::vector<expr> parameters = system.parameter_symbols();
  if (first_order_) {
    variables.push_back(time_symbol());
    field_ = weight_of(lower(system.equations, parameters, variables));
    return;
  }
  if (const auto field = hamilton_program(system)) field_ = weight_of(field->code);
  const std::vector<expr> velocities = system.velocities();
  variables.insert(variables.end(), velocities.begin(), velocities.end());
  std::vector<expr> outputs = gradient(system.lagrangian, variables);
  std::vector<expr> forces(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(system.size()));
  const std::vector<expr> states = variables;
  variables.push_back(time_symbol());
  force_ = weight_of(lower(forces, parameters, variables));
  const std::vector<expr> first = outputs;
  for (const expr& e : first) {
    for (const expr& second : gradient(e, states)) outputs.push_back(second);
  }
  second_ = weight_of(lower(outputs, parameters, variables));
}

// Nodes in lanes: a vector of points costs as much as one point.
double step_cost::collocation(std::size_t points, const solver_effort& effort) const {
  const double vectors = std::ceil(static_cast<double>(points) / lanes);
  const double sums = 2 * n_ * static_cast<double>(points) * weighted_sum;
  const double newton =
      effort.newton_share * (newton_iterations * call_overhead + general_galerkin(points, points, newton_iterations));
  return step_overhead + effort.iterations * (iteration_overhead + vectors * (field_ + sums)) + newton;
}

double step_cost::general_galerkin(std::size_t degree, std::size_t points, double iterations) const {
  const double unknowns = n_ * static_cast<double>(degree), nodes = static_cast<double>(points);
  const double solve = elimination * (unknowns * unknowns * unknowns / 3 + unknowns * unknowns);
  return step_overhead + iterations * (nodes * second_ + unknowns * unknowns * nodes * elimination + solve);
}

template <class S>
double step_cost::operator()(const method& m, const solver_effort& effort) const {
  const double iterations = effort.iterations;
  constexpr bool in_double = std::same_as<S, double>;
  if (first_order_) return step_overhead + 4 * (stage_overhead + field_);
  if (const auto scheme = galerkin_scheme_of(m)) {
    if (linear_ && (m.name == "simpson" || m.name == "midpoint")) {
      return step_overhead + (m.name == "simpson" ? 2 : 1) * linear_solve * n_ * n_ + 40 * n_;
    }
    if (in_double && scheme->quadrature == node_family::gauss && scheme->points > 1 && field_ > 0) {
      return collocation(scheme->points, effort);
    }
    const bool is_small = n_ * static_cast<double>(scheme->degree) <= static_cast<double>(most_fused_unknowns);
    return general_galerkin(scheme->degree, scheme->points, iterations) +
           (in_double && is_small ? iteration_overhead : call_overhead) * iterations;
  }
  if (m.traits.symplectic) return step_overhead + 4 * n_ + iterations * (stage_overhead + force_ + 2 * n_);
  return step_overhead + 4 * (stage_overhead + std::max(field_, force_));
}

#define ACTIO_INSTANTIATE(S) template double step_cost::operator()<S>(const method&, const solver_effort&) const;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
