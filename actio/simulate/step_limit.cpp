#include "actio/simulate/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "actio/base/symmetric.hpp"
#include "actio/integrate/stability.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

namespace {

// At the limit itself oscillations grow as well, and frequencies are rounded.
constexpr double just_above = 1 + 1e-14;

// The matrices in double, each divided by its largest entry, whatever their units.
struct plain_matrices {
  matrix<double> mass, stiffness;
  double unit = 1;  // of ω

  template <class S>
  explicit plain_matrices(const linear_system<S>& system) : plain_matrices(system.mass(), system.stiffness()) {}
  template <class S>
  plain_matrices(const matrix<S>& given_mass, const matrix<S>& given_stiffness) {
    using std::sqrt;
    S heaviest(0), stiffest(0);
    mass = scaled(given_mass, heaviest);
    stiffness = scaled(given_stiffness, stiffest);
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

// Ascending.
std::vector<double> frequencies_of(const plain_matrices& matrices) {
  std::vector<double> values = generalised_eigen(matrices.stiffness, matrices.mass).values;
  for (double& x : values) x = matrices.unit * std::sqrt(std::max(0.0, x));
  return values;
}

// Whether ωh lies inside one of the intervals, which were looked for up to `seen`.
bool is_inside(const std::vector<stable_interval>& intervals, double z, double seen) {
  return std::ranges::any_of(intervals, [&](const stable_interval& i) {
    return (i.from == 0 || z > i.from * just_above) && (z * just_above < i.to || (i.to >= seen && z <= seen));
  });
}

// Whether the method is stable for all ωh up to z, at most `stability_bound`. Its limit below the next power of two is
// remembered by its name, unless it is none of the catalogue.
bool is_stable_up_to(const method& m, double z) {
  const double up_to = std::min(std::exp2(std::ceil(std::log2(z))), stability_bound);
  if (find_method(m.name) != &m) return !stability_limit(m, z);
  static std::mutex mutex;
  static std::map<std::pair<std::string, double>, std::optional<double>> limits;
  const auto is_below = [&](const std::optional<double>& limit) { return !limit || z * just_above < *limit; };
  {
    const std::lock_guard lock(mutex);
    if (const auto known = limits.find({m.name, up_to}); known != limits.end()) return is_below(known->second);
  }
  const std::lock_guard making(setting_up());
  const std::optional<double> limit = stability_limit(m, up_to);
  const std::lock_guard lock(mutex);
  limits.try_emplace({m.name, up_to}, limit);
  return is_below(limit);
}

double frequency_bound(const plain_matrices& matrices) {
  return just_above * matrices.unit * std::sqrt(largest_eigenvalue_bound(matrices.stiffness, matrices.mass));
}

// Where a bound ωh is stable itself there is nothing to find out. A bound far above may lie in a gap that the frequency
// does not reach.
bool settles(double bound, const method& m) {
  return !(bound > 0) || (bound <= stability_bound && is_stable_up_to(m, bound));
}

// Rounded down to as few digits as come close to it, so that `passes`: to be typed.
template <class Test>
std::string typed(double longest, Test&& passes) {
  for (int digits = 4; digits <= 17; ++digits) {
    const double unit = std::pow(10, std::floor(std::log10(longest)) - digits + 1);
    for (const double down : {0.0, 1.0, 2.0}) {
      const std::string text = fmt::format("{:.{}g}", (std::floor(longest / unit) - down) * unit, digits);
      const double step = std::stod(text);
      if (step > 0 && passes(step)) return text;
    }
  }
  return fmt::format("{}", longest * 0.999);
}

std::string typed_step(double limit, double frequency) {
  return typed(limit / frequency, [&](double step) { return step * frequency * just_above < limit; });
}

}  // namespace

template <class S>
double largest_frequency(const linear_system<S>& system) {
  return frequencies_of(plain_matrices(system)).back();
}

template <class S>
std::optional<step_limit> step_limit_of(const linear_system<S>& system, const method& m) {
  const double frequency = largest_frequency(system);
  const std::optional<double> stability = stability_limit(m);
  if (frequency == 0 || !stability || *stability == 0) return {};
  return step_limit{frequency, *stability, typed_step(*stability, frequency)};
}

namespace {

std::optional<step_limit> exceeded_by(const plain_matrices& matrices, const method& m, double h) {
  if (settles(frequency_bound(matrices) * h, m)) return {};
  const std::vector<double> frequencies = frequencies_of(matrices);
  const double fastest = frequencies.back() * h * just_above;
  const std::optional<double> stability = stability_limit(m, std::min(fastest, stability_bound));
  if (!stability || *stability == 0) return {};
  const double seen = std::min(fastest, std::max(interval_bound, *stability));
  const std::vector<stable_interval> intervals = stable_intervals(m, seen);
  const auto growing = std::find_if(frequencies.rbegin(), frequencies.rend(),
                                    [&](double w) { return !is_inside(intervals, w * h, seen); });
  if (growing == frequencies.rend()) return {};
  return step_limit{*growing, *stability, typed_step(*stability, frequencies.back())};
}

}  // namespace

template <class S>
bool is_surely_stable(const linear_system<S>& system, const method& m, const S& step) {
  return settles(frequency_bound(plain_matrices(system)) * to_double(step), m);
}

template <class S>
std::optional<step_limit> exceeded_limit(const linear_system<S>& system, const method& m, const S& step) {
  return exceeded_by(plain_matrices(system), m, to_double(step));
}

std::optional<step_limit> exceeded_limit(const matrix<double>& mass, const matrix<double>& stiffness, const method& m,
                                         double step) {
  return exceeded_by(plain_matrices(mass, stiffness), m, step);
}

std::optional<step_limit> exceeded_limit(double frequency, const method& m, double step) {
  if (settles(just_above * frequency * step, m)) return {};
  const std::optional<double> stability = stability_limit(m, std::min(frequency * step * just_above, stability_bound));
  if (!stability || *stability == 0) return {};
  return step_limit{frequency, *stability, typed_step(*stability, frequency)};
}

std::string typed_below(double step) {
  return typed(step, [&](double typed_value) { return typed_value <= step; });
}

#define ACTIO_INSTANTIATE(S)                                                                   \
  template double largest_frequency<S>(const linear_system<S>&);                               \
  template bool is_surely_stable<S>(const linear_system<S>&, const method&, const S&);         \
  template std::optional<step_limit> step_limit_of<S>(const linear_system<S>&, const method&); \
  template std::optional<step_limit> exceeded_limit<S>(const linear_system<S>&, const method&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
