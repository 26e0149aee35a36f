#include "actio/io/thinned_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "actio/base/error.hpp"

namespace actio {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void append_gap(curve& to) {
  if (to.x.empty() || std::isnan(to.x.back())) return;
  to.x.push_back(missing);
  to.y.push_back(missing);
}

void append(curve& to, const curve& from, std::size_t index) {
  to.x.push_back(from.x[index]);
  to.y.push_back(from.y[index]);
}

// Of the points that can be drawn in [begin, end): the first, the last, the smallest and the largest in x and in y, in
// their order, each once. Nothing where none can be drawn.
std::vector<std::size_t> extreme_points(const panel& p, const curve& c, std::size_t begin, std::size_t end) {
  while (begin < end && !is_drawable(p, c.x[begin], c.y[begin])) ++begin;
  if (begin == end) return {};
  std::array<std::size_t, 6> at;
  at.fill(begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (!is_drawable(p, c.x[i], c.y[i])) continue;
    if (c.x[i] < c.x[at[1]]) at[1] = i;
    if (c.x[i] > c.x[at[2]]) at[2] = i;
    if (c.y[i] < c.y[at[3]]) at[3] = i;
    if (c.y[i] > c.y[at[4]]) at[4] = i;
    at[5] = i;
  }
  std::ranges::sort(at);
  return {at.begin(), std::unique(at.begin(), at.end())};
}

curve whole(const panel& p, const curve& c) {
  curve result{c.name, c.style};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (is_drawable(p, c.x[i], c.y[i])) append(result, c, i);
    else append_gap(result);
  }
  return result;
}

curve in_buckets(const panel& p, const curve& c, std::size_t buckets) {
  const std::size_t size = c.x.size();
  curve result{c.name, c.style};
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::vector<std::size_t> kept = extreme_points(p, c, b * size / buckets, (b + 1) * size / buckets);
    if (kept.empty()) append_gap(result);
    for (std::size_t i : kept) append(result, c, i);
  }
  return result;
}

// A smooth curve needs two points a bucket, a wild one six: as many buckets as there is room for.
curve thinned_line(const panel& p, const curve& c, std::size_t most) {
  std::size_t buckets = std::max<std::size_t>(1, most / 2);
  while (true) {
    curve result = in_buckets(p, c, buckets);
    if (result.x.size() <= most || buckets == 1) return result;
    buckets = std::max<std::size_t>(1, std::min(buckets - 1, buckets * most / result.x.size()));
  }
}

curve thinned_cloud(const panel& p, const curve& c, std::size_t most) {
  const std::size_t stride = (c.x.size() + most - 1) / most;
  const std::vector<std::size_t> extremes = extreme_points(p, c, 0, c.x.size());
  curve result{c.name, c.style};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const bool stays = i % stride == 0 || std::ranges::find(extremes, i) != extremes.end();
    if (stays && is_drawable(p, c.x[i], c.y[i])) append(result, c, i);
  }
  return result;
}

}  // namespace

bool is_drawable(const panel& p, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!p.x_log || x > 0) && (!p.y_log || y > 0);
}

curve thinned(const panel& p, const curve& c, std::size_t most) {
  ACTIO_ASSERT(c.x.size() == c.y.size() && most > 0);
  if (c.x.size() <= most) return whole(p, c);
  return c.style == curve_style::points ? thinned_cloud(p, c, most) : thinned_line(p, c, most);
}

std::size_t points_allowed(const std::vector<std::size_t>& lengths, std::size_t total) {
  std::vector<std::size_t> sorted = lengths;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::size_t share = total / (sorted.size() - i);
    if (sorted[i] > share) return std::max<std::size_t>(1, share);
    total -= sorted[i];
  }
  return sorted.empty() ? total : std::max<std::size_t>(1, sorted.back());
}

}  // namespace actio
