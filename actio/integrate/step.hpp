// One step of a method: the state that it moves, the workspace that moves it, and how it went.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/base/compensated.hpp"
#include "actio/base/dense.hpp"
#include "actio/base/snapshot.hpp"
#include "actio/integrate/first_guess.hpp"
#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

struct newton_result;

// Where a motion is after `index` steps. Position and momentum carry the remainders of their sums.
template <class S>
struct phase_state {
  std::size_t index = 0;
  S time{0};
  // time = origin + count · step, so that time does not accumulate rounding; the remainder is that of the origin, which
  // is a sum where lengths of steps change.
  S origin{0}, origin_remainder{0};
  std::size_t count = 0;
  compensated_vector<S> position, momentum;  // no momentum where the system is of first order
  // That of the momentum, where several may belong to it: the branch that the motion is on. Empty otherwise.
  std::vector<S> velocity;

  S time_after(const S& step) const { return origin + (origin_remainder + S(static_cast<double>(count + 1)) * step); }
  // After a step of this length, one of equals.
  void step_on(const S& step) {
    time = time_after(step);
    ++index;
    ++count;
  }
  // Steps of another length begin here.
  void begin_count() {
    if (count == 0) return;
    begin_at(time);
  }
  void begin_at(const S& t) {
    origin = time = t;
    origin_remainder = S(0);
    count = 0;
  }
  void take_clock(const phase_state& other) {
    index = other.index;
    time = other.time;
    origin = other.origin;
    origin_remainder = other.origin_remainder;
    count = other.count;
  }
  // After a step whose length is its own.
  void step_by(const S& length) {
    begin_count();
    compensated<S> sum(origin);
    sum.remainder = origin_remainder;
    sum.add(length);
    origin = time = sum.value;
    origin_remainder = sum.remainder;
    ++index;
  }
};

enum class step_code {
  ok,
  no_convergence,
  singular,
  left_domain,
  too_long,       // the equations have a solution, but none that the state leads to as the step grows from nothing
  mass_singular,  // ∂²L/∂v² becomes singular: the branch of the velocity ends
};

struct step_status {
  step_code code = step_code::ok;
  int iterations = 0;
  double update = 0;       // size of the solver's last update, relative to the step
  bool by_newton = false;  // fixed-point iteration did not solve the step, and Newton's method took over
  explicit operator bool() const { return code == step_code::ok; }
};

std::string to_text(step_code code);
// What the outcome of Newton's method means for the step that it was to solve.
step_status status_of(const newton_result& result);

template <class S>
void save(const phase_state<S>& state, snapshot& to);
// Throws snapshot_error unless the state has what belongs to one of this space.
template <class S>
phase_state<S> load_state(const snapshot& from, const phase_space<S>& space);

template <class S>
struct step_context {
  phase_space<S> space;         // whose parameters belong to the workspace
  S step;                       // negative: back in time
  bool velocity_state = false;  // Runge–Kutta methods on (q, v) instead of (q, p)
  // What linear_system_of(space) found, for methods that know linear systems. Needed at construction only.
  const linear_system<S>* linear = nullptr;
  first_guess guess = first_guess::extrapolation;  // of Galerkin methods and Lobatto pairs
  // Asked with new values of the parameters before they are taken; throws where the method is not for them.
  std::function<void(std::span<const S>)> suits{};
  // For methods that choose their own lengths of steps: the error of a motion of unit length that they may make,
  // relative to the sizes of the state.
  double accuracy = 0;
};

// Mutable: everything that a method needs to take steps of one length in one system, allocated once.
template <class S>
class step_workspace {
 public:
  explicit step_workspace(const step_context<S>& context)
      : space_(context.space), before_(context.space.parameters().values()), suits_(context.suits) {}
  virtual ~step_workspace() = default;

  const phase_space<S>& space() const { return space_; }
  // Other values of the system's parameters, in their order, from the next step on; position and momentum stay. Throws
  // input_error: bad-number, parameters-unsuited where a linear system becomes another, what the method requires.
  void set_parameters(std::span<const S> values);

  // Moves `state` by one step. When it fails the state is unchanged.
  virtual step_status advance(phase_state<S>& state) = 0;

  // Methods that choose the length of each step do not step beyond this time, and end there exactly.
  virtual bool chooses_steps() const { return false; }
  virtual void end_at(const S&) {}

  // Steps of another length from now on, of either sign. What earlier steps taught is kept as far as it still serves.
  virtual bool takes_any_length() const { return false; }
  virtual void set_step(const S&) { ACTIO_ASSERT(false); }

  // Energy that forces and explicit time dependence gave to the system during the last step.
  virtual S work() const = 0;

  // The value of the method's discrete Lagrangian on the last step, which began at `before`; not finite where L is not.
  // Only where has_action; step_action.hpp knows that of Galerkin methods from their polynomial.
  virtual bool has_action() const { return false; }
  virtual S action(const phase_state<S>&) { return S(0); }

  // Dense output: the position at `fraction` (0 … 1) of the last step, from the step's own polynomial.
  virtual void interpolate(const S& fraction, std::span<S> position) = 0;

  // The exact derivative of the step map at `state`: ∂(q_1, p_1)/∂(q_0, p_0), 2n × 2n (n × n where the system is of
  // first order and has no momenta). Leaves `state` alone.
  // An empty matrix means that the step cannot be solved there.
  virtual matrix<S> tangent_map(const phase_state<S>& state) = 0;

  // What a resumed run needs so that it continues bit for bit: the solver's memory of earlier steps. Restoring throws
  // snapshot_error where it cannot belong to this workspace.
  virtual std::vector<S> history() const { return {}; }
  virtual void restore_history(std::span<const S>) {}

  // The next state is not the one to which the last step led: nothing that was learnt from earlier steps serves it.
  void forget() { restore_history(fresh_); }
  // To be called by who makes it, before the first step.
  void remember_fresh() { fresh_ = history(); }

  // Renews what was computed with other values of the parameters. Evaluations that are bound to them need nothing.
  virtual void parameters_changed() {}

 private:
  phase_space<S> space_;
  std::vector<S> before_;  // parameters, while they change
  std::vector<S> fresh_;   // history before the first step
  std::function<void(std::span<const S>)> suits_;
};

}  // namespace actio
