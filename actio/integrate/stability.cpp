#include "actio/integrate/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace actio {

namespace {

// Steps below this times 1/ω that grow are no limit: no step is stable, the growth is only slow.
constexpr double unstable_below = 0.01;
// Between two places of the scan the trace changes by less than this near a maximum: lower ones stay below the border.
constexpr double near_border = -0.1;

// x'' = −x; the step plays the role of z.
template <class S>
phase_space<S> made_oscillator() {
  const auto system = lagrangian_system::from(
      "oscillator", {"x"}, [](const auto& q, const auto& v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  return phase_space<S>(system, {});
}

// Made once, except in MPFR, whose digits change.
template <class S>
std::shared_ptr<const phase_space<S>> unit_oscillator() {
  if constexpr (std::same_as<S, multi>) {
    return std::make_shared<const phase_space<S>>(made_oscillator<S>());
  } else {
    static const auto space = std::make_shared<const phase_space<S>>(made_oscillator<S>());
    return space;
  }
}

template <class S>
std::optional<oscillator_response<S>> response_in(const phase_space<S>& space, const method& m, const S& step) {
  using std::abs, std::sqrt;
  phase_state<S> rest;
  rest.position = rest.momentum = compensated_vector<S>(std::vector<S>(1, S(0)));
  const matrix<S> map = m.make<S>(step_context<S>{.space = space, .step = step})->tangent_map(rest);
  if (map.rows() != 2 || !std::ranges::all_of(map.data(), [](const S& x) { return is_finite(x); })) return {};
  const S T = (map(0, 0) + map(1, 1)) / S(2), D = map(0, 0) * map(1, 1) - map(0, 1) * map(1, 0);
  const S size = S(1) + abs(map(0, 0) * map(1, 1)) + abs(map(0, 1) * map(1, 0)), gap = T * T - D;
  const S radius = gap > S(0) ? S(abs(T) + sqrt(gap)) : S(sqrt(abs(D)));
  const S excess = std::max<S>(D - S(1), abs(T) - (S(1) + D) / S(2));
  return oscillator_response<S>{T, D, radius, excess, S(1e4) * epsilon<S>() * size};
}

// How far the trace is beyond its limit, a smooth function of z, and whether the map grows for this or another reason;
// a step that cannot be solved counts as growing.
template <class S>
struct border_distance {
  S trace{1};
  bool grows = true;
};

template <class S>
border_distance<S> distance_at(const method& m, double z) {
  using std::abs;
  const auto response = response_of<S>(m, S(z));
  if (!response) return {};
  return {S(abs(response->half_trace) - (S(1) + response->determinant) / S(2)), response->excess > response->noise};
}

// The border between a stable and a growing z, to neighbouring doubles or nearly so.
double bisected(const method& m, double stable, double growing) {
  while (growing - stable > 4e-16 * growing) {
    const double middle = stable + (growing - stable) / 2;
    if (middle <= stable || middle >= growing) break;
    (distance_at<quad>(m, middle).grows ? growing : stable) = middle;
  }
  return growing;
}

// A place near the local maximum of the trace in (left, right) where the map grows. Parabolas through three points
// close in on the maximum, in quad because a gap of depth 1e-20 is one.
std::optional<double> growing_peak(const method& m, double left, double middle, double right) {
  for (const double closer : {1.0, 0.03, 1e-4, 1e-8}) {
    const double half_width = closer * std::min(middle - left, right - middle);
    const auto here = distance_at<quad>(m, middle);
    if (here.grows) return middle;
    const quad below = distance_at<quad>(m, middle - half_width).trace,
               above = distance_at<quad>(m, middle + half_width).trace;
    const quad curvature = below - 2 * here.trace + above;
    if (!(curvature < 0)) return {};
    const double shifted = middle + to_double(quad((below - above) / (2 * curvature))) * half_width;
    if (!(shifted > left && shifted < right)) return {};
    middle = shifted;
  }
  return distance_at<quad>(m, middle).grows ? std::optional(middle) : std::nullopt;
}

}  // namespace

template <class S>
std::optional<oscillator_response<S>> response_of(const method& m, const S& z) {
  return response_in(*unit_oscillator<S>(), m, z);
}

std::optional<oscillator_response<quad>> damped_response_of(const method& m, const quad& squared_frequency,
                                                            const quad& damping) {
  static const lagrangian_system system = [] {
    lagrangian_system made;
    made.name = "damped oscillator";
    made.coordinates = {expr::symbol("x")};
    made.parameters = {{"stiffness", expr(1)}, {"damping", expr(0)}};
    const std::vector<expr> p = made.parameter_symbols(), v = made.velocities();
    made.lagrangian = v[0] * v[0] / 2 - p[0] * made.coordinates[0] * made.coordinates[0] / 2;
    made.forces = {-p[1] * v[0]};
    return made;
  }();
  return response_in(phase_space<quad>(system, {squared_frequency, damping}), m, quad(1));
}

std::optional<double> stability_limit(const method& m, double up_to) {
  struct place {
    double z, trace;
  };
  const auto concluded = [&](double limit) -> std::optional<double> {
    if (limit < unstable_below) return 0.0;
    return limit <= up_to ? std::optional(limit) : std::nullopt;
  };
  place before{0, 0}, last{0, 0};
  for (double z = 0; before.z <= up_to;) {  // a maximum just before the end shows at two places beyond it
    z += std::max(0.05, 0.01 * z);
    const border_distance<double> here = distance_at<double>(m, z);
    if (before.z > 0 && last.trace > before.trace && last.trace >= here.trace && last.trace > near_border) {
      if (const auto peak = growing_peak(m, before.z, last.z, z)) return concluded(bisected(m, before.z, *peak));
    }
    if (here.grows) {
      const bool stable_before = last.z > 0 && !distance_at<quad>(m, last.z).grows;
      return concluded(bisected(m, stable_before ? last.z : 0.0, z));
    }
    before = last;
    last = {z, here.trace};
  }
  return {};
}

std::string stability_text(const method& m) {
  const std::optional<double> limit = stability_limit(m);
  if (!limit)
    return fmt::format("oscillations are stable for steps of any length (omega*h up to {:g})", stability_bound);
  if (*limit == 0) return "oscillations grow with every step, however short";
  return fmt::format("oscillations are stable while omega*h < {:.9g}", *limit);
}

std::optional<oscillation_error> oscillation_error_of(const method& m, const quad& z) {
  const auto response = response_of<quad>(m, z);
  if (!response) return {};
  const quad T = response->half_trace, D = response->determinant, gap = D - T * T;
  if (!(gap > 0)) return {};
  return oscillation_error{atan2(sqrt(gap), T) / z - 1, sqrt(D) - 1};
}

namespace {

template <class Part>
std::string error_text(const method& m, Part part) {
  constexpr double rounding = 1e-28;  // of quad, through a tangent map
  std::string text;
  for (const double z : {0.1, 0.5, 1.0, 2.0}) {
    const auto errors = oscillation_error_of(m, quad(z));
    if (!errors) break;
    const double error = to_double(std::invoke(part, *errors));
    const std::string shown = std::abs(error) < rounding ? "0" : fmt::format("{:+.1e}", error);
    text += fmt::format("{}{} at {}{:g}", text.empty() ? "" : ", ", shown, text.empty() ? "omega*h = " : "", z);
  }
  return text;
}

}  // namespace

std::string frequency_text(const method& m) { return error_text(m, &oscillation_error::frequency); }
std::string amplitude_text(const method& m) { return error_text(m, &oscillation_error::amplitude); }

#define ACTIO_INSTANTIATE(S) template std::optional<oscillator_response<S>> response_of<S>(const method&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
