#include "actio/io/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "actio/io/axis_ticks.hpp"
#include "actio/io/svg_text.hpp"
#include "actio/io/thinned_curve.hpp"

namespace actio {

namespace {

// Lengths are in pixels of SVG, of which 96 make an inch.
constexpr double text_size = 11, small_size = 8, line_height = 15, margin = 8;
constexpr double tick_length = 4, tick_gap = 3, marker_size = 3;
constexpr std::size_t most_points = 3000, most_markers = 60, most_shapes = 200;

// The colours of the page (web/report/src/style.css), told apart by people who see few colours; the first four also by
// a printer that has none.
constexpr std::array<std::string_view, 8> colours = {"#244aae", "#b8690f", "#59b392", "#5e0f3c",
                                                     "#1c7fb0", "#a8281f", "#8e9958", "#738993"};
constexpr std::array<std::string_view, 4> dashes = {"7 3", "2 2.5", "9 3 2 3", "4 2"};
constexpr std::string_view ink = "#1d2329", frame_ink = "#7b858f", grid_ink = "#e6e9ec", zero_ink = "#b4bdc6",
                           guide_ink = "#9aa4ad";

struct range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct box {
  double left = 0, top = 0, width = 0, height = 0;
};

// --- text ---

double label_width(const tick_label& label) {
  const double exponent = label.exponent ? text_width(std::to_string(*label.exponent), small_size) : 0;
  return text_width(label.text, text_size) + exponent;
}

// Coordinates with two decimals at most.
std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string text_at(double x, double y, std::string_view content, std::string_view attributes = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", short_number(x), short_number(y),
                     attributes.empty() ? "" : " ", attributes, content);
}

// A raised and smaller part by shifts that every converter knows.
std::string label_content(const tick_label& label) {
  std::string content = escaped_for_xml(label.text);
  if (label.exponent) {
    content += fmt::format("<tspan dy=\"-4\" font-size=\"{}\">{}{}</tspan>", small_size, *label.exponent < 0 ? "−" : "",
                           std::abs(*label.exponent));
  }
  return content;
}

// The length of the character that a text begins with where it may stand in an index, else 0.
std::size_t index_character(std::string_view text) {
  if (text.empty()) return 0;
  if (std::isalnum(static_cast<unsigned char>(text[0])) != 0) return 1;
  if (text.starts_with("∞")) return std::string_view("∞").size();
  const bool is_greek = text >= "Α" && text < "Ѐ";  // in the order of UTF-8
  return is_greek ? std::string_view("Α").size() : 0;
}

// "e_H" with its index set low; names such as "angular_momentum" stay what they are.
std::string with_subscripts(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', end)) {
    end = at + 1;
    std::size_t characters = 0;
    for (std::size_t length; (length = index_character(text.substr(end))) > 0; end += length) ++characters;
    const bool is_index = characters > 0 && characters <= 3 && (end == text.size() || text[end] != '_');
    if (!is_index) continue;
    const std::string_view index = text.substr(at + 1, end - at - 1), rest = text.substr(end);
    return fmt::format("{}<tspan dy=\"3\" font-size=\"{}\">{}</tspan>{}", escaped_for_xml(text.substr(0, at)),
                       small_size, index,
                       rest.empty() ? "" : fmt::format("<tspan dy=\"-3\">{}</tspan>", with_subscripts(rest)));
  }
  return escaped_for_xml(text);
}

bool has_common(const axis_ticks& ticks) { return !ticks.factor.text.empty() || !ticks.added.empty(); }

// What all labels of an axis share. The shift back is needed where text follows the exponent.
std::string common_content(const axis_ticks& ticks) {
  if (ticks.factor.text.empty() || ticks.added.empty())
    return label_content(ticks.factor) + escaped_for_xml(ticks.added);
  return fmt::format("{}<tspan dy=\"4\"> {}</tspan>", label_content(ticks.factor), escaped_for_xml(ticks.added));
}

// --- one panel ---

