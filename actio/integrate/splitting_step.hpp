// Explicit steps for separable systems, L = T(v) − V(q, t) with forces F(q, t): kicks and drifts in turn.
//
//   kick by b h:   p += b h G(q, t),  G = −∂V/∂q + F
//   drift by a h:  q += a h v,        ∂T/∂v(v) = p
// Each is the exact motion under one part of H = T(p) + V(q), with time and the energy given to the system as further
// variables: V and F are taken at the time that the drifts so far have reached, and a kick does the work
// ∫ (F·v − ∂L/∂t) along its straight path in p.
#pragma once

#include <vector>

#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/step.hpp"
#include "actio/tableaux/quadrature.hpp"
#include "actio/tableaux/splitting_tableau.hpp"

namespace actio {

// v(p) where the kinetic energy is separate. A constant mass matrix is factorised once; otherwise ∂L/∂v = p is solved.
template <class S>
class kinetic_flow {
 public:
  explicit kinetic_flow(const phase_space<S>& space);

  bool has_constant_mass() const { return constant_mass_; }
  std::span<const jet_entry> entries() const { return entries_; }
  void parameters_changed();
  // On the branch of the contents of v, where there are several.
  bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v);
  bool branch_ended() const { return legendre_.branch_ended(); }
  // ∂v/∂p at (t, q, v). False where the mass matrix is singular.
  bool inverse_mass(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result);

 private:
  bool factorise(const S& t, std::span<const S> q, std::span<const S> v);

  std::span<const jet_entry> entries_;
  bool constant_mass_ = false, diagonal_ = true;
  phase_point<S> legendre_;
  jet_evaluation<S> jet_;
  matrix<S> mass_;
  lu_factorisation<S> lu_;
  std::vector<S> offset_;  // ∂L/∂v at rest
};

template <class S>
class splitting_step final : public step_workspace<S> {
 public:
  splitting_step(const splitting_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override;
  bool has_action() const override { return true; }
  S action(const phase_state<S>& before) override;
  bool takes_any_length() const override { return true; }
  void set_step(const S& step) override;

 private:
  // At the point that the step has reached, with the velocity of the last drift or at rest.
  void place_jet(const S& t, bool at_rest);
  S lagrangian_at(const S& t, bool at_rest);
  bool force_at(const S& t);
  bool kick(std::size_t i, const S& t);
  bool drift(std::size_t i, const S& t);
  bool add_work(const S& length, const S& t);

  splitting_tableau<S> tableau_, unit_;  // unit_: of a step of length one, where lengths change
  splitting_scheme scheme_;
  S step_;
  std::size_t n_;
  bool has_power_;
  kinetic_flow<S> kinetic_;
  quadrature_rule<S> along_kick_;
  jet_evaluation<S> jet_;
  cubic_output<S> output_;
  branch_keeper<S> branch_;
  compensated_vector<S> q_, p_;
  std::vector<S> force_, velocity_, along_;
  // Where force_ was found: the last kick of a step and the first of the next one are at the same place.
  std::vector<S> force_position_;
  S force_time_{0};
  bool force_known_ = false;
  S work_{0};
};

}  // namespace actio
