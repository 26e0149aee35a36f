// Jumps of a Lagrangian. Derivatives do not show them: a step goes over the place as if nothing were there, and so does
// one of any length. But the change of L between two states is the integral of its derivatives along the straight line
// from one to the other,
//   L(q_1, v_1) − L(q_0, v_0) = ∫ (L_q·Δq + L_v·Δv) ds,
// unless it jumps on the way. A Gauss rule takes the integral. Where it leaves something, that is looked for in parts
// of parts of the line. In a small part L hardly changes, by as much as the derivatives at its ends say, also at a
// kink; a jump, or what is as steep, is more.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/base/snapshot.hpp"
#include "actio/integrate/step.hpp"
#include "actio/simulate/run_records.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

// Whether the Lagrangian may have jumps, by the way it is written; no for sums of elements that are finite and smooth
// wherever they are.
bool may_jump(const lagrangian_system& system);

template <class S>
class jump_watch {
 public:
  // Of a space with a Lagrangian, which must outlive it.
  explicit jump_watch(const phase_space<S>& space);

  void start(const phase_state<S>& state, const phase_point<S>& point);
  // The state after one more step, what was measured there, and the scale of energies so far.
  void look(const phase_state<S>& state, const phase_point<S>& point, const S& scale);

  // The first one.
  const std::optional<lagrangian_jump>& found() const { return found_; }

  void save(snapshot& to) const;
  void load(const snapshot& from);

 private:
  struct end {
    std::vector<S> q, v;
    S rounding{0};  // of L, in units of the relative rounding of numbers
  };
  // Between the parts s0 and s1 of the line: how much L changes, what the rule leaves of that, and the most that it may
  // leave of a function whose slope goes from one end's to the other's, as at a kink.
  S change_between(const S& s0, const S& s1);
  S left_between(const S& s0, const S& s1);
  S bend_between(const S& s0, const S& s1);
  S slope_at(std::size_t point) const;  // dL/ds, where slopes_ was evaluated
  void place(jet_evaluation<S>& jet, std::size_t point, const S& s) const;

  quadrature_rule<S> rule_;
  std::shared_ptr<const lagrangian_jet<S>> unforced_;  // where forces act
  jet_evaluation<S> slopes_, values_;
  end last_, now_;
  S time_{0};
  std::optional<lagrangian_jump> found_;
};

}  // namespace actio
