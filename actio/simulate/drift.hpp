// Is a quantity conserved? A trend fitted to window means of its error, against the scatter of those means, and only
// where the motion has gone round often enough to tell a trend from a piece of an oscillation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actio/simulate/run_records.hpp"

namespace actio {

// What is known of a run beside the errors of a quantity.
struct drift_context {
  double rounding = 0;           // the size of the random walk that rounding alone would make over the run
  double swings = 0;             // how often the motion has swung to and fro
  bool beyond_rounding = false;  // an error was larger than rounding could have made it by then
  bool is_symplectic = false;    // the method: a trend that is small beside the errors that come and go is a slow beat
};

// Takes one value a step; keeps between 64 and 128 window means whatever the length of the run.
class drift_meter {
 public:
  void add(double time, double value);
  drift_estimate estimate(const drift_context& run) const;
  double largest() const { return largest_; }

  std::vector<double> save() const;
  void load(const std::vector<double>& saved);  // throws snapshot_error

 private:
  struct window {
    double time = 0, value = 0;
  };
  bool has_settled() const;
  bool has_exploded() const;
  std::vector<window> windows_;
  window open_;
  double filled_ = 0, capacity_ = 1;
  double largest_ = 0;  // |value|
};

// How often a motion has swung to and fro: half the number of times that the velocity of its slowest coordinate passed
// its mean. Velocities that are constant to a millionth do not count.
class swing_meter {
 public:
  explicit swing_meter(std::size_t coordinates) : parts_(coordinates) {}

  void add(std::size_t coordinate, double velocity);
  double swings() const;

  std::vector<double> save() const;
  void load(const std::vector<double>& saved);  // throws snapshot_error

 private:
  struct part {
    double count = 0, mean = 0, square = 0;  // Welford's sums
    double side = 0, passes = 0;
  };
  std::vector<part> parts_;
};

}  // namespace actio
