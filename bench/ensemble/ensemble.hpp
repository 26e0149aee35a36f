// Many double pendulums from different angles, released at rest: how many a second, at what error.
//
// Nothing of actio is included here; see common/contest.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace actio::bench {

// q1, q2 of one trajectory after the other where they start; q1, q2, p1, p2 where they end.
struct released_pendulums {
  std::vector<double> angles;
  std::size_t count() const { return angles.size() / 2; }
};

struct ensemble_attempt {
  std::string name;
  std::size_t steps = 0;  // of each trajectory
  unsigned threads = 1;
  double seconds = 0, cpu_seconds = 0;  // on the clock, and of all threads together; the least of several runs
  double error = 0;                     // largest of the sample, angles and momenta
};

// One accuracy: rk4 and actio on one thread, then both on two.
struct ensemble_level {
  std::size_t count = 0;
  double uncertainty = 0;  // of the reference
  std::vector<ensemble_attempt> attempts = {};
  double ratio = 0;    // of CPU times on one thread, rk4 over actio
  double scaling = 0;  // of actio's trajectories a second, two threads over one
};

struct ensemble_result {
  std::size_t sample = 0;
  double until = 0;
  std::string angles = {};
  std::string reference;
  std::vector<ensemble_level> levels = {};
  std::string same_bits = {};  // where
};

// Boost.odeint's rk4, a range of trajectories for every thread; the ends.
std::vector<double> odeint_ensemble(const released_pendulums& from, double until, std::size_t steps, unsigned threads);

// Throws where an answer is wrong: bits that differ, or a reference that is not certain. `count` trajectories.
ensemble_result ensemble_contest(std::size_t count, bool quick);

}  // namespace actio::bench
