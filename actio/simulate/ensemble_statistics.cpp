#include "actio/simulate/ensemble_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace actio {

double straight_logarithm(double x) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);  // in [1/2, 1)
  return static_cast<double>(exponent - 1) + (2 * part - 1);
}

double straight_power(double x) {
  const double whole = std::floor(x);
  return std::ldexp(1 + (x - whole), static_cast<int>(whole));
}

void quantity_statistics::add(double x) {
  if (!sum_.add(x)) return;
  if (!logarithmic_) histogram_.add(x);
  else if (x > 0) histogram_.add(straight_logarithm(x));
  else ++zeros_;
}

void quantity_statistics::add(const quantity_statistics& other) {
  sum_.add(other.sum_);
  zeros_ += other.zeros_;
  histogram_.add(other.histogram_);
}

double quantity_statistics::quantile(double part) const {
  const double smallest = sum_.smallest(), largest = sum_.largest();
  if (!logarithmic_) return std::clamp(histogram_.quantile(part), smallest, largest);
  const double among = part * static_cast<double>(sum_.count()) - static_cast<double>(zeros_);
  if (among <= 0 || histogram_.total() == 0) return 0;
  return std::clamp(straight_power(histogram_.quantile(among / static_cast<double>(histogram_.total()))), smallest,
                    largest);
}

double quantity_statistics::resolution() const { return histogram_.width() / 2; }

ensemble_statistics::ensemble_statistics(const ensemble_plan& plan, const ensemble_options& options)
    : positions_(plan.base().system.size()),
      momenta_(plan.base().system.momenta().size()),
      has_energy_(!plan.base().system.is_first_order()),
      has_lyapunov_(options.lyapunov),
      until_(options.until ? *options.until
                           : options.integrator.start + static_cast<double>(options.steps) * options.integrator.step) {
  const lagrangian_system& system = plan.base().system;
  for (const std::string& name : system.coordinate_names()) quantities_.emplace_back(name);
  for (const expr& p : system.momenta()) quantities_.emplace_back(p.name());
  if (!system.observables.empty() && !plan.varies_parameters()) {
    space_ = std::make_unique<phase_space<double>>(system, shared_parameters<double>(parameter_values<double>(system)));
    point_ = std::make_unique<phase_point<double>>(*space_);
    for (const std::string& name : space_->observable_names()) quantities_.emplace_back(name);
  }
  if (has_energy_) quantities_.emplace_back("energy_error", true);
  if (has_lyapunov_) quantities_.emplace_back("lyapunov");
}

void ensemble_statistics::see(const trajectory_result& result) {
  if (result.status != trajectory_status::done) return;
  auto at = quantities_.begin();
  for (std::size_t i = 0; i < positions_; ++i) (at++)->add(result.position[i]);
  for (std::size_t i = 0; i < momenta_; ++i) (at++)->add(result.momentum[i]);
  if (point_) {
    const bool is_finite = point_->measure(until_, result.position, result.momentum);
    for (const double x : point_->observables()) (at++)->add(is_finite ? x : std::nan(""));
  }
  if (has_energy_) (at++)->add(result.energy_error);
  if (has_lyapunov_) (at++)->add(result.lyapunov);
}

std::string to_text(const ensemble_statistics& statistics) {
  std::string text = "  statistics    of trajectories that are done\n";
  for (const quantity_statistics& q : statistics.quantities()) {
    text += fmt::format(
        "    {:<11} mean {:.8g}, deviation {:.3g}; 5 % below {:.6g}, median {:.6g}, 95 % below {:.6g}, "
        "{} {:.2g}{}\n",
        q.name(), q.mean(), q.deviation(), q.quantile(0.05), q.quantile(0.5), q.quantile(0.95),
        q.is_logarithmic() ? "to a factor of 1 +" : "±", q.resolution(),
        q.not_finite() > 0 ? fmt::format("; {} not finite", q.not_finite()) : "");
  }
  return text;
}

}  // namespace actio
