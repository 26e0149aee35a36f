// The certificate of a run: what was conserved, how well, whether errors grow, and whether it can be trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/integrate/step.hpp"
#include "actio/simulate/event_list.hpp"
#include "actio/simulate/motion_record.hpp"
#include "actio/simulate/run_records.hpp"

namespace actio {

enum class run_status { done, interrupted, failed };

template <class S>
struct energy_record {
  S initial{0}, final{0};
  S reference{0};  // errors are relative to this: |initial|, or the size of its terms where it nearly vanishes;
                   // where energy is supplied, the largest of initial energy, energy and work
  S max_relative_error{0};  // of the energy, or of the ledger where energy is supplied
  S max_error{0};           // the same, not relative
  S scale{0};               // the largest |½ v·L_vv·v| that the motion reached; verdicts measure errors by it
  bool supplied = false;    // forces or explicit time dependence do work
  S work{0};                // energy supplied in all
  std::optional<lagrangian_jump> jump = {};  // of L between two states
  drift_estimate drift;                      // of the relative error
};

template <class S>
struct constraint_record {
  S max_violation{0};         // largest |g|
  S max_hidden_violation{0};  // largest component of a momentum that leads off the constraints
};

template <class S>
struct observed_record {
  std::string name;
  S initial{0}, final{0}, smallest{0}, largest{0};  // of the values that are finite
  std::size_t not_finite = 0;                       // points at which it had no value
  S first_not_finite{0};                            // the time of the first of them
};

// The word of the certificate as a whole.
struct trust_record {
  std::vector<std::string> reasons;  // against it
  bool is_trusted() const { return reasons.empty(); }
};

// Why a run has the method and the step that it has, where it was asked for an accuracy instead.
struct choice_record {
  std::string method, step;    // the step with all its digits
  std::string kind;            // of steps: "fixed", "scaled" (of one length in tau) or "adaptive"
  double accuracy = 0;         // asked for
  double estimated_error = 0;  // of (q, p) at the end
  motion_record motion;
  std::string reason;
  double work = 0;      // of the run, in units of about two additions
  std::string command;  // that repeats the run without choosing again; empty where it is not known
};

template <class S>
struct run_report {
  std::string model, method, precision;
  std::string backend;  // what evaluated the programs: "machine-code" or "interpreter"
  std::optional<choice_record> choice = {};
  S step{0}, time{0};
  std::size_t steps = 0;  // taken in all
  std::vector<std::string> coordinates;
  std::vector<S> position, momentum;  // no momentum, no conserved momenta and no energy where has_energy is false:
  bool has_energy = true;             // equations y' = f(t, y) without a Lagrangian
  energy_record<S> energy;
  std::vector<conserved_record<S>> momenta;
  std::optional<conserved_record<S>> form = {};  // φ of a linear system
  std::optional<shadow_record<S>> shadow = {};   // where it was asked for
  std::vector<observed_record<S>> observables;
  std::vector<std::string> constraint_names;
  constraint_record<S> constraints;
  start_projection<S> projection;            // of the initial data
  std::optional<motion_record> motion = {};  // where a companion went along to the end
  double accuracy = 0;                       // where steps were chosen one by one for it
  bool watches_events = false;
  event_list<S> events = {};
  std::size_t event_count = 0;  // of them in all; most_events of them at most are kept
  // Events that change the motion and on whose surface it starts, though their direction does not say from which side.
  std::vector<std::string> unclear_starts = {};
  control_samples<S> controls = {};  // most_events of them at most
  std::vector<holding_record<S>> holdings = {};
  trust_record trust;
  double mean_iterations = 0;
  int max_iterations = 0;
  std::size_t newton_steps = 0;           // that Newton's method solved where fixed-point iteration did not contract
  double setup_seconds = 0, seconds = 0;  // `seconds`: stepping alone
  run_status status = run_status::done;
  step_code failure = step_code::ok;
  std::string reason, suggestion;  // where status is failed; the reason also where an observer ended the run
};

// What speaks against a run, from all that its certificate knows.
template <class S>
trust_record trust_in(const run_report<S>& report);

// The certificate for people.
template <class S>
std::string to_text(const run_report<S>& report);

}  // namespace actio
