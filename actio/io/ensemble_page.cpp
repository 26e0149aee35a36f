#include "actio/io/ensemble_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/io/page.hpp"
#include "actio/io/png.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

// Bytes of pictures, before base64 adds a third: a page stays below 5 MB with its script and curves.
constexpr std::size_t room_for_first = 2'200'000, room_for_others = 900'000;

json drawn(double value, int digits = 6) {
  return std::isfinite(value) ? json(rounded_for_drawing(value, digits)) : json(nullptr);
}

// A picture of steps between two values: 0 stands for none, k for low + (k − 1)/(levels − 1)·(high − low).
struct picture {
  std::size_t width = 0, height = 0, stride = 1;
  unsigned levels = 0;
  double low = 0, high = 0;
  std::string png = {};
};

double shown(const ensemble_map& map, float value) {
  const auto x = static_cast<double>(value);
  return map.logarithmic ? (x > 0 ? std::log10(x) : std::nan("")) : x;
}

// The range of a map: without its thousandth parts, which one value alone might make a thousand times as wide.
std::pair<double, double> range_of(const ensemble_map& map) {
  if (!map.categories.empty()) return {0, static_cast<double>(map.categories.size() - 1)};
  dyadic_histogram all;
  double least = 0, most = 0;
  for (const float value : map.values) {
    const double x = shown(map, value);
    if (!std::isfinite(x)) continue;
    least = all.total() == 0 ? x : std::min(least, x);
    most = all.total() == 0 ? x : std::max(most, x);
    all.add(x);
  }
  const double low = all.quantile(0.001), high = all.quantile(0.999);
  const double margin = 0.1 * (high - low);
  return {std::max(least, low - margin), std::min(most, high + margin)};
}

picture drawn_with(const ensemble_map& map, std::size_t width, std::size_t height, std::size_t stride,
                   unsigned levels) {
  picture p{.width = (width + stride - 1) / stride,
            .height = (height + stride - 1) / stride,
            .stride = stride,
            .levels = levels};
  std::tie(p.low, p.high) = range_of(map);
  std::vector<std::uint8_t> grey;
  grey.reserve(p.width * p.height);
  for (std::size_t row = p.height; row-- > 0;) {  // pictures begin at the top
    for (std::size_t column = 0; column < p.width; ++column) {
      const double x = shown(map, map.values[row * stride * width + column * stride]);
      const double part = p.high > p.low ? std::clamp((x - p.low) / (p.high - p.low), 0.0, 1.0) : 0;
      grey.push_back(std::isfinite(x) ? static_cast<std::uint8_t>(1 + std::lround(part * (levels - 1))) : 0);
    }
  }
  p.png = png_of(p.width, p.height, grey);
  return p;
}

// As fine as there is room for: first fewer levels, then fewer points.
picture picture_of(const ensemble_map& map, std::size_t width, std::size_t height, std::size_t room) {
  constexpr std::size_t most_points = 1'000'000;
  const bool is_first = room >= room_for_first;
  std::size_t stride = 1;
  while (!is_first && width / stride * (height / stride) > most_points) ++stride;
  for (;; ++stride) {
    if (!map.categories.empty()) {
      picture p = drawn_with(map, width, height, stride, static_cast<unsigned>(map.categories.size()));
      if (p.png.size() <= room) return p;
      continue;
    }
    for (const unsigned levels : {250U, 120U, 60U, 30U}) {
      picture p = drawn_with(map, width, height, stride, levels);
      if (p.png.size() <= room) return p;
    }
  }
}

double value_at(const swept_variable& s, std::size_t i) {
  if (!s.values.empty()) return s.values[i];
  return std::lerp(s.from, s.to, static_cast<double>(i) / static_cast<double>(s.count - 1));
}

json axis_json(const ensemble_recorder::axis& a, std::size_t stride) {
  const std::size_t count = (a.count + stride - 1) / stride, last = (count - 1) * stride * a.stride;
  return {{"name", a.variable->name},
          {"from", value_at(*a.variable, 0)},
          {"to", value_at(*a.variable, last)},
          {"count", count},
          {"even", a.variable->values.empty()}};
}

