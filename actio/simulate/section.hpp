// Poincaré sections: where a motion crosses the surface on which an expression vanishes.
//
// A crossing is reached by a step of the method itself, from the state before it, of just the length that ends on the
// surface. Its points therefore are as accurate as those between which they lie, and fit them: at the full length the
// step is the one that was taken. Inside a step the motion is what steps of all shorter lengths reach.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/mechanics/model_events.hpp"
#include "actio/mechanics/state_function.hpp"
#include "actio/simulate/free_step.hpp"

namespace actio {

template <class S>
int sign_of(const S& x) {
  return x > S(0) ? 1 : x < S(0) ? -1 : 0;
}

struct section {
  std::string text;  // as it was typed
  expr value;        // in coordinates, velocities, momenta, t and the parameters
  crossing direction = crossing::up;
  bool counts_jumps = false;  // from one sign to the other: they are crossings as well
};

// An expression in coordinates, velocities, momenta, t, parameters and definitions. Throws what expressions throw.
expr parse_measurement(const lagrangian_system& system, const source_text& source);

// "q1", "x' - 1:down", "sin(q1):both". Throws expression-syntax, unknown-option-value, and what expressions throw.
section section_from(const model& m, const source_text& typed);

// One step that may meet the surface, and the values at its ends.
template <class S>
struct section_step {
  S before, after;
  bool is_first = false;  // of the trajectory
  bool may_turn = true;   // the value may not be monotonic inside: there may be more roots than the ends show
  // Parts of the step at which it may turn, in their order, where somebody knows; else the step is looked at all over.
  std::optional<std::vector<S>> turns = {};
};

// The values of a section at the states of one trajectory: which steps have to be searched for crossings.
//
// Steps whose ends have different signs are, and steps whose ends are so near to the surface, for what second
// differences say of the bend between them, that the motion may have touched it or gone there and back. The first step
// waits for the second one, before which it has no second difference.
//
// A state on the surface belongs to the step that ends there, not to the one that leaves it; the start to none.
template <class S>
class section_track {
 public:
  explicit section_track(crossing direction = crossing::up) : direction_(direction) {}

  void start(const S& value);
  void add(const S& value);  // at the end of a step
  void finish();             // no step follows
  // The next step to be searched: the last one unless it says that it is the first.
  std::optional<section_step<S>> next();
  // The state at the end of the step that was searched last turned out to lie on the surface.
  void settle();
  // Steps from where the value is finite to where it is not, or back.
  std::size_t borders() const { return borders_; }

 private:
  bool is_wanted(section_step<S>& step, const S& bend);

  crossing direction_;
  S values_[3] = {S(0), S(0), S(0)};  // at the last three states
  S bend_{0}, last_bend_{0};          // second differences there, and one step earlier
  std::size_t steps_ = 0, borders_ = 0;
  bool first_waits_ = false, last_waits_ = false, finished_ = false, searched_first_ = false;
};

// A state on the surface, and the length of the step that leads there.
template <class S>
struct section_point : phase_state<S> {
  S length{0};
};

// What is found in a step.
template <class S>
struct section_findings {
  std::vector<section_point<S>> crossings = {};  // in the direction asked for, in their order
  std::vector<section_point<S>> touches = {};    // the value comes to zero within rounding and goes back
  std::size_t discontinuities = 0;               // it changes sign without passing zero: a pole or a jump
  bool ends_on_surface = false;                  // within rounding
};

template <class S>
class section_finder {
 public:
  // With the parameters of `space`, which may change.
  section_finder(const integrator<S>& flow, const phase_space<S>& space, const section& where);

  // The expression at a point.
  S value(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p);
  // All that happens to the value in the step of this length that starts at `before`, between steps of other lengths
  // from there: crossings are states on the surface, to rounding, one step of their own length further. False where
  // such a step cannot be solved.
  bool search(const phase_state<S>& before, const S& length, const section_step<S>& step, section_findings<S>& found);
  // Of a state on the surface, within rounding: the sign of the value that the motion has when it leaves it by steps of
  // at most this length; 0 where it stays there. Nothing of other states.
  std::optional<int> side_after(const phase_state<S>& from, const S& length);

 private:
  struct node {
    S part, value;  // after this part of a step
  };
  // Not finite where the value is not; nothing where there is no such step.
  std::optional<S> value_at_end(const phase_state<S>& before, const S& part);
  S rounding_at_end(const phase_state<S>& before);
  std::vector<node> sampled(const phase_state<S>& before, const section_step<S>& step, section_findings<S>& found);
  bool is_on_surface(const phase_state<S>& state);
  void leave_surface(const phase_state<S>& before, std::vector<node>& nodes);
  void add_end(const phase_state<S>& before, std::vector<node>& nodes, section_findings<S>& found);
  void add_turns(const phase_state<S>& before, std::vector<node>& nodes, section_findings<S>& found);
  void add_known_turns(const phase_state<S>& before, std::vector<node>& nodes, section_findings<S>& found);
  std::optional<node> turn_between(const phase_state<S>& before, const node& left, const node& right, int sign,
                                   section_findings<S>& found);
  bool cross(const phase_state<S>& before, const node& left, const node& right, section_findings<S>& found);

  crossing direction_;
  bool counts_jumps_;
  std::size_t parts_;  // of a step that is looked at all over
  free_step<S> step_;
  S length_{0};  // of the step that is searched
  state_function<S> value_;
  std::vector<S> velocity_;
  phase_point<S> legendre_;
  section_point<S> end_;
};

}  // namespace actio
