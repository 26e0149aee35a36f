// The longest step where forces act on a linear system or loads change with time: M q'' + C q' + K q = f(t).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "actio/mechanics/linear_system.hpp"
#include "actio/simulate/step_limit.hpp"

namespace actio {

// A with y' = Ay for y = (q, q') where f = 0; nothing where M is singular.
std::optional<matrix<double>> first_order_form(const oscillation_matrices& matrices);

// What is judged is the map that a method makes of these equations: mode by mode where M, C and K have modes in common,
// as a whole otherwise. A step is refused where something grows that does not grow by itself. Of forces that are not
// linear, and of more than a hundred coordinates without common modes, only the part without damping is looked at.
class step_guard {
 public:
  step_guard(oscillation_matrices matrices, lagrangian_system system, std::vector<double> parameters);
  // The limit, if something grows with such a step; milliseconds where the step is far from it. Nothing as well where
  // no step is better.
  std::optional<step_limit> exceeded(const method& m, double step) const;

 private:
  struct mode {
    double squared_frequency, damping;
  };
  // What takes some time to find, and is needed only by steps that may be too long.
  struct analysis {
    std::once_flag once;
    std::vector<mode> modes;                     // none where there are no common ones; then
    double own_growth = 0;                       // the largest Re λ of solutions e^{λt}, and
    std::unique_ptr<phase_space<double>> space;  // the system itself
  };
  bool is_judged_without_damping() const;
  void analyse() const;
  void find_modes() const;
  bool grows(const method& m, const mode& one, double step) const;
  bool grows(const method& m, double step) const;
  std::optional<step_limit> limit_of(const method& m, double step) const;

  oscillation_matrices matrices_;
  lagrangian_system system_;
  std::vector<double> parameters_;
  double bound_ = 0;  // of |λ|
  bool is_undamped_ = true;
  std::unique_ptr<analysis> found_ = std::make_unique<analysis>();
};

}  // namespace actio
