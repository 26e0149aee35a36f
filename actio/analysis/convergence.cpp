#include "actio/analysis/convergence.hpp"

#include <cmath>

#include "actio/base/largest.hpp"

namespace actio {

template <class S>
largest_errors<S>::largest_errors(std::size_t quantities, std::vector<std::size_t> lengths, measure errors_at)
    : lengths_(std::move(lengths)),
      errors_at_(std::move(errors_at)),
      now_(quantities, S(0)),
      largest_(lengths_.size(), now_) {}

template <class S>
void largest_errors<S>::observe(const sample<S>& now) {
  if (now.state.index == 0) return;
  errors_at_(now, now_);
  for (std::size_t k = 0; k < lengths_.size(); ++k) {
    if (now.state.index > lengths_[k]) continue;
    for (std::size_t i = 0; i < now_.size(); ++i) raise_to(largest_[k][i], now_[i]);
  }
}

template <class S>
S distance(std::span<const S> a, std::span<const S> b) {
  using std::sqrt;
  S sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

double order_from_ends(std::span<const double> steps, std::span<const double> errors) {
  return std::log(errors.front() / errors.back()) / std::log(steps.front() / steps.back());
}

std::optional<double> order_by_regression(std::span<const double> steps, std::span<const double> errors, double floor) {
  double count = 0, x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (!(errors[k] > floor)) continue;
    const double x = std::log(steps[k]), y = std::log(errors[k]);
    count += 1;
    x_sum += x;
    y_sum += y;
    xx_sum += x * x;
    xy_sum += x * y;
  }
  if (count < 2) return {};
  return (count * xy_sum - x_sum * y_sum) / (count * xx_sum - x_sum * x_sum);
}

#define ACTIO_INSTANTIATE(S)        \
  template class largest_errors<S>; \
  template S distance<S>(std::span<const S>, std::span<const S>);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
