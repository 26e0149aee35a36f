// Events of a run: where expressions of the state go through zero, found in the step in which they do.
//
// The step's own polynomial shows where to look; what is there is searched with steps of the method of other lengths
// from the same state (section.hpp), so that the state of an event is as accurate as those beside it.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "actio/simulate/section.hpp"

namespace actio {

template <class S>
struct event_hit {
  std::size_t event;       // of those that are watched
  section_point<S> state;  // on its surface, to rounding
};

enum class event_search {
  complete,
  unreachable,  // an event is there, but steps of other lengths do not lead to it: they end on both sides of it only
  again,        // an event that turned the motion back is passed all the same: it happens again sooner than can be told
};

template <class S>
class event_watch {
 public:
  // `space` has the parameters of the run, which may change. The events must outlive it.
  event_watch(const integrator<S>& flow, const phase_space<S>& space, std::span<const model_event> events);

  // The motion goes on from here: from its start, or from where these events of the last step left it.
  void start(const phase_state<S>& state, std::span<const S> velocity, std::span<const event_hit<S>> after = {});
  // Events on whose surface this state lies within rounding, and which the motion leaves in their direction: they
  // happen here. Those of both directions do not, since nobody knows from which side it came; they are `unclear`.
  struct events_here {
    std::vector<std::size_t> happening, unclear;
  };
  events_here at(const phase_state<S>& state);
  // Parameters have changed where the motion is: events whose values jump through zero in their direction.
  std::vector<std::size_t> jumped(const phase_state<S>& state, std::span<const S> velocity);
  // What happens in the step from `before` to `after`, which `by` took last, in its order.
  event_search look(const phase_state<S>& before, const phase_state<S>& after, std::span<const S> velocity,
                    step_workspace<S>& by, std::vector<event_hit<S>>& hits);
  // The step in which an event was unreachable is not taken: another one follows from its beginning.
  void step_back();

 private:
  // The step that is looked at.
  struct taken_step {
    const phase_state<S>& before;
    S length;
    step_workspace<S>& by;
  };
  void keep(std::size_t row);
  void evaluate_inside(const taken_step& step, const S& part);
  bool is_wanted(std::size_t event, section_step<S>& step) const;
  bool was_turned_back(const event_hit<S>& hit, int way, const phase_state<S>& state, std::span<const S> velocity);
  void find_turns(const taken_step& step, std::size_t event, const S& from, const S& to, int depth,
                  std::vector<S>& turns);
  bool is_torn(std::size_t event, const section_point<S>& found);
  bool has_happened(std::size_t event) const { return std::ranges::find(happened_, event) != happened_.end(); }
  const S& value(std::size_t row, std::size_t event) const { return values_[row * events_.size() + event]; }

  std::span<const model_event> events_;
  state_function<S> function_;
  std::vector<section_finder<S>> finders_;  // of each event
  std::size_t rows_;                        // ends of a step and points between
  std::vector<S> values_;                   // of the last step, one row a point
  S step_;                                  // of the run
  bool shows_turns_;                        // the polynomial of a step does, unless it is a straight line
  bool needs_velocity_, is_first_ = true;
  std::size_t grids_left_ = 0;         // for the search of turns
  state_function<S> rates_;            // of values that depend on positions and time alone, else 0
  std::vector<std::size_t> happened_;  // where the motion goes on from
  // Events that turned the motion back at their surface, and the sign of the value that it would have had.
  std::vector<std::pair<std::size_t, int>> turned_;
  std::vector<S> position_, behind_, velocity_, momentum_;
  phase_point<S> legendre_;
};

}  // namespace actio