json maps_json(const ensemble_recorder& recorder) {
  json list = json::array();
  if (recorder.axes().size() != 2) return list;
  const auto& [x, y] = std::pair(recorder.axes()[0], recorder.axes()[1]);
  std::size_t room = room_for_first, left = 0;
  for (const ensemble_map& map : recorder.maps()) {
    const auto [least, most] = std::ranges::minmax(map.values, [](float a, float b) { return a < b; });
    left += !map.categories.empty() && least == most ? 0 : 1;
  }
  for (const ensemble_map& map : recorder.maps()) {
    const auto [least, most] = std::ranges::minmax(map.values, [](float a, float b) { return a < b; });
    if (!map.categories.empty() && least == most) continue;  // nothing but "done"
    const picture p = picture_of(map, x.count, y.count, room);
    room = room_for_others / std::max<std::size_t>(1, left - 1);
    list.push_back({{"name", map.name},
                    {"x", axis_json(x, p.stride)},
                    {"y", axis_json(y, p.stride)},
                    {"logarithmic", map.logarithmic},
                    {"categories", map.categories},
                    {"low", drawn(p.low)},
                    {"high", drawn(p.high)},
                    {"levels", p.levels},
                    {"png", base64_of(p.png)}});
  }
  return list;
}

json panel(std::string title, std::string x, std::string y) {
  return {{"title", std::move(title)},
          {"x_label", std::move(x)},
          {"y_label", std::move(y)},
          {"x_log", false},
          {"y_log", false},
          {"equal_scales", false},
          {"curves", json::array()}};
}

json figure(const char* id, const char* title, std::string caption) {
  return {{"id", id}, {"title", title}, {"caption", std::move(caption)}, {"panels", json::array()}};
}

// Final values over a single swept one.
json curves_json(const ensemble_recorder& recorder) {
  json all = figure("curves", "Over the swept value", "");
  if (recorder.axes().size() != 1) return all;
  const ensemble_recorder::axis& a = recorder.axes().front();
  json at = json::array();
  for (std::size_t i = 0; i < a.count; ++i) at.push_back(drawn(value_at(*a.variable, i * a.stride)));
  for (const ensemble_map& map : recorder.maps()) {
    if (!map.categories.empty()) continue;
    json values = json::array();
    for (const float value : map.values) {
      values.push_back(map.logarithmic && !(value > 0) ? json(nullptr) : drawn(static_cast<double>(value), 5));
    }
    json one = panel("", a.variable->name, map.name);
    one["y_log"] = map.logarithmic;
    one["curves"].push_back({{"name", map.name}, {"style", "line"}, {"look", 0}, {"x", at}, {"y", values}});
    all["panels"].push_back(one);
  }
  return all;
}

// Steps of a histogram as a line.
json distributions_json(const ensemble_statistics& statistics) {
  constexpr std::size_t most_bins = 160;
  json all = figure("distributions", "Distributions", "Numbers of trajectories that end in equal ranges.");
  for (const quantity_statistics& q : statistics.quantities()) {
    const dyadic_histogram bins = q.histogram().coarser(most_bins);
    if (bins.total() == 0 || bins.counts().size() < 2) continue;
    json x = json::array(), y = json::array();
    const auto place = [&](std::size_t k) {
      const double at = bins.first() + static_cast<double>(k) * bins.width();
      return drawn(q.is_logarithmic() ? straight_power(at) : at);
    };
    for (std::size_t k = 0; k < bins.counts().size(); ++k) {
      for (const std::size_t side : {k, k + 1}) {
        x.push_back(place(side));
        y.push_back(bins.counts()[k]);
      }
    }
    json one = panel("", q.name(), "trajectories");
    one["x_log"] = q.is_logarithmic();
    one["curves"].push_back({{"name", q.name()}, {"style", "line"}, {"look", 0}, {"x", x}, {"y", y}});
    all["panels"].push_back(one);
  }
  return all;
}

