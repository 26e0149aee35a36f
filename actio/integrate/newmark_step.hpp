// A step of Newmark's family on the Euler–Lagrange equations. Not variational, apart from few members.
//
// Notation: a(t, q, v) the acceleration, x = h a_1 the unknown,
//   q_1 = q_0 + h v_0 + h² ((½ − β) a_0 + β a_1),   v_1 = v_0 + h ((1 − γ) a_0 + γ a_1),   a_i = a(t_i, q_i, v_i).
// [newmark1959; marsden1997, Section 4]
// Position, velocity and acceleration are kept between steps: through momenta and back they would be rounded.
#pragma once

#include <memory>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/step_memory.hpp"
#include "actio/mechanics/vector_field.hpp"

namespace actio {

template <class S>
class newmark_step final : public remembering_step<S> {
 public:
  newmark_step(const rational& beta, const rational& gamma, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { kept_index_ = 0; }

 private:
  void remember(step_memory<S>& memory) override;
  struct end_equations;

  // Sets y_, acceleration_ and power_ to the state, unless they are kept from the step before.
  bool enter(const phase_state<S>& state);
  // The increment of component m of (q, v), with x as the unknowns.
  S increment(std::size_t m, std::span<const S> x) const;
  newton_result solve(const S& next_time);

  S beta_, gamma_, step_;
  std::size_t n_;
  std::unique_ptr<vector_field<S>> field_;
  phase_point<S> legendre_;
  branch_keeper<S> branch_;
  cubic_output<S> output_;
  newton_solver<S> newton_;
  compensated_vector<S> y_, next_;  // (q, v) at the left end, and at the right
  std::vector<S> acceleration_, x_, argument_, rate_, momentum_;
  matrix<S> slopes_;            // of (v, a) by (q, v)
  std::size_t kept_index_ = 0;  // the step that y_ belongs to, plus one; 0: none
  S power_{0}, next_power_{0}, work_{0};
};

}  // namespace actio
