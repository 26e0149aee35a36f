#include "tests/random_models/reference_motion.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace actio::random_models {

namespace {

using vector = std::vector<real>;
constexpr std::size_t rates = most_coordinates;  // index of the first velocity among the variables
constexpr std::size_t time_index = 2 * most_coordinates;

bool finite(const vector& x) {
  return std::ranges::all_of(x, [](real a) { return std::isfinite(a); });
}

point at(const random_model& m, const real* q, const real* v, real t) {
  point x;
  for (std::size_t k = 0; k < m.coordinates; ++k) {
    x[k] = jet::variable(k, q[k]);
    x[rates + k] = jet::variable(rates + k, v[k]);
  }
  x[time_index] = jet::variable(time_index, t);
  return x;
}

// Solves M x = b for one or two unknowns, M = ∂²L/∂v².
vector solved(const random_model& m, const jet& L, const vector& b) {
  const auto& h = L.second;
  if (m.coordinates == 1) return {b[0] / h[rates][rates]};
  const real a = h[rates][rates], c = h[rates][rates + 1], d = h[rates + 1][rates + 1], det = a * d - c * c;
  return {(d * b[0] - c * b[1]) / det, (a * b[1] - c * b[0]) / det};
}

// (q, v)' with v' from M v' = L_q + F − L_vq v − L_vt.
void derivative(const random_model& m, real t, const vector& y, vector& dy) {
  const std::size_t n = m.coordinates;
  const point x = at(m, y.data(), y.data() + n, t);
  const jet L = m.lagrangian.value(x);
  vector b(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = L.first[i] - L.second[rates + i][time_index];
    if (!m.forces.empty()) b[i] += m.forces[i].value(x).value;
    for (std::size_t k = 0; k < n; ++k) b[i] -= L.second[rates + i][k] * y[n + k];
  }
  const vector a = solved(m, L, b);
  for (std::size_t i = 0; i < n; ++i) {
    dy[i] = y[n + i];
    dy[n + i] = a[i];
  }
}

// Gragg's midpoint rule with an even number of substeps, smoothed: its error has even powers only.
void gragg(const random_model& m, real t, const vector& y, real H, int substeps, vector& result) {
  const real h = H / substeps;
  vector before = y, now(y.size()), dy(y.size());
  derivative(m, t, y, dy);
  for (std::size_t i = 0; i < y.size(); ++i) now[i] = y[i] + h * dy[i];
  for (int k = 1; k < substeps; ++k) {
    derivative(m, t + k * h, now, dy);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const real next = before[i] + 2 * h * dy[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  derivative(m, t + H, now, dy);
  for (std::size_t i = 0; i < y.size(); ++i) result[i] = (now[i] + before[i] + h * dy[i]) / 2;
}

constexpr int columns = 6;  // of the extrapolation: order 12

// One step of length H; returns its error relative to `tolerance`.
real extrapolated(const random_model& m, real t, const vector& y, real H, real tolerance, vector& result) {
  std::vector<vector> row(columns, vector(y.size()));  // row[j]: T_{k,j} of the latest k
  real error = 0;
  for (int k = 0; k < columns; ++k) {
    vector next(y.size());
    gragg(m, t, y, H, 2 * (k + 1), next);
    for (int j = 0; j < k; ++j) {  // Aitken and Neville in h²
      const real ratio = static_cast<real>((k + 1) * (k + 1)) / static_cast<real>((k - j) * (k - j));
      error = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const real better = next[i] + (next[i] - row[j][i]) / (ratio - 1);
        error = std::max(error, std::fabs(better - next[i]) / (1 + std::fabs(y[i])));
        row[j][i] = std::exchange(next[i], better);
      }
    }
    row[k] = next;
  }
  result = row[columns - 1];
  return finite(result) && std::isfinite(error) ? error / tolerance : std::numeric_limits<real>::infinity();
}

void watch(const random_model& m, const vector& y, real t, reference& seen) {
  const auto middle = y.begin() + static_cast<std::ptrdiff_t>(m.coordinates);
  for (auto q = y.begin(); q != middle; ++q) seen.largest_position = std::max(seen.largest_position, std::fabs(*q));
  for (const real p : at_velocity(m, {y.begin(), middle}, {middle, y.end()}, t).momentum) {
    seen.largest_momentum = std::max(seen.largest_momentum, std::fabs(p));
  }
}

// Follows the motion to the end of the run, or to where it ends.
bool follow(const random_model& m, vector& y, real& t, real tolerance, reference* watcher) {
  const real end = m.step * static_cast<real>(m.steps);
  constexpr real shortest = 1e-17L;
  constexpr int most_steps = 6000;
  real H = 0.05L;
  vector next(y.size());
  for (int steps = 0; t < end; ++steps) {
    if (steps == most_steps || H < shortest || !std::ranges::all_of(y, [](real a) { return std::fabs(a) < 1e6L; })) {
      return false;
    }
    const real length = std::min(H, end - t), error = extrapolated(m, t, y, length, tolerance, next);
    if (error <= 1) {
      y = next;
      t = length == end - t ? end : t + length;
      if (watcher) watch(m, y, t, *watcher);
    }
    H = length * std::clamp<real>(0.9L * std::pow(std::max(error, 1e-12L), -1.0L / (2 * columns - 1)), 0.15L, 3);
    H = std::min<real>(H, 0.5L);
  }
  return true;
}

}  // namespace

measured at_velocity(const random_model& m, const vector& position, const vector& velocity, real t) {
  const jet L = m.lagrangian.value(at(m, position.data(), velocity.data(), t));
  measured result{velocity, vector(m.coordinates), -L.value, std::fabs(L.value), false};
  for (std::size_t k = 0; k < m.coordinates; ++k) {
    result.momentum[k] = L.first[rates + k];
    result.energy += L.first[rates + k] * velocity[k];
    result.energy_scale += std::fabs(L.first[rates + k] * velocity[k]);
  }
  result.good = finite(result.momentum) && std::isfinite(result.energy);
  return result;
}

measured at_momentum(const random_model& m, const vector& position, const vector& momentum, real t,
                     const vector& guess) {
  vector v = guess;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const jet L = m.lagrangian.value(at(m, position.data(), v.data(), t));
    vector missing(m.coordinates);
    for (std::size_t k = 0; k < m.coordinates; ++k) missing[k] = momentum[k] - L.first[rates + k];
    const vector update = solved(m, L, missing);
    real size = 0;
    for (std::size_t k = 0; k < m.coordinates; ++k) {
      v[k] += update[k];
      size = std::max(size, std::fabs(update[k]) / (1 + std::fabs(v[k])));
    }
    if (size < 1e-17L) return at_velocity(m, position, v, t);
  }
  measured result = at_velocity(m, position, v, t);
  real missed = 0;
  for (std::size_t k = 0; k < m.coordinates; ++k)
    missed = std::max(missed, std::fabs(result.momentum[k] - momentum[k]));
  result.good = result.good && missed < 1e-12L;
  return result;
}

reference reference_motion(const random_model& m) {
  reference result;
  const measured start = m.from_momentum ? at_momentum(m, m.position, m.rate, 0, vector(m.coordinates, 0))
                                         : at_velocity(m, m.position, m.rate, 0);
  result.starts = start.good;
  if (!start.good) return result;
  vector y = m.position, rough;
  y.insert(y.end(), start.velocity.begin(), start.velocity.end());
  rough = y;
  real end = 0;
  const bool rough_arrives = follow(m, rough, end, 1e-13L, nullptr);
  result.arrives = follow(m, y, result.time, 1e-15L, &result) && rough_arrives;
  const auto middle = y.begin() + static_cast<std::ptrdiff_t>(m.coordinates);
  result.position.assign(y.begin(), middle);
  result.velocity.assign(middle, y.end());
  result.momentum = at_velocity(m, result.position, result.velocity, result.time).momentum;
  for (std::size_t i = 0; i < y.size(); ++i) {
    result.uncertainty = std::max(result.uncertainty, std::fabs(y[i] - rough[i]));
  }
  return result;
}

}  // namespace actio::random_models