json section_json(const ensemble_report& report, const ensemble_recorder& recorder) {
  json all = figure("section", "Poincaré section", "");
  const auto& names = report.coordinates;
  if (recorder.crossings().empty() || recorder.crossings().front().size() < 2 * names.size()) return all;
  if (recorder.crossing_stride() > 1) {
    all["caption"] = fmt::format("Every {}th of {} crossings.", recorder.crossing_stride(), report.crossings);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i) {
    const auto is_zero = [&](const std::vector<double>& crossing) { return std::abs(crossing[i]) < 1e-12; };
    if (std::ranges::all_of(recorder.crossings(), is_zero)) continue;  // it is what the section is made by
    json x = json::array(), y = json::array();
    for (const std::vector<double>& crossing : recorder.crossings()) {
      x.push_back(drawn(crossing[i], 5));
      y.push_back(drawn(crossing[names.size() + i], 5));
    }
    json one = panel("", names[i], "p_" + names[i]);
    one["curves"].push_back({{"name", report.section}, {"style", "points"}, {"look", 0}, {"x", x}, {"y", y}});
    all["panels"].push_back(one);
  }
  return all;
}

json failures_json(const ensemble_report& report, const ensemble_plan& plan) {
  json list = json::array();
  std::vector<double> values(plan.names().size());
  for (const ensemble_failure& f : report.first_failures) {
    plan.values(f.index, values);
    json at = json::array();
    for (std::size_t v = 0; v < values.size(); ++v)
      at.push_back(fmt::format("{} = {:.6g}", plan.names()[v], values[v]));
    list.push_back({{"trajectory", f.index}, {"at", at}, {"reason", f.reason}});
  }
  return list;
}

json numbers_json(const ensemble_statistics& statistics) {
  json rows = json::array();
  for (const quantity_statistics& q : statistics.quantities()) {
    json row = {q.name()};
    for (const double x :
         {q.mean(), q.deviation(), q.smallest(), q.quantile(0.05), q.quantile(0.5), q.quantile(0.95), q.largest()}) {
      row.push_back(fmt::format("{:.5g}", x));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::string ensemble_page(const ensemble_report& report, const ensemble_recorder& recorder, const model& m,
                          const report_context& context) {
  json statuses = json::object();
  for (std::size_t k = 0; k < report.by_status.size(); ++k) {
    if (report.by_status[k] > 0) statuses[to_text(static_cast<trajectory_status>(k))] = report.by_status[k];
  }
  json varied = json::array();
  for (const swept_variable& s : recorder.plan().variation().sweeps) varied.push_back(to_text(s));
  for (const random_variable& r : recorder.plan().variation().samples) {
    varied.push_back(fmt::format("{} ~ {}({:.6g}, {:.6g})", r.name,
                                 r.kind == distribution::normal ? "normal" : "uniform", r.first, r.second));
  }
  const std::string text = to_text(report);
  const json data = {
      {"kind", "ensemble"},
      {"version", context.version},
      {"command", context.command},
      {"model", json::parse(model_data(m))},
      {"method", report.method},
      {"count", report.count},
      {"planned", report.planned},
      {"seconds", drawn(report.seconds)},
      {"engine", report.engine},
      {"lengths", lengths_text(report)},
      {"accuracy", report.accuracy ? json(accuracy_text(*report.accuracy)) : json(nullptr)},
      {"untrusted", report.untrusted},
      {"statuses", statuses},
      {"varied", varied},
      {"maps", maps_json(recorder)},
      {"numbers", numbers_json(recorder.statistics())},
      {"figures", {section_json(report, recorder), curves_json(recorder), distributions_json(recorder.statistics())}},
      {"failed", report.failed()},
      {"failures", failures_json(report, recorder.plan())}};
  return page_with(data.dump(-1, ' ', true, json::error_handler_t::replace),
                   fmt::format("{}: {} trajectories", report.model, report.count), text);
}

}  // namespace actio
