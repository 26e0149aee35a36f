// The error of a motion, measured: the same method with a k-th part of the step goes along, and the two are compared
// after every step. Energy says nothing of phase; this does.
//
// Where errors are small the difference Δ of the two is the error of the longer step less a k^order-th part of it, so
// that the error is Δ / (1 − k^−order); where they are not, Δ is as large as the motion, and that is what is said.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "actio/base/snapshot.hpp"
#include "actio/simulate/free_step.hpp"
#include "actio/simulate/motion_record.hpp"

namespace actio {

// How a companion goes along: in so many parts of a step that no change of the model with the time, and of the forces
// along the motion, is jumped over, two or more. Where that would take too many, `unseen` is the time within which the
// model changes. A kink takes effect where the weights of the nodes say, which is the same place in a step and in its
// parts for some of them: models with kinks are accompanied by a method whose nodes have nothing to do with those of
// the run.
struct company_plan {
  std::size_t parts = 2;
  const method* by = nullptr;  // another method than that of the run
  std::optional<double> unseen = {};
};

template <class S>
class companion {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  // Goes along for at most so many steps of the run. Nobody where the method cannot take such steps. It starts apart by
  // the rounding of the initial data, so that a motion that magnifies it is seen to.
  static std::unique_ptr<companion> beside(const integrator<S>& flow, const phase_state<S>& start, std::size_t most,
                                           const company_plan& plan = {});

  // After each step of the run; of another length than the others, unless it is regular.
  void follow(const phase_state<S>& state, bool is_regular = true);
  // Nothing where the companion stayed behind before errors exceeded the motion.
  std::optional<motion_record> record() const;

  void save(snapshot& to) const;
  void load(const snapshot& from);  // throws snapshot_error

 private:
  companion(integrator<S> flow, const phase_state<S>& start, std::size_t most, const company_plan& plan);
  // The largest errors up to a time.
  struct mark {
    double time = 0, position = 0, momentum = 0;
  };
  void note(const mark& now);
  bool advance_to(const S& time);  // in parts

  integrator<S> flow_;
  std::unique_ptr<step_workspace<S>> workspace_;
  free_step<S> free_;
  phase_state<S> start_, state_;
  std::size_t most_, parts_;
  std::optional<double> unseen_;
  bool is_behind_ = false, has_failed_ = false;     // it stopped; it stopped because a step of its own failed
  double position_error_ = 0, momentum_error_ = 0;  // largest component
  mark largest_;                                    // norms
  double extent_ = 0, momentum_extent_ = 0;         // how far the motion went from its start, as norms
  std::vector<mark> marks_;                         // thinned: at most twice `most_marks`
  std::size_t stride_ = 1;
};

// How many steps of the run a companion may go along by default: about a tenth of a second, by counting operations.
template <class S>
std::size_t usual_company(const integrator<S>& flow, std::size_t parts = 2);

// For a run whose steps end at kinks and jumps, or go over them.
template <class S>
company_plan company_for(const integrator<S>& flow, const phase_state<S>& start, std::size_t steps,
                         bool splits_at_kinks = false);
// Another method, where a companion must not have the nodes of the run's.
template <class S>
const method* other_nodes(const integrator<S>& flow);

}  // namespace actio
