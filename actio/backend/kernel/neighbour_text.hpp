// Lyapunov exponents of trajectories in lanes, as a text of kernels: beside each runs a neighbour, whose distance grows
// as the displacements of lyapunov_meter do.
//
// Neighbours are 2⁻²⁷ times the size of the states away, half of the digits: what is not linear and what rounding does
// are then both some 1e-8 of the distance. After every step they are brought back to it. Where positions and momenta
// have sizes so different that one distance cannot suit both, or a step stretches it too far, they are of no use.
#pragma once

#include <cmath>
#include <vector>

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/expr/expr.hpp"

namespace actio::kernel {

// Lanes go alone.
template <class B>
class neighbour_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using R = typename B::rows;

  neighbour_text(B& b, const trajectory_rows& layout) : b_(b), layout_(layout) {}

  // What follows is about a trajectory and its neighbour with these rows.
  void look_at(const R& own, const R& other) {
    own_ = own;
    other_ = other;
  }

  // Puts it beside where the trajectory is, in the direction of lyapunov_meter.
  void start() {
    for (std::size_t k = 1; k < 5; ++k) own_.put(layout_.beside(k), b_.one_number(0));
    moved_.clear();
    for (std::size_t c = 0; c < layout_.components(); ++c) {
      moved_.push_back(b_.one_number(std::sqrt(static_cast<double>(c + 1))));
    }
    put_beside(norm(moved_, 0, moved_.size()));
  }

  // After step `index`. A trajectory whose neighbour tells nothing no longer lives.
  void add(const N& index) {
    b_.when_any((own_[layout_.lives()] > 0.0) & (index < own_[layout_.steps()]), [&] {
      constexpr double most_growth = 0x1p10;
      moved_.clear();
      for (std::size_t c = 0; c < layout_.components(); ++c) {
        moved_.push_back((other_[layout_.state(c)] - own_[layout_.state(c)]) +
                         (other_[layout_.remainder(c)] - own_[layout_.remainder(c)]));
      }
      const N length = norm(moved_, 0, moved_.size()), growth = length / own_[layout_.beside(0)];
      const T tells = (other_[layout_.lives()] > 0.0) & (growth > N(1 / most_growth)) & (growth < N(most_growth));
      own_.put(layout_.lives(), select(tells, N(1.0), N(0.0)));
      b_.when_any(tells, [&] {
        const auto [sum, rest] =
            exact_sum(own_[layout_.beside(3)], b_.function(operation::log, growth, growth) + own_[layout_.beside(4)]);
        own_.put(layout_.beside(3), sum);
        own_.put(layout_.beside(4), rest);
        put_beside(length);
      });
    });
  }

 private:
  N norm(const std::vector<N>& x, std::size_t first, std::size_t end) const {
    N squares = x[first] * x[first];
    for (std::size_t c = first + 1; c < end; ++c) squares = squares + x[c] * x[c];
    return sqrt(squares);
  }

  // At the distance that suits the largest states so far, in the direction moved_, which has this length.
  void put_beside(const N& length) {
    constexpr double half_of_digits = 0x1p-27;
    state_.clear();
    for (std::size_t c = 0; c < layout_.components(); ++c) state_.push_back(own_[layout_.state(c)]);
    const N position = larger(norm(state_, 0, layout_.coordinates), own_[layout_.beside(1)]),
            momentum = larger(norm(state_, layout_.coordinates, state_.size()), own_[layout_.beside(2)]),
            size = sqrt(position * position + momentum * momentum),
            distance = select(size > 0.0, size, N(1.0)) * half_of_digits, scale = distance / length;
    own_.put(layout_.beside(0), distance);
    own_.put(layout_.beside(1), position);
    own_.put(layout_.beside(2), momentum);
    for (std::size_t c = 0; c < layout_.components(); ++c) {
      const N step = scale * moved_[c], to = state_[c] + step;
      other_.put(layout_.state(c), to);
      other_.put(layout_.remainder(c), own_[layout_.remainder(c)] + (step - (to - state_[c])));
    }
  }

  B& b_;
  trajectory_rows layout_;
  R own_, other_;
  std::vector<N> moved_, state_;  // keep their memory
};

}  // namespace actio::kernel
