#include "papers/rojas2025/rojas2025.hpp"

#include <fmt/format.h>

namespace actio::papers {

panel advantage_panel(std::string title, const error_study& lines, std::size_t rk4, std::size_t simpson,
                      std::size_t quantity) {
  const curve steps = convergence_curves(lines, quantity)[rk4];
  const std::vector<double> factors = ratios(line_errors(lines, rk4, quantity), line_errors(lines, simpson, quantity));
  return {std::move(title),
          "h in s",
          "error of RK4 / error of Simpson",
          true,
          true,
          false,
          {{"RK4 over Simpson", curve_style::line_with_points, steps.x, factors},
           {"equal", curve_style::dashed, {steps.x.front(), steps.x.back()}, {1, 1}}}};
}

std::string seen_of(const std::vector<double>& in_tenths) {
  return fmt::format("{} in the first tenth, {} in the last", two_digits(in_tenths.front()),
                     two_digits(in_tenths.back()));
}

void reproduce_rojas2025(reproduction& r) {
  double_pendulum_study pendulum(r);
  top_study top(r);
  cusped_top_study cusped(r);
  r.work();
  pendulum.write(r);
  top.write(r);
  cusped.write(r);
}

}  // namespace actio::papers
