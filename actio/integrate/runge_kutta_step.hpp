// Explicit Runge–Kutta steps on the first-order form of a Lagrangian system, the usual baseline, or on a system that
// is of first order from the start. Not variational.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/step_memory.hpp"
#include "actio/mechanics/vector_field.hpp"
#include "actio/tableaux/butcher.hpp"

namespace actio {

template <class S>
class runge_kutta_step final : public remembering_step<S> {
 public:
  runge_kutta_step(const butcher_table& table, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { y_index_ = 0; }
  // The quadrature of L that the method makes of its stages, in the variables (q, p).
  bool has_action() const override { return !velocity_state_ && legendre_.space().has_jet(); }
  S action(const phase_state<S>& before) override;

 private:
  void remember(step_memory<S>& memory) override;
  bool enter(const phase_state<S>& state);
  bool stage(std::size_t i, const S& t);

  matrix<S> a_;
  std::vector<S> b_, c_;
  S step_;
  bool velocity_state_;
  std::size_t n_, momenta_, size_;  // of positions, momenta, and of both together
  std::unique_ptr<vector_field<S>> field_;
  phase_point<S> legendre_;
  std::optional<jet_evaluation<S>> jet_;  // made when an action is first asked for
  branch_keeper<S> branch_;
  cubic_output<S> output_;
  compensated_vector<S> y_, next_;  // (q, p), (q, v) or q alone at the left end
  std::size_t y_index_ = 0;         // the step that y_ belongs to, plus one; 0: none
  std::vector<std::vector<S>> k_;
  std::vector<S> argument_, increment_, power_, momentum_;
  S work_{0};
};

}  // namespace actio