struct drawn_curve {
  curve data;
  std::size_t look = 0;  // its colour and its marker
  std::size_t dash = 0;  // among the dashed ones
  bool is_guide() const { return data.name.empty(); }
  bool has_marks() const { return data.style == curve_style::points || data.style == curve_style::line_with_points; }
  std::string_view colour() const { return is_guide() ? guide_ink : colours[look % colours.size()]; }
};

// Room around the data: none along x for lines that go forward only, such as motions over time.
range with_room(range r, bool is_logarithmic, bool is_tight) {
  if (r.low > r.high) return is_logarithmic ? range{0.1, 1} : range{-1, 1};
  if (is_logarithmic) {
    if (r.high / r.low < 1.001) return {r.low / 2, r.high * 2};
    const double factor = is_tight ? 1 : std::exp(0.05 * (std::log(r.high) - std::log(r.low)));
    return {std::max(r.low / factor, std::numeric_limits<double>::min()),
            std::min(r.high * factor, std::numeric_limits<double>::max())};
  }
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  const double span = r.high / 2 - r.low / 2;  // half of it: the whole may be too large for a number
  if (span <= 1e-15 * size || span == 0)
    return {r.low - (size > 0 ? 0.1 * size : 1), r.high + (size > 0 ? 0.1 * size : 1)};
  const double room = is_tight ? 0 : 0.1 * span;
  return {r.low - room, r.high + room};
}

class panel_drawing {
 public:
  panel_drawing(const panel& p, double width, double height) : panel_(p) {
    std::size_t order = 0, dash = 0;
    for (const curve& c : p.curves) {
      curves_.push_back({thinned(p, c, most_points), c.look.value_or(order), dash});
      if (!c.name.empty()) ++order;
      if (c.style == curve_style::dashed && !c.name.empty()) ++dash;
    }
    find_ranges();
    if (p.equal_scales && !p.x_log && !p.y_log) equalise(width, height);
    else frame_ = {0, 0, width, height};
    x_ticks_ = ticks(x_, p.x_log, frame_.width / 55);
    y_ticks_ = ticks(y_, p.y_log, frame_.height / 32);
    arrange_legend();
  }

  double frame_width() const { return frame_.width; }
  double frame_height() const { return frame_.height; }
  double room_left() const {
    double widest = 0;
    for (const tick_label& l : y_ticks_.labels) widest = std::max(widest, label_width(l));
    return widest + tick_length + tick_gap + (panel_.y_label.empty() ? 0 : line_height + 4) + margin;
  }
  double room_above() const {
    const double common = !has_common(y_ticks_) ? 0 : line_height;
    return margin + (panel_.title.empty() ? 0 : line_height + 3) + legend_height() + common + 4;
  }
  double room_below() const {
    return tick_length + line_height + (panel_.x_label.empty() && !has_common(x_ticks_) ? 0 : line_height) + margin;
  }
  static double room_right() { return 2 * margin + 4; }  // half of the last label stands there

  // With the corner of the frame at (left, top).
  std::string draw(double left, double top) {
    frame_.left = left;
    frame_.top = top;
    std::string out = "<g>\n";
    draw_grid(out);
    for (const drawn_curve& c : curves_) draw_curve(out, c);
    draw_frame(out);
    draw_labels(out);
    draw_legend(out);
    return out + "</g>\n";
  }

 private:
  struct legend_entry {
    std::size_t curve;
    double left, row;
  };

  void find_ranges() {
    bool is_tight = true;
    for (const drawn_curve& c : curves_) {
      double before = -std::numeric_limits<double>::infinity();
      is_tight = is_tight && !c.has_marks();
      for (std::size_t i = 0; i < c.data.x.size(); ++i) {
        if (std::isnan(c.data.x[i])) continue;
        x_.add(c.data.x[i]);
        y_.add(c.data.y[i]);
        is_tight = is_tight && c.data.x[i] >= before;
        before = c.data.x[i];
      }
    }
    x_ = with_room(x_, panel_.x_log, is_tight && !panel_.equal_scales);
    y_ = with_room(y_, panel_.y_log, false);
  }

