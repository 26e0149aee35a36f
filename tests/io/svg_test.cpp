#include "actio/io/svg.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>

#include "actio/io/report_template.hpp"
#include "tests/support/sample_paper.hpp"

namespace actio {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

// The points of all lines of this colour.
std::vector<std::array<double, 2>> points_of(const std::string& svg, const std::string& colour) {
  const std::string start = "<path d=\"", style = "\" fill=\"none\" stroke=\"" + colour + "\"";
  std::vector<std::array<double, 2>> result;
  for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const std::size_t end = svg.find('"', at + start.size());
    if (svg.compare(end, style.size(), style) != 0) continue;
    for (std::size_t i = svg.find_first_of("ML", at); i < end; i = svg.find_first_of("ML", i + 1)) {
      char* rest = nullptr;
      const double x = std::strtod(svg.c_str() + i + 1, &rest);
      result.push_back({x, std::strtod(rest, nullptr)});
    }
  }
  return result;
}

const std::string first_colour = "#244aae";

// tests/report/svg_test.py and page_test.py look at what is written here.
TEST(sample_paper, is_written) {
  const char* wanted = std::getenv("ACTIO_SAMPLE_FOLDER");
  const std::filesystem::path folder = wanted != nullptr ? wanted : ::testing::TempDir() + "actio_sample_paper";
  std::filesystem::create_directories(folder);
  const paper_report report = testing::sample_paper();
  std::ofstream(folder / "doe2020.html") << paper_page(report);
  for (const figure& f : report.figures) std::ofstream(folder / (f.id + ".svg")) << to_svg(f);
  EXPECT_LT(std::filesystem::file_size(folder / "doe2020.html"), 2'000'000u);
  EXPECT_GT(std::filesystem::file_size(folder / "figure-5.svg"), 10'000u);
}

TEST(to_svg, keeps_extremes_of_long_curves) {
  curve c{"q"};
  for (std::size_t i = 0; i < 100'000; ++i) {
    c.x.push_back(static_cast<double>(i));
    c.y.push_back(i == 31'415 ? 3 : i == 92'653 ? -1 : 0.001 * std::sin(static_cast<double>(i)));
  }
  const auto points = points_of(to_svg({"f", "", "", {{.y_label = "q", .curves = {c}}}}), first_colour);
  ASSERT_LE(points.size(), 3000u);
  double top = 1e9, bottom = -1e9, left = 1e9, right = -1e9;
  for (const auto& [x, y] : points) {
    top = std::min(top, y);
    bottom = std::max(bottom, y);
    left = std::min(left, x);
    right = std::max(right, x);
  }
  // The frame is 440 by 280 with a twentieth of the data's height left free above and below, and nothing on the sides.
  EXPECT_NEAR(right - left, 440, 0.02);
  EXPECT_NEAR(bottom - top, 280 / 1.1, 0.02);
}

TEST(to_svg, makes_logarithmic_axes_logarithmic) {
  const curve c{"e", curve_style::line, {1e-3, 1e-2, 1e-1, 1}, {1e-9, 1e-6, 1e-3, 1}};
  const std::string svg = to_svg({"f", "", "", {{.x_log = true, .y_log = true, .curves = {c}}}});
  const auto points = points_of(svg, first_colour);
  ASSERT_GE(points.size(), 4u);
  const std::size_t start = points.size() - 5;  // the key of the legend comes last
  for (std::size_t i = 0; i + 2 < 4; ++i) {
    EXPECT_NEAR(points[start + i + 1][0] - points[start + i][0], points[start + 1][0] - points[start][0], 0.03);
    EXPECT_NEAR(points[start + i + 1][1] - points[start + i][1], points[start + 1][1] - points[start][1], 0.03);
  }
  EXPECT_NE(svg.find(">10<tspan dy=\"-4\" font-size=\"8\">−6</tspan>"), std::string::npos);
}

TEST(to_svg, leaves_gaps_where_nothing_can_be_drawn) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const curve c{"e", curve_style::line, {1, 2, 3, 4, 5, 6, 7}, {1, 2, nan, infinity, 3, 0, 4}};
  const std::string linear = to_svg({"f", "", "", {{.y_label = "e", .curves = {c}}}});
  const std::string logarithmic = to_svg({"f", "", "", {{.y_label = "e", .y_log = true, .curves = {c}}}});
  for (const std::string& svg : {linear, logarithmic}) {
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
  EXPECT_EQ(points_of(linear, first_colour).size(), 5u);
  EXPECT_EQ(points_of(logarithmic, first_colour).size(), 4u);
  EXPECT_EQ(count(logarithmic, "h.01"), 2u);  // 5 and 7 stand alone
}

TEST(to_svg, survives_figures_without_anything_to_draw) {
  for (const bool logarithmic : {false, true}) {
    const panel empty{.x_log = logarithmic, .y_log = logarithmic},
        flat{.y_log = logarithmic, .curves = {{"q", {}, {1, 2}, {3, 3}}}};
    const panel point{.equal_scales = true, .curves = {{"q", curve_style::points, {1}, {0}}}};
    const std::string svg = to_svg({"f", "", "", {empty, flat, point}});
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
  EXPECT_NE(to_svg({}).find("</svg>"), std::string::npos);
}

TEST(to_svg, draws_circles_round_where_scales_are_equal) {
  curve circle{"c"};
  for (int i = 0; i <= 360; ++i) {
    circle.x.push_back(7 + 2 * std::cos(i * std::numbers::pi / 180));
    circle.y.push_back(2 * std::sin(i * std::numbers::pi / 180));
  }
  const auto points =
      points_of(to_svg({"f", "", "", {{.y_label = "c", .equal_scales = true, .curves = {circle}}}}), first_colour);
  ASSERT_EQ(points.size(), 361u);
  EXPECT_NEAR(points[0][0] - points[180][0], points[270][1] - points[90][1], 0.05);
}

TEST(to_svg, writes_text_as_xml) {
  const std::string svg = to_svg({"f", "a < b & \"c\"", "φ̇ \xff\x01", {{.x_label = "‖e‖∞ > 0"}}});
  EXPECT_NE(svg.find("<title>a &lt; b &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>φ̇ \uFFFD\uFFFD</desc>"), std::string::npos);
  EXPECT_NE(svg.find(">‖e‖∞ &gt; 0</text>"), std::string::npos);
}

TEST(to_svg, sets_indices_low) {
  const std::string svg =
      to_svg({"f", "", "", {{.title = "angular_momentum", .x_label = "‖e_H‖ + q_1", .y_label = "t_"}}});
  EXPECT_NE(svg.find(">‖e<tspan dy=\"3\" font-size=\"8\">H</tspan><tspan dy=\"-3\">‖ + q<tspan dy=\"3\" "
                     "font-size=\"8\">1</tspan></tspan></text>"),
            std::string::npos);
  EXPECT_NE(svg.find(">angular_momentum</text>"), std::string::npos);
  EXPECT_NE(svg.find(">t_</text>"), std::string::npos);
  const std::string greek = to_svg({"f", "", "", {{.title = "p_φ − 1", .x_label = "‖e‖_∞", .y_label = "a_ψ_b"}}});
  EXPECT_NE(greek.find(">p<tspan dy=\"3\" font-size=\"8\">φ</tspan><tspan dy=\"-3\"> − 1</tspan></text>"),
            std::string::npos);
  EXPECT_NE(greek.find(">‖e‖<tspan dy=\"3\" font-size=\"8\">∞</tspan></text>"), std::string::npos);
  EXPECT_NE(greek.find(">a_ψ"), std::string::npos);
}

TEST(to_svg, gives_every_panel_one_legend_and_guides_none) {
  const panel p{
      .curves = {{"one", {}, {0, 1}, {0, 1}}, {"two", curve_style::dashed, {0, 1}, {1, 0}}, {"", {}, {0, 1}, {2, 2}}}};
  const std::string svg = to_svg({"f", "", "", {p, p}});
  EXPECT_EQ(count(svg, ">one</text>"), 2u);
  EXPECT_EQ(count(svg, ">two</text>"), 2u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 4u);
  const panel alone{.y_label = "one", .curves = {p.curves[0]}};
  EXPECT_EQ(count(to_svg({"f", "", "", {alone}}), ">one</text>"), 1u);  // the axis already says it
}

// Print and page show a curve in the same colour.
TEST(to_svg, has_the_colours_of_the_page) {
  panel p;
  for (int k = 0; k < 8; ++k) p.curves.push_back({"c" + std::to_string(k), curve_style::points, {1}, {1.0 * k}});
  const std::string svg = to_svg({"f", "", "", {p}});
  const std::string page(report_template());
  for (int k = 1; k <= 8; ++k) {
    const std::string mark = "--line-" + std::to_string(k) + ":";
    std::string colour = page.substr(page.find(mark) + mark.size());
    colour = colour.substr(colour.find('#'), 7);
    EXPECT_EQ(count(svg, "fill=\"" + colour + "\" stroke"), 2u) << colour;  // in the plot and in the legend
  }
}

}  // namespace
}  // namespace actio
