// A step that keeps the energy by its construction, for systems without forces or time [marsden1997, eqs. 20-23].
//
// Notation: z_0 = (q_0, p_0) and z_1 = (q_1, p_1) the ends of the step, Δq and Δp their differences, the unknowns.
//   Δq =  h A λ/(λ·Δp),   A = H(q_1, p_1) − H(q_1, p_0),   λ = H_p(q_0 + α Δq, p_0 + β Δp)
//   Δp = −h B μ/(μ·Δq),   B = H(q_1, p_0) − H(q_0, p_0),   μ = H_q(q_0 + γ Δq, p_0 + δ Δp)
// Then Δq·Δp = h A = −h B, so A + B = H(q_1, p_1) − H(q_0, p_0) = 0 whatever the constants in [0, 1] are.
//
// Which constants. A/(λ·Δp) and B/(μ·Δq) must come close to 1. With α = 1, δ = 0 and β = γ = 1/2 the gradients are
// taken in the middle of the very segments over which H changes, so that both are 1 + O(h²). With other α and δ they
// are 1 + O(h) where H is not separable, and the next difficulty is met much more often.
//
// Where there is no step. With one coordinate λ/(λ·Δp) is 1/Δp, and all is well; the same holds for μ/(μ·Δq) when all
// coordinates but one are cyclic. With more, Δq has to be parallel to λ and Δp to μ, and where μ turns through a right
// angle with Δq, μ·Δq passes through zero but B does not quite: around such a place the equations have no solution for
// some steps, as the discriminant of the quadratic equation for B/(μ·Δq) shows. β and γ off the centre move that place,
// and keep the energy as well. They are tried in turn, the nearest first; when all fail the step ends with
// no_convergence. On circular orbits, where the energy is the least that goes with the momentum, rounding alone may ask
// for an energy that does not exist: there, too, steps off the centre are taken.
//
// Rounding. Where A − λ·Δp is rounding and A itself is too small for a quotient to mean anything (at turning points, at
// rest, on circular orbits), the gradient λ stands for its limit, and the same for B and μ. The roundings of H would
// add up to a random walk: B is therefore counted from the energy of the first step, as long as H(q_0, p_0) is that
// energy but for rounding.
#pragma once

#include <optional>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/step.hpp"
#include "actio/mechanics/hamiltonian_point.hpp"

namespace actio {

// The 2n equations for x = (Δq, Δp), in the form that newton_solver asks for.
template <class S>
class energy_difference_equations {
 public:
  energy_difference_equations(const phase_space<S>& space, const S& step);

  // The left end of the step. False where H is not defined there.
  bool start(const phase_state<S>& state);
  // The energy that is kept; nothing before the first start.
  std::optional<S> energy() const { return energy_; }
  void set_energy(std::optional<S> energy) { energy_ = std::move(energy); }
  void set_constants(const S& beta, const S& gamma);
  // x = h f(z_0 + h/2 f(z_0)) with f = (H_p, −H_q).
  void guess(std::span<S> x);

  void evaluate(std::span<const S> x, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(matrix<S>& J);
  S weight(std::size_t j);
  // ∂R/∂(q_0, p_0) of the last evaluation with_jacobian.
  void left_jacobian(matrix<S>& B);

 private:
  enum class variable { left_position, left_momentum, position_change, momentum_change };

  // g = N d/(d·Δ) or its limit d: the discrete gradient over one leg, Δ being its extent and N the change of H on it.
  struct leg {
    hamiltonian_point<S> middle;     // where d is taken
    S position_part, momentum_part;  // of Δq and Δp at that point
    std::vector<S> extent, g, direction;
    S change{0}, along{0}, small;
    // Where d has one component only, whatever the point, and therefore one direction.
    std::optional<std::size_t> only_component{};
    bool is_limit = false;
    leg(const phase_space<S>& space, const S& q_part, const S& p_part);
    void divide(std::span<const S> gradient, const S& change_of_energy, const S& scale, const S& owed);
  };

  void move(const S& q_part, const S& p_part, std::span<const S> x);
  void fill_column(variable by, std::size_t j, std::span<S> column);
  void slope_of(const leg& l, bool of_position_change, variable by, std::size_t j, std::span<S> slope);
  S change_by(bool of_position_change, variable by, std::size_t j) const;

  std::size_t n_;
  S step_;
  hamiltonian_point<S> left_, corner_, right_;  // (q_0, p_0), (q_1, p_0), (q_1, p_1)
  leg position_leg_, momentum_leg_;             // (A, λ) and (B, μ), which give Δq and Δp
  std::vector<S> q0_, q0_remainder_, p0_, p0_remainder_, q_, p_, slope_, x_, column_;
  S extent_[2];
  bool defined_ = false;
  std::optional<S> energy_;
};

template <class S>
class energy_difference_step final : public step_workspace<S> {
 public:
  explicit energy_difference_step(const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { equations_.set_energy(std::nullopt); }
  std::vector<S> history() const override;
  void restore_history(std::span<const S> saved) override;

 private:
  newton_result solve(const phase_state<S>& state);

  S step_;
  std::size_t n_;
  energy_difference_equations<S> equations_;
  newton_solver<S> newton_;
  cubic_output<S> output_;
  branch_keeper<S> branch_;
  std::vector<S> x_;
};

}  // namespace actio
