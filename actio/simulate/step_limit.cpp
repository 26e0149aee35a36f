#include "actio/simulate/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/base/symmetric.hpp"
#include "actio/integrate/stability.hpp"

namespace actio {

namespace {

// The matrices in double, each divided by its largest entry, whatever their units.
struct plain_matrices {
  matrix<double> mass, stiffness;
  double unit = 1;  // of ω

  template <class S>
  explicit plain_matrices(const linear_system<S>& system) {
    using std::sqrt;
    S heaviest(0), stiffest(0);
    mass = scaled(system.mass(), heaviest);
    stiffness = scaled(system.stiffness(), stiffest);
    unit = to_double(S(sqrt(S(stiffest / heaviest))));
  }

 private:
  template <class S>
  static matrix<double> scaled(const matrix<S>& a, S& largest) {
    using std::abs;
    for (const S& x : a.data()) largest = std::max<S>(largest, abs(x));
    matrix<double> result(a.rows(), a.columns());
    if (largest == S(0)) return result;
    for (std::size_t m = 0; m < a.data().size(); ++m) result.data()[m] = to_double(S(a.data()[m] / largest));
    return result;
  }
};

double largest_frequency(const plain_matrices& matrices) {
  return matrices.unit * std::sqrt(std::max(0.0, generalised_eigen(matrices.stiffness, matrices.mass).values.back()));
}

// Rounded down to as few digits as come close to it: to be typed, and shorter than the limit then.
std::string typed_step(double limit, double frequency) {
  for (int digits = 4; digits <= 17; ++digits) {
    const double unit = std::pow(10, std::floor(std::log10(limit / frequency)) - digits + 1);
    for (const double down : {0.0, 1.0, 2.0}) {
      const std::string text = fmt::format("{:.{}g}", (std::floor(limit / frequency / unit) - down) * unit, digits);
      const double step = std::stod(text);
      if (step > 0 && step * frequency < limit) return text;
    }
  }
  return fmt::format("{}", limit / frequency * 0.999);
}

}  // namespace

template <class S>
double largest_frequency(const linear_system<S>& system) {
  return largest_frequency(plain_matrices(system));
}

template <class S>
std::optional<step_limit> step_limit_of(const linear_system<S>& system, const method& m) {
  const double frequency = largest_frequency(system);
  const std::optional<double> stability = stability_limit(m);
  if (frequency == 0 || !stability || *stability == 0) return {};
  return step_limit{frequency, *stability, typed_step(*stability, frequency)};
}

template <class S>
std::optional<step_limit> exceeded_limit(const linear_system<S>& system, const method& m, const S& step) {
  const plain_matrices matrices(system);
  const double bound = matrices.unit * std::sqrt(largest_eigenvalue_bound(matrices.stiffness, matrices.mass));
  const double h = to_double(step);
  // Where the bound itself is stable there is nothing to find out. A bound far above may lie in a gap that the
  // frequency does not reach.
  if (!(bound * h > 0) || (bound * h <= stability_bound && !stability_limit(m, bound * h))) return {};
  const double frequency = largest_frequency(matrices);
  const std::optional<double> stability = stability_limit(m, std::min(frequency * h, stability_bound));
  if (!stability || *stability == 0) return {};
  return step_limit{frequency, *stability, typed_step(*stability, frequency)};
}

#define ACTIO_INSTANTIATE(S)                                                                   \
  template double largest_frequency<S>(const linear_system<S>&);                               \
  template std::optional<step_limit> step_limit_of<S>(const linear_system<S>&, const method&); \
  template std::optional<step_limit> exceeded_limit<S>(const linear_system<S>&, const method&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
