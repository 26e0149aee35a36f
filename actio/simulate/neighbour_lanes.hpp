// Lyapunov exponents of trajectories in lanes: beside each runs a neighbour, whose distance grows as the displacements
// of lyapunov_meter do.
//
// Neighbours are 2⁻²⁷ times the size of the states away, half of the digits: what is not linear and what rounding does
// are then both some 1e-8 of the distance. After every step they are brought back to it. Where positions and momenta
// have sizes so different that one distance cannot suit both, or a step stretches it too far, they are of no use.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "actio/backend/trajectory_kernel.hpp"
#include "actio/base/compensated.hpp"

namespace actio {

class neighbour_lanes {
 public:
  // The lanes `own` … 2 own − 1 of the kernel are the neighbours of the first ones.
  neighbour_lanes(trajectory_kernel& kernel, std::size_t own)
      : kernel_(kernel), own_(own), components_(kernel.rows().components()), tracks_(own), moved_(components_) {}

  // Puts them beside where the lanes are, in the direction of lyapunov_meter.
  void start() {
    for (std::size_t l = 0; l < own_; ++l) {
      tracks_[l] = {};
      double squares = 0;
      for (std::size_t c = 0; c < components_; ++c) {
        moved_[c] = std::sqrt(static_cast<double>(c + 1));
        squares += moved_[c] * moved_[c];
      }
      look_at_sizes(l);
      place(l, std::sqrt(squares));
    }
  }

  // After a step of the lane; false where its neighbour tells nothing.
  bool add(std::size_t l) {
    constexpr double most_growth = 0x1p10;
    const kernel::trajectory_rows& r = kernel_.rows();
    double squares = 0;
    for (std::size_t c = 0; c < components_; ++c) {
      moved_[c] =
          (at(r.state(c), l + own_) - at(r.state(c), l)) + (at(r.remainder(c), l + own_) - at(r.remainder(c), l));
      squares += moved_[c] * moved_[c];
    }
    const double length = std::sqrt(squares), growth = length / tracks_[l].distance;
    if (at(r.lives(), l + own_) == 0 || !(growth > 1 / most_growth && growth < most_growth)) return false;
    tracks_[l].logarithm.add(std::log(growth));
    look_at_sizes(l);
    place(l, length);
    return true;
  }

  // Whether one distance has suited positions and momenta.
  bool are_alike(std::size_t l) const {
    constexpr double most = 1024;
    const auto [smaller, larger] = std::minmax(tracks_[l].position, tracks_[l].momentum);
    return larger <= most * smaller;
  }
  double exponent(std::size_t l, double time) const { return time > 0 ? tracks_[l].logarithm.value / time : 0; }

 private:
  struct track {
    double position = 0, momentum = 0;  // largest norms
    double distance = 1;
    compensated<double> logarithm = {};
  };
  double& at(std::size_t row, std::size_t lane) { return kernel_.row(row)[lane]; }

  void look_at_sizes(std::size_t l) {
    double squares[2] = {};
    for (std::size_t c = 0; c < components_; ++c) {
      const double x = at(kernel_.rows().state(c), l);
      squares[2 * c < components_ ? 0 : 1] += x * x;
    }
    tracks_[l].position = std::max(tracks_[l].position, std::sqrt(squares[0]));
    tracks_[l].momentum = std::max(tracks_[l].momentum, std::sqrt(squares[1]));
  }

  // `moved_` has this length.
  void place(std::size_t l, double length) {
    constexpr double half_of_digits = 0x1p-27;
    const kernel::trajectory_rows& r = kernel_.rows();
    const double size = std::hypot(tracks_[l].position, tracks_[l].momentum);
    tracks_[l].distance = half_of_digits * (size > 0 ? size : 1);
    const double scale = tracks_[l].distance / length;
    for (std::size_t c = 0; c < components_; ++c) {
      const double from = at(r.state(c), l), step = scale * moved_[c], to = from + step;
      at(r.state(c), l + own_) = to;
      at(r.remainder(c), l + own_) = at(r.remainder(c), l) + (step - (to - from));
    }
  }

  trajectory_kernel& kernel_;
  std::size_t own_, components_;
  std::vector<track> tracks_;
  std::vector<double> moved_;
};

}  // namespace actio
