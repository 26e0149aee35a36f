#include "actio/simulate/drift.hpp"

#include <cmath>
#include <span>

#include "actio/base/snapshot.hpp"

namespace actio {

namespace {

constexpr std::size_t most_windows = 128;
constexpr std::size_t fewest_windows = 16;

struct line {
  double slope = 0, slope_error = 0;
};

template <class Window>
line fit(std::span<const Window> windows) {
  const double n = static_cast<double>(windows.size());
  double t = 0, y = 0, tt = 0, ty = 0, scatter = 0;
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
  for (const Window& w : windows) scatter += std::pow(w.value - y - slope * (w.time - t), 2);
  return {slope, std::sqrt(scatter / (n - 2) / tt)};
}

}  // namespace

void drift_meter::add(double time, double value) {
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

drift_estimate drift_meter::estimate(double rounding) const {
  if (windows_.size() < fewest_windows) return {};
  const std::span<const window> all(windows_);
  const line whole = fit(all);
  drift_estimate result{whole.slope, whole.slope_error, false};
  const double change = std::abs(whole.slope) * (windows_.back().time - windows_.front().time);
  if (change <= rounding || std::abs(whole.slope) <= 6 * whole.slope_error) return result;
  const std::size_t quarter = windows_.size() / 4;
  for (std::size_t k = 0; k < 4; ++k) {
    if (fit(all.subspan(k * quarter, quarter)).slope * whole.slope <= 0) return result;
  }
  result.grows = true;
  return result;
}

std::vector<double> drift_meter::save() const {
  std::vector<double> saved{open_.time, open_.value, filled_, capacity_};
  for (const window& w : windows_) saved.insert(saved.end(), {w.time, w.value});
  return saved;
}

void drift_meter::load(const std::vector<double>& saved) {
  if (saved.size() < 4 || saved.size() >= 4 + 2 * most_windows || saved.size() % 2 != 0)
    throw snapshot_error("its record of the drift has another size");
  open_ = {saved[0], saved[1]};
  filled_ = saved[2];
  capacity_ = saved[3];
  windows_.clear();
  for (std::size_t k = 4; k + 1 < saved.size(); k += 2) windows_.push_back({saved[k], saved[k + 1]});
}

}  // namespace actio