  // A frame of the shape of the data, as far as that is no needle; then the shorter range is widened.
  void equalise(double width, double height) {
    const double shape = (y_.high - y_.low) / (x_.high - x_.low);
    frame_.height = std::clamp(width * shape, 0.6 * height, 1.3 * height);
    frame_.width = std::clamp(frame_.height / shape, 0.5 * width, width);
    const double unit = std::max((x_.high - x_.low) / frame_.width, (y_.high - y_.low) / frame_.height);
    const auto widen = [&](range& r, double pixels) {
      const double middle = r.low / 2 + r.high / 2;
      r = {middle - unit * pixels / 2, middle + unit * pixels / 2};
    };
    widen(x_, frame_.width);
    widen(y_, frame_.height);
  }

  static axis_ticks ticks(const range& r, bool is_logarithmic, double room) {
    const auto most = static_cast<std::size_t>(std::max(3.0, room));
    return is_logarithmic ? logarithmic_ticks(r.low, r.high, most) : linear_ticks(r.low, r.high, most);
  }

  static double fraction(double value, const range& r, bool is_logarithmic) {
    if (is_logarithmic) return (std::log(value) - std::log(r.low)) / (std::log(r.high) - std::log(r.low));
    return (value / 2 - r.low / 2) / (r.high / 2 - r.low / 2);
  }
  double at_x(double value) const { return frame_.left + frame_.width * fraction(value, x_, panel_.x_log); }
  double at_y(double value) const { return frame_.top + frame_.height * (1 - fraction(value, y_, panel_.y_log)); }
  double right() const { return frame_.left + frame_.width; }
  double bottom() const { return frame_.top + frame_.height; }

  void vertical(std::string& path, double x, double from, double to) const {
    path += fmt::format("M{} {}V{}", short_number(x), short_number(from), short_number(to));
  }
  void horizontal(std::string& path, double y, double from, double to) const {
    path += fmt::format("M{} {}H{}", short_number(from), short_number(y), short_number(to));
  }

