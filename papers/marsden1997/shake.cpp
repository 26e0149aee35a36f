// marsden1997, Section 7: for the double spherical pendulum the discrete variational principle is the SHAKE algorithm,
//   (1/h) M (q_{n+1} − 2 q_n + q_{n−1}) + h u − h Dᵀg(q_n) λ = 0,   g(q_{n+1}) = 0   (before (59)),
// and the discrete Lagrangian (51) gives SHAKE for every potential. Written out here once more, away from the engine.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/marsden1997/marsden1997.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr std::size_t dimension = 6, steps = 500;
constexpr const char* step = "0.01";
using point = std::array<real, dimension>;

struct pendulum {
  real m1{2}, m2{"3.5"}, l1{4}, l2{3}, g{"9.81"};  // as printed

  const real& mass(std::size_t i) const { return i < 3 ? m1 : m2; }

  std::array<real, 2> constraint(const point& q) const {
    real upper = -l1 * l1, lower = -l2 * l2;
    for (std::size_t i = 0; i < 3; ++i) {
      upper += q[i] * q[i];
      lower += (q[i + 3] - q[i]) * (q[i + 3] - q[i]);
    }
    return {upper, lower};
  }

  std::array<point, 2> gradient(const point& q) const {
    std::array<point, 2> d{};
    for (std::size_t i = 0; i < 3; ++i) {
      d[0][i] = 2 * q[i];
      d[0][i + 3] = 0;
      d[1][i] = -2 * (q[i + 3] - q[i]);
      d[1][i + 3] = 2 * (q[i + 3] - q[i]);
    }
    return d;
  }
};

// The point after `now`, by Newton's method for both multipliers.
point shake(const pendulum& body, const point& before, const point& now, const real& h) {
  const std::array<point, 2> forces = body.gradient(now);
  point free{};
  for (std::size_t i = 0; i < dimension; ++i) {
    free[i] = 2 * now[i] - before[i] - (i % 3 == 2 ? real(h * h * body.g) : real(0));
  }
  std::array<real, 2> lambda{real(0), real(0)};
  point next = free;
  for (int iteration = 0; iteration < 20; ++iteration) {
    for (std::size_t i = 0; i < dimension; ++i) {
      next[i] = free[i] + h * h / body.mass(i) * (forces[0][i] * lambda[0] + forces[1][i] * lambda[1]);
    }
    const std::array<real, 2> g = body.constraint(next);
    const std::array<point, 2> d = body.gradient(next);
    real a[2][2] = {{real(0), real(0)}, {real(0), real(0)}};
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t i = 0; i < dimension; ++i) a[k][c] += d[k][i] * forces[c][i] * h * h / body.mass(i);
      }
    }
    const real determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    lambda[0] -= (a[1][1] * g[0] - a[0][1] * g[1]) / determinant;
    lambda[1] -= (a[0][0] * g[1] - a[1][0] * g[0]) / determinant;
  }
  return next;
}

point as_point(const phase_state<real>& state) {
  point q;
  for (std::size_t i = 0; i < dimension; ++i) q[i] = state.position[i];
  return q;
}

// How far each step of a method is from SHAKE, which goes on from the method's first two points by itself.
std::vector<double> distances_from_shake(const model& m, const std::string& method) {
  const integrator<real> flow(m.system, {.method = method, .step = real(step)});
  phase_state<real> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  const pendulum body;
  point before = as_point(state);
  if (!workspace->advance(state)) return {std::nan("")};
  point now = as_point(state);
  std::vector<double> distances;
  while (state.index < steps) {
    if (!workspace->advance(state)) return {std::nan("")};
    const point next = shake(body, before, now, flow.step());
    before = now;
    now = next;
    real largest(0);
    for (std::size_t i = 0; i < dimension; ++i) raise_to(largest, real(abs(real(now[i] - state.position[i]))));
    distances.push_back(to_double(largest));
  }
  return distances;
}

}  // namespace

shake_study::shake_study(reproduction& r)
    : m_(load_model("double-spherical-pendulum")), methods_{"midpoint", "verlet"}, distances_(methods_.size()) {
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    r.task(1e4, [this, k] { distances_[k] = distances_from_shake(m_, methods_[k]); });
  }
}

void shake_study::write(reproduction& r) const {
  const std::array<const char*, 2> statements = {"Section 7: DVP is SHAKE for the double spherical pendulum (midpoint)",
                                                 "Section 1: the discrete Lagrangian (51) reproduces SHAKE (verlet)"};
  figure f{"claim-shake",
           "Claim: the scheme is SHAKE",
           "Largest distance of the positions, step by step, in quad precision; the motion is chaotic, which lets "
           "roundings grow.",
           {{"", "t in s", "distance in m", false, true, false, {}}}};
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    const double largest = largest_size<double>(distances_[k]);
    r.statement(
        statements[k], "identical",
        fmt::format("positions within {} m over {} steps of {} s in quad precision", two_digits(largest), steps, step),
        about("distance", at_most(largest, 1e-26)));
    curve c{methods_[k], curve_style::line, {}, distances_[k]};
    for (std::size_t n = 0; n < distances_[k].size(); ++n) {
      c.x.push_back(static_cast<double>(n + 2) * std::stod(step));
    }
    f.panels[0].curves.push_back(std::move(c));
  }
  r.add(std::move(f));
}

}  // namespace actio::papers
