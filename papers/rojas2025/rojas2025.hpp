// rojas2025: the double pendulum of Table 1, the Lagrange top of Table 3 in its nutation periods t̄, and the cusped top
// of Table 6 beside its reduced form (26). Each study gathers its tasks when it is made and writes its results
// afterwards.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "papers/reproduction.hpp"

namespace actio::papers {

class double_pendulum_study {
 public:
  explicit double_pendulum_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<std::size_t> seconds_;
  void write_claims(reproduction& r) const;
  void write_printed_length(reproduction& r) const;

  error_study table_, lines_, printed_length_;  // the last with rods of the length that the text gives
  std::vector<recording> recordings_, long_;    // a method each: the window of the figures, and ten of them
  recording reference_;
};

class top_study {
 public:
  explicit top_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<std::size_t> periods_;
  void write_claims(reproduction& r) const;

  error_study table_, lines_;
  std::vector<recording> recordings_, long_;  // a method each: the window of the figures, and ten of them
  recording loops_;
  curve exact_;
  std::vector<std::pair<std::string, std::string>> digits_;  // what, to forty digits
  double largest_difference_ = 0;                            // of the exact nutation from another route
};

class cusped_top_study {
 public:
  explicit cusped_top_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model complete_, reduced_;
  std::vector<double> steps_, differences_;
  std::vector<recording> recordings_;
  recording reference_, motion_;

  void write_claims(reproduction& r) const;
};

// The relative error of RK4 over that of Simpson's scheme against the step, with a line at 1 where both are equal.
panel advantage_panel(std::string title, const error_study& lines, std::size_t rk4, std::size_t simpson,
                      std::size_t quantity);

// What was seen of an error over a run: its size in the first and the last tenth.
std::string seen_of(const std::vector<double>& in_tenths);

// The path of a top's axis on the unit sphere, seen from the side and from above.
std::vector<panel> axis_panels(const recording& motion, std::size_t precession, std::size_t nutation);

}  // namespace actio::papers
