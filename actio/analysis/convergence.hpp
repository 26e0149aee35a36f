// Convergence: largest errors over the grid points of a run, and the orders that errors at several steps show.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "actio/simulate/run.hpp"

namespace actio {

// Looks on while a run goes and keeps the largest of several errors, up to each of several lengths: one run of a
// thousand periods tells the errors over one, ten and a hundred as well.
template <class S>
class largest_errors final : public observer<S> {
 public:
  // Writes the errors at a grid point, one a quantity; called after every step.
  using measure = std::function<void(const sample<S>& now, std::span<S> errors)>;

  // `lengths`: numbers of steps in ascending order.
  largest_errors(std::size_t quantities, std::vector<std::size_t> lengths, measure errors_at);

  void observe(const sample<S>& now) override;

  // The largest error of a quantity over the grid points of the given length (index into `lengths`).
  const S& operator()(std::size_t quantity, std::size_t length) const { return largest_[length][quantity]; }

 private:
  std::vector<std::size_t> lengths_;
  measure errors_at_;
  std::vector<S> now_;
  std::vector<std::vector<S>> largest_;  // [length][quantity]
};

// ‖a − b‖₂.
template <class S>
S distance(std::span<const S> a, std::span<const S> b);

// The slope of log error against log step between the first and the last pair.
double order_from_ends(std::span<const double> steps, std::span<const double> errors);

// The slope of the regression line through all pairs whose error is above `floor`; nothing where fewer than two are.
std::optional<double> order_by_regression(std::span<const double> steps, std::span<const double> errors, double floor);

}  // namespace actio
