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
  error_study table_, lines_;
  std::vector<recording> recordings_;  // a method each
  recording reference_;
};

class top_study {
 public:
  explicit top_study(reproduction& r);
  void write(reproduction& r) const;

 private:
  model m_;
  std::vector<std::size_t> periods_;
  error_study table_, lines_;
  std::vector<recording> recordings_;
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
};

// The path of a top's axis on the unit sphere, seen from the side and from above.
std::vector<panel> axis_panels(const recording& motion, std::size_t precession, std::size_t nutation);

}  // namespace actio::papers
