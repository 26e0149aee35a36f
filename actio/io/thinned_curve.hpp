// Curves with few points that look like curves with many.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/io/figure.hpp"

namespace actio {

// Whether a panel can draw this point.
bool is_drawable(const panel& p, double x, double y);

// A curve of `p` with at most `most` points, or a few more where that is less than six. Points that cannot be drawn
// become one gap, NaN in both coordinates.
//
// Of lines, neighbouring points are gathered in buckets; of each the first and the last point stay and those that are
// smallest and largest in x and in y: no extreme is lost, and a gap only where it is narrower than a bucket. Of
// separate points every n-th stays, since extremes of buckets would show the rim of a cloud only; the extremes of the
// whole stay too.
curve thinned(const panel& p, const curve& c, std::size_t most);

// The number of points to allow a curve, so that curves of these lengths have at most `total` together: short ones
// stay whole, and long ones share what is left.
std::size_t points_allowed(const std::vector<std::size_t>& lengths, std::size_t total);

}  // namespace actio
