// The axis of a top, (sin θ sin φ, −sin θ cos φ, cos θ) in the ZXZ sequence, drawn on the unit sphere.
#include <cmath>
#include <limits>

#include "papers/rojas2025/rojas2025.hpp"

namespace actio::papers {

namespace {

constexpr double azimuth = 0.5, elevation = 0.4;  // where the sphere is seen from
constexpr double gap = std::numeric_limits<double>::quiet_NaN();

struct vector3 {
  double x, y, z;
};

// Coordinates on the paper, and the one towards the reader.
vector3 seen_from_the_side(const vector3& a) {
  const double ahead = std::cos(azimuth) * a.x + std::sin(azimuth) * a.y;
  return {-std::sin(azimuth) * a.x + std::cos(azimuth) * a.y, -std::sin(elevation) * ahead + std::cos(elevation) * a.z,
          std::cos(elevation) * ahead + std::sin(elevation) * a.z};
}

vector3 axis_at(double precession, double nutation) {
  return {std::sin(nutation) * std::sin(precession), -std::sin(nutation) * std::cos(precession), std::cos(nutation)};
}

void add(curve& c, double x, double y) {
  c.x.push_back(x);
  c.y.push_back(y);
}

constexpr int parts = 120;

// Guides have no name.
curve circle(double radius) {
  curve c;
  for (int k = 0; k <= parts; ++k)
    add(c, radius * std::cos(2 * M_PI * k / parts), radius * std::sin(2 * M_PI * k / parts));
  return c;
}

void add_visible(curve& c, const vector3& on_sphere) {
  const vector3 seen = seen_from_the_side(on_sphere);
  const bool visible = seen.z >= 0;
  add(c, visible ? seen.x : gap, visible ? seen.y : gap);
}

std::vector<curve> sphere() {
  std::vector<curve> guides = {circle(1)};
  for (int latitude = 1; latitude < 6; ++latitude) {
    curve& c = guides.emplace_back();
    for (int k = 0; k <= parts; ++k) add_visible(c, axis_at(2 * M_PI * k / parts, M_PI * latitude / 6));
  }
  for (int longitude = 0; longitude < 12; ++longitude) {
    curve& c = guides.emplace_back();
    for (int k = 0; k <= parts; ++k) add_visible(c, axis_at(M_PI * longitude / 6, M_PI * k / parts));
  }
  return guides;
}

}  // namespace

std::vector<panel> axis_panels(const recording& motion, std::size_t precession, std::size_t nutation) {
  curve front{"axis", curve_style::line, {}, {}}, back{"behind the sphere", curve_style::dashed, {}, {}}, top = front;
  for (std::size_t k = 0; k < motion.t.size(); ++k) {
    const vector3 axis = axis_at(motion.q[precession][k], motion.q[nutation][k]);
    const vector3 seen = seen_from_the_side(axis);
    const bool visible = seen.z >= 0;
    add(visible ? front : back, seen.x, seen.y);
    add(visible ? back : front, gap, gap);
    add(top, axis.x, axis.y);
  }
  panel side{"from the side", "", "", false, false, true, sphere()};
  side.curves.push_back(std::move(front));
  side.curves.push_back(std::move(back));
  panel above{"from above", "x", "y", false, false, true, {circle(1), circle(0.5)}};
  above.curves.push_back(std::move(top));
  return {std::move(side), std::move(above)};
}

}  // namespace actio::papers
