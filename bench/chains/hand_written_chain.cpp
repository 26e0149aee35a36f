#include <algorithm>
#include <cmath>

#include "chains/chain.hpp"

namespace actio::bench {

hand_written_chain::hand_written_chain(const std::vector<double>& position, double gravity)
    : gravity_(gravity),
      x_(position.begin(), position.begin() + static_cast<std::ptrdiff_t>(position.size() / 2)),
      y_(position.begin() + static_cast<std::ptrdiff_t>(position.size() / 2), position.end()),
      vx_(x_.size(), 0.0),
      vy_(vx_),
      squared_(vx_),
      x0_(vx_),
      y0_(vx_),
      ax_(vx_),
      ay_(vx_),
      bx_(vx_),
      by_(vx_),
      right_(vx_),
      factor_(vx_),
      multiplier_(vx_) {
  find_rods(bx_, by_);
  for (std::size_t i = 0; i < x_.size(); ++i) squared_[i] = bx_[i] * bx_[i] + by_[i] * by_[i];
}

void hand_written_chain::find_rods(std::vector<double>& dx, std::vector<double>& dy) const {
  dx[0] = x_[0];
  dy[0] = y_[0];
  for (std::size_t i = 1; i < x_.size(); ++i) {
    dx[i] = x_[i] - x_[i - 1];
    dy[i] = y_[i] - y_[i - 1];
  }
}

// a_i · (2 b_i μ_i − b_{i−1} μ_{i−1} − b_{i+1} μ_{i+1}) = right_i, without the first b_0 and with one of the two b_1.
void hand_written_chain::solve(const std::vector<double>& ax, const std::vector<double>& ay,
                               const std::vector<double>& bx, const std::vector<double>& by) {
  const std::size_t n = x_.size();
  const auto dot = [&](std::size_t i, std::size_t j) { return ax[i] * bx[j] + ay[i] * by[j]; };
  double pivot = dot(0, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      const double below = -dot(i, i - 1);
      pivot = 2 * dot(i, i) - below * factor_[i - 1];
      right_[i] -= below * right_[i - 1];
    }
    const double inverse = 1 / pivot;
    factor_[i] = i + 1 < n ? -dot(i, i + 1) * inverse : 0;
    right_[i] *= inverse;
  }
  for (std::size_t i = n - 1; i-- > 0;) right_[i] -= factor_[i] * right_[i + 1];
}

void hand_written_chain::advance(double h) {
  const std::size_t n = x_.size();
  find_rods(bx_, by_);
  x0_ = x_;
  y0_ = y_;
  for (std::size_t i = 0; i < n; ++i) {
    x_[i] += h * vx_[i];
    y_[i] += h * vy_[i] - h * h / 2 * gravity_;
  }
  // Forces of the rods of the start, from those of the last step.
  const auto pull = [&](const std::vector<double>& mu, double* x, double* y, double factor) {
    for (std::size_t i = 0; i < n; ++i) {
      const double own = factor * mu[i], next = i + 1 < n ? factor * mu[i + 1] : 0;
      x[i] += own * bx_[i] - (i + 1 < n ? next * bx_[i + 1] : 0);
      y[i] += own * by_[i] - (i + 1 < n ? next * by_[i + 1] : 0);
    }
  };
  pull(multiplier_, x_.data(), y_.data(), 1);
  double last = 1e300;
  for (int k = 0; k < 20; ++k) {
    find_rods(ax_, ay_);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      right_[i] = (squared_[i] - (ax_[i] * ax_[i] + ay_[i] * ay_[i])) / 2;
      largest = std::max(largest, std::abs(right_[i]) / squared_[i]);
    }
    if (largest < 1e-15 || largest > last / 2) break;
    last = largest;
    solve(ax_, ay_, bx_, by_);
    for (std::size_t i = 0; i < n; ++i) multiplier_[i] += right_[i];
    pull(right_, x_.data(), y_.data(), 1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    vx_[i] = (x_[i] - x0_[i]) / h;
    vy_[i] = (y_[i] - y0_[i]) / h - h / 2 * gravity_;
  }
  // Velocities along the rods at the end.
  find_rods(bx_, by_);
  right_[0] = -(bx_[0] * vx_[0] + by_[0] * vy_[0]);
  for (std::size_t i = 1; i < n; ++i) right_[i] = -(bx_[i] * (vx_[i] - vx_[i - 1]) + by_[i] * (vy_[i] - vy_[i - 1]));
  solve(bx_, by_, bx_, by_);
  pull(right_, vx_.data(), vy_.data(), 1);
}

}  // namespace actio::bench
