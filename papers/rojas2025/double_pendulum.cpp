// rojas2025, Section 3: the double pendulum of Table 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/published.hpp"
#include "papers/reproduction.hpp"
#include "papers/rojas2025/rojas2025.hpp"

namespace actio::papers {

namespace {

// RK4 runs on Hamilton's equations here.
const std::vector<study_method> methods = {{"midpoint", "midpoint"}, {"RK4", "rk4"}, {"Simpson", "simpson"}};
constexpr double reference_step = 1e-5;
constexpr double printed_length_is_off = 2;  // a cell that is off by this factor cannot be a rounding
constexpr std::size_t rk4 = 1, simpson = 2;

// Of both coordinates, over the whole window.
double distance_in_figures(const recording& motion, const recording& reference, std::size_t stride) {
  double largest = 0;
  for (std::size_t i = 0; i < motion.q.size(); ++i) {
    std::vector<double> right;
    for (std::size_t k = 0; k < motion.t.size(); ++k) right.push_back(reference.q[i][k * stride]);
    raise_to(largest, visible_distance(motion.q[i], right));
  }
  return largest;
}

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
  printed_length_ = table_;
  set_parameter(printed_length_.m, {"l=g/(2*pi)", {}, ""});
  for (std::vector<std::size_t>& lengths : printed_length_.lengths) lengths.resize(3);
  printed_length_.gather(r);
  recordings_.resize(methods.size());
  long_.resize(methods.size());
  for (std::size_t k = 0; k < methods.size(); ++k) {
    r.task(1, [this, k] { recordings_[k] = record(m_, {.method = methods[k].method, .step = 0.1}, 100); });
    r.task(1e3, [this, k] { long_[k] = record(m_, {.method = methods[k].method, .step = 0.1}, 1000); });
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
  const auto order_claim = [&](const char* what, std::size_t k, double order) {
    r.close(what, fmt::format("{:g}", order), fmt::format("{:.3f}", order_of(k)),
            about("order", within(order_of(k), order, 0.15)));
  };
  order_claim("Figure 4: order of the energy error of the midpoint rule", 0, 2);
  r.statement("Figure 4: RK4 seems to converge faster than with its order 4", "above 4",
              fmt::format("{:.3f}", order_of(rk4)), about("order", at_least(order_of(rk4), 4.3)));
  order_claim("Figure 4: order of the energy error of Simpson's scheme", simpson, 4);
  write_claims(r);
  write_printed_length(r);

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

void double_pendulum_study::write_claims(reproduction& r) const {
  constexpr std::size_t stride = 10;  // the reference has ten samples a step
  std::vector<double> distances;
  for (const recording& motion : recordings_) distances.push_back(distance_in_figures(motion, reference_, stride));
  r.statement("Figures 2 and 3: at h = 0.1 s Simpson's solution follows the reference, the others deviate", "yes",
              fmt::format("angles are off by {} of their range (midpoint), {} (RK4), {} (Simpson) within 10 s",
                          two_digits(distances[0]), two_digits(distances[rk4]), two_digits(distances[simpson])),
              about("Simpson", at_most(distances[simpson], line_width)) &&
                  about("midpoint", at_least(distances[0], line_width)) &&
                  about("RK4", at_least(distances[rk4], line_width)));

  std::vector<named_tenths> sizes;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    sizes.push_back({methods[k].label, tenths(long_[k].energy_error)});
    const std::vector<double>& seen = sizes.back().values;
    r.statement(fmt::format("Figure 5: {}, energy error over 100 s at h = 0.1 s", methods[k].label),
                k == rk4 ? "grows" : "no dissipation", seen_of(seen), k == rk4 ? grows(seen) : keeps_its_size(seen));
  }
  r.statement("Figure 5: Simpson's energy error is the smallest", "yes",
              fmt::format("{} in the last tenth; the others {} and {}", two_digits(sizes[simpson].values.back()),
                          two_digits(sizes[0].values.back()), two_digits(sizes[rk4].values.back())),
              all_below(sizes[simpson].values, sizes[0].values, "than midpoint in every tenth") &&
                  all_below(sizes[simpson].values, sizes[rk4].values, "than RK4 in every tenth"));
  r.add({"claim-dissipation",
         "Claim: no artificial dissipation (Figure 5)",
         "Largest energy error in each tenth of 100 s, h = 0.1 s.",
         {tenths_panel("double pendulum", "|H − H₀|/|H₀|", sizes)}});

  const std::vector<double> factors = ratios(line_errors(lines_, rk4, 0), line_errors(lines_, simpson, 0));
  r.statement(
      "Figure 4: Simpson's energy error is below that of RK4 at equal step, 10 s, h = 1/10 to 1/1000 s", "yes",
      fmt::format("RK4's is {:.3g} to {:.3g} times as large", std::ranges::min(factors), std::ranges::max(factors)),
      all_below(line_errors(lines_, simpson, 0), line_errors(lines_, rk4, 0), "at every step"));
  r.add({"claim-precision-pendulum",
         "Claim: Simpson's scheme is more precise than RK4 (Figure 4)",
         "Energy errors over 10 s at equal steps.",
         {advantage_panel("double pendulum, energy", lines_, rk4, simpson, 0)}});
}

// Table 2 with rods of the length g/ω0, as Section 3.2 prints it.
void double_pendulum_study::write_printed_length(reproduction& r) const {
  for (std::size_t k = 0; k < methods.size(); ++k) {
    std::vector<double> right, printed;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < table_.steps.size(); ++j) {
        right.push_back(table_.errors[k][j][i][0]);
        printed.push_back(printed_length_.errors[k][j][i][0]);
      }
    }
    const std::vector<double> factors = ratios(right, printed);
    r.misprint(fmt::format("Section 3.2: rods of length g/ω0 give Table 2, {}, 1 to 100 s", methods[k].label), "g/ω0",
               fmt::format("its errors are {:.3g} to {:.3g} times those of this length", std::ranges::min(factors),
                           std::ranges::max(factors)),
               about("every factor", at_least(std::ranges::min(factors), printed_length_is_off)),
               "the length is g/ω0²: with it the cells agree");
  }
}

}  // namespace actio::papers
