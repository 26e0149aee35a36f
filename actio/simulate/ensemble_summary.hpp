// What came out of trajectories, and of all of them together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/exact_sum.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/ensemble_part.hpp"
#include "actio/simulate/ensemble_plan.hpp"
#include "actio/simulate/pace.hpp"

namespace actio {

enum class trajectory_status {
  done,
  no_convergence,
  singular,
  left_domain,
  bad_start,
  too_long,
  mass_singular,
  inaccurate
};
inline constexpr std::size_t trajectory_statuses = 8;
std::string to_text(trajectory_status status);

struct trajectory_result {
  std::size_t index = 0;
  trajectory_start start = {};  // where --project moved it, the position and momentum that it was moved to
  trajectory_status status = trajectory_status::done;
  std::string reason = {};                      // where it failed
  pace planned = {};                            // the steps that it is to take
  std::size_t steps = 0;                        // taken
  double effort = 0;                            // iterations of these, where a kernel counts them
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
    planned = {};
    steps = 0;
    effort = 0;
    for (auto* numbers : {&position, &momentum, &momentum_errors, &crossings}) numbers->clear();
    events.clear();
    energy_error = scaled_energy_error = lyapunov = 0;
    tangencies = discontinuities = 0;
  }
};

struct ensemble_statistic {
  double mean = 0, deviation = 0, smallest = 0, largest = 0;
};

struct ensemble_failure {
  std::size_t index = 0;
  std::string reason;
};

// What a summary says that rows of trajectories do not.
struct ensemble_tally {
  std::size_t untrusted = 0;  // done, with an energy error of a tenth of the kinetic energy or more
  std::size_t tangencies = 0, discontinuities = 0;  // as in trajectory_result, of all
  std::vector<ensemble_failure> first_failures = {};
  double seconds = 0;

  void add(const trajectory_result& result, bool has_energy);
  // That of other trajectories of the same ensemble.
  void add(const ensemble_tally& other);
};

// An accuracy that was asked for: which method and steps were chosen by measurements on a sample, and what the errors
// of the sample are with them. Errors are those of positions and momenta at the end, relative to their size in the
// sample.
struct ensemble_accuracy {
  double asked = 0;                                                   // of nine tenths of the errors
  std::size_t sample = 0;                                             // trajectories
  double median = 0, ninth_decile = 0, percentile_99 = 0, worst = 0;  // of their errors
  double uncertainty = 0;   // ninth decile of what two references of the sample differ by
  double energy_limit = 0;  // energy errors, relative to the kinetic energy, above which no trajectory is trusted
  std::string reason;       // of the choice, in words
};

struct ensemble_report : ensemble_tally {
  std::string model, method, engine;  // engine: how the steps were taken, in words
  double step = 0;
  std::size_t steps = 0;  // of each; 0 where each has its own
  std::optional<ensemble_accuracy> accuracy = {};
  std::size_t fewest_steps = 0, most_steps = 0, all_steps = 0;  // of those that are done
  std::size_t whole = 0;                                        // trajectories of the ensemble
  std::size_t planned = 0;                                      // of them here
  std::size_t count = 0;                                        // of these computed, failed ones included
  std::optional<ensemble_part> part;                            // where it is of a part alone
  std::array<std::size_t, trajectory_statuses> by_status{};
  std::vector<std::string> coordinates;
  std::vector<ensemble_statistic> position, momentum;  // final, of those that are done
  bool has_energy = true;
  ensemble_statistic energy_error;             // of those that are done
  std::optional<ensemble_statistic> lyapunov;  // of those that are done, where it was asked for
  std::string section;                         // as it was typed, or empty
  std::size_t crossings = 0;                   // of it, by all trajectories
  double setup_seconds = 0;                    // before the first step
  std::size_t events = 0;                      // that happened, where the model has some
  bool watches_events = false;
  bool interrupted = false;

  std::size_t done() const { return by_status[0]; }
  std::size_t failed() const { return count - done(); }
};

// One quantity of trajectories, exactly: the order does not matter, nor who added up what.
class statistic_sum {
 public:
  // False where its square is too large, or it is no number: it is counted apart.
  bool add(double x);
  void add(const statistic_sum& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t beyond() const { return beyond_; }
  double smallest() const { return smallest_; }
  double largest() const { return largest_; }
  ensemble_statistic result() const;  // of those that are not beyond

 private:
  std::uint64_t count_ = 0, beyond_ = 0;
  double smallest_ = 0, largest_ = 0;
  exact_sum sum_, squares_;
};

// Adds up results, which do not depend on who computed what.
class ensemble_summary {
 public:
  explicit ensemble_summary(ensemble_report& report) : report_(report) {}  // which outlives it

  void add(const trajectory_result& result, std::size_t crossings);
  // The same of one whose tally is in the report already.
  void add_tallied(const trajectory_result& result, std::size_t crossings);
  // That of other trajectories, with its report.
  void add(const ensemble_summary& other);
  void finish(bool with_lyapunov);

 private:
  ensemble_report& report_;
  std::vector<statistic_sum> position_, momentum_;
  statistic_sum energy_error_, lyapunov_;
};

// How long steps are and how many; what is promised of errors.
std::string lengths_text(const ensemble_report& report);
std::string accuracy_text(const ensemble_accuracy& accuracy);
// The summary for people.
std::string to_text(const ensemble_report& report);

}  // namespace actio
