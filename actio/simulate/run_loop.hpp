// One run on its way: steps, what lies between them, and what happens inside them. Internal to simulate/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/event_action.hpp"
#include "actio/simulate/event_watch.hpp"
#include "actio/simulate/kink_rhythm.hpp"
#include "actio/simulate/milestones.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/sticking.hpp"

namespace actio {

template <class S>
class run_loop {
 public:
  run_loop(const integrator<S>& flow, step_workspace<S>& workspace, phase_state<S>& state,
           const run_options<S>& options);
  run_report<S> go();

 private:
  static std::vector<expr> values_of(std::span<const sampled_control> controls);

  // Throws bad-number.
  S interval_of(const sampled_control& c) const;
  bool measure() { return point_.measure(state_.time, state_.position.value, state_.momentum.value, state_.velocity); }
  bool goes_on() const;
  bool fail(step_code code);
  bool fail_with(std::string reason, std::string suggestion);

  // A run that goes on from a checkpoint has seen its state.
  bool begin();

  // Looks whether surfaces stick from here on, or are let go. False where nothing changes.
  bool stick(std::optional<std::size_t> met = {});
  // The same after values were set from outside.
  bool stick_after_change();

  // The same where no step leads on: forces have the signs of velocities that are near zero for a step.
  bool stick_nearly();

  // Goes on with what is left to move.
  void follow_sticking();
  void look_on() { look_on(&before_); }
  void look_on(const phase_state<S>* before);

  // New values of the parameters for what follows; the energy that they bring is supplied. False where the state is
  // outside of what they allow.
  bool assign_parameters(bool counts_energy);
  void refuse_moving_constraints() const;
  bool take_samples(bool counts_energy);
  bool control();
  step_workspace<S>& mover() { return held_ ? *held_ : workspace_; }
  // Of what is about to move.
  void note_mover();

  // One step of the method, or a shorter one to the next milestone.
  step_status advance();

  bool has_no_solution() const {
    return status_.code == step_code::no_convergence || status_.code == step_code::too_long;
  }
  // Over a jump of the forces the equations of a step may have no solution, though those of shorter ones up to it do.
  void advance_a_part();
  bool step();

  // Forces keep their signs up to where they jump: nodes of a step that lie beyond would have others.
  bool approach_friction();
  bool move();

  // After a step in which forces had one sign.
  void stick_again();

  // Where an event in the step that was taken is unreachable: what a part of it meets, which is then the step.
  event_search look_at_a_part();

  // Events of the step that was taken. The first that changes the motion ends the step where it happens.
  bool happen();
  bool meets_friction(const event_hit<S>& kink);

  // The first of the hits that change the motion, where it is a jump of friction over which the step went.
  const event_hit<S>* friction_passed();

  // Where surfaces begin to stick, or are let go, after this part of the step.
  bool goes_on_from(const S& length, std::optional<std::size_t> met);

  // Events that a control's new values make happen.
  bool happen_by_control();

  // Events on whose surface the run starts, where the motion goes on in their direction.
  bool happen_at_start();
  kink_verdict verdict_on(const event_hit<S>& kink);
  bool refuse_to_stick(const model_event& kink);
  bool refuse_events_without_end();

  // A step of another length that counts.
  bool advance_within(const S& length);

  bool counts_event(const S& time);
  // The step up to the event.
  bool is_met(const event_hit<S>& hit);

  // The event of this place among the hits, and those that happen at the same time within rounding, in their order;
  // then those on whose surface they leave the motion. Each happens once.
  bool carry_out_from(std::size_t first);
  bool carry_out(const event_hit<S>& hit);
  bool assign(std::size_t event);

  const integrator<S>& flow_;
  step_workspace<S>& workspace_;
  phase_state<S>& state_;
  const run_options<S>& options_;
  run_report<S> report_;
  phase_point<S> point_;
  std::optional<certificate_meter<S>> own_meter_;
  certificate_meter<S>& meter_;
  std::vector<S> parameters_;
  phase_state<S> first_, before_;
  milestones<S> milestones_;
  std::optional<free_step<S>> shorter_;
  std::unique_ptr<step_workspace<S>> held_;  // that moves the system while surfaces stick
  step_workspace<S>* last_ = &workspace_;    // that took the last step
  const integrator<S>* moved_by_ = &flow_;   // in that step, with these parameters
  std::vector<S> moved_with_;
  std::optional<std::uint64_t> moved_revision_;
  std::optional<state_function<S>> sampled_;
  std::optional<sticking<S>> sticking_;
  std::vector<model_event> watched_;  // while surfaces stick
  std::optional<event_watch<S>> watch_;
  std::optional<event_actions<S>> actions_;
  std::vector<event_hit<S>> hits_;
  std::vector<std::size_t> jumped_;  // events, where a control has set its values
  step_status status_;
  std::size_t events_in_a_row_ = 0;  // that changed the motion, in the time of one step
  kink_rhythm<S> kinks_;
  bool watches_kinks_;
  std::size_t sides_since_ = 0;  // the step from which forces have one sign
  std::optional<std::size_t> wide_sides_at_;
  int parts_in_a_row_ = 0;  // of steps that could not be solved
  S row_began_{0};
  bool is_regular_ = true, has_happened_ = false, is_ended_ = false, is_sampled_ = false;
};

}  // namespace actio
