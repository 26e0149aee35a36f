// Dense output of steps that have no polynomial of their own: the cubic through both ends with their velocities.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "actio/integrate/branch_keeper.hpp"

namespace actio {

template <class S>
class cubic_output {
 public:
  explicit cubic_output(const phase_space<S>& space)
      : legendre_(space),
        left_(space.size(), space.momentum_size()),
        right_(left_),
        left_velocity_(space.size(), S(0)),
        right_velocity_(space.size(), S(0)) {}

  // The states at both ends.
  void start(const phase_state<S>& state) { left_.set(state); }
  void finish(const phase_state<S>& state) { right_.set(state); }

  // Velocities are found only here, since few steps are looked into.
  void at(const S& x, std::span<S> position) {
    legendre_.velocity_at(left_.t, left_.q, left_.p, left_velocity_, left_.near);
    legendre_.velocity_at(right_.t, right_.q, right_.p, right_velocity_, right_.near);
    const S y = S(1) - x, h = right_.t - left_.t;
    for (std::size_t i = 0; i < position.size(); ++i) {
      const S d = right_.q[i] - left_.q[i];
      position[i] = left_.q[i] + x * (d + y * (y * (h * left_velocity_[i] - d) - x * (h * right_velocity_[i] - d)));
    }
  }

 private:
  struct end {
    S t{0};
    std::vector<S> q, p, near;
    end(std::size_t positions, std::size_t momenta) : q(positions, S(0)), p(momenta, S(0)) {}
    void set(const phase_state<S>& state) {
      t = state.time;
      std::ranges::copy(state.position.value, q.begin());
      std::ranges::copy(state.momentum.value, p.begin());
      near = state.velocity;
    }
  };

  phase_point<S> legendre_;
  end left_, right_;
  std::vector<S> left_velocity_, right_velocity_;
};

// A step with such an output that is solved for increments and keeps the energy: nothing does work.
template <class S>
class energy_step : public step_workspace<S> {
 public:
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }

 protected:
  explicit energy_step(const step_context<S>& context)
      : step_workspace<S>(context),
        step_(context.step),
        n_(context.space.size()),
        output_(context.space),
        branch_(context.space) {}

  step_status moved(phase_state<S>& state, const step_status& status, std::span<const S> dq, std::span<const S> dp) {
    branch_.start(state);
    output_.start(state);
    for (std::size_t i = 0; i < n_; ++i) {
      state.position.add(i, dq[i]);
      state.momentum.add(i, dp[i]);
    }
    state.step_on(step_);
    if (!branch_.finish(state)) return {step_code::mass_singular, status.iterations, status.update};
    output_.finish(state);
    return status;
  }

  S step_;
  std::size_t n_;
  cubic_output<S> output_;
  branch_keeper<S> branch_;
};

}  // namespace actio
