#include "common/odeint.hpp"

#include <thread>

#include "double_pendulum/equations.hpp"
#include "ensemble/ensemble.hpp"

namespace actio::bench {

std::vector<double> odeint_ensemble(const released_pendulums& from, double until, std::size_t steps, unsigned threads) {
  using double_pendulum::state;
  std::vector<double> ends(4 * from.count());
  const auto run = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      state y{from.angles[2 * k], from.angles[2 * k + 1], 0, 0};
      odeint::integrate_n_steps(odeint::runge_kutta4<state>(), double_pendulum::equations(), y, 0.0,
                                until / static_cast<double>(steps), steps);
      std::copy(y.begin(), y.end(), ends.begin() + static_cast<std::ptrdiff_t>(4 * k));
    }
  };
  std::vector<std::jthread> others;
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t begin = from.count() * t / threads, end = from.count() * (t + 1) / threads;
    if (t + 1 == threads) run(begin, end);
    else others.emplace_back(run, begin, end);
  }
  others.clear();
  return ends;
}

}  // namespace actio::bench
