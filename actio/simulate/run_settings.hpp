// What a run is to do, from the options as they were typed: text and places in, numbers and types out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/backend/backend.hpp"
#include "actio/base/option.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

// Most steps that a run may have.
inline constexpr std::size_t most_steps = 1'000'000'000'000'000;

// "double", "quad" or a number of digits from 17 to 100000. Throws bad-precision.
precision precision_from(const source_text& typed);

// A whole number, at least `least`; 1e6 is one too. Throws bad-count.
std::size_t count_from(const source_text& typed, std::size_t least);

// The number of threads that the options ask for; as many as there are processors if they do not. Throws bad-count.
unsigned threads_from(const option_values& options);

// The parts of "a,b,c", each with its own place; parts that are empty are left out.
std::vector<source_text> list_from(const source_text& typed);

// Whether the options give Newmark's beta or gamma.
bool has_newmark_parameters(const option_values& options);
// The method with them in its name, where there are any. Throws conflicting-options where it does not take them, and
// bad-number.
source_text with_newmark_parameters(const source_text& method, const option_values& options);

// The defaults of the model's [run] with the typed options over them; typed `steps` replace the file's `until` and the
// other way round. A typed accuracy replaces the file's method and step, a typed method "auto" its step, and a typed
// step its accuracy; a typed method replaces its beta and gamma. What is left of these becomes part of the method's
// name. Throws bad-number, and conflicting-options when things that exclude each other come from the same side.
option_values merged_options(const model& m, const option_values& typed);

// Whether each step is to be chosen on the way: the step is "auto".
bool steps_are_chosen(const option_values& options);
// Gives the system the scale of time that is among the options: an expression, auto, or none. Throws needs-lagrangian,
// time-scale-unknown and what expressions throw.
void apply_time_scale(model& m, const option_values& options);

// Whether merged options leave the method or the step to be chosen before the run.
bool leaves_choice(const option_values& merged);

// A number between 0 and 1. Throws bad-accuracy.
double accuracy_from(const model& m, const source_text& typed);

// "auto", "interpreter" or "machine-code", for runs in the precision. Throws unknown-option-value, backend-unavailable.
backend backend_from(const source_text& typed, const precision& numbers, bool machine_code_available);
// Makes the backend that the options ask for that of everything that follows.
void set_backend_from(const option_values& options);

// The value of an expression in the model's parameters. Throws bad-step unless it is positive and finite.
template <class S>
S step_from(const model& m, const source_text& typed);

// The same for a time. Throws bad-number unless it is finite.
template <class S>
S time_from(const model& m, const source_text& typed);

// The time to start at, and that to reach. Throw missing-key, bad-number.
template <class S>
S start_from(const model& m, const option_values& options);
template <class S>
S end_from(const model& m, const option_values& options);

// The number of steps of length `step` that the options ask for, as `steps` or, the last of them perhaps a shorter one,
// by `until`. Throws missing-key, bad-count.
template <class S>
std::size_t steps_from(const model& m, const option_values& options, const S& step);

// Whether the flag is given, on the command line or as true in [run].
bool flag_from(const option_values& options, std::string_view name);

// Whether the state of an explicit method is to be (q, v). Throws unknown-option-value.
bool has_velocity_state(const option_values& options);

// Where Newton's method begins. Throws unknown-option-value, and conflicting-options where no method of the list takes
// another guess than the usual one.
first_guess guess_from(const option_values& options, std::span<const method* const> methods);

// Whether the action becomes discrete in the coordinates of the model's chart. Throws unknown-option-value.
bool is_intrinsic(const option_values& options);

// Reads all that [run] of a model says as a run would, though a step and a length may be left out. Throws what a run
// throws: unknown-method, bad-step, bad-count, bad-number, bad-accuracy, bad-precision, unknown-option-value,
// conflicting-options, unstable-step and what the method requires.
void check_run(const model& m);

// Method, start, step, which is negative where the run goes back, and state. Throws unknown-method, missing-key,
// bad-step, bad-number, unknown-option-value.
template <class S>
integrator_options<S> integrator_options_from(const model& m, const option_values& options);

}  // namespace actio
