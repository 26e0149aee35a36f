// Motions whose steps are chosen one by one: what they cost, and what they are off by, from runs to other accuracies.
#pragma once

#include <optional>

#include "actio/simulate/integrator.hpp"
#include "actio/simulate/motion_record.hpp"
#include "actio/simulate/step_kinks.hpp"

namespace actio {

// Where there are instants at which something happens to the motion, these go as runs do.
//
// Of the state `end`, to which a run of `flow`, which chooses its steps, led from `start`: how far it is off, by a
// second run to a finer accuracy. Nothing where that fails.
template <class S>
std::optional<motion_record> error_by_second_run(const integrator<S>& flow, const phase_state<S>& start,
                                                 const phase_state<S>& end, const motion_instants& instants = {});

// Where steps that are chosen lead to; nothing where one fails.
template <class S>
std::optional<phase_state<S>> state_at(const integrator<S>& flow, const phase_state<S>& start, const S& until);

// The accuracy of single steps with which the end is off by no more than `asked`, relative to the motion, as runs to
// finer and finer ones show, and how far the end is off with it; the finest that rounding allows where none does.
struct settled_steps {
  double accuracy = 0, error = 0;
};
template <class S>
settled_steps settled_accuracy(const integrator<S>& flow, const phase_state<S>& start, const S& until, double asked,
                               const motion_instants& instants = {});

// What steps that are chosen one by one need from `start` to `until`: evaluations of the equations, those that steps of
// the shortest length would need, and steps. Where evaluations become more than `most` the rest is taken to be like the
// part that was `seen`. Nothing where a step fails.
struct uneven_cost {
  double chosen = 0, equal = 0, steps = 0;
  double seen = 1;    // part of the time
  double length = 0;  // of a step near the start

  double unevenness() const { return equal / chosen; }
};
template <class S>
std::optional<uneven_cost> evaluations_needed(const integrator<S>& flow, const phase_state<S>& start, const S& until,
                                              double most);

}  // namespace actio
