// Explicit steps for separable systems, L = T(v) − V(q, t) or H = T(p) + V(q, t) with forces F(q, t): kicks and drifts
// in turn.
//
//   kick by b h:   p += b h G(q, t),  G = −∂V/∂q + F
//   drift by a h:  q += a h v,        v = ∂T/∂p
// Each is the exact motion under one part of H = T(p) + V(q), with time and the energy given to the system as further
// variables: V and F are taken at the time that the drifts so far have reached, and a kick does the work
// ∫ (F·v − ∂L/∂t) along its straight path in p.
//
// In sums over elements whose velocities are momenta times constants, the forces of a stage are found in a sweep that
// moves coordinates on the way: those of a tile by the drift before, and at the end by the last kick.
#pragma once

#include <optional>
#include <vector>

#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/separable_parts.hpp"
#include "actio/integrate/step.hpp"
#include "actio/integrate/tangent_operator.hpp"
#include "actio/tableaux/quadrature.hpp"
#include "actio/tableaux/splitting_tableau.hpp"

namespace actio {

template <class S>
class splitting_step final : public step_workspace<S>, public tangent_operator<S> {
 public:
  splitting_step(const splitting_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  bool moves_tangents() const override { return parts_->knows_slopes_along(); }
  bool move_tangent(const phase_state<S>& state, std::span<S> position, std::span<S> momentum) override;
  void parameters_changed() override;
  bool has_action() const override { return true; }
  S action(const phase_state<S>& before) override;
  bool takes_any_length() const override { return true; }
  void set_step(const S& step) override;

 private:
  // From what `q` and `p` are now into q_ and p_.
  using sums = const compensated_vector<S>&;
  bool force_at(const S& t, sums q);
  bool kick(std::size_t i, const S& t, sums q, sums p);
  bool drift(std::size_t i, const S& t, sums q);
  bool move(const S& time, const S& next_time, sums q, sums p);
  // The same in sweeps, into other rows.
  class stage;
  bool move_in_sweeps(const S& time, sums q, sums p, compensated_vector<S>& to_q, compensated_vector<S>& to_p);
  bool sweep_stages(const S& time, stage& by, std::span<const S> q);
  step_status advance_in_sweeps(phase_state<S>& state);
  void make_room();
  void prepare();  // for parameters
  bool add_work(const S& length, const S& t, sums q, sums p);

  splitting_tableau<S> tableau_, unit_;  // unit_: of a step of length one, where lengths change
  splitting_scheme scheme_;
  S step_;
  std::size_t n_;
  std::unique_ptr<separable_parts<S>> parts_;
  bool in_sweeps_ = false, has_equal_masses_ = false;
  quadrature_rule<S> along_kick_;
  std::optional<cubic_output<S>> output_;  // once it is asked for
  branch_keeper<S> branch_;
  compensated_vector<S> q_, p_;  // empty until they are needed where steps are sweeps, as is velocity_
  phase_state<S> left_, right_;  // of the last step; the right end only once it is asked for
  S right_time_{0};
  bool right_known_ = false, rows_placed_ = false;  // rows_placed_: those of the state (base/placed_row.hpp)
  std::vector<S> force_, velocity_, along_;         // along_: where kicks do work
  // Where force_ was found: the last kick of a step and the first of the next one are at the same place.
  std::vector<S> force_position_;
  S force_time_{0};
  bool force_known_ = false;
  S work_{0};
};

}  // namespace actio
