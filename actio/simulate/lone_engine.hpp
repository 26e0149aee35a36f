// Trajectories of an ensemble one by one, with the ordinary step of the method: for what cannot move in lanes, and for
// lanes that were lost.
#pragma once

#include <functional>

#include "actio/simulate/ensemble.hpp"

namespace actio {

// Immutable; any number of threads share it.
class lone_engine {
 public:
  // Both must outlive it.
  lone_engine(const ensemble_plan& plan, const ensemble_options& options);

  const integrator<double>& flow() const { return flow_; }  // of the model as it stands
  // That of a trajectory with parameters of its own. Throws what the integrator throws, and bad-number.
  integrator<double> flow_of(const trajectory_start& start) const;

  // Moves a trajectory from its start and fills its result. Data that the integrator refuses make the trajectory fail.
  // False when `interrupted` said so: the result then means nothing.
  bool run(trajectory_result& result, const std::function<bool()>& interrupted) const;

 private:
  bool advance(const integrator<double>& flow, trajectory_result& result,
               const std::function<bool()>& interrupted) const;

  const ensemble_plan& plan_;
  const ensemble_options& options_;
  integrator<double> flow_;
};

// A row of trajectory_result::crossings.
void append_crossing(const phase_state<double>& state, std::vector<double>& crossings);

}  // namespace actio
