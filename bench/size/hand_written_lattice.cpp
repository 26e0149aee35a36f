#include <algorithm>
#include <cmath>

#include "size/lattice.hpp"

namespace actio::bench {

hand_written_lattice::hand_written_lattice(std::vector<double> position, double beta)
    : beta_(beta), q_(std::move(position)), p_(q_.size(), 0.0), force_(p_), tension_(q_.size() + 1, 0.0) {
  find_forces();
}

void hand_written_lattice::find_forces() {
  const std::size_t n = q_.size();
  const double* __restrict q = q_.data();
  double* __restrict tension = tension_.data(), * __restrict force = force_.data();
  const auto of = [beta = beta_](double d) { return d + beta * d * d * d; };
  tension[0] = of(q[0]);
  for (std::size_t i = 1; i < n; ++i) tension[i] = of(q[i] - q[i - 1]);
  tension[n] = of(-q[n - 1]);
  for (std::size_t i = 0; i < n; ++i) force[i] = tension[i + 1] - tension[i];
}

void hand_written_lattice::advance(double h) {
  const std::size_t n = q_.size();
  double* __restrict q = q_.data(), * __restrict p = p_.data(), * __restrict force = force_.data();
  for (std::size_t i = 0; i < n; ++i) {
    p[i] += h / 2 * force[i];
    q[i] += h * p[i];
  }
  find_forces();
  for (std::size_t i = 0; i < n; ++i) p[i] += h / 2 * force[i];
}

void hand_written_attraction(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z,
                             double m, double eps, std::vector<double>& force) {
  const std::size_t n = x.size();
  std::fill(force.begin(), force.end(), 0.0);
  double* __restrict fx = force.data(), * __restrict fy = fx + n, * __restrict fz = fy + n;
  for (std::size_t i = 0; i < n; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz + eps * eps, pull = m * m / (r2 * std::sqrt(r2));
      ax -= pull * dx, ay -= pull * dy, az -= pull * dz;
      fx[j] += pull * dx, fy[j] += pull * dy, fz[j] += pull * dz;
    }
    fx[i] += ax, fy[i] += ay, fz[i] += az;
  }
}

}  // namespace actio::bench
