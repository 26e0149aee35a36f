// Initial data under constraints: whether they satisfy them, and the nearest ones that do.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actio/base/row_dependence.hpp"
#include "actio/mechanics/phase_space.hpp"
#include "actio/simulate/run_records.hpp"

namespace actio {

template <class S>
class constraint_start {
 public:
  // At this time. The space must have constraints and outlive this.
  constraint_start(const phase_space<S>& space, const S& time);

  // Throws redundant-constraints or contradictory-constraints unless ∂g/∂q has full rank at the position.
  void require_independent(std::span<const S> position);
  // Whether its rows, each scaled to one, are less than `distance` away from depending on one another there.
  bool are_nearly_dependent(std::span<const S> position, const S& distance);
  // Throws redundant-constraints where they are so near that forces cannot be told apart in numbers S.
  void require_distinct(std::span<const S> position);
  // Throws off-constraint or unnormalised-quaternion; `what` are the positions in words: "initial position".
  void require_position(std::span<const S> position, const std::string& what);
  // Throw off-hidden-constraint. Velocities of momenta are on the branch of `near`, as phase_point has it.
  void require_velocity(std::span<const S> position, std::span<const S> velocity);
  void require_momentum(std::span<const S> position, std::span<const S> momentum, std::span<const S> near = {});

  // Moves the position to the nearest on the constraints, as nearest_position measures it by the mass. Returns the
  // largest change of a coordinate; throws off-constraint where none is found.
  S project_position(std::span<S> position, const std::string& what);
  // Takes from the momentum what leads off the constraints: a momentum Aᵀμ, so that p moves by the least that M⁻¹
  // measures, and its velocity by the least that M measures. Returns the largest change; throws off-hidden-constraint
  // where no velocity belongs to the result.
  S project_momentum(std::span<const S> position, std::span<S> momentum, std::span<const S> near = {});

 private:
  // Of the rows of ∂g/∂q there.
  row_dependence<S> dependence_at(std::span<const S> position, const S& tolerance);
  void evaluate(std::span<const S> position);
  S tolerance(std::size_t c, const S& size) const;  // of g_c, or of its rate, for positions or velocities of a size
  std::size_t worst(std::span<const S> residuals, const S& size) const;
  const named_expr& constraint(std::size_t c) const { return space_.system().constraints[c]; }

  const phase_space<S>& space_;
  S time_;
  const constraint_map<S>& map_;
  phase_point<S> point_;
  constraint_evaluation<S> held_;
  std::vector<S> slopes_, values_;  // largest |∂g_c/∂q|; g_c
  S extent_{0};                     // largest |q|
};

}  // namespace actio
