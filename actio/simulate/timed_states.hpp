// States of a run at given times, in the place of those after each step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/simulate/free_step.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// Each state is reached by a step from the last state before its time, as the run moved there: as accurate as the steps
// are.
template <class S>
class timed_states final : public observer<S> {
 public:
  using receiver = std::function<void(const sample<S>&)>;

  // `space` is that of the run's workspace; the times stand in the order in which the run meets them.
  timed_states(const integrator<S>& flow, const phase_space<S>& space, std::vector<S> times, receiver take);

  void observe(const sample<S>& now) override;
  std::string reason_to_end() const override { return obstacle_; }

 private:
  bool is_beyond(const S& time, const S& other) const { return is_forward_ ? time > other : time < other; }
  void take_between(const sample<S>& now, const S& time);

  std::vector<S> times_;
  std::size_t next_ = 0;
  bool is_forward_;
  receiver take_;
  phase_space<S> space_;  // with the parameters of the step, which may have changed since
  const integrator<S>* flow_ = nullptr;
  std::optional<free_step<S>> step_;  // of that flow
  phase_point<S> point_;
  std::string obstacle_;
};

}  // namespace actio
