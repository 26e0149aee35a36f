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
  constexpr double largest_square = 0x1p500;
  if (!(std::abs(x) <= largest_square)) {
    ++not_finite_;
    return;
  }
  smallest_ = count_ == 0 ? x : std::min(smallest_, x);
  largest_ = count_ == 0 ? x : std::max(largest_, x);
  ++count_;
  const double square = x * x;
  sum_.add(x);
  squares_.add(square);
  squares_.add(std::fma(x, x, -square));
  if (!logarithmic_) histogram_.add(x);
  else if (x > 0) histogram_.add(straight_logarithm(x));
  else ++zeros_;
}

void quantity_statistics::add(const quantity_statistics& other) {
  not_finite_ += other.not_finite_;
  if (other.count_ == 0) return;
  smallest_ = count_ == 0 ? other.smallest_ : std::min(smallest_, other.smallest_);
  largest_ = count_ == 0 ? other.largest_ : std::max(largest_, other.largest_);
  count_ += other.count_;
  zeros_ += other.zeros_;
  sum_.add(other.sum_);
  squares_.add(other.squares_);
  histogram_.add(other.histogram_);
}

double quantity_statistics::mean() const {
  return count_ == 0 ? 0 : sum_.rounded().value / static_cast<double>(count_);
}

// √(Σx²/n − (Σx/n)²), with twice the digits.
double quantity_statistics::deviation() const {
  if (count_ == 0) return 0;
  const double n = static_cast<double>(count_);
  const auto by_count = [&](const exact_sum::parts& sum) {
    const double value = sum.value / n;
    return exact_sum::parts{value, (std::fma(-value, n, sum.value) + sum.remainder) / n};
  };
  const auto [mean, mean_rest] = by_count(sum_.rounded());
  const auto [squares, squares_rest] = by_count(squares_.rounded());
  const double square = mean * mean, square_rest = std::fma(mean, mean, -square) + 2 * mean * mean_rest;
  return std::sqrt(std::max(0.0, (squares - square) + (squares_rest - square_rest)));
}

double quantity_statistics::quantile(double part) const {
  if (!logarithmic_) return std::clamp(histogram_.quantile(part), smallest_, largest_);
  const double among = part * static_cast<double>(count_) - static_cast<double>(zeros_);
  if (among <= 0 || histogram_.total() == 0) return 0;
  return std::clamp(straight_power(histogram_.quantile(among / static_cast<double>(histogram_.total()))), smallest_,
                    largest_);
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
