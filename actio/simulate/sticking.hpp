// Surfaces that stick: at some kinks of a model forces jump with the sign of a velocity and drive it to zero from both
// sides. The motion then goes on with that velocity held at zero (held_motion.hpp) until it is pulled harder than the
// forces can hold.
//
// Kinks are told by their places among the events that a run watches.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/mechanics/model_events.hpp"
#include "actio/mechanics/state_function.hpp"
#include "actio/simulate/held_motion.hpp"

namespace actio {

template <class S>
class sticking {
 public:
  // `space` has the parameters of the run, which may change. The events must outlive it.
  sticking(const integrator<S>& flow, const phase_space<S>& space, std::span<const model_event> events);

  // Whether forces can hold any kink.
  bool any() const { return !values_.empty(); }
  // What holds now, in order.
  const std::vector<std::size_t>& held() const { return held_; }

  // What would hold from this state on: of the kinks on which it lies within rounding, of `met`, and of what holds now.
  // `nearly`: of those, too, to which forces lead it in a small part of a step.
  std::vector<std::size_t> holding_at(const phase_state<S>& state, std::optional<std::size_t> met = {},
                                      bool nearly = false);
  // Values of the state or of parameters were set: kinks on which it lies no longer do not hold from here on.
  void look_at_change(const phase_state<S>& state);
  // Kinks on which the state lies within rounding and that do not hold.
  std::vector<std::size_t> places_on(const phase_state<S>& state);
  // These hold from now on. Velocities that they hold become exactly zero. Those of kinks on which the state lies
  // without being held get the sign that they are about to have, and with it the forces of the next step: near zero a
  // step's own velocities may be on the wrong side.
  struct around {
    std::optional<std::size_t> met = {};  // a kink on which the state lies, too
    bool widely = false;                  // signs are those of all velocities that forces could turn in one step
  };
  void hold(std::vector<std::size_t> kinks, phase_state<S>& state, const around& also = {});
  // The next step from this state has the forces of the sign that the velocity of this kink has there.
  void take_side(std::size_t kink, const phase_state<S>& state);
  // Kinks that the motion would reach within one step and a half, or so, if it went on at its present rates.
  std::vector<std::size_t> approached(const phase_state<S>& state);
  // Whether something holds, or forces have one sign for a step.
  bool is_active() const { return mode_ != nullptr; }
  bool has_sides() const { return !sides_.empty(); }
  bool has_side(std::size_t kink) const;
  // Whether forces jump at this kink against its velocity.
  bool jumps_at(std::size_t kink, const phase_state<S>& state);

  // What moves the system while something holds.
  const integrator<S>& flow() const { return mode_->flow; }
  std::unique_ptr<step_workspace<S>> make_workspace() const { return mode_->flow.make_workspace(space_, step_); }

  struct release {
    std::size_t kink;
    S length;  // of the step that ends just behind it
  };
  // The first relation that is let go in the step between these states.
  std::optional<release> look(const phase_state<S>& before, const phase_state<S>& after);

 private:
  struct mode {
    std::optional<held_chain> chain;
    std::unique_ptr<integrator<S>> left;
    integrator<S> flow;
  };
  using kink_set = std::vector<std::size_t>;
  using kink_sides = std::vector<std::pair<std::size_t, int>>;
  std::vector<expr> values_of(std::span<const std::size_t> kinks) const;
  // Those to which forces can lead it within this part of a step; 0: only those on which it lies.
  std::vector<std::size_t> places_near(const phase_state<S>& state, std::optional<std::size_t> met, double part);
  kink_set with_held(std::size_t kink) const;
  sliding_rates<S>& rates_of(std::size_t kink, const kink_set& all);
  // How far the kink is from being held with the others, in units of its rate; not positive: it is.
  std::optional<S> excess(std::size_t kink, const kink_set& all, const phase_state<S>& state, int* side = nullptr);
  const mode& mode_of(const kink_set& kinks, const kink_sides& sides);
  void turn_sides(const kink_set& kinks, phase_state<S>& state, const around& also);
  bool measure(const phase_state<S>& state);
  int side_of(std::size_t kink, const phase_state<S>& state);
  void shift(std::size_t kink, const S& to, phase_state<S>& state);

  const integrator<S>& flow_;
  phase_space<S> space_;
  S step_;
  std::map<std::size_t, expr> values_;
  std::map<std::size_t, std::vector<S>> slopes_;  // a_k of Σ a_k q_k' − c
  state_function<S> numbers_;                     // of all values, then their slopes
  phase_point<S> legendre_;
  std::optional<phase_point<S>> rates_of_all_;  // d/dt of all values, with the forces as they are
  std::optional<free_step<S>> trial_;
  std::vector<S> velocity_;
  std::map<std::pair<std::size_t, kink_set>, std::unique_ptr<sliding_rates<S>>> rates_;
  std::map<std::pair<kink_set, kink_sides>, mode> modes_;
  const mode* mode_ = nullptr;
  kink_set held_;
  kink_set left_;  // of what holds: a change has led the state away
  kink_sides sides_;
};

}  // namespace actio
