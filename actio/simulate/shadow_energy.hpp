// The shadow energy of a run: the energy that a symplectic method keeps in the place of H, from the trajectory itself.
//
// Notation: q_i, p_i consecutive states, h apart, S_i the action of the steps up to there, S_{i+1} − S_i = L_d. A
// symplectic step of order r is the flow of a Hamiltonian H~ = H + O(h^r), up to terms smaller than every power of h,
// and S_i is its action. So, on the smooth curves through these points, S' = p·q' − H~, and
//   G(s, t) = [(p(s) + p(t))·(q(t) − q(s)) − 2 (S(t) − S(s))] / (t − s)
// is smooth with G(t, t) = 2H~. The m-th difference of G in both its arguments is O(h^2m), which leaves, of m + 1
// states,
//   E_m = 1/C(2m, m) Σ_{i<j} (−1)^(j−i+1) C(m, i) C(m, j) G_ij = H~ + O(h^2m)
// for any symplectic method. [skeel2001, whose additional variable is 2S − p·q; engle2005] The motion of H itself
// through the middle one of these states, q°, p°, is taken along by a method of high order. What the differences leave
// is nearly the same for both and falls out of
//   H + E_m(q, p) − E_m(q°, p°) = H~ + O(h^(r+2m)):
// H and its first corrections.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "actio/integrate/step_action.hpp"
#include "actio/simulate/conserved.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

template <class S>
class shadow_meter {
 public:
  // Throws no-shadow-energy where energy is supplied or there is none, no-discrete-action where the method has none.
  // The integrator must outlive it.
  shadow_meter(const integrator<S>& flow, const step_workspace<S>& workspace);

  void start(const phase_state<S>& state, const phase_point<S>& point);
  // The state after one more step of the workspace, and what was measured there.
  void add(const phase_state<S>& state, const phase_point<S>& point, step_workspace<S>& workspace);

  // The latest that could be measured, to the highest order, and when that was: some steps ago. Not finite before there
  // is one.
  const S& time() const { return time_; }
  const S& energy() const { return energy_; }
  S deviation() const { return (energy_ - constant_) - rules_.back().meter.initial(); }  // since the first one

  shadow_record<S> record(double swings, bool is_symplectic) const;

  void save(snapshot& to) const;
  void load(const snapshot& from);

 private:
  static constexpr std::array<std::size_t, 8> differences{1, 2, 3, 4, 6, 8, 12, 16};
  static constexpr std::size_t width = differences.back() + 1, reach = width / 2;  // of states, about the middle one

  struct difference_rule {
    int order;
    matrix<S> weights;  // of G_ij, i < j ≤ m
    conserved_meter<S> meter;
  };
  struct passed_state {
    phase_state<S> state;
    S energy{0};  // H without constant terms
    S action{0};  // of the step that led here
  };
  using window = std::vector<passed_state>;

  // Moves to and fro on the motion of H.
  struct guide {
    std::unique_ptr<step_workspace<S>> workspace;
    step_action<S> action;
    std::vector<S> fresh;  // history of a workspace without one: what it finds must not depend on earlier windows
  };
  static guide guide_of(const integrator<S>& flow, const S& step);
  // The same window on the motion of H through the middle state; false where that cannot be computed.
  bool follow_energy();
  S value_of(const difference_rule& rule, const window& states) const;

  const phase_space<S>* space_;
  S step_;
  step_action<S> action_;
  guide forward_, backward_;
  std::vector<difference_rule> rules_;  // by rising order
  window passed_, guided_;              // the latest last; `guided_` is there to work with
  S constant_{0};                       // what constant terms of L add to the energy; meters do without
  std::size_t values_ = 0;              // measured so far
  S coarseness_{0};                     // what rounding of control points makes of an action a time
  S time_, energy_;
};

}  // namespace actio
