// Constant steps of the trajectories of an ensemble: each has so many as its own start asks for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actio {

// Steps of one length from the start to the end.
struct pace {
  double step = 0;
  std::size_t steps = 0;
  double accuracy = 0;  // that is asked for: beyond it equations of steps need not be solved; 0 for rounding
};

// The number of steps as a polynomial in what varies. A function of these values alone.
class pace_rule {
 public:
  // All trajectories take as many steps, over this time (negative: back).
  pace_rule(double time, std::size_t steps, double accuracy)
      : time_(time), accuracy_(accuracy), fewest_(static_cast<double>(steps)), most_(fewest_) {}

  // The polynomial through the numbers of steps that a sample needs, in the sense of least squares of relative
  // misfits; `values` has a row of `varied` numbers a trajectory. The degree is as large as the sample carries.
  static pace_rule through(double time, double accuracy, std::size_t varied, std::span<const double> values,
                           std::span<const double> steps);

  // The same with so many times the steps.
  pace_rule times(double factor) const;

  // What the polynomial says, within what the sample needed.
  double needed(std::span<const double> values) const;
  pace of(std::span<const double> values) const { return with(steps_of(needed(values))); }
  pace with(std::size_t steps) const { return {time_ / static_cast<double>(steps), steps, accuracy_}; }
  double time() const { return time_; }

 private:
  std::size_t steps_of(double needed) const;
  void terms(std::span<const double> values, std::vector<double>& result) const;

  double time_, accuracy_, fewest_ = 1, most_ = 1, factor_ = 1;
  std::size_t degree_ = 0;
  std::vector<double> middle_ = {}, reach_ = {};  // of each value in the sample
  std::vector<double> coefficients_ = {};
};

}  // namespace actio
