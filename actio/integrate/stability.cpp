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
  if constexpr (is_mpfr<S>) {
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

// Of a method that computes in double alone.
template <class S>
std::optional<oscillator_response<S>> widened(const std::optional<oscillator_response<double>>& r) {
  if (!r) return {};
  return oscillator_response<S>{S(r->half_trace), S(r->determinant), S(r->spectral_radius), S(r->excess), S(r->noise)};
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

// The border between a stable and a growing z, on either side of each other, to neighbouring doubles or nearly so: the
// growing one of the last two.
double border_between(const method& m, double stable, double growing) {
  while (std::abs(growing - stable) > 4e-16 * std::max(growing, stable)) {
    const double middle = stable + (growing - stable) / 2;
    if (middle == stable || middle == growing) break;
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
  if (m.computes_in<S>()) return response_in(*unit_oscillator<S>(), m, z);
  return widened<S>(response_in(*unit_oscillator<double>(), m, to_double(z)));
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
  if (m.computes_in<quad>()) {
    return response_in(phase_space<quad>(system, std::vector<quad>{squared_frequency, damping}), m, quad(1));
  }
  const phase_space<double> space(system, std::vector<double>{to_double(squared_frequency), to_double(damping)});
  return widened<quad>(response_in(space, m, 1.0));
}

namespace {

double next_place(double z) { return z + std::max(0.05, 0.01 * z); }

// The end of what is stable from `start` on, and a place just beyond it where the map grows; nothing where it reaches
// `up_to`.
struct stable_end {
  double border, growing;
};

std::optional<stable_end> end_of_stable(const method& m, double start, double up_to) {
  struct place {
    double z, trace;
    bool is_known;
  };
  const auto concluded = [&](double stable, double growing) -> std::optional<stable_end> {
    const double border = border_between(m, stable, growing);
    return border <= up_to || border < unstable_below ? std::optional(stable_end{border, growing}) : std::nullopt;
  };
  place before{start, 0, false}, last{start, 0, false};
  for (double z = start; before.z <= up_to;) {  // a maximum just before the end shows at two places beyond it
    z = next_place(z);
    const border_distance<double> here = distance_at<double>(m, z);
    if (before.is_known && last.trace > before.trace && last.trace >= here.trace && last.trace > near_border) {
      if (const auto peak = growing_peak(m, before.z, last.z, z)) return concluded(before.z, *peak);
    }
    if (here.grows) {
      const bool stable_before = last.is_known && !distance_at<quad>(m, last.z).grows;
      return concluded(stable_before ? last.z : start, z);
    }
    before = last;
    last = {z, here.trace, true};
  }
  return {};
}

// Where the map stops growing beyond a place where it grows; nothing where it does not up to `up_to`.
std::optional<double> end_of_growth(const method& m, double growing, double up_to) {
  while (growing < up_to) {
    const double z = next_place(growing);
    if (!distance_at<quad>(m, z).grows) return border_between(m, z, growing);
    growing = z;
  }
  return {};
}

}  // namespace

std::optional<double> stability_limit(const method& m, double up_to) {
  const auto end = end_of_stable(m, 0, up_to);
  if (!end) return {};
  return end->border < unstable_below ? 0.0 : end->border;
}

std::vector<stable_interval> stable_intervals(const method& m, double up_to) {
  std::vector<stable_interval> intervals;
  for (double from = 0;;) {
    const auto end = end_of_stable(m, from, up_to);
    if (!end) {
      intervals.push_back({from, up_to});
      return intervals;
    }
    if (end->border < unstable_below) return {};
    if (end->border > from) intervals.push_back({from, end->border});
    const auto again = end_of_growth(m, end->growing, up_to);
    if (!again || *again >= up_to) return intervals;
    from = *again;
  }
}

std::string interval_text(const method& m) {
  std::string text;
  const double first = stability_limit(m).value_or(stability_bound);
  for (const stable_interval& i : stable_intervals(m, std::max(interval_bound, first))) {
    if (i.from == 0) text = fmt::format("omega*h < {:.9g}", i.to);
    else if (i.to < interval_bound) text += fmt::format(" and {:.9g} < omega*h < {:.9g}", i.from, i.to);
    else text += fmt::format(" and {:.9g} < omega*h, as far as {:g}", i.from, interval_bound);
  }
  return text;
}

std::string stability_text(const method& m) {
  const std::optional<double> limit = stability_limit(m);
  if (!limit)
    return fmt::format("oscillations are stable for steps of any length (omega*h up to {:g})", stability_bound);
  if (*limit == 0) return "oscillations grow with every step, however short";
  return fmt::format("oscillations are stable for {}, looked for up to {:g}", interval_text(m), interval_bound);
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
