// Points (t, q, p) of phase space: the Legendre transform both ways, energy, momenta and observables there.
//
// Where constraints g(q, t) = 0 hold, velocities satisfy A v + ∂g/∂t = 0 with A = ∂g/∂q, and the velocity that belongs
// to a momentum p solves ∂L/∂v(t, q, v) + Aᵀμ = p for v and μ together: ∂²L/∂v² may be singular along what the
// constraints hold. On the constrained phase space μ = 0; elsewhere Aᵀμ is what p has too much.
//
// Branches. Where L is not quadratic in the velocities several of them may belong to one momentum, on branches between
// which ∂²L/∂v² is singular. A velocity that is known nearby says which branch is meant: the one that is looked for is
// reached from it by moving the momentum (and the constraints) evenly, with ∂²L/∂v² regular all the way.
//
// Where a system gives H(q, p, t) itself, the velocity is ∂H/∂p and the energy H; there is no jet, and a momentum
// belongs to a velocity where ∂²H/∂p² is regular.
//
// Where the system is of first order, y' = f(t, y), points are (t, y) with an empty p; velocities and observables are
// all that there is to measure.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/constraint_map.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

class measured_sums;  // element_measure.hpp
template <class S>
class element_measure;
template <class S>
class element_code;  // element_sums.hpp
template <class S>
class element_mass;  // element_mass.hpp

// What can be measured of a system with these values of its parameters. A handle: copies are cheap and share both, so
// that whatever keeps one keeps all that it needs.
template <class S>
class phase_space {
 public:
  phase_space(const lagrangian_system& system, shared_parameters<S> parameters)
      : phase_space(std::make_shared<const system_code>(system), std::move(parameters)) {}
  phase_space(std::shared_ptr<const system_code> code, shared_parameters<S> parameters);
  // The same system with parameters of its own, which can be changed without changing these.
  phase_space with_parameters(shared_parameters<S> parameters) const;

  std::size_t size() const { return system().size(); }
  std::size_t momentum_size() const { return has_energy() ? size() : 0; }
  const lagrangian_system& system() const { return code_->system(); }
  const std::shared_ptr<const system_code>& code() const { return code_; }
  bool has_energy() const { return !system().is_first_order(); }  // and momenta: there is a Lagrangian or an H
  bool has_jet() const { return parts_->jet != nullptr; }         // there is a Lagrangian
  // At most one velocity belongs to each momentum: nobody needs to carry one along.
  bool has_one_branch() const { return parts_->one_branch; }
  bool has_power() const {
    if (!has_jet()) return parts_->hamiltonian != nullptr && parts_->hamiltonian->has_power();
    return jet().has_power() || (parts_->constraints && parts_->constraints->depends_on_time());
  }
  // nullptr where there are none.
  const constraint_map<S>* constraints() const { return parts_->constraints ? &*parts_->constraints : nullptr; }
  std::size_t constraint_count() const { return parts_->constraints ? parts_->constraints->size() : 0; }
  // "lambda_NAME" of each constraint.
  const std::vector<std::string>& multiplier_names() const { return parts_->multiplier_names; }
  // Only where there is a Lagrangian.
  const lagrangian_jet<S>& jet() const {
    ACTIO_ASSERT(has_jet());
    return *parts_->jet;
  }
  // Only where H is given.
  const hamiltonian_map<S>& hamiltonian() const {
    ACTIO_ASSERT(parts_->hamiltonian != nullptr);
    return *parts_->hamiltonian;
  }
  const shared_parameters<S>& parameters() const { return parameters_; }
  // Of everything conserved: momenta, then the declared invariants, of which there are so many.
  const std::vector<std::string>& momentum_names() const { return parts_->momentum_names; }
  std::size_t invariant_count() const { return system().invariants.size(); }
  const std::vector<std::string>& observable_names() const { return parts_->observable_names; }
  // Which of the conserved quantities are not simply the momentum of a coordinate.
  const std::vector<std::size_t>& unlisted_momenta() const { return parts_->unlisted_momenta; }

