// What a step of a method costs, by counting: operations of its programs, times the iterations that a trial counted.
//
// Choices between methods rest on it. Nothing is timed: the same input always gives the same choice.
#pragma once

#include <cstddef>
#include <memory>

#include "actio/analysis/trial.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

class step_cost {
 public:
  step_cost(std::shared_ptr<const system_code> code, bool is_linear);
  step_cost(const lagrangian_system& system, bool is_linear)
      : step_cost(std::make_shared<const system_code>(system), is_linear) {}

  // Of one step whose solver does so much (its iterations are stages, where a method has no solver), in units of about
  // two scalar additions of doubles. Costs in different scalars do not compare.
  template <class S>
  double operator()(const method& m, const solver_effort& effort) const;

  // Of evaluations of the equations by steps that are chosen one by one.
  double of_evaluations(double evaluations) const;
  // Of carrying a scale of time from one step to the next.
  double of_pace() const;

 private:
  double collocation(std::size_t points, const solver_effort& effort) const;
  double fused_galerkin(std::size_t degree, std::size_t points, double iterations) const;
  double general_galerkin(std::size_t degree, std::size_t points, double iterations) const;

  // Made when they are first asked for.
  double force() const;   // ∂L/∂q
  double second() const;  // L with its first and second derivatives
  double dearer_rate() const;

  std::shared_ptr<const system_code> code_;
  double n_, constraints_;
  bool first_order_, linear_;
  double field_ = 0;  // Hamilton's equations, or the model's own; 0 where they cannot be written down
};

// Rough costs of an operation beside one in double.
template <class S>
double operation_cost() {
  if constexpr (std::same_as<S, double>) return 1;
  else if constexpr (std::same_as<S, quad>) return 60;
  else return 100 + static_cast<double>(digits_in_use());
}

}  // namespace actio
