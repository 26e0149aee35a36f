// Ensembles: many trajectories of one system, each with its own parameters and initial data, status and certificate.
// In double precision.
//
// The result of a trajectory is a function of its own data alone: it has the same bits for any number of threads, in
// any lane, and whatever its neighbours do. A trajectory that fails is marked and leaves the others alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/simulate/device_choice.hpp"
#include "actio/simulate/ensemble_plan.hpp"
#include "actio/simulate/ensemble_summary.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/section.hpp"

namespace actio {

// Results that are known already, before any is computed.
struct earlier_results {
  std::size_t count = 0;
  ensemble_tally tally = {};
  // The next of them and its crossings of the section; what rows do not tell is missing in it.
  std::function<void(trajectory_result&, std::size_t& crossings)> next = {};
};

// Sees every result of an ensemble, those that are known already included, in their order.
class ensemble_observer {
 public:
  virtual ~ensemble_observer() = default;
  virtual void see(const trajectory_result& result) = 0;
};

struct ensemble_options {
  integrator_options<double> integrator;
  std::size_t steps = 0;
  std::optional<double> until = {};                      // met exactly, in the place of a number of steps
  std::optional<std::vector<model_event>> watched = {};  // events and kinks; those of the model if not given
  bool splits_at_signals = false;                        // steps end at kinks of signals
  unsigned threads = 1;
  // Trajectories that step together where the method and the system allow it: 1, 4 or 8; 0 never. Bits do not depend on
  // the width, but steps in lanes round otherwise than steps of a lone run.
  std::size_t width = 8;
  std::optional<section> poincare = {};  // the surface whose crossings are wanted
  bool lyapunov = false;                 // with a neighbour in lanes, or one by one
  // Steps that each trajectory chooses by its start, in the place of `steps` and the integrator's step; to `until`.
  std::optional<pace_rule> own_paces = {};
  std::optional<ensemble_accuracy> accuracy = {};  // what is promised of them
  // GPUs in the place of the processor's lanes, with the same bits. Those that fail are given up: the processor goes on
  // where it has lanes, otherwise the ensemble ends early.
  std::optional<device_choice> device = {};
  std::function<void(const std::string&)> note = {};                     // what is worth saying on the way
  std::function<void(std::size_t done, std::size_t all)> progress = {};  // by one thread at a time
  std::function<bool()> interrupted = {};                                // asked by every thread; true ends early
  // After some results, with the seconds that all have taken: the moment to bring them to the disk.
  std::function<void(double seconds)> handed_on = {};
  std::optional<ensemble_part> part = {};                         // of the plan; all of it where there is none
  range_source hand_out = {};                                     // ranges of the part, in the place of all of it
  earlier_results earlier = {};                                   // of the part's first trajectories
  std::vector<ensemble_observer*> observers = {};                 // which outlive the run
  std::function<void(const ensemble_report& so_far)> begun = {};  // what is known before the first result
};

// Writes the kernels of an ensemble for GPUs into the code cache and says where they are. Throws gpu-refuses.
std::string prepare_device_code(const ensemble_plan& plan, const ensemble_options& options);

// Runs all trajectories of the part, or those that are handed out, and hands each result to `each`, in order, from the
// calling thread; at the latest about a second after it is there, or together with those that take longer beside it.
// GPUs compute what follows meanwhile.
// Throws what the integrator throws for the model as it stands, gpu-unavailable, gpu-refuses; data of single
// trajectories that do not work out fail these alone.
ensemble_report run_ensemble(const ensemble_plan& plan, const ensemble_options& options,
                             const std::function<void(const trajectory_result&)>& each = {});

}  // namespace actio