 private:
  template <class>
  friend class phase_point;
  struct parts {
    explicit parts(const system_code& code);
    bool one_branch;
    const lagrangian_jet<S>* jet = nullptr;           // belongs to the code
    const hamiltonian_map<S>* hamiltonian = nullptr;  // likewise
    std::optional<constraint_map<S>> constraints;
    std::vector<std::string> momentum_names, observable_names, multiplier_names;
    std::vector<std::size_t> unlisted_momenta;
    std::shared_ptr<const compiled_function<S>> measure;
    // In the place of it, where a system is made of elements.
    std::shared_ptr<const measured_sums> sums;
    std::shared_ptr<const element_code<S>> sums_code;
    std::shared_ptr<const compiled_function<S>> equations;  // f(y, t); only where these are given
    // Where an observable contains q'' and these must be solved for: from (q, q', t) to what d/dt ∂L/∂q' − ∂L/∂q − F
    // is without q'', and ∂²L/∂q'². Where constraints hold, q'' comes with their multipliers.
    std::shared_ptr<const compiled_function<S>> accelerations;
    bool measures_accelerations = false;  // they are inputs of `measure`
  };
  // Where and how often `measure` has what: L or H without its constant terms, what rounding makes of it, the kinetic
  // scale, the constant terms, the size of the terms of H, then what is conserved, what rounding makes of that, the
  // sizes of its terms, and the observables.
  enum measured_place : std::size_t {
    lagrangian_place,
    rounding_place,
    kinetic_place,
    constant_place,
    size_place,
    conserved_place
  };
  std::size_t roundings_place() const { return conserved_place + momentum_names().size(); }
  std::size_t sizes_place() const { return roundings_place() + momentum_names().size(); }
  std::size_t observables_place() const { return sizes_place() + momentum_names().size(); }

  std::shared_ptr<const system_code> code_;
  std::shared_ptr<const parts> parts_;
  shared_parameters<S> parameters_;
};

// Throws bad-number unless there is one finite value for each parameter.
template <class S>
void require_parameters(const lagrangian_system& system, std::span<const S> values);

// Mutable: one point at a time. Results do not depend on the points looked at before.
template <class S>
class phase_point {
 public:
  explicit phase_point(const phase_space<S>& space);
  ~phase_point();
  phase_point(phase_point&&) noexcept;

  const phase_space<S>& space() const { return space_; }

  // p = ∂L/∂v(t, q, v). Returns false where the Lagrangian is not finite. Where H is given ∂H/∂p(t, q, p) = v is solved
  // from p = 0; false where that has no solution that Newton's method finds.
  bool momentum_of(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p);
  // Solves ∂L/∂v(t, q, v) = p for v, with the constraints where there are any: on the branch of the velocity `near`,
  // or, where that is empty, the branch that is reached from rest; where none is, the smallest velocity that is found
  // from several others. Where there is one branch `near` is where an iteration begins, and matters for rounding alone.
  // Returns false where no velocity is found or the equations are singular. Without a Lagrangian: f(t, q).
  bool velocity_at(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v,
                   std::span<const S> near = {});
  // Of the last search: whether ∂²L/∂v² becomes singular between `near` and the momentum that was asked for.
  bool branch_ended() const { return branch_ended_; }
  // Whether `v`, whose momentum at (t, q) is p, is on the branch of `near`. Always where there is one branch only.
  bool is_on_branch(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                    std::span<const S> near);
  // Of the last velocity that was found, where there are constraints: μ, one a constraint, and Aᵀμ, one a coordinate.
  std::span<const S> normal_multipliers() const { return std::span(bordered_).subspan(space_.size()); }
  std::span<const S> normal_momentum() const { return normal_momentum_; }
  // ∂g/∂t of a constraint there, and the derivative ∂(q, p − Aᵀμ)/∂(q, p) of the projection onto the constrained phase
  // space, 2n × 2n; an empty matrix where it does not exist.
  const S& constraint_rate(std::size_t c) const { return *held_->time_derivative(c); }
  matrix<S> projection_jacobian();
  // Smallest over largest pivot of ∂²L/∂v² at the point, bordered by A where there are constraints: near zero for a
  // degenerate Lagrangian.
  S mass_pivot_ratio(const S& t, std::span<const S> q, std::span<const S> v);

  // Whether ∂²L/∂v² becomes singular on the branch of v while the force at (t, q, v) acts for a time h: what ended the
  // motion there is not the length of a step.
  bool branch_ends_within(const S& h, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v);