  void draw_grid(std::string& out) const {
    std::string grid, zero;
    for (double v : x_ticks_.values) vertical(v == 0 ? zero : grid, at_x(v), frame_.top, bottom());
    for (double v : y_ticks_.values) horizontal(v == 0 ? zero : grid, at_y(v), frame_.left, right());
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\"/>\n", grid, grid_ink);
    if (!zero.empty()) {
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\"/>\n", zero, zero_ink);
    }
  }

  void draw_frame(std::string& out) const {
    std::string marks;
    for (double v : x_ticks_.values) vertical(marks, at_x(v), bottom(), bottom() + tick_length);
    for (double v : y_ticks_.values) horizontal(marks, at_y(v), frame_.left - tick_length, frame_.left);
    for (double v : x_ticks_.minor) vertical(marks, at_x(v), bottom(), bottom() + tick_length / 2);
    for (double v : y_ticks_.minor) horizontal(marks, at_y(v), frame_.left - tick_length / 2, frame_.left);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>\n"
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>\n",
        short_number(frame_.left), short_number(frame_.top), short_number(frame_.width), short_number(frame_.height),
        frame_ink, marks, frame_ink);
  }

  void draw_labels(std::string& out) const {
    const double below = bottom() + tick_length + text_size;
    for (std::size_t i = 0; i < x_ticks_.values.size(); ++i) {
      out += text_at(at_x(x_ticks_.values[i]), below, label_content(x_ticks_.labels[i]), "text-anchor=\"middle\"");
    }
    for (std::size_t i = 0; i < y_ticks_.values.size(); ++i) {
      out += text_at(frame_.left - tick_length - tick_gap, at_y(y_ticks_.values[i]) + 0.35 * text_size,
                     label_content(y_ticks_.labels[i]), "text-anchor=\"end\"");
    }
    if (has_common(x_ticks_)) {
      out += text_at(right(), below + line_height, common_content(x_ticks_), "text-anchor=\"end\"");
    }
    if (has_common(y_ticks_)) out += text_at(frame_.left, frame_.top - 5, common_content(y_ticks_));
    const double middle = frame_.left + frame_.width / 2;
    if (!panel_.x_label.empty()) {
      out += text_at(middle, below + line_height, with_subscripts(panel_.x_label), "text-anchor=\"middle\"");
    }
    if (!panel_.y_label.empty()) {
      const double x = frame_.left - room_left() + margin + text_size, y = frame_.top + frame_.height / 2;
      out += text_at(
          x, y, with_subscripts(panel_.y_label),
          fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", short_number(x), short_number(y)));
    }
    if (!panel_.title.empty()) {
      out += text_at(middle, frame_.top - room_above() + margin + text_size, with_subscripts(panel_.title),
                     "text-anchor=\"middle\" font-weight=\"bold\"");
    }
  }

  // Above the frame, where it covers no curve, in as many rows as it needs. A single curve that the title or an axis
  // already names needs no legend.
  void arrange_legend() {
    constexpr double key = 24, gap = 14;
    std::size_t named = 0;
    bool is_known = true;
    for (const drawn_curve& c : curves_) {
      if (c.is_guide()) continue;
      ++named;
      is_known = is_known && (c.data.name == panel_.y_label || c.data.name == panel_.title);
    }
    if (named == 0 || (named == 1 && is_known)) return;
    double left = 0;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      if (curves_[i].is_guide()) continue;
      const double needed = key + text_width(curves_[i].data.name, text_size);
      if (left > 0 && left + needed > frame_.width) {
        left = 0;
        ++legend_rows_;
      }
      legend_.push_back({i, left, static_cast<double>(legend_rows_)});
      left += needed + gap;
    }
    ++legend_rows_;
  }
  double legend_height() const { return static_cast<double>(legend_rows_) * line_height; }

  void draw_legend(std::string& out) const {
    const double top = frame_.top - legend_height() - (!has_common(y_ticks_) ? 0 : line_height) - 4;
    for (const legend_entry& e : legend_) {
      const drawn_curve& c = curves_[e.curve];
      const double x = frame_.left + e.left, y = top + (e.row + 0.5) * line_height;
      if (c.data.style != curve_style::points) {
        std::string path;
        horizontal(path, y, x, x + 20);
        draw_line(out, c, path);
      }
      if (c.has_marks()) draw_shapes(out, c, {{x + 10, y}});
      out += text_at(x + 24, y + 0.35 * text_size, with_subscripts(c.data.name));
    }
  }

  // Lines end at gaps; a point between two gaps is a dot.
  void draw_curve(std::string& out, const drawn_curve& c) const {
    std::vector<std::array<double, 2>> points;
    std::string path;
    bool is_down = false;
    for (std::size_t i = 0; i < c.data.x.size(); ++i) {
      if (std::isnan(c.data.x[i])) {
        is_down = false;
        continue;
      }
      points.push_back({at_x(c.data.x[i]), at_y(c.data.y[i])});
      const bool is_single = !is_down && (i + 1 == c.data.x.size() || std::isnan(c.data.x[i + 1]));
      path += fmt::format("{}{} {}{}", is_down ? "L" : "M", short_number(points.back()[0]),
                          short_number(points.back()[1]), is_single ? "h.01" : "");
      is_down = true;
    }
    if (points.empty()) return;
    if (c.data.style != curve_style::points) draw_line(out, c, path);
    if (!c.has_marks()) return;
    if (c.data.style == curve_style::points && points.size() > most_shapes) return draw_dots(out, c, points);
    if (c.data.style == curve_style::line_with_points && points.size() > most_markers) {
      const std::size_t stride = (points.size() + most_markers - 1) / most_markers;
      for (std::size_t i = 0; i * stride < points.size(); ++i) points[i] = points[i * stride];
      points.resize((points.size() + stride - 1) / stride);
    }
    draw_shapes(out, c, points);
  }

  void draw_line(std::string& out, const drawn_curve& c, const std::string& path) const {
    const std::string dash =
        c.data.style == curve_style::dashed
            ? fmt::format(" stroke-dasharray=\"{}\"", dashes[c.is_guide() ? 3 : c.dash % dashes.size()])
            : "";
    out += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"{}\"{}/>\n",
        path, c.colour(), c.is_guide() ? 0.8 : 1.3, dash.empty() ? "round" : "butt", dash);
  }

  void draw_dots(std::string& out, const drawn_curve& c, const std::vector<std::array<double, 2>>& points) const {
    std::string path;
    for (const auto& [x, y] : points) path += fmt::format("M{} {}h.01", short_number(x), short_number(y));
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" stroke-linecap=\"round\"/>\n",
                       path, c.colour());
  }

  // A shape of its own for every curve, for those who see no colours.
  void draw_shapes(std::string& out, const drawn_curve& c, const std::vector<std::array<double, 2>>& points) const {
    constexpr double r = marker_size;
    std::string path;
    for (const auto& [x, y] : points) {
      const auto n = short_number;
      switch (c.look % 5) {
        case 0:
          path += fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", n(x - r), n(y), n(r), n(2 * r));
          break;
        case 1: path += fmt::format("M{} {}h{}v{}h-{}z", n(x - 2.7), n(y - 2.7), n(5.4), n(5.4), n(5.4)); break;
        case 2: path += fmt::format("M{} {}l{} {}h-{}z", n(x), n(y - 3.8), n(3.7), n(6.2), n(7.4)); break;
        case 3: path += fmt::format("M{} {}l3.9 3.9l-3.9 3.9l-3.9 -3.9z", n(x), n(y - 3.9)); break;
        default: path += fmt::format("M{} {}l3.7 -6.2h-7.4z", n(x), n(y + 3.8)); break;
      }
    }
    out += fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"none\"/>\n", path, c.colour());
  }

  const panel& panel_;
  std::vector<drawn_curve> curves_;
  range x_, y_;
  box frame_;
  axis_ticks x_ticks_, y_ticks_;
  std::vector<legend_entry> legend_;
  std::size_t legend_rows_ = 0;
};

