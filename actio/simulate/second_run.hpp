// Motions whose steps are chosen one by one: what they cost, and what they are off by, from runs to other accuracies.
#pragma once

#include <optional>

#include "actio/simulate/integrator.hpp"
#include "actio/simulate/motion_record.hpp"

namespace actio {

// Of the state `end`, to which a run of `flow`, which chooses its steps, led from `start`: how far it is off, by a
// second run to a finer accuracy. Nothing where that fails.
template <class S>
std::optional<motion_record> error_by_second_run(const integrator<S>& flow, const phase_state<S>& start,
                                                 const phase_state<S>& end);

// Where steps that are chosen lead to; nothing where one fails.
template <class S>
std::optional<phase_state<S>> state_at(const integrator<S>& flow, const phase_state<S>& start, const S& until);

// The accuracy of single steps with which the end is off by no more than `asked`, relative to the motion, as runs to
// finer and finer ones show; the finest that rounding allows where none does.
template <class S>
double settled_accuracy(const integrator<S>& flow, const phase_state<S>& start, const S& until, double asked);

// Evaluations of the equations from `start` to `until`, and what steps of the shortest length would need; nothing where
// these are more than `most`, or a step fails.
struct uneven_cost {
  double chosen = 0, equal = 0;
};
template <class S>
std::optional<uneven_cost> evaluations_needed(const integrator<S>& flow, const phase_state<S>& start, const S& until,
                                              double most);

}  // namespace actio