  // ∂(q, v)/∂(q, p) and ∂(q, p)/∂(q, v) at (t, q, v), 2n × 2n. False where ∂²L/∂v² is singular.
  // Not with constraints.
  bool velocity_jacobian(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result);
  bool momentum_jacobian(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result);

  // Moves to (t, q, p) and measures there, with a velocity on the branch of `near`. False where the velocity or the
  // energy cannot be found.
  bool measure(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> near = {});
  // Only where there is a Lagrangian or a Hamiltonian.
  const S& energy() const {
    ACTIO_ASSERT(space_.has_energy());
    return energy_;
  }
  // Energy less what constant terms of L add to it: differences of it are those of the energy, with fewer digits lost.
  const S& energy_change() const { return energy_change_; }
  // |p·v| + |L|: the size of what energy is the difference of, constant terms left out; of H the sizes of its terms.
  const S& energy_scale() const { return energy_scale_; }
  // What rounding makes of the energy, in units of the relative rounding of numbers.
  const S& energy_rounding() const { return energy_rounding_; }
  // The absolute value of kinetic_scale.
  const S& kinetic_energy() const { return kinetic_energy_; }
  std::span<const S> velocity() const { return velocity_; }
  // Only where there are constraints: g and the multipliers λ of the forces λ_c ∂g_c/∂q that hold them at this point,
  // one a constraint; the largest |g|, and the largest component of the momentum Aᵀμ that leads off them.
  std::span<const S> constraint_values() const { return constraint_values_; }
  std::span<const S> multipliers() const { return multipliers_; }
  const S& constraint_violation() const { return constraint_violation_; }
  const S& hidden_violation() const { return hidden_violation_; }
  std::span<const S> momenta() const {
    return {measured_.data() + space_.conserved_place, space_.momentum_names().size()};
  }
  // What rounding makes of each of them, in units of the relative rounding of numbers.
  std::span<const S> momentum_roundings() const {
    return {measured_.data() + space_.roundings_place(), space_.momentum_names().size()};
  }
  // The sizes of the terms of each of them, added up.
  std::span<const S> momentum_sizes() const {
    return {measured_.data() + space_.sizes_place(), space_.momentum_names().size()};
  }
  std::span<const S> observables() const {
    return {measured_.data() + space_.observables_place(), space_.observable_names().size()};
  }

 private:
  void load(const S& t, std::span<const S> q, std::span<const S> v);
  bool invert_velocity(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p);
  bool measure_accelerations(const S& t, std::span<const S> q);
  bool measure_all(const S& t, std::span<const S> q, std::span<const S> p);
  bool evaluate_equations(const S& t, std::span<const S> q, std::span<S> v);
  bool newton_from(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v);
  bool follow(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v);
  bool velocity_from_afar(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v);
  bool constrained_velocity(std::span<const S> p, std::span<S> v, bool follows);
  bool measure_constraints();
  struct solver;
  void make_elements();
  void make_constraints();
  solver& legendre();
  phase_space<S> space_;
  std::optional<jet_evaluation<S>> jet_;
  std::optional<bound_evaluation<S>> measure_;
  std::unique_ptr<element_measure<S>> sums_;  // in the place of measure_
  std::unique_ptr<element_mass<S>> mass_;     // where a system is made of elements
  std::optional<bound_evaluation<S>> equations_, accelerations_;
  std::optional<hamiltonian_evaluation<S>> hamiltonian_;
  std::unique_ptr<solver> solver_;  // made when it is first needed
  std::optional<constraint_evaluation<S>> held_;
  struct branch_solver;
  std::unique_ptr<branch_solver> branches_;  // where there may be several
  bool branch_ended_ = false;
  struct bordered_solver;
  std::unique_ptr<bordered_solver> bordered_solver_;
  std::vector<S> bordered_, normal_momentum_, constraint_values_, multipliers_, forces_;  // bordered_: v, then μ
  S constraint_violation_{0}, hidden_violation_{0};
  std::vector<S> velocity_, acceleration_, inputs_, measured_, outputs_, equation_inputs_, equation_outputs_;
  S energy_{0}, energy_change_{0}, energy_scale_{0}, energy_rounding_{0}, kinetic_energy_{0};
};

}  // namespace actio
