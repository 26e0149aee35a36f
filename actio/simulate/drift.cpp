#include "actio/simulate/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/snapshot.hpp"

namespace actio {

namespace {

constexpr std::size_t most_windows = 128;
constexpr std::size_t fewest_windows = 16;
constexpr double swings_for_a_trend = 10;  // a trend over fewer may be a piece of a slow oscillation
constexpr double swings_for_a_bound = 2;   // an error that is one of the state has then been seen to come back
constexpr double one_way = 0.6;            // of its range: what an error that only grows moves from begin to end
constexpr double significant = 5;          // standard errors
constexpr double exploded = 4;             // times the error of the first half: what never comes back
constexpr double trend_of_a_beat = 0.5;    // of the largest error: less may be a piece of a slow beat
constexpr double at_rest = 0.02;           // of its range: what an error that has come to rest still moves

struct line {
  double slope = 0, slope_error = 0;
};

// Least squares; the error of the slope takes neighbouring residuals for as alike as they are.
template <class Window>
line fit(std::span<const Window> windows) {
  const double n = static_cast<double>(windows.size());
  double t = 0, y = 0, tt = 0, ty = 0, scatter = 0, alike = 0, last = 0;
  for (const Window& w : windows) {
    t += w.time / n;
    y += w.value / n;
  }
  for (const Window& w : windows) {
    tt += (w.time - t) * (w.time - t);
    ty += (w.time - t) * (w.value - y);
  }
  if (tt == 0) return {};
  const double slope = ty / tt;
  for (const Window& w : windows) {
    const double residual = w.value - y - slope * (w.time - t);
    scatter += residual * residual;
    alike += residual * last;
    last = residual;
  }
  const double correlation = scatter > 0 ? std::clamp(alike / scatter, 0.0, 0.95) : 0;
  return {slope, std::sqrt(scatter / (n - 2) / tt * (1 + correlation) / (1 - correlation))};
}

template <class Window>
double range_of(std::span<const Window> windows) {
  const auto [least, most] = std::ranges::minmax_element(windows, {}, &Window::value);
  return most->value - least->value;
}

template <class Window>
double mean_of(std::span<const Window> windows) {
  double sum = 0;
  for (const Window& w : windows) sum += w.value;
  return sum / static_cast<double>(windows.size());
}

}  // namespace

std::string_view to_text(conservation verdict) {
  switch (verdict) {
    case conservation::to_rounding: return "to rounding";
    case conservation::bounded: return "bounded";
    case conservation::drifts: return "drifts";
    case conservation::too_short: break;
  }
  return "too short to say";
}

void drift_meter::add(double time, double value) {
  if (!(std::abs(value) <= largest_)) largest_ = std::abs(value);
  open_.time += time;
  open_.value += value;
  if (++filled_ < capacity_) return;
  windows_.push_back({open_.time / filled_, open_.value / filled_});
  open_ = {};
  filled_ = 0;
  if (windows_.size() < most_windows) return;
  for (std::size_t k = 0; k < most_windows / 2; ++k) {
    const window &a = windows_[2 * k], &b = windows_[2 * k + 1];
    windows_[k] = {(a.time + b.time) / 2, (a.value + b.value) / 2};
  }
  windows_.resize(most_windows / 2);
  capacity_ *= 2;
}

// Whether the error has become several times what it was, for good: exponential growth.
bool drift_meter::has_exploded() const {
  const auto size = [](const window& w) { return std::abs(w.value); };
  std::vector<double> late;
  for (std::size_t k = windows_.size() - windows_.size() / 4; k < windows_.size(); ++k)
    late.push_back(size(windows_[k]));
  std::ranges::nth_element(late, late.begin() + static_cast<std::ptrdiff_t>(late.size() / 2));
  double early = 0;
  for (std::size_t k = 0; k < windows_.size() / 2; ++k) early = std::max(early, size(windows_[k]));
  return late[late.size() / 2] > exploded * early;
}

// Whether the error changed early and no more in the second half of the run, as behind a transient.
bool drift_meter::has_settled() const {
  const std::span<const window> all(windows_);
  return range_of(all.subspan(all.size() / 2)) <= at_rest * range_of(all);
}

drift_estimate drift_meter::estimate(const drift_context& run) const {
  if (windows_.size() < fewest_windows) {
    return {.verdict =
                largest_ <= run.rounding && !run.beyond_rounding ? conservation::to_rounding : conservation::too_short};
  }
  const std::span<const window> all(windows_);
  const line whole = fit(all);
  drift_estimate result{whole.slope, whole.slope_error, conservation::bounded};
  const double change = std::abs(whole.slope) * (windows_.back().time - windows_.front().time);
  const std::size_t quarter = all.size() / 4, eighth = all.size() / 8;
  bool same_way = true;
  for (std::size_t k = 0; k < 4; ++k) {
    same_way = same_way && fit(all.subspan(k * quarter, quarter)).slope * whole.slope > 0;
  }
  const double moved = std::abs(mean_of(all.last(eighth)) - mean_of(all.first(eighth)));
  const bool is_one_way = moved > one_way * range_of(all) && same_way;
  const bool is_significant = std::abs(whole.slope) > significant * whole.slope_error && same_way;
  const bool is_beat = run.is_symplectic && change < trend_of_a_beat * largest_;
  if (!run.beyond_rounding && largest_ <= run.rounding) {
    result.verdict = conservation::to_rounding;
  } else if (has_settled()) {
    result.verdict = conservation::bounded;
  } else if (((is_one_way || is_significant) && change > run.rounding && !is_beat) || has_exploded()) {
    result.verdict = run.swings >= swings_for_a_trend ? conservation::drifts : conservation::too_short;
  } else if (run.swings < swings_for_a_bound) {
    result.verdict = conservation::too_short;
  }
  result.grows = result.verdict == conservation::drifts;
  return result;
}

std::vector<double> drift_meter::save() const {
  std::vector<double> saved{open_.time, open_.value, filled_, capacity_, largest_, 0};
  for (const window& w : windows_) saved.insert(saved.end(), {w.time, w.value});
  return saved;
}

void drift_meter::load(const std::vector<double>& saved) {
  constexpr std::size_t head = 6;
  if (saved.size() < head || saved.size() >= head + 2 * most_windows || saved.size() % 2 != 0)
    throw snapshot_error("its record of the drift has another size");
  open_ = {saved[0], saved[1]};
  filled_ = saved[2];
  capacity_ = saved[3];
  largest_ = saved[4];
  windows_.clear();
  for (std::size_t k = head; k + 1 < saved.size(); k += 2) windows_.push_back({saved[k], saved[k + 1]});
}

void swing_meter::add(std::size_t coordinate, double velocity) {
  constexpr double hysteresis = 0.1;  // of the deviation: what is no pass
  part& p = parts_[coordinate];
  p.count += 1;
  const double off = velocity - p.mean;
  p.mean += off / p.count;
  p.square += off * (velocity - p.mean);
  const double deviation = std::sqrt(p.square / p.count);
  const double side = velocity - p.mean > hysteresis * deviation    ? 1
                      : velocity - p.mean < -hysteresis * deviation ? -1
                                                                    : 0;
  if (side == 0 || side == p.side) return;
  if (p.side != 0) p.passes += 1;
  p.side = side;
}

double swing_meter::swings() const {
  constexpr double steady = 1e-6;  // of the mean: a velocity that does not vary
  double fewest = std::numeric_limits<double>::infinity();
  for (const part& p : parts_) {
    const double deviation = std::sqrt(p.square / std::max(1.0, p.count));
    if (deviation > steady * std::abs(p.mean)) fewest = std::min(fewest, p.passes / 2);
  }
  return std::isinf(fewest) ? 0 : fewest;
}

std::vector<double> swing_meter::save() const {
  std::vector<double> saved;
  for (const part& p : parts_) saved.insert(saved.end(), {p.count, p.mean, p.square, p.side, p.passes});
  return saved;
}

void swing_meter::load(const std::vector<double>& saved) {
  if (saved.size() != 5 * parts_.size()) throw snapshot_error("its record of the swings has another size");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double* s = &saved[5 * i];
    parts_[i] = {s[0], s[1], s[2], s[3], s[4]};
  }
}

}  // namespace actio
