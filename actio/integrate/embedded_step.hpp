// A step in the coordinates of a chart, discretised in the ambient space: embedded_action.hpp has its mathematics.
#pragma once

#include <vector>

#include "actio/discrete/embedded_action.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/integrate/path_step.hpp"

namespace actio {

// The same method for the coordinates of a chart, discretised in the ambient space. It is no method of the catalogue:
// it belongs to one system. Throws method-refuses-charts unless `m` is a Galerkin method that holds constraints.
method intrinsic_method(const method& m, embedding surface, const source_place& place = {});

template <class S>
class embedded_step final : public solved_path_step<S, embedded_action<S>> {
 public:
  embedded_step(const galerkin_scheme& scheme, const embedding& surface, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;

 private:
  using base = solved_path_step<S, embedded_action<S>>;
  using base::action_, base::branch_, base::n_, base::step_, base::x_;

  std::vector<S> momentum_;
};

}  // namespace actio
