#include "actio/analysis/step_cost.hpp"

#include <algorithm>
#include <cmath>

#include "actio/discrete/linear_schemes.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"
#include "actio/mechanics/recursions.hpp"
#include "actio/program/program.hpp"

namespace actio {

namespace {

// Weights of what is not an operation of a program, found by timing runs of small and large systems once; a choice
// between methods needs them to within some ten per cent.
constexpr double iteration_overhead = 22;
constexpr double weighted_sum = 0.75;      // of the stages, for each component and node
constexpr double loose_sum = 5;            // the same where a system is too large to be one piece of code
constexpr double most_in_one_piece = 160;  // components times nodes
constexpr double step_overhead = 40;
constexpr double splitting_overhead = 90;  // of a step by parts, beside its stages
constexpr double stage_overhead = 28;
constexpr double evaluation_overhead = 60;  // where steps are chosen one by one, with their share of the table
constexpr double newton_overhead = 40;
constexpr double newton_iterations = 6;  // in a step that fixed-point iteration could not solve
constexpr double call_overhead = 400;    // a general step goes from function to function
constexpr double elimination = 0.4;      // a multiplication and addition inside dense elimination
constexpr double linear_overhead = 300;
constexpr double linear_solve = 12;  // an entry of a matrix in the solves of a linear step, refined twice

// Vectors of nodes: one for four; the second and third cost less, since they wait for nothing.
double vectors_for(std::size_t points) { return points <= 4 ? 1 : points <= 8 ? 1.8 : 3.2; }

double weight_of(operation op) {
  switch (op) {
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::negate:
    case operation::abs: return 0.5;
    case operation::divide:
    case operation::sqrt: return 4;
    default: return 5;
  }
}

double weight_of(const program& p) {
  double sum = 0;
  for (const instruction& i : p.body) sum += weight_of(i.op);
  return sum;
}

std::vector<expr> variables_of(const lagrangian_system& system) {
  std::vector<expr> variables = system.coordinates;
  const std::vector<expr> velocities = system.velocities();
  variables.insert(variables.end(), velocities.begin(), velocities.end());
  variables.push_back(time_symbol());
  return variables;
}

// First derivatives of all elements, where recursive definitions are kept.
double weight_of_elements(const system_code& code) {
  const lagrangian_system& system = code.system();
  double sum = 0;
  const auto add = [&](const std::vector<element_family>& families) {
    for (const element_family& f : families) {
      std::vector<expr> variables = f.positions;
      for (const auto* more : {&f.velocities, &f.symbols})
        variables.insert(variables.end(), more->begin(), more->end());
      variables.push_back(time_symbol());
      const program p =
          lower(gradient(f.body, std::span(variables).first(2 * f.slots())), system.parameter_symbols(), variables);
      sum += static_cast<double>(f.elements) * weight_of(p);
    }
  };
  add(families_of(code).lagrangian);
  add(recursion_families_of(code).value);
  return sum;
}

}  // namespace

step_cost::step_cost(std::shared_ptr<const system_code> code, bool is_linear)
    : code_(std::move(code)),
      n_(static_cast<double>(code_->system().size())),
      constraints_(static_cast<double>(code_->system().constraints.size())),
      first_order_(code_->system().is_first_order()),
      linear_(is_linear) {
  const lagrangian_system& system = code_->system();
  const std::vector<expr> parameters = system.parameter_symbols();
  if (first_order_) {
    std::vector<expr> variables = system.coordinates;
    variables.push_back(time_symbol());
    field_ = weight_of(lower(system.equations, parameters, variables));
    return;
  }
  if (system.recursions) return;  // which no field is written for
  if (const auto& field = hamilton_program(*code_)) field_ = weight_of(field->field);
}

double step_cost::force() const {
  return *code_->piece<double>("weight of the force", [&] {
    const lagrangian_system& system = code_->system();
    if (system.recursions) return weight_of_elements(*code_);
    const expr L = system.is_hamiltonian() ? with_momenta_as_velocities(system).lagrangian : system.lagrangian;
    return weight_of(lower(gradient(L, system.coordinates), system.parameter_symbols(), variables_of(system)));
  });
}

double step_cost::second() const {
  return *code_->piece<double>("weight of second derivatives", [&] {
    const lagrangian_system& system = code_->system();
    if (system.recursions) return 3 * weight_of_elements(*code_);
    const lagrangian_derivatives L =
        system.is_hamiltonian() ? lagrangian_derivatives(with_momenta_as_velocities(system)) : derivatives_of(*code_);
    std::vector<expr> outputs = L.by_position;
    outputs.insert(outputs.end(), L.by_velocity.begin(), L.by_velocity.end());
    for (const auto* block : {&L.by_positions, &L.mixed, &L.by_velocities}) {
      for (const auto& row : *block) outputs.insert(outputs.end(), row.begin(), row.end());
    }
    return weight_of(lower(outputs, system.parameter_symbols(), variables_of(system)));
  });
}

// Nodes in lanes: a vector of points costs as much as one point.
double step_cost::collocation(std::size_t points, const solver_effort& effort) const {
  const double components = 2 * n_, nodes = static_cast<double>(points), vectors = vectors_for(points);
  const bool is_one_piece = components * nodes <= most_in_one_piece;
  const double sums = components * nodes * (is_one_piece ? weighted_sum : loose_sum);
  const double newton = effort.newton_share > 0
                            ? effort.newton_share * (newton_iterations * call_overhead +
                                                     general_galerkin(points, points, newton_iterations))
                            : 0;
  return step_overhead + effort.iterations * (iteration_overhead + vectors * (field_ + sums)) + newton;
}

double step_cost::general_galerkin(std::size_t degree, std::size_t points, double iterations) const {
  const double unknowns = (n_ + constraints_) * static_cast<double>(degree), nodes = static_cast<double>(points);
  if (code_->system().recursions) {  // eliminated one after the other
    constexpr double block = 40;     // products for the square of nodes, of two definitions a coordinate
    const double solve = elimination * block * n_ * nodes * nodes * (nodes + static_cast<double>(degree));
    return step_overhead + solve + iterations * nodes * second();
  }
  const double solve = elimination * (unknowns * unknowns * unknowns / 3 + unknowns * unknowns);
  return step_overhead + iterations * (nodes * second() + unknowns * unknowns * nodes * elimination + solve);
}

// One iteration as one piece of code, with the nodes in lanes.
double step_cost::fused_galerkin(std::size_t degree, std::size_t points, double iterations) const {
  const double unknowns = n_ * static_cast<double>(degree), nodes = static_cast<double>(points);
  const double solve = elimination * (unknowns * unknowns * (nodes + 1) + unknowns * unknowns * unknowns / 3);
  return step_overhead + iterations * (newton_overhead + vectors_for(points) * second() + solve);
}

double step_cost::of_evaluations(double evaluations) const {
  return evaluations * (evaluation_overhead + dearer_rate());
}

double step_cost::of_pace() const { return splitting_overhead + 2 * force() + 4 * n_; }

double step_cost::dearer_rate() const { return first_order_ ? field_ : std::max(field_, force()); }

template <class S>
double step_cost::operator()(const method& m, const solver_effort& effort) const {
  constexpr bool in_double = std::same_as<S, double>;
  const double iterations = effort.iterations;
  if (linear_ && m.linear_form) {
    return linear_overhead + (*m.linear_form == linear_scheme::simpson ? 2 : 1) * linear_solve * n_ * n_;
  }
  switch (m.solver) {
    case step_solver::splitting: return splitting_overhead + 4 * n_ + iterations * (stage_overhead + force() + 2 * n_);
    case step_solver::stages: {
      const double stages = std::max<double>(m.traits.order, iterations);
      return splitting_overhead + stages * (stage_overhead + dearer_rate());
    }
    case step_solver::fixed_point:
      if (in_double && m.scheme && field_ > 0) return collocation(m.scheme->points, effort);
      break;
    case step_solver::newton: break;
  }
  // Without a scheme: the unknowns that a method of this order has at least.
  const auto least = static_cast<std::size_t>(std::max(1, m.traits.order / 2));
  const std::size_t degree = m.scheme ? m.scheme->degree : least, points = m.scheme ? m.scheme->points : least + 1;
  if (in_double && m.scheme && constraints_ == 0 && n_ * static_cast<double>(degree) <= double{most_fused_unknowns}) {
    return fused_galerkin(degree, points, iterations);
  }
  return general_galerkin(degree, points, iterations) + call_overhead * iterations;
}

#define ACTIO_INSTANTIATE(S) template double step_cost::operator()<S>(const method&, const solver_effort&) const;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