// Side by side up to three, four in a square.
std::size_t columns_for(std::size_t panels) {
  if (panels <= 3) return std::max<std::size_t>(1, panels);
  return panels == 4 ? 2 : 3;
}

}  // namespace

std::string to_svg(const figure& f) {
  const std::size_t columns = columns_for(f.panels.size());
  const double width = columns == 1   ? 440
                       : columns == 2 ? 300
                                      : 240,
               height = columns == 1   ? 280
                        : columns == 2 ? 200
                                       : 180;
  std::vector<panel_drawing> panels;
  for (const panel& p : f.panels) panels.emplace_back(p, width, height);

  double left = 0;  // the same for all, so that frames stand exactly below each other
  for (const panel_drawing& p : panels) left = std::max(left, p.room_left());
  const double cell = left + width + panel_drawing::room_right();
  std::string content;
  double top = 0;
  for (std::size_t first = 0; first < panels.size(); first += columns) {
    const std::size_t last = std::min(panels.size(), first + columns);
    double above = 0, frame = 0, below = 0;
    for (std::size_t i = first; i < last; ++i) {
      above = std::max(above, panels[i].room_above());
      frame = std::max(frame, panels[i].frame_height());
      below = std::max(below, panels[i].room_below());
    }
    for (std::size_t i = first; i < last; ++i) {
      const double x = static_cast<double>(i - first) * cell + left + (width - panels[i].frame_width()) / 2;
      content += panels[i].draw(x, top + above + frame - panels[i].frame_height());
    }
    top += above + frame + below;
  }
  const std::string total_width = short_number(static_cast<double>(columns) * cell), total_height = short_number(top);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"{2}\" fill=\"{3}\">\n"
      "<title>{4}</title>\n<desc>{5}</desc>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{6}</svg>\n",
      total_width, total_height, text_size, ink, escaped_for_xml(f.title), escaped_for_xml(f.caption), content);
}

}  // namespace actio
