// Ensembles: many trajectories of one system, each with its own parameters and initial data, status and certificate.
// In double precision.
//
// The result of a trajectory is a function of its own data alone: it has the same bits for any number of threads, in
// any lane, and whatever its neighbours do. A trajectory that fails is marked and leaves the others alone.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/simulate/certificate.hpp"
#include "actio/simulate/ensemble_plan.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/section.hpp"

namespace actio {

enum class trajectory_status { done, no_convergence, singular, left_domain, bad_start, too_long, mass_singular };
inline constexpr std::size_t trajectory_statuses = 7;
std::string to_text(trajectory_status status);

struct trajectory_result {
  std::size_t index = 0;
  trajectory_start start = {};  // where --project moved it, the position and momentum that it was moved to
  trajectory_status status = trajectory_status::done;
  std::string reason = {};                      // where it failed
  std::size_t steps = 0;                        // taken
  std::vector<double> position, momentum = {};  // after these
  double energy_error = 0;                      // largest relative error over all steps, as certificates have it
  double scaled_energy_error = 0;               // the same relative to the largest kinetic energy that it reached
  std::vector<double> momentum_errors = {};     // largest error of each conserved momentum
  double lyapunov = 0;                          // largest Lyapunov exponent of the steps taken, where asked for
  std::vector<double> crossings = {};  // of the section, where there is one: t, q, p of each, one after the other
  event_list<double> events = {};
  std::size_t tangencies = 0;       // touches of the section that are no crossings, as section_findings has them
  std::size_t discontinuities = 0;  // poles and jumps of its value, and borders of where it is finite

  // As a new one, with the memory that it has.
  void begin(std::size_t which) {
    index = which;
    status = trajectory_status::done;
    reason.clear();
    steps = 0;
    for (auto* numbers : {&position, &momentum, &momentum_errors, &crossings}) numbers->clear();
    events.clear();
    energy_error = scaled_energy_error = lyapunov = 0;
    tangencies = discontinuities = 0;
  }
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
  std::optional<section> poincare = {};                                  // the surface whose crossings are wanted
  bool lyapunov = false;                                                 // trajectories then move one by one
  std::function<void(std::size_t done, std::size_t all)> progress = {};  // by one thread at a time
  std::function<bool()> interrupted = {};                                // asked by every thread; true ends early
  std::function<void()> handed_on = {};  // after some results: the moment to bring them to the disk
};

struct ensemble_statistic {
  double mean = 0, deviation = 0, smallest = 0, largest = 0;
};

struct ensemble_failure {
  std::size_t index = 0;
  std::string reason;
};

struct ensemble_report {
  std::string model, method, engine;  // engine: how the steps were taken, in words
  double step = 0;
  std::size_t steps = 0;    // of each
  std::size_t planned = 0;  // trajectories
  std::size_t count = 0;    // of them computed, failed ones included
  std::array<std::size_t, trajectory_statuses> by_status{};
  std::vector<std::string> coordinates;
  std::vector<ensemble_statistic> position, momentum;  // final, of those that are done
  bool has_energy = true;
  ensemble_statistic energy_error;             // of those that are done
  std::size_t untrusted = 0;                   // done, with an energy error of a tenth of the kinetic energy or more
  std::optional<ensemble_statistic> lyapunov;  // of those that are done, where it was asked for
  std::string section;                         // as it was typed, or empty
  std::size_t crossings = 0;                   // of it, by all trajectories
  std::size_t tangencies = 0, discontinuities = 0;  // as in trajectory_result, of all
  std::size_t events = 0;                           // that happened, where the model has some
  bool watches_events = false;
  std::vector<ensemble_failure> first_failures;
  bool interrupted = false;
  double seconds = 0;

  std::size_t done() const { return by_status[0]; }
  std::size_t failed() const { return count - done(); }
};

// Runs all trajectories and hands each result to `each`, in order, from the calling thread; at the latest about a
// second after it is there, or together with those that take longer beside it. Throws what the integrator throws for
// the model as it stands; data of single trajectories that do not work out fail these alone.
ensemble_report run_ensemble(const ensemble_plan& plan, const ensemble_options& options,
                             const std::function<void(const trajectory_result&)>& each = {});

// The summary for people.
std::string to_text(const ensemble_report& report);

}  // namespace actio
