// A contest: one motion, an answer known to more digits than a double has, and competitors that try to reach it.
//
// Nothing of actio is included here, because competitors are compiled for the processor at hand and the library is not:
// an inline function of the library must not end up in the program twice.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace actio::bench {

struct attempt {
  std::vector<double> end;  // where the motion ends, in the contest's own coordinates
  std::size_t steps = 0;
};

// One run from the start to the end; everything that can be made before it has been.
using prepared_run = std::function<attempt()>;

struct point {
  double setting = 0;
  double error = 0;
  double energy_error = 0;  // relative, at the end
  double seconds = 0;       // CPU time of one run
  double setup_seconds = 0;
  std::size_t steps = 0;
};

struct measured_attempt {
  double setting = 0, seconds = 0, setup_seconds = 0;
  attempt result;
};

struct competitor {
  std::string family, name;  // "Boost.odeint", "dopri5"
  std::string knob;          // what the settings are: "steps" or "tolerance"
  std::vector<double> settings;
  std::function<prepared_run(double setting)> prepare;
  // In place of `prepare`: a program of its own that measures all settings.
  std::function<std::vector<measured_attempt>(const std::vector<double>& settings)> measure_elsewhere = {};
};

struct reference_answer {
  std::function<double(const attempt&)> error;
  double uncertainty = 0;  // how far two computations of it are apart
  std::string how;
};

struct contest {
  std::string id, title, statement;
  std::string error_means;
  std::vector<double> targets;  // errors to reach
  std::function<reference_answer()> reference;
  std::function<double(const std::vector<double>& end)> energy =
      {};  // energy at the end over that at the start, less 1
  std::vector<competitor> competitors;
  // Two competitors that do the same arithmetic: their times for a step are compared.
  std::vector<std::pair<std::string, std::string>> alike = {};
};

// first, … last in equal ratios, `per_octave` of them from one power of two to the next; rounded to whole numbers.
inline std::vector<double> step_counts(double first, double last, int per_octave = 1) {
  std::vector<double> counts;
  for (int i = 0;; ++i) {
    const double count = std::round(first * std::exp2(static_cast<double>(i) / per_octave));
    if (count > last * 1.0001) return counts;
    counts.push_back(count);
  }
}

// 10^from, …, 10^to downwards by half powers of ten.
inline std::vector<double> tolerances(int from, int to) {
  std::vector<double> values;
  for (int i = 2 * from; i >= 2 * to; --i) values.push_back(std::pow(10.0, i / 2.0));
  return values;
}

inline void append(std::vector<competitor>& to, std::vector<competitor> more) {
  for (competitor& c : more) to.push_back(std::move(c));
}

}  // namespace actio::bench
