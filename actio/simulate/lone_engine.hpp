// Trajectories of an ensemble one by one, with the ordinary step of the method: for what cannot move in lanes, and for
// lanes that were lost.
#pragma once

#include <functional>
#include <mutex>

#include "actio/simulate/ensemble.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// Held while integrators, steps and sections are made. Operands of a sum stand in the order in which it was first made
// in the process, and machine code fuses one of two products by that order: threads that make expressions at once would
// give trajectories bits that depend on who came first.
std::recursive_mutex& setting_up();

// Immutable; any number of threads share it.
class lone_engine {
 public:
  // Both must outlive it.
  lone_engine(const ensemble_plan& plan, const ensemble_options& options);

  const integrator<double>& flow() const { return flow_; }  // of the model as it stands
  // That of a trajectory with parameters and steps of its own. Throws what the integrator throws, and bad-number.
  integrator<double> flow_of(const trajectory_result& trajectory) const;

  // Moves a trajectory from its start and fills its result. Data that the integrator refuses make the trajectory fail.
  // False when `interrupted` said so: the result then means nothing.
  bool run(trajectory_result& result, const std::function<bool()>& interrupted) const;

 private:
  static phase_state<double> started(const integrator<double>& flow, const trajectory_start& start);
  run_options<double> settings_of(const std::function<bool()>& interrupted) const;
  bool advance(const integrator<double>& flow, trajectory_result& result,
               const std::function<bool()>& interrupted) const;

  const ensemble_plan& plan_;
  const ensemble_options& options_;
  integrator<double> flow_;
};

void add_findings(const section_findings<double>& found, trajectory_result& result);

// Searches the steps of this length that `track` asks for and adds what they contain to `result`. `finder()` and
// `before(is_first)` are asked only then: for what searches, nullptr where there is none, and for the state before the
// first step or the last. False where a crossing could not be reached.
template <class Finder, class Before>
bool search_section(section_track<double>& track, double length, Finder&& finder, Before&& before,
                    trajectory_result& result) {
  while (const auto step = track.next()) {
    section_findings<double> found;
    section_finder<double>* searching = finder();
    if (searching == nullptr || !searching->search(before(step->is_first), length, *step, found)) return false;
    if (found.ends_on_surface) track.settle();
    add_findings(found, result);
  }
  return true;
}

}  // namespace actio
