#include "actio/analysis/error_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace actio {

namespace {

constexpr std::size_t checkpoint_count = 16;
constexpr std::size_t size_checkpoints = 1;  // the size of a motion is that of its beginning: angles may grow on
constexpr std::size_t most_density = 4096;   // steps between checkpoints
constexpr std::size_t most_reference_density = 16384;
constexpr double smooth = 1e-4;  // what halving a natural step may change, relative to the state
constexpr double natural_steps_in_span = 32;
constexpr double beyond_rounding = 30;   // times the floor: an error that is one of the method
constexpr double largest_lawful = 0.05;  // beyond, errors follow no law
constexpr int most_tries = 10;
constexpr double longest_stretch = 1.3;  // of a step beyond those that were tried
constexpr double infinite = std::numeric_limits<double>::infinity();

// A density above one that failed, towards one that did not.
std::size_t between(std::size_t failed, std::size_t fine) {
  const double middle = std::sqrt(static_cast<double>(failed) * static_cast<double>(fine));
  return std::min(fine, std::max(failed + 1, static_cast<std::size_t>(std::lround(middle))));
}

double largest_distance(const std::vector<phase_state<double>>& a, const std::vector<phase_state<double>>& b,
                        const motion_size& size) {
  if (a.size() < checkpoint_count || b.size() < checkpoint_count) return infinite;
  double largest = 0;
  for (std::size_t k = checkpoint_count / 2; k < checkpoint_count; ++k) {
    largest = std::max(largest, relative_distance(a[k], b[k], size));
  }
  return largest;
}

}  // namespace

double error_law::step_for(double target) const {
  return step * std::pow(target / error, 1 / (target < error / 100 ? declared : order));
}

double error_law::error_at(double h) const { return error * std::pow(h / step, h < step / 2 ? declared : order); }

error_scan::error_scan(const integrator<double>& flow, const phase_state<double>& start, double until, double target)
    : flow_(flow), start_(start), until_(until) {
  span_ = std::min(until, natural_steps_in_span * natural_step());
  for (int shortened = 0; shortened < 8 && !succeeded_; ++shortened) {
    succeeded_ = find_reference(target);
    if (!succeeded_) span_ /= 8;
  }
}

// A step that changes little when it is halved: short beside the time scales at the start.
double error_scan::natural_step() const {
  const auto is_smooth = [&](double h) {
    traveller<double> whole(flow_.with_step(h), start_), halves(flow_.with_step(h / 2), start_);
    if (!whole.advance(1) || !halves.advance(2)) return false;
    motion_size local;
    local.cover(start_);
    local.cover(halves.state());
    return relative_distance(whole.state(), halves.state(), local) <= smooth;
  };
  phase_point<double> point(flow_.space());
  double speed = 0, extent = 0;
  if (point.measure(start_.time, start_.position.value, start_.momentum.value, start_.velocity)) {
    for (const double v : point.velocity()) speed = std::max(speed, std::abs(v));
  }
  for (const double q : start_.position.value) extent = std::max(extent, std::abs(q));
  double h = speed > 0 && extent > 0 ? std::min(until_, extent / speed / 4) : until_;
  constexpr double factor = 4;
  if (is_smooth(h)) {
    while (h < until_ && is_smooth(std::min(factor * h, until_))) h = std::min(factor * h, until_);
    return h;
  }
  for (int k = 0; k < 40; ++k) {
    h /= factor;
    if (is_smooth(h)) break;
  }
  return h;
}

std::vector<phase_state<double>> error_scan::checkpoints(const integrator<double>& flow, std::size_t density) const {
  std::vector<phase_state<double>> states;
  traveller<double> way(flow, start_);
  for (std::size_t k = 0; k < checkpoint_count && way.advance(density); ++k) states.push_back(way.state());
  return states;
}

// Halves the step until that changes nothing that matters, or nothing but rounding.
bool error_scan::find_reference(double target) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  double previous = infinite;
  std::vector<phase_state<double>> coarse;
  for (std::size_t density = 1; density <= most_reference_density; density *= 2) {
    const double h = span_ / static_cast<double>(checkpoint_count * density);
    std::vector<phase_state<double>> fine = checkpoints(flow_.with_step(h), density);
    if (fine.size() == checkpoint_count) {
      size_ = {};
      size_.cover(start_);
      for (std::size_t k = 0; k < size_checkpoints; ++k) size_.cover(fine[k]);
    }
    const double change = largest_distance(coarse, fine, size_);
    coarse = std::move(fine);
    const bool is_rounding = change < 1e-9 && change > previous / 8;
    if (change <= std::max(1e-3 * target, 4 * epsilon) || is_rounding) {
      reference_ = std::move(coarse);
      floor_ = std::max(4 * epsilon, is_rounding ? change : 0);
      return true;
    }
    previous = change;
  }
  return false;
}

double error_scan::wanted(double target) const { return std::max(target, beyond_rounding * floor_); }

// One more trial; false when the law is near the target or cannot come nearer.
bool error_scan::try_next(search& s) const {
  const double declared = s.m->traits.order;
  if (++s.tries > most_tries) return false;
  if (s.density == 0) s.density = 2;
  const double h = span_ / static_cast<double>(checkpoint_count * s.density);
  traveller<double> way(flow_.with_method(*s.m, h), start_);
  double error = 0;
  for (std::size_t k = 0; k < checkpoint_count && std::isfinite(error); ++k) {
    if (!way.advance(s.density)) error = infinite;
    else if (k >= checkpoint_count / 2) error = std::max(error, relative_distance(way.state(), reference_[k], size_));
  }
  if (!(error <= largest_lawful)) {
    s.failed = std::max(s.failed, s.density);
    const std::size_t next = s.law ? between(s.failed, s.law_density) : std::min(2 * s.density, most_density);
    if (next == s.density || next == s.law_density) return false;
    s.density = next;
    return true;
  }
  error = std::max(error, floor_);
  double order = declared;
  if (s.law && s.law->error > beyond_rounding * floor_ && error > beyond_rounding * floor_ && s.law->step != h) {
    order = std::clamp(std::log(error / s.law->error) / std::log(h / s.law->step), declared / 2, 1.5 * declared);
  }
  const bool is_nearer = !s.law || std::abs(std::log(error / s.target)) < std::abs(std::log(s.law->error / s.target));
  if (is_nearer) {
    const double longest =
        s.failed > 0 ? span_ / static_cast<double>(checkpoint_count * (s.failed + 1)) : longest_stretch * h;
    s.law = error_law{h, error, order, declared, way.effort(), std::max(h, longest)};
    s.law_density = s.density;
  }
  if (error < 4 * s.target && error > s.target / 8) return false;
  const double next = span_ / (checkpoint_count * h * std::pow(0.7 * s.target / error, 1 / order));
  auto density = static_cast<std::size_t>(std::clamp(std::ceil(next), 1.0, static_cast<double>(most_density)));
  if (density <= s.failed) density = between(s.failed, s.density);
  if (density == s.density) return false;
  s.density = density;
  return true;
}

}  // namespace actio
