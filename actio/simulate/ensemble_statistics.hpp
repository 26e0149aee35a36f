// Statistics of an ensemble on the fly, in memory that does not grow: moments, quantiles and histograms of the ends of
// its trajectories. Whatever the order of results and however they are divided among threads, parts and processes: the
// same bits, because counts are whole numbers and sums are exact.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actio/base/dyadic_histogram.hpp"
#include "actio/mechanics/phase_space.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

// Of one quantity; values that are not finite, or whose squares are not, are counted apart.
class quantity_statistics {
 public:
  // Logarithmic: quantiles and histogram are of the logarithm, for what spans many powers of ten; of positive values,
  // others are counted as zeros.
  explicit quantity_statistics(std::string name, bool logarithmic = false)
      : name_(std::move(name)), logarithmic_(logarithmic) {}

  void add(double x);
  void add(const quantity_statistics& other);

  const std::string& name() const { return name_; }
  bool is_logarithmic() const { return logarithmic_; }
  std::uint64_t count() const { return sum_.count(); }
  std::uint64_t not_finite() const { return sum_.beyond(); }
  std::uint64_t zeros() const { return zeros_; }
  double mean() const { return sum_.result().mean; }
  double deviation() const { return sum_.result().deviation; }
  double smallest() const { return sum_.smallest(); }
  double largest() const { return sum_.largest(); }
  // Of a logarithmic quantity below the zeros: 0.
  double quantile(double part) const;
  // What a quantile may be off: half of a bin; of a logarithmic quantity the factor, less one.
  double resolution() const;
  // Of values, or of logarithms to the base 2: those of a power of two are exact, and straight lines between them.
  const dyadic_histogram& histogram() const { return histogram_; }

 private:
  std::string name_;
  bool logarithmic_;
  std::uint64_t zeros_ = 0;
  statistic_sum sum_;
  dyadic_histogram histogram_;
};

// The logarithm of quantity_statistics, and back.
double straight_logarithm(double x);
double straight_power(double x);

class ensemble_statistics final : public ensemble_observer {
 public:
  // Positions, momenta, observables (where all trajectories have the same parameters), energy error and Lyapunov
  // exponent, of trajectories that are done.
  ensemble_statistics(const ensemble_plan& plan, const ensemble_options& options);

  void see(const trajectory_result& result) override;
  const std::vector<quantity_statistics>& quantities() const { return quantities_; }

 private:
  std::vector<quantity_statistics> quantities_;
  std::size_t positions_, momenta_;
  bool has_energy_, has_lyapunov_;
  std::unique_ptr<phase_space<double>> space_;  // for observables
  std::unique_ptr<phase_point<double>> point_;
  double until_;
};

// "  q1            median …", a line a quantity.
std::string to_text(const ensemble_statistics& statistics);

}  // namespace actio
