// Gauss collocation of the lattice by hand: stages by fixed-point iteration on positions, from the accelerations of the
// steps before continued as a polynomial; masses in lanes.
#include <algorithm>
#include <cmath>

#include "common/gauss_table.hpp"
#include "size/lattice.hpp"

namespace actio::bench {

namespace {

constexpr std::size_t nodes = 4;

}  // namespace

hand_written_gauss_lattice::hand_written_gauss_lattice(std::vector<double> position, double beta, double h)
    : beta_(beta), h_(h), q_(std::move(position)), v_(q_.size(), 0.0) {
  const gauss_table table = gauss_coefficients(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    weight_.push_back(h * table.weights[i]);
    double c = 0;
    for (std::size_t j = 0; j < nodes; ++j) {
      double square = 0;
      for (std::size_t k = 0; k < nodes; ++k) square += table.a[i][k] * table.a[k][j];
      stage_.push_back(h * h * square);
      continued_.push_back(table.continued[i][j]);
      c += table.a[i][j];
    }
    node_.push_back(h * c);
    end_.push_back(h * h * table.weights[i] * (1 - c));
  }
  const std::size_t n = q_.size();
  positions_.assign(nodes, std::vector<double>(n, 0.0));
  accelerations_ = next_ = positions_;
  tension_.assign(n + 1, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) find_accelerations(q_, accelerations_[i]);
}

void hand_written_gauss_lattice::find_accelerations(const std::vector<double>& at, std::vector<double>& into) {
  const std::size_t n = at.size();
  const double* __restrict q = at.data();
  double* __restrict tension = tension_.data(), * __restrict force = into.data();
  const auto of = [beta = beta_](double d) { return d + beta * d * d * d; };
  tension[0] = of(q[0]);
  for (std::size_t i = 1; i < n; ++i) tension[i] = of(q[i] - q[i - 1]);
  tension[n] = of(-q[n - 1]);
  for (std::size_t i = 0; i < n; ++i) force[i] = tension[i + 1] - tension[i];
}

// The largest change of a position.
double hand_written_gauss_lattice::move_stages() {
  const std::size_t n = q_.size();
  const double* __restrict q = q_.data(), * __restrict v = v_.data();
  const double *__restrict w0 = accelerations_[0].data(), *__restrict w1 = accelerations_[1].data(),
               *__restrict w2 = accelerations_[2].data(), *__restrict w3 = accelerations_[3].data();
  double change = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    double* __restrict at = positions_[i].data();
    const double* const a = &stage_[i * nodes];
    const double c = node_[i], a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    double row = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double moved = q[k] + (c * v[k] + a0 * w0[k] + a1 * w1[k] + a2 * w2[k] + a3 * w3[k]);
      const double off = std::abs(moved - at[k]);
      row = row > off ? row : off;
      at[k] = moved;
    }
    change = std::max(change, row);
  }
  return change;
}

int hand_written_gauss_lattice::advance() {
  const std::size_t n = q_.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < nodes; ++j) sum += continued_[i * nodes + j] * accelerations_[j][k];
      next_[i][k] = sum;
    }
  }
  std::swap(next_, accelerations_);
  move_stages();
  int iterations = 0;
  for (double change = 1; change > 1e-16 && iterations < 50;) {
    for (std::size_t i = 0; i < nodes; ++i) find_accelerations(positions_[i], accelerations_[i]);
    change = move_stages();
    ++iterations;
  }
  double* __restrict q = q_.data(), * __restrict v = v_.data();
  const double *__restrict w0 = accelerations_[0].data(), *__restrict w1 = accelerations_[1].data(),
               *__restrict w2 = accelerations_[2].data(), *__restrict w3 = accelerations_[3].data();
  for (std::size_t k = 0; k < n; ++k) {
    q[k] += h_ * v[k] + (end_[0] * w0[k] + end_[1] * w1[k] + end_[2] * w2[k] + end_[3] * w3[k]);
    v[k] += weight_[0] * w0[k] + weight_[1] * w1[k] + weight_[2] * w2[k] + weight_[3] * w3[k];
  }
  return iterations;
}

}  // namespace actio::bench
