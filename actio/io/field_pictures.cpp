#include "actio/io/field_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/io/page.hpp"
#include "actio/io/png.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

constexpr unsigned levels = 250;

json axis(const std::string& name, double from, double to, std::size_t count) {
  return {{"name", name}, {"from", from}, {"to", to}, {"count", count}, {"even", true}};
}

// Between the middles of the first and the last cell.
json axis_of(const std::string& name, const coordinate_field::direction& d) {
  const auto middle = [&](std::size_t cell) {
    const std::size_t begin = cell * d.width, end = std::min(begin + d.width, d.members);
    return static_cast<double>(d.least) + static_cast<double>(begin + end - 1) / 2;
  };
  return axis(name, middle(0), middle(d.cells - 1), d.cells);
}

// Time where moments are evenly apart in it, otherwise the number of steps.
json axis_of_moments(const coordinate_field& field) {
  const std::vector<double>& t = field.times();
  const double length = t.back() - t.front();
  bool even = true;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double part = t.size() > 1 ? static_cast<double>(k) / static_cast<double>(t.size() - 1) : 0;
    even = even && std::abs(t[k] - t.front() - part * length) <= 1e-6 * std::abs(length);
  }
  if (even) return axis("t", rounded_for_drawing(t.front()), rounded_for_drawing(t.back()), t.size());
  return axis("step", 0, static_cast<double>((t.size() - 1) * field.stride()), t.size());
}

std::uint8_t grey(double value, double low, double high) {
  if (!std::isfinite(value)) return 0;
  const double part = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0;
  return static_cast<std::uint8_t>(1 + std::lround(part * (levels - 1)));
}

json picture_of(const coordinate_field& field) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double x : field.values()) {
    if (!std::isfinite(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (low > high) low = high = 0;
  const auto& d = field.directions();
  const std::size_t moments = field.times().size();
  const bool has_frames = d.size() == 2;
  const std::size_t width = d.front().cells, height = has_frames ? d.back().cells : moments;
  std::vector<std::uint8_t> pixels;
  for (std::size_t frame = 0; frame < (has_frames ? moments : 1); ++frame) {
    for (std::size_t row = height; row-- > 0;) {  // pictures begin at the top
      for (std::size_t column = 0; column < width; ++column) {
        const std::size_t cell = has_frames ? frame * field.cells() + column * height + row : row * width + column;
        pixels.push_back(grey(field.values()[cell], low, high));
      }
    }
  }
  json picture = {{"name", field.name()},
                  {"x", axis_of(has_frames ? "i" : "index", d.front())},
                  {"y", has_frames ? axis_of("j", d.back()) : axis_of_moments(field)},
                  {"logarithmic", false},
                  {"categories", json::array()},
                  {"low", rounded_for_drawing(low)},
                  {"high", rounded_for_drawing(high)},
                  {"levels", levels},
                  {"cell", d.front().width * (has_frames ? d.back().width : 1)},
                  {"png", base64_of(png_of(width, pixels.size() / width, pixels))}};
  if (has_frames) {
    json times = json::array();
    for (const double t : field.times()) times.push_back(rounded_for_drawing(t));
    picture["frames"] = times;
  }
  return picture;
}

}  // namespace

json fields_json(std::span<const coordinate_field> fields) {
  json list = json::array();
  for (const coordinate_field& field : fields) {
    if (!field.times().empty()) list.push_back(picture_of(field));
  }
  return list;
}

}  // namespace actio
