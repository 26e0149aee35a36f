// Runs a contest: checks every answer, then times what is right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench {

struct score {
  std::string family, name, knob;
  std::vector<point> points;  // in the order of the settings; only those that came near the answer
  std::string full_name() const { return family + " " + name; }
};

struct pair_ratio {
  std::string left, right;
  std::size_t steps = 0;
  double left_step = 0, right_step = 0;    // seconds a step
  double left_error = 0, right_error = 0;  // of both, as a check that they do the same
};

struct result {
  std::string id, title, statement, error_means, reference;
  double uncertainty = 0;
  std::vector<double> targets;
  std::vector<score> scores;
  std::vector<pair_ratio> alike;
};

struct effort {
  int rounds = 9;                  // through all competitors, so that a disturbance does not hit one alone
  double seconds_a_point = 0.006;  // in each round
};

// CPU time of this thread.
double cpu_seconds();

result measure(const contest& c, const effort& how_long);

// The least time to reach an error: that of the cheapest point which does, or of a point between two neighbouring
// settings, on a straight line in logarithms.
std::optional<double> seconds_to_reach(const score& s, double error);

}  // namespace actio::bench
