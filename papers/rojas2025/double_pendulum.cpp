// rojas2025, Section 3: the double pendulum of Table 1.
#include <fmt/format.h>

#include <cmath>

#include "papers/published.hpp"
#include "papers/reproduction.hpp"
#include "papers/rojas2025/rojas2025.hpp"

namespace actio::papers {

namespace {

// RK4 runs on Hamilton's equations here.
const std::vector<study_method> methods = {{"midpoint", "midpoint"}, {"RK4", "rk4"}, {"Simpson", "simpson"}};
constexpr double reference_step = 1e-5;

}  // namespace

double_pendulum_study::double_pendulum_study(reproduction& r)
    : m_(parse_model(std::string(double_pendulum_example()), "examples/double_pendulum.toml")) {
  seconds_ = r.quick() ? std::vector<std::size_t>{1, 10, 100} : std::vector<std::size_t>{1, 10, 100, 1000, 10000};
  table_ = {.m = m_,
            .methods = methods,
            .steps = {real(1) / 25, real(1) / 50, real(1) / 100},
            .lengths = {},
            .quantities = 1,
            .measure = energy_error};
  for (std::size_t per_second : {25, 50, 100}) {
    std::vector<std::size_t>& lengths = table_.lengths.emplace_back();
    for (std::size_t t : seconds_) lengths.push_back(per_second * t);
  }
  lines_ = {.m = m_, .methods = methods, .steps = {}, .lengths = {}, .quantities = 1, .measure = energy_error};
  for (std::size_t per_second : {10, 20, 50, 100, 200, 500, 1000}) {
    lines_.steps.push_back(real(1) / real(per_second));
    lines_.lengths.push_back({10 * per_second});
  }
  table_.gather(r);
  lines_.gather(r);
  recordings_.resize(methods.size());
  for (std::size_t k = 0; k < methods.size(); ++k) {
    r.task(1, [this, k] { recordings_[k] = record(m_, {.method = methods[k].method, .step = 0.1}, 100); });
  }
  r.task(1e6, [this] { reference_ = record(m_, {.method = "rk4", .step = reference_step}, 1'000'000, 1000); });
}

void double_pendulum_study::write(reproduction& r) const {
  for (std::size_t i = 0; i < seconds_.size(); ++i) {
    for (std::size_t k = 0; k < methods.size(); ++k) {
      r.row("table-2", {fmt::format("{} s", seconds_[i]), methods[k].label}, table_.printed_row(k, i, 0));
    }
  }
  const auto order_of = [&](std::size_t k) { return regression_order(lines_, k, 0); };
  r.statement("Figure 4: order of the energy error of the midpoint rule", "2", fmt::format("{:.3f}", order_of(0)),
              std::abs(order_of(0) - 2) < 0.15);
  r.statement("Figure 4: RK4 seems to converge faster than with its order 4", "above 4",
              fmt::format("{:.3f}", order_of(1)), order_of(1) > 4.3);
  r.statement("Figure 4: order of the energy error of Simpson's scheme", "4", fmt::format("{:.3f}", order_of(2)),
              std::abs(order_of(2) - 4) < 0.15);

  for (const bool momenta : {false, true}) {
    figure f{momenta ? "figure-3" : "figure-2",
             momenta ? "Figure 3: momenta of the double pendulum" : "Figure 2: angles of the double pendulum",
             "h = 0.1 s; the reference is RK4 with h = 1e-5 s. Simpson's scheme follows it longest.",
             {}};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto of = [&](const recording& seen, std::string name, curve_style style) {
        return momenta ? seen.momentum(i, std::move(name), style) : seen.position(i, std::move(name), style);
      };
      panel p{fmt::format("{}{}", momenta ? "p" : "q", i + 1),
              "t in s",
              momenta ? "momentum" : "angle",
              false,
              false,
              false,
              {of(reference_, "reference", curve_style::line)}};
      for (std::size_t k = 0; k < methods.size(); ++k) {
        p.curves.push_back(of(recordings_[k], methods[k].label, k == 2 ? curve_style::points : curve_style::dashed));
      }
      f.panels.push_back(std::move(p));
    }
    r.add(std::move(f));
  }
  r.add({"figure-4",
         "Figure 4: convergence of the energy error",
         "Largest relative energy error over 10 s against the step.",
         {{"", "h in s", "‖e_H‖_∞", true, true, false, convergence_curves(lines_, 0)}}});
  figure f{"figure-5",
           "Figure 5: relative energy error over 10 s",
           "h = 0.1 s. RK4's error grows; the others stay bounded.",
           {}};
  panel all{"all three", "t in s", "(H − H₀)/H₀", false, false, false, {}};
  for (std::size_t k = 0; k < methods.size(); ++k) {
    all.curves.push_back({methods[k].label, curve_style::line, recordings_[k].t, recordings_[k].energy_error});
  }
  panel simpson{"Simpson alone", "t in s", "(H − H₀)/H₀", false, false, false, {all.curves[2]}};
  f.panels = {std::move(all), std::move(simpson)};
  r.add(std::move(f));
}

}  // namespace actio::papers
