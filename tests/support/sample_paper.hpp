// A paper that nobody wrote, with every kind of verdict and of figure: to try pages and drawings on.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "actio/io/paper_page.hpp"

namespace actio::testing {

// Errors C h^n of three methods, above a floor of rounding, with a line of slope 2.
inline figure convergence_figure() {
  panel p{.title = "Errors at t = 10", .x_label = "h", .y_label = "‖e‖∞", .x_log = true, .y_log = true};
  for (int order : {2, 4, 6}) {
    curve c{"order " + std::to_string(order), curve_style::line_with_points};
    for (int k = 0; k < 10; ++k) {
      c.x.push_back(0.4 * std::pow(0.5, k));
      c.y.push_back(0.3 * std::pow(c.x.back(), order) + 1e-15 * (1.3 + std::sin(3 * k + order)));
    }
    p.curves.push_back(c);
  }
  p.curves.push_back({"slope 2", curve_style::dashed, {1e-3, 0.3}, {2e-7, 2e-7 * std::pow(300, 2)}});
  return {"figure-1", "Convergence", "Errors fall with the orders of the methods, down to rounding.", {p}};
}

// Four states over time, one a panel, each published and reproduced.
inline figure states_figure() {
  figure f{"figure-2", "States over time", "Angles and velocities of the two pendulums with φ̇ < 3 & θ > 0.", {}};
  const char* names[] = {"θ₁", "θ₂", "θ̇₁", "θ̇₂"};
  for (int k = 0; k < 4; ++k) {
    curve here{"simpson"}, there{"midpoint", curve_style::dashed};
    for (int i = 0; i <= 20'000; ++i) {
      const double t = i * 1e-3;
      here.x.push_back(t);
      there.x.push_back(t);
      here.y.push_back((1 + k) * std::sin((1 + 0.3 * k) * t) * std::cos(0.2 * t));
      there.y.push_back((1 + k) * std::sin((1 + 0.3 * k) * t + 0.01 * t) * std::cos(0.2 * t));
    }
    f.panels.push_back({.title = names[k], .x_label = "t", .y_label = names[k], .curves = {here, there}});
  }
  return f;
}

// Energy errors with exact zeros, which a logarithm cannot show, and one method that drifts.
inline figure energy_figure() {
  curve kept{"simpson"}, drifting{"rk4"};
  for (int i = 0; i <= 100'000; ++i) {
    const double t = i * 0.01;
    kept.x.push_back(t);
    kept.y.push_back(i % 10 == 0 ? 0 : 1e-9 * std::abs(std::sin(3 * t) + 0.2 * std::sin(11 * t)));
    drifting.x.push_back(t);
    drifting.y.push_back(t < 700 ? 3e-10 * t : std::numeric_limits<double>::quiet_NaN());
  }
  panel logarithmic{.x_label = "t", .y_label = "|E − E₀| / |E₀|", .y_log = true, .curves = {kept, drifting}};
  panel linear{.x_label = "t", .y_label = "E", .curves = {kept}};
  for (double& e : linear.curves[0].y) e += 0.5;
  return {
      "figure-3", "Energy", "The error stays bounded; that of the Runge–Kutta method grows.", {logarithmic, linear}};
}

// Orbits of the pendulum and the points of a section.
inline figure portrait_figure() {
  panel orbits{.title = "Orbits", .x_label = "q", .y_label = "p"};
  for (double energy : {0.5, 1.5, 2.5}) {
    curve c{"E = " + std::to_string(energy).substr(0, 3)};
    for (int sign : {1, -1}) {
      for (int i = -400; i <= 400; ++i) {
        const double q = sign * i * std::numbers::pi / 400, square = 2 * (energy - 1 + std::cos(q));
        c.x.push_back(q);
        c.y.push_back(square >= 0 ? sign * std::sqrt(square) : std::numeric_limits<double>::quiet_NaN());
      }
    }
    orbits.curves.push_back(c);
  }
  panel section{.title = "Section", .x_label = "q₂", .y_label = "p₂"};
  section.curves = {{"regular", curve_style::points}, {"chaotic", curve_style::points}};
  for (int i = 0; i < 4000; ++i) {
    const double angle = 2.4 * i, radius = 0.2 + 0.1 * (i % 4);
    section.curves[0].x.push_back(radius * std::cos(angle) * 1e-3);
    section.curves[0].y.push_back(radius * std::sin(angle));
    if (i >= 90) continue;
    section.curves[1].x.push_back(0.7e-3 * std::sin(12.9 * i * i));
    section.curves[1].y.push_back(0.7 * std::cos(78.2 * i * i));
  }
  return {"figure-4", "Phase portraits", "", {orbits, section, orbits}};
}

// A curve on a sphere between its outline and meridians.
inline figure sphere_figure() {
  panel p{.title = "x on S²", .x_label = "x", .y_label = "z", .equal_scales = true};
  curve outline, path{"tip of the top"};
  for (int i = 0; i <= 240; ++i) {
    const double a = i * std::numbers::pi / 120;
    outline.x.push_back(std::cos(a));
    outline.y.push_back(std::sin(a));
  }
  p.curves.push_back(outline);
  for (double longitude : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
    curve meridian{"", curve_style::dashed};
    for (int i = -60; i <= 60; ++i) {
      const double a = i * std::numbers::pi / 120;
      meridian.x.push_back(std::sin(longitude) * std::cos(a));
      meridian.y.push_back(std::sin(a));
    }
    p.curves.push_back(meridian);
  }
  for (int i = 0; i <= 3000; ++i) {
    const double t = i * 0.01, theta = 0.9 + 0.25 * std::cos(2 * t);
    path.x.push_back(std::sin(theta) * std::cos(0.31 * t));
    path.y.push_back(std::cos(theta));
  }
  p.curves.push_back(path);
  return {"figure-5", "On the sphere", "Nutation and precession.", {p, p}};
}

inline paper_report sample_paper() {
  paper_report report;
  report.key = "doe2020";
  report.title = "Integrators that never were: a study of ‖e‖∞ < ε & more";
  report.authors = "Jane Doe and Richard Roe";
  report.reference = "Journal of Samples 12 (2020), 345–367";
  report.summary =
      "Three tables and five figures. Two numbers of Table 1 are misprints, one depends on its last digits.";
  report.command = "actio reproduce doe2020 --output doe2020";
  report.seconds = 12.3;
  paper_table table{.id = "table-1",
                    .title = "Table 1",
                    .caption = "Errors of positions at t = 10.",
                    .columns = {"midpoint", "simpson", "gauss-4"},
                    .row_heads = {"problem", "h"}};
  for (const char* problem : {"pendulum", "Kepler"}) {
    for (const char* h : {"0.1", "0.05", "0.025"}) {
      paper_table::row row{{problem, h}, {}};
      for (int k = 0; k < 3; ++k)
        row.cells.push_back(
            {"1.234e-0" + std::to_string(2 + 2 * k), "1.234e-0" + std::to_string(2 + 2 * k), "agrees", ""});
      table.rows.push_back(row);
    }
  }
  table.rows[1].cells[1] = {"3.08e-3", "3.08e-4", "misprint",
                            "The exponent: with 3.08e-4 the order is 4.00, as the text says."};
  table.rows[2].cells[2] = {"4.9e-15", "2.1e-15", "unreliable digits", "Below the rounding of double precision."};
  table.rows[3].cells[0] = {"7.7e-2", "5.1e-2", "disagrees", ""};
  table.rows[4].cells[0] = {"0.3 s", "", "not reproducible", "Times are those of another machine."};
  table.rows[5].cells[2] = {"", "8.5e-9", "left out", ""};
  table.rows[5].cells[1] = {"3.08e-3", "3.08e-4", "misprint",
                            "The exponent: with 3.08e-4 the order is 4.00, as the text says."};
  report.tables.push_back(table);
  report.claims = {{"The energy error of simpson stays below 1e-9.", "< 1e-9", "8.8e-10", "agrees", ""},
                   {"The momentum is kept to the last bit for a million steps, whatever the step and the initial data.",
                    "exact", "2.2e-16", "disagrees", "One unit in the last place."}};
  report.figures = {convergence_figure(), states_figure(), energy_figure(), portrait_figure(), sphere_figure()};
  return report;
}

}  // namespace actio::testing
