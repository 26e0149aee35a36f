// Poincaré sections: where a motion crosses the surface on which an expression vanishes.
//
// A crossing is reached by a step of the method itself, from the state before it, of just the length that ends on the
// surface. Its points therefore are as accurate as those between which they lie, and fit them: at the full length the
// step is the one that was taken.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/simulate/integrator.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

enum class crossing { up, down, both };

struct section {
  std::string text;  // as it was typed
  expr value;        // in coordinates, velocities, momenta, t and the parameters
  crossing direction = crossing::up;
};

// "q1", "x' - 1:down", "sin(q1):both". Throws expression-syntax, unknown-option-value, and what expressions throw.
section section_from(const model& m, const source_text& typed);

// Whether the value goes through zero from one state to the next. A state on the surface belongs to the crossing that
// ends there, not to the one that leaves it.
template <class S>
bool crosses(crossing direction, const S& before, const S& after) {
  const bool up = before < S(0) && after >= S(0), down = before > S(0) && after <= S(0);
  return direction == crossing::up ? up : direction == crossing::down ? down : up || down;
}

template <class S>
class section_finder {
 public:
  section_finder(const integrator<S>& flow, const section& where);

  crossing direction() const { return direction_; }
  // The expression at a point.
  S value(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p);
  // The state on the surface that follows `before`, where the expression has a value of the other sign than one step
  // later; to rounding. Its index counts one step of its own length. Nothing where such a step cannot be solved.
  std::optional<phase_state<S>> find(const phase_state<S>& before, const S& value_before, const S& value_after);

 private:
  std::optional<S> value_at_end(const phase_state<S>& before, const S& fraction);

  integrator<S> flow_;
  crossing direction_;
  std::optional<galerkin_scheme> scheme_;
  std::shared_ptr<const compiled_function<S>> function_;
  std::unique_ptr<evaluation<S>> evaluation_;
  std::vector<S> in_, out_, velocity_;
  phase_point<S> legendre_;
  phase_state<S> end_;
};

}  // namespace actio
