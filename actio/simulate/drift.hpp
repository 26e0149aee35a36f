// Does an error grow? A trend fitted to window means of the error, against the scatter of those means.
#pragma once

#include <cstddef>
#include <vector>

namespace actio {

struct drift_estimate {
  double per_time = 0;     // slope of the fitted line
  double uncertainty = 0;  // its standard error
  bool grows = false;      // a trend in every quarter of the run, beyond scatter and rounding
};

// Takes one value a step; keeps between 64 and 128 window means whatever the length of the run.
class drift_meter {
 public:
  void add(double time, double value);
  // `rounding` is the size of the random walk that rounding alone would make over the run.
  drift_estimate estimate(double rounding) const;

  std::vector<double> save() const;
  void load(const std::vector<double>& saved);  // throws snapshot_error

 private:
  struct window {
    double time = 0, value = 0;
  };
  std::vector<window> windows_;
  window open_;
  double filled_ = 0, capacity_ = 1;
};

}  // namespace actio
