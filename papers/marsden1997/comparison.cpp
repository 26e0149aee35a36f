// marsden1997, Section 7: what the paper says of the discrete variational principle (DVP) beside the energy-momentum
// method (EM) and beside itself at other steps, for the double spherical pendulum.
#include <fmt/format.h>

#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/marsden1997/marsden1997.hpp"

namespace actio::papers {

namespace {

constexpr std::size_t second_y = 4;

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

// Sample by sample of the motion with the longer step.
double distance_in_figure(const observed_motion& motion, const observed_motion& standard) {
  const auto stride = static_cast<std::size_t>(std::llround(motion.between / standard.between));
  std::vector<double> seen, right;
  for (std::size_t k = 0; k < motion.position.size() && motion.is_complete && standard.is_complete; ++k) {
    seen.push_back(motion.position[k][second_y]);
    right.push_back(standard.position[k * stride][second_y]);
  }
  return visible_distance(seen, right);
}

// The energy in the middle of steps, without the sample before the first step.
std::vector<double> energies(const observed_motion& motion) {
  return {motion.middle_energy.begin() + 1, motion.middle_energy.end()};
}

// The larger of both multipliers' fluctuations is what correlates with the energy: their sizes summed.
std::vector<double> multiplier_sizes(const observed_motion& motion) {
  std::vector<double> sizes;
  for (std::size_t k = 1; k < motion.multipliers.size(); ++k) {
    double sum = 0;
    for (const double lambda : motion.multipliers[k]) sum += std::abs(lambda);
    sizes.push_back(sum);
  }
  return sizes;
}

}  // namespace

void double_pendulum_in_space_study::write_comparison(reproduction& r) const {
  const double between = distance_in_figure(dvp_.front(), em_.front());
  r.statement("Figure 4: DVP and EM cannot be told apart at h = 1e-4 s", "overlap",
              fmt::format("{} of the range of y of the second mass", two_digits(between)),
              about("distance", at_most(between, line_width)));
  const double dvp = distance_in_figure(dvp_.back(), em_.front()), em = distance_in_figure(em_.back(), em_.front());
  r.result("Figure 4: distance at h = 0.1 s from the run with h = 1e-4 s, DVP and EM",
           fmt::format("{} and {} of the range of y", two_digits(dvp), two_digits(em)),
           "the paper calls these trajectories reasonably accurate");

  const double energy = em_.front().energy.front(), momentum = em_.front().momenta.front().at(0);
  std::vector<double> amplitudes, offsets, momentum_errors;
  std::vector<named_tenths> sizes;
  for (std::size_t k = dvp_.size(); k-- > 0;) {
    const std::vector<double> now = energies(dvp_[k]);
    const double centre = mean(now);
    amplitudes.push_back(dvp_[k].middle_range.width());
    offsets.push_back(std::abs(centre - energy));
    momentum_errors.push_back(std::abs(dvp_[k].momentum_range.at(0).least - momentum));
    std::vector<double> errors;
    for (const double e : now) errors.push_back(e - centre);
    sizes.push_back({fmt::format("DVP, h = {:g} s", dvp_[k].step), tenths(errors)});
    r.statement(fmt::format("Figure 5: the DVP energy oscillates about a constant value, h = {:g} s", dvp_[k].step),
                "yes",
                fmt::format("off its mean by {} in the first tenth of the run, by {} in the last",
                            two_digits(sizes.back().values.front()), two_digits(sizes.back().values.back())),
                keeps_its_size(sizes.back().values));
  }
  const auto list = [](const std::vector<double>& values) {
    std::vector<std::string> parts;
    for (const double x : values) parts.push_back(two_digits(x));
    return fmt::format("{} at h = 0.1 to 1e-4 s", fmt::join(parts, ", "));
  };
  r.statement("Figure 5: the amplitude of that oscillation decreases with the step", "decreases", list(amplitudes),
              falls(amplitudes));
  r.statement("Figure 5: the mean of the DVP energy approaches the true energy", "approaches", list(offsets),
              falls(offsets));
  r.statement("Section 7: the DVP momentum approaches that of the continuous system", "approaches",
              list(momentum_errors), falls(momentum_errors));
  const double coefficient = correlation(energies(dvp_[1]), multiplier_sizes(dvp_[1]));
  r.statement("Figure 5: the energy fluctuates with the multipliers, h = 1e-3 s", "correlated",
              fmt::format("coefficient {:.3f} between the energy and |λ1| + |λ2|", coefficient),
              about("size of the coefficient", at_least(std::abs(coefficient), 0.5)));
  r.add({"claim-energy",
         "Claim: the energy of DVP oscillates about a constant value (Figure 5)",
         "Largest distance of the energy from its mean in each tenth of 20 s.",
         {tenths_panel("", "|E − mean of E| in J", sizes)}});
}

}  // namespace actio::papers
