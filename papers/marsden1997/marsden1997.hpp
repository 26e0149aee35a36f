// marsden1997: the schemes of Section 4, the rigid body and the double spherical pendulum of Section 7. Each study
// gathers its tasks when it is made and writes its results afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "papers/reproduction.hpp"

namespace actio::papers {

// What the paper says of a scheme, and what is measured.
struct scheme_example {
  std::string label, method;
  std::optional<int> order;  // none where the paper only says that the scheme is consistent
  bool symplectic, conserves_energy;
  double measured_order = 0, defect = 0, energy_error = 0;
};

class schemes_study {
 public:
  explicit schemes_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<scheme_example> examples_;
};

// NaN once one was included.
struct interval {
  double least = 0, most = 0;
  bool is_empty = true;
  void include(double x);
  double width() const { return most - least; }
};

// A run with everything that the paper looks at: positions at equal times, extremes over all steps.
struct observed_motion {
  double step = 0, between = 0;                  // steps and samples, in seconds
  std::vector<double> t, energy, middle_energy;  // one a sample; the last in the middle of the step that ends there
  std::vector<std::vector<double>> position, momenta, multipliers;  // [sample][component]
  interval energy_range, middle_range;  // of all steps; the paper's energy is v·P − L in the middle of a step
  std::vector<interval> momentum_range;
  double violation = 0;  // of the constraints
  bool is_complete = false;

  curve component(std::size_t i, std::string name, curve_style style = curve_style::line) const;
};

// To `until`, a multiple of the step, with samples as close as a figure needs them.
observed_motion observe(const integrator<double>& flow, phase_state<double> state, double until);

// (57): the mean over samples and components of the distance from the standard, sample by sample.
double mean_distance(const observed_motion& motion, const observed_motion& standard);

// A line of slope 2 below errors, one a step, from the second to the fourth of them.
curve slope_of_order_2(const std::vector<double>& steps, const std::vector<double>& errors);

class rigid_body_study {
 public:
  explicit rigid_body_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<observed_motion> motions_;  // a step each, the shortest first
  observed_motion first_;                 // the shortest run at the step of the start
};

class double_pendulum_in_space_study {
 public:
  explicit double_pendulum_in_space_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  void write_figures(reproduction& r, const std::vector<double>& dvp, const std::vector<double>& em) const;
  void write_comparison(reproduction& r) const;

  model m_;
  std::vector<observed_motion> dvp_, em_;  // a step each, the shortest first
  error_study orders_;
  double distance_of_formulations_ = 0;
};

// The positions of SHAKE, written out from the paper's formula, beside those of `verlet` and `midpoint`.
class shake_study {
 public:
  explicit shake_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<std::string> methods_;
  std::vector<std::vector<double>> distances_;  // a method each, step by step
};

// What steps of several lengths cost over one time: solver iterations, which are the same on every machine, and time of
// the processor, which is not.
struct work_of_steps {
  std::string label;
  std::vector<double> iterations, seconds;
};

class work_study {
 public:
  explicit work_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  std::vector<work_of_steps> works_;
};

// Initial data of the double spherical pendulum within their rounding that have the published energy and momentum.
class initial_data_study {
 public:
  explicit initial_data_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<double> printed_, shifts_;  // one a number of printed_initial_data
  double printed_energy_ = 0, printed_momentum_ = 0, energy_ = 0, momentum_ = 0;
  observed_motion fine_, coarse_;  // from the shifted data, h = 1e-4 s and 0.1 s
};

// The run of the discrete variational principle whose second point is that of the energy-momentum method with the
// shortest step, over the paper's time.
observed_motion observed_dvp(const model& m, double step);

}  // namespace actio::papers
