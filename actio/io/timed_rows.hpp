// Rows of a trajectory at given times, in the place of those after each step.
#pragma once

#include <string>
#include <vector>

#include "actio/io/trajectory_writer.hpp"
#include "actio/simulate/free_step.hpp"

namespace actio {

// Each state is reached by a step of the method from the last state before its time: as accurate as the steps are.
template <class S>
class timed_rows final : public observer<S> {
 public:
  // `space` is that of the run's workspace; the times stand in the order in which the run meets them.
  timed_rows(const integrator<S>& flow, const phase_space<S>& space, std::vector<S> times, trajectory_writer<S>& to);

  void observe(const sample<S>& now) override;
  std::string reason_to_end() const override { return obstacle_; }

 private:
  bool is_beyond(const S& time, const S& other) const { return is_forward_ ? time > other : time < other; }
  void write_between(const sample<S>& now, const S& time);

  std::vector<S> times_;
  std::size_t next_ = 0;
  bool is_forward_;
  trajectory_writer<S>& to_;
  free_step<S> step_;
  phase_point<S> point_;
  std::string obstacle_;
};

}  // namespace actio
