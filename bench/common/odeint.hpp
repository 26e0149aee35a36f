// Boost.odeint as its documentation advises: states are std::array, fixed steps by integrate_n_steps, error control by
// integrate_adaptive with one tolerance for both kinds of error.
#pragma once

#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/symplectic_rkn_sb3a_m4_mclachlan.hpp>

#include "common/contest.hpp"

namespace actio::bench {

namespace odeint = boost::numeric::odeint;

template <class State>
attempt odeint_attempt(const State& y, std::size_t steps) {
  return {std::vector<double>(y.begin(), y.end()), steps};
}

template <class Stepper, class State, class Rhs>
competitor odeint_controlled(std::string name, std::vector<double> settings, State start, double until, Rhs rhs) {
  return {"Boost.odeint", std::move(name), "tolerance", std::move(settings), [=](double tolerance) -> prepared_run {
            return [=] {
              State y = start;
              const std::size_t steps = odeint::integrate_adaptive(
                  odeint::make_controlled<Stepper>(tolerance, tolerance), rhs, y, 0.0, until, until / 1000);
              return odeint_attempt(y, steps);
            };
          }};
}

template <class State, class Rhs>
competitor odeint_bulirsch_stoer(std::vector<double> settings, State start, double until, Rhs rhs) {
  return {"Boost.odeint", "bulirsch_stoer", "tolerance", std::move(settings), [=](double tolerance) -> prepared_run {
            return [=] {
              State y = start;
              odeint::bulirsch_stoer<State> stepper(tolerance, tolerance);
              const std::size_t steps = odeint::integrate_adaptive(stepper, rhs, y, 0.0, until, until / 1000);
              return odeint_attempt(y, steps);
            };
          }};
}

template <class State, class Rhs>
competitor odeint_rk4(std::vector<double> settings, State start, double until, Rhs rhs) {
  return {"Boost.odeint", "rk4", "steps", std::move(settings), [=](double count) -> prepared_run {
            return [=] {
              State y = start;
              const auto steps = static_cast<std::size_t>(count);
              odeint::integrate_n_steps(odeint::runge_kutta4<State>(), rhs, y, 0.0, until / count, steps);
              return odeint_attempt(y, steps);
            };
          }};
}

// The three methods with error control, down to the tolerance 10^finest; below it rounding would stop them.
template <class State, class Rhs>
std::vector<competitor> odeint_adaptive(State start, double until, Rhs rhs, int finest) {
  return {
      odeint_controlled<odeint::runge_kutta_dopri5<State>>("dopri5", tolerances(-6, std::max(finest, -13)), start,
                                                           until, rhs),
      odeint_controlled<odeint::runge_kutta_fehlberg78<State>>("fehlberg78", tolerances(-6, finest), start, until, rhs),
      odeint_bulirsch_stoer(tolerances(-6, finest), start, until, rhs)};
}

// Splitting methods for q' = v(p), p' = f(q); `kinetic` gives q' and `force` gives p'.
template <template <class...> class Stepper, class Half, class Kinetic, class Force>
competitor odeint_symplectic(std::string name, std::vector<double> settings, Half position, Half momentum, double until,
                             Kinetic kinetic, Force force) {
  return {"Boost.odeint", std::move(name), "steps", std::move(settings), [=](double count) -> prepared_run {
            return [=] {
              std::pair<Half, Half> y(position, momentum);
              const auto steps = static_cast<std::size_t>(count);
              odeint::integrate_n_steps(Stepper<Half>(), std::make_pair(kinetic, force), y, 0.0, until / count, steps);
              attempt result{std::vector<double>(y.first.begin(), y.first.end()), steps};
              result.end.insert(result.end.end(), y.second.begin(), y.second.end());
              return result;
            };
          }};
}

}  // namespace actio::bench
