// marsden1997, Section 7: the free rigid body in unit quaternions, L of (53) with its conjugate, by the discrete
// Lagrangian (42) under the constraint |q| = 1. Figures 1 and 2.
#include <fmt/format.h>

#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/marsden1997/marsden1997.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr double first_step = 1e-5, until = 30;
constexpr std::size_t coordinate_y = 2;  // of the quaternion
const std::vector<double> steps{1e-4, 1e-3, 1e-2, 1e-1};

// The position after h: one Euler step of 1e-5 s, normalised, and then the method itself with steps of 1e-5 s.
std::vector<double> position_after(const model& m, double h) {
  const integrator<double> fine(m.system, {.method = "midpoint", .step = first_step});
  const phase_state<double> start = fine.at_start(m);
  std::vector<double> next = start.position.value;
  double square = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    next[i] += first_step * quantity_value<double>(m.system, m.initial.rates[i].value);
    square += next[i] * next[i];
  }
  for (double& x : next) x /= std::sqrt(square);
  phase_state<double> state = fine.at_positions(start.position.value, next);
  const auto workspace = fine.make_workspace();
  const auto count = static_cast<std::size_t>(std::llround(h / first_step));
  while (state.index < count && workspace->advance(state)) {
  }
  return state.position.value;
}

// Largest deviation of a momentum from that of another run.
double momentum_error(const observed_motion& motion, const observed_motion& standard) {
  double square = 0;
  for (std::size_t k = 0; k < motion.momentum_range.size(); ++k) {
    square += std::pow(motion.momentum_range[k].most - standard.momentum_range[k].most, 2);
  }
  return std::sqrt(square);
}

double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

}  // namespace

rigid_body_study::rigid_body_study(reproduction& r)
    : m_(load_model("free-rigid-body")), motions_(steps.size()) {  // (56)
  for (std::size_t k = 0; k < steps.size(); ++k) {
    r.task(until / steps[k], [this, k] {
      const integrator<double> flow(m_.system, {.method = "midpoint", .step = steps[k]});
      const phase_state<double> start = flow.at_start(m_);
      motions_[k] = observe(flow, flow.at_positions(start.position.value, position_after(m_, steps[k])), until);
    });
  }
  r.task(1e3, [this] {
    const integrator<double> flow(m_.system, {.method = "midpoint", .step = first_step});
    const phase_state<double> start = flow.at_start(m_);
    first_ = observe(flow, flow.at_positions(start.position.value, position_after(m_, first_step)), 100 * first_step);
  });
}

void rigid_body_study::write(reproduction& r) const {
  const struct {
    std::size_t run;
    double least, most;  // as printed
  } printed[] = {{0, 32.999999349, 32.999999359}, {1, 32.999937235, 32.999937236}};
  for (const auto& p : printed) {
    const interval& seen = motions_[p.run].middle_range;
    r.close(fmt::format("Rigid body: discrete energy at h = {:g} s", steps[p.run]),
            fmt::format("{:.9f} to {:.9f}", p.least, p.most), fmt::format("{:.9f} to {:.9f}", seen.least, seen.most),
            inside(seen.least, seen.most, p.least, p.most, 1e-9),
            "the published deviations are roundings of the program of that time");
  }
  double width = 0, momentum_width = 0, violation = 0;
  for (const observed_motion& motion : motions_) {
    raise_to(width, motion.middle_range.width());
    for (const interval& p : motion.momentum_range) raise_to(momentum_width, p.width());
    raise_to(violation, motion.violation);
  }
  r.statement("Rigid body: the discrete energy does not deviate over 30 s, h = 1e-4 to 0.1", "yes at h = 0.01 and 0.1",
              fmt::format("{} at most", two_digits(width)), about("deviation", at_most(width, 1e-11)));
  r.statement("Rigid body: the discrete momentum map is conserved at every time step", "yes",
              fmt::format("deviates by {} at most", two_digits(momentum_width)),
              about("deviation", at_most(momentum_width, 1e-11)));
  r.result("Rigid body: |q|² − 1 over all runs", fmt::format("{} at most", two_digits(violation)));

  std::vector<double> errors{0}, energy_errors, momentum_errors;
  const double energy = first_.middle_range.least;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k > 0) errors.push_back(mean_distance(motions_[k], motions_[0]));
    energy_errors.push_back(std::abs(motions_[k].middle_range.least - energy));
    momentum_errors.push_back(momentum_error(motions_[k], first_));
    if (k > 0) {
      r.result(fmt::format("Figure 1: quaternion error (57) at h = {:g} s", steps[k]),
               fmt::format("{}{}", six_digits(errors[k]),
                           k > 1 ? fmt::format(", order {:.3f}", order(errors[k], errors[k - 1], 10)) : ""));
    }
  }
  const auto second_order = [&](const std::string& what, const std::vector<double>& e) {
    const double seen = order(e[2], e[1], steps[2] / steps[1]);
    r.close(fmt::format("Rigid body: {} of second order, h = 1e-3 to 1e-2 s", what), "2", fmt::format("{:.3f}", seen),
            about("order", within(seen, 2, 0.05)));
  };
  second_order("quaternion error", errors);
  second_order("energy error", energy_errors);
  second_order("momentum error", momentum_errors);

  const std::vector<double> falling(momentum_errors.rbegin(), momentum_errors.rend());
  r.statement(
      "Rigid body: the discrete momentum converges to the continuous one as the step falls", "yes",
      fmt::format("off by {} at h = 0.1 s, {} at h = 1e-4 s", two_digits(falling.front()), two_digits(falling.back())),
      falls(falling));
  const auto stride = static_cast<std::size_t>(std::llround(motions_.back().between / motions_.front().between));
  std::vector<double> deviations;
  for (std::size_t k = 0; k < motions_.back().position.size(); ++k) {
    deviations.push_back(motions_.back().position[k][coordinate_y] -
                         motions_.front().position[k * stride][coordinate_y]);
  }
  const std::vector<double> in_tenths = tenths(deviations);
  r.statement("Figure 2: the deviation at h = 0.1 s increases with the time", "increases",
              fmt::format("{} in the first tenth of 30 s, {} in the last", two_digits(in_tenths.front()),
                          two_digits(in_tenths.back())),
              grows(in_tenths));

  const auto line = [&](const std::string& name, const std::vector<double>& e) {
    return curve{name, curve_style::line_with_points, {steps.begin() + 1, steps.end()}, {e.begin() + 1, e.end()}};
  };
  const curve slope = slope_of_order_2(steps, errors);
  r.add(
      {"figure-1",
       "Figure 1: quaternion error against the time step",
       "Rigid body, I = diag(1, 2, 3), ω = (0, 3, 4), 30 s; errors (57) from the run with h = 1e-4 s, and those of the "
       "discrete energy and momentum from their values after the Euler step of 1e-5 s.",
       {{"",
         "h in s",
         "error",
         true,
         true,
         false,
         {line("quaternion", errors), line("energy", energy_errors), line("momentum", momentum_errors), slope}}}});
  r.add({"figure-2",
         "Figure 2: a quaternion coordinate against time",
         "The same motion with the shortest and the longest step.",
         {{"",
           "t in s",
           "q_y",
           false,
           false,
           false,
           {motions_.front().component(coordinate_y, "h = 0.0001 s"),
            motions_.back().component(coordinate_y, "h = 0.1 s", curve_style::line_with_points)}}}});
}

}  // namespace actio::papers
