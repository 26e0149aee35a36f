#include "actio/io/report_view.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/backend/backend.hpp"
#include "actio/backend/evaluate.hpp"
#include "actio/io/page.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

// Shapes are drawn as chains and nets of so many points along each variable.
constexpr std::size_t curve_points = 161, net_points = 41;
// A picture shows no more than this many different lengths; the components of unit vectors need fewer.
constexpr double most_units = 1e5, axis_unit = 1e-4;

json whole_number(double value) {
  return std::isfinite(value) ? json(static_cast<long long>(std::llround(value))) : json(nullptr);
}

// Numbers that depend on parameters, and on variables of their own.
class formula_values {
 public:
  formula_values(const lagrangian_system& system, const std::vector<double>& parameters)
      : symbols_(system.parameter_symbols()), values_(parameters) {}

  double of(const expr& e) const { return evaluate<double>(std::span(&e, 1), symbols_, values_).front(); }

  // The points of a shape, one after the other, the first variable fastest.
  std::vector<double> of(const view_shape& shape, std::span<const std::size_t> sizes) const {
    std::vector<expr> symbols(symbols_);
    std::vector<double> values(values_), result;
    std::size_t count = 1;
    for (const view_variable& v : shape.variables) {
      symbols.push_back(v.symbol);
      values.push_back(0);
    }
    for (std::size_t size : sizes) count *= size;
    const auto function = compile<double>(lower(shape.point, {}, symbols), backend::interpreter);
    const auto at_point = function->evaluate_at(1);
    at_point->set_parameters({});
    const std::size_t stride = at_point->stride();
    std::vector<double> in(symbols.size() * stride), out(shape.point.size() * stride);
    for (std::size_t k = 0; k < values.size(); ++k) in[k * stride] = values[k];
    std::vector<std::pair<double, double>> ends;
    for (const view_variable& v : shape.variables) ends.emplace_back(of(v.from), of(v.to));
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        const double part = static_cast<double>(rest % sizes[k]) / static_cast<double>(sizes[k] - 1);
        in[(symbols_.size() + k) * stride] = ends[k].first + part * (ends[k].second - ends[k].first);
        rest /= sizes[k];
      }
      (*at_point)(in.data(), out.data());
      for (std::size_t k = 0; k < shape.point.size(); ++k) result.push_back(out[k * stride]);
    }
    return result;
  }

 private:
  std::vector<expr> symbols_;
  std::vector<double> values_;
};

std::vector<bool> columns_that_are_lengths(const model_view& view) {
  const std::size_t d = view.dimensions;
  std::vector<bool> result(view.points.size() * d, true);
  for (std::size_t b = 0; b < view.bodies.size(); ++b) {
    result.insert(result.end(), d, true);
    result.insert(result.end(), d * d, false);
  }
  return result;
}

double largest_finite(std::span<const double> values, double so_far) {
  for (double x : values) {
    if (std::isfinite(x)) so_far = std::max(so_far, std::abs(x));
  }
  return so_far;
}

// The power of ten of which the largest length is between ten thousand and a hundred thousand.
double unit_for(double largest) {
  return largest > 0 ? std::pow(10.0, std::ceil(std::log10(largest / most_units))) : 1.0;
}

json clip_json(const frame_list& frames, const std::vector<bool>& is_length, double unit) {
  json times = json::array(), columns = json::array();
  for (double t : frames.times) times.push_back(rounded_for_drawing(t));
  const std::size_t count = is_length.size();
  for (std::size_t k = 0; k < count; ++k) {
    json column = json::array();
    for (std::size_t f = 0; f < frames.size(); ++f) {
      column.push_back(whole_number(frames.values[f * count + k] / (is_length[k] ? unit : axis_unit)));
    }
    const bool is_constant = std::ranges::all_of(column, [&](const json& x) { return x == column.front(); });
    columns.push_back(is_constant ? json(column.front()) : std::move(column));
  }
  return {{"stride", frames.stride}, {"times", times}, {"columns", columns}};
}

json bodies_json(const model_view& view, const formula_values& values) {
  json list = json::array();
  for (const view_body& b : view.bodies) {
    json size = json::array();
    for (const expr& length : b.size) {
      const double value = values.of(length);
      size.push_back(std::isfinite(value) ? json(rounded_for_drawing(value)) : json(nullptr));
    }
    list.push_back({{"name", b.name}, {"form", b.form == body_form::box ? "box" : "disc"}, {"size", size}});
  }
  return list;
}

}  // namespace

json view_json(const model_view& view, const lagrangian_system& system, const motion_frames& frames) {
  const formula_values values(system, frames.parameters());
  const std::vector<bool> is_length = columns_that_are_lengths(view);
  std::vector<frame_list> clips{frames.whole()};
  if (frames.beginning()) clips.insert(clips.begin(), *frames.beginning());
  double largest = 0;
  for (const frame_list& clip : clips) {
    for (std::size_t i = 0; i < clip.values.size(); ++i) {
      if (is_length[i % is_length.size()]) largest = largest_finite(std::span(&clip.values[i], 1), largest);
    }
  }
  std::vector<std::vector<std::size_t>> sizes;
  std::vector<std::vector<double>> nets;
  for (const view_shape& s : view.shapes) {
    sizes.push_back(s.variables.size() == 1 ? std::vector{curve_points} : std::vector{net_points, net_points});
    nets.push_back(values.of(s, sizes.back()));
    largest = largest_finite(nets.back(), largest);
  }
  const double unit = unit_for(largest);
  json points = json::array(), shapes = json::array(), shown = json::array();
  for (const view_point& p : view.points) points.push_back(p.name);
  for (std::size_t s = 0; s < nets.size(); ++s) {
    json net = json::array();
    for (double x : nets[s]) net.push_back(whole_number(x / unit));
    shapes.push_back({{"name", view.shapes[s].name}, {"size", sizes[s]}, {"values", net}});
  }
  for (const frame_list& clip : clips) shown.push_back(clip_json(clip, is_length, unit));
  return {{"dimensions", view.dimensions},
          {"unit", unit},
          {"axis_unit", axis_unit},
          {"points", points},
          {"lines", view.lines},
          {"traces", view.traces},
          {"bodies", bodies_json(view, values)},
          {"shapes", shapes},
          {"clips", shown}};
}

}  // namespace actio
