// rojas2025, Section 4.2: the top of Table 3, lengths and steps in its nutation period t̄. RK4 runs on (q, q̇).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/rojas2025/rojas2025.hpp"
#include "problems/exact_start.hpp"
#include "problems/lagrange_top_solution.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr std::size_t nutation = 1;  // its index among the coordinates
const std::vector<study_method> methods = {{"midpoint", "midpoint"}, {"RK4", "rk4", true}, {"Simpson", "simpson"}};

constexpr std::size_t rk4 = 1, simpson = 2;

// The exact motion from the model's own data.
template <class S>
lagrange_top_solution<S> exact_top(const model& m) {
  const exact_start<S> start(m);
  return lagrange_top_solution<S>({.I1 = start.parameter("I1"),
                                   .I3 = start.parameter("I3"),
                                   .weight = start.parameter("m") * start.parameter("g") * start.parameter("l"),
                                   .phi = start.position[0],
                                   .theta = start.position[1],
                                   .psi = start.position[2],
                                   .phi_rate = start.rates[0],
                                   .theta_rate = start.rates[1],
                                   .psi_rate = start.rates[2]});
}

// Relative errors of nutation and energy. The grid divides the period, so the exact values repeat.
error_study study_with(const model& m, const std::vector<std::size_t>& steps_a_period,
                       const std::vector<std::size_t>& periods) {
  error_study study{.m = m, .methods = methods, .steps = {}, .lengths = {}, .quantities = 2, .measure = {}};
  const lagrange_top_solution<real> exact = exact_top<real>(m);
  for (std::size_t n : steps_a_period) {
    study.steps.push_back(*exact.nutation_period() / real(n));
    std::vector<std::size_t>& lengths = study.lengths.emplace_back();
    for (std::size_t t : periods) lengths.push_back(n * t);
  }
  study.measure = [exact](const integrator<real>& flow, const phase_state<real>& start) {
    const auto n = static_cast<std::size_t>(std::llround(to_double(real(*exact.nutation_period() / flow.step()))));
    std::vector<real> angles;
    for (std::size_t k = 0; k < n; ++k) angles.push_back(exact.nutation(real(k) * flow.step()));
    return [angles, energy = energy_error(flow, start)](const sample<real>& now, std::span<real> errors) {
      const real& right = angles[now.state.index % angles.size()];
      errors[0] = abs(real((now.state.position[nutation] - right) / right));
      energy(now, errors.subspan(1));
    };
  };
  return study;
}

// Nutation and period to forty digits, and how far an integration at sixty digits is from them.
struct forty_digits {
  std::vector<std::pair<std::string, std::string>> lines;
  double largest_difference = 0;
};

forty_digits exact_digits(const model& m) {
  const precision_scope scope(60);
  const lagrange_top_solution<multi> exact = exact_top<multi>(m);
  forty_digits result;
  const integrator<multi> flow(m.system, {.method = "gauss-10", .step = multi(1) / 400});
  phase_state<multi> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  result.lines.emplace_back("nutation period t̄ in s", to_brief(*exact.nutation_period(), 40));
  for (const char* time : {"0.25", "0.5", "0.9", "1.0", "1.5"}) {
    const multi t(time), angle = exact.nutation(t);
    const std::size_t steps = steps_until<multi>(t, flow.step());
    while (state.index < steps && workspace->advance(state)) {
    }
    raise_to(result.largest_difference, std::abs(to_double(multi(state.position[nutation] - angle))));
    result.lines.emplace_back(fmt::format("θ({} s)", time), to_brief(angle, 40));
  }
  return result;
}

}  // namespace

top_study::top_study(reproduction& r)
    : m_(load_model("lagrange-top")), recordings_(methods.size()), long_(methods.size()) {
  periods_ = r.quick() ? std::vector<std::size_t>{1, 10, 100} : std::vector<std::size_t>{1, 10, 100, 1000};
  table_ = study_with(m_, {50, 100, 200}, periods_);
  lines_ = study_with(m_, {20, 40, 50, 100, 200, 400, 1000}, {1});
  table_.gather(r);
  lines_.gather(r);
  const lagrange_top_solution<double> exact = exact_top<double>(m_);
  const double period = *exact.nutation_period();
  exact_.name = "exact";
  for (int k = 0; k <= 400; ++k) {
    exact_.x.push_back(k / 400.0);
    exact_.y.push_back(exact.nutation(period * k / 400.0));
  }
  for (std::size_t k = 0; k < methods.size(); ++k) {
    r.task(1, [this, k, period] {
      recordings_[k] = record(
          m_, {.method = methods[k].method, .step = 0.05 * period, .velocity_state = methods[k].velocity_state}, 200);
      for (double& t : recordings_[k].t) t /= period;
    });
    r.task(1e3, [this, k, period] {
      long_[k] = record(
          m_, {.method = methods[k].method, .step = 0.05 * period, .velocity_state = methods[k].velocity_state}, 2000);
    });
  }
  r.task(1e3, [this, period] { loops_ = record(m_, {.method = "simpson", .step = period / 1000}, 5000, 2); });
  r.task(1e6, [this] {
    forty_digits found = exact_digits(m_);
    digits_ = std::move(found.lines);
    largest_difference_ = found.largest_difference;
  });
}

void top_study::write(reproduction& r) const {
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    for (std::size_t k = 0; k < methods.size(); ++k) {
      const std::vector<std::string> heads = {fmt::format("{} t̄", periods_[i]), methods[k].label};
      r.row("table-4", heads, table_.printed_row(k, i, 0));
      r.row("table-5", heads, table_.printed_row(k, i, 1));
    }
  }
  r.number("nutation period t̄ of the top of Table 3", "1.84671", to_double(*exact_top<real>(m_).nutation_period()));
  for (const auto& [what, digits] : digits_) r.result("(20): " + what, digits);
  r.statement("(20): the exact nutation against gauss-10 at 60 digits, h = 1/400 s", "equal",
              fmt::format("within {}", two_digits(largest_difference_)),
              about("difference", at_most(largest_difference_, 1e-40)), "the constant of (20) is (2Ic + p_ψ²)/(6I²m)");
  for (std::size_t k : {0UL, 2UL}) {
    double largest = 0;
    for (const auto& errors : recordings_[k].momentum_error) {
      raise_to(largest, largest_size<double>(errors));
    }
    r.statement(fmt::format("Figure 10: {} keeps p_φ and p_ψ", methods[k].label), "exactly",
                fmt::format("error {}", two_digits(largest)), about("error", at_most(largest, 0)));
  }
  const std::array<int, 3> orders = {2, 4, 4};
  for (std::size_t k = 0; k < methods.size(); ++k) {
    for (std::size_t q : {0UL, 1UL}) {
      const double order = regression_order(lines_, k, q);
      r.close(fmt::format("Figure 11: order of the {} error with {}", q == 0 ? "nutation" : "energy", methods[k].label),
              std::to_string(orders[k]), fmt::format("{:.3f}", order), about("order", within(order, orders[k], 0.1)));
    }
  }
  write_claims(r);

  r.add({"figure-7", "Figure 7: the motion with loops", "The axis of the top of Table 3 over five nutation periods.",
         axis_panels(loops_, 0, nutation)});
  figure angles{"figure-8",
                "Figure 8: nutation over one period",
                "h = 0.05 t̄. Simpson's points lie on the exact motion.",
                {{"", "t / t̄", "θ", false, false, false, {exact_}}}};
  figure energies{"figure-9",
                  "Figure 9: relative energy error over ten periods",
                  "h = 0.05 t̄. The variational methods stay bounded; RK4 drifts.",
                  {{"", "t / t̄", "(H − H₀)/H₀", false, false, false, {}}}};
  figure momenta{"figure-10",
                 "Figure 10: relative errors of the conserved momenta",
                 "h = 0.05 t̄.",
                 {{"p_φ", "t / t̄", "relative error", false, false, false, {}},
                  {"p_ψ", "t / t̄", "relative error", false, false, false, {}}}};
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const recording& seen = recordings_[k];
    curve angle =
        seen.position(nutation, methods[k].label, k == 2 ? curve_style::points : curve_style::line_with_points);
    angle.x.resize(21);
    angle.y.resize(21);
    angles.panels[0].curves.push_back(std::move(angle));
    energies.panels[0].curves.push_back({methods[k].label, curve_style::line, seen.t, seen.energy_error});
    for (std::size_t i = 0; i < 2; ++i) {
      momenta.panels[i].curves.push_back({methods[k].label, curve_style::line, seen.t, seen.momentum_error[i]});
    }
  }
  r.add(std::move(angles));
  r.add(std::move(energies));
  r.add(std::move(momenta));
  r.add({"figure-11",
         "Figure 11: convergence over one period",
         "Largest relative errors against the step.",
         {{"nutation", "h in s", "‖e_θ‖_∞", true, true, false, convergence_curves(lines_, 0)},
          {"energy", "h in s", "‖e_H‖_∞", true, true, false, convergence_curves(lines_, 1)}}});
}

void top_study::write_claims(reproduction& r) const {
  const auto& theta = loops_.q[nutation];
  r.statement("Figure 7: 0 < θ ≤ θ_0 = π/3", "yes",
              fmt::format("θ from {} to π/3 + {}", six_digits(std::ranges::min(theta)),
                          two_digits(std::max(0.0, std::ranges::max(theta) - M_PI / 3))),
              about("θ", at_least(std::ranges::min(theta), 1e-3)) &&
                  about("θ − π/3", at_most(std::ranges::max(theta) - M_PI / 3, 1e-9)),
              "Simpson, h = t̄/1000");

  std::vector<double> right, distances;
  for (std::size_t k = 0; k < 21; ++k) right.push_back(exact_.y[20 * k]);
  for (const recording& motion : recordings_) {
    distances.push_back(visible_distance(std::span(motion.q[nutation]).first(right.size()), right));
  }
  r.statement("Figure 8: Simpson's nutation has no visible deviation from the exact one, h = 0.05 t̄", "none visible",
              fmt::format("{} of the range of θ; midpoint {}, RK4 {}", two_digits(distances[simpson]),
                          two_digits(distances[0]), two_digits(distances[rk4])),
              about("Simpson", at_most(distances[simpson], line_width)));

  std::vector<named_tenths> sizes;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    sizes.push_back({methods[k].label, tenths(long_[k].energy_error)});
    const std::vector<double>& seen = sizes.back().values;
    r.statement(fmt::format("Figure 9: {}, energy error over 100 t̄ at h = 0.05 t̄", methods[k].label),
                k == rk4 ? "dissipates" : "no dissipation", seen_of(seen),
                k == rk4 ? grows(seen) : keeps_its_size(seen));
  }
  r.statement("Figure 9: Simpson's energy error is the closest to zero", "yes",
              fmt::format("{} in the last tenth; midpoint {}, RK4 {}", two_digits(sizes[simpson].values.back()),
                          two_digits(sizes[0].values.back()), two_digits(sizes[rk4].values.back())),
              all_below(sizes[simpson].values, sizes[0].values, "than midpoint in every tenth") &&
                  all_below(sizes[simpson].values, sizes[rk4].values, "than RK4 in every tenth"));
  r.add({"claim-dissipation-top",
         "Claim: no artificial dissipation (Figure 9)",
         "Largest energy error in each tenth of 100 t̄, h = 0.05 t̄.",
         {tenths_panel("Lagrange's top", "|H − H₀|/|H₀|", sizes)}});

  for (const std::size_t q : {0UL, 1UL}) {
    const std::vector<double> factors = ratios(line_errors(lines_, rk4, q), line_errors(lines_, simpson, q));
    r.statement(fmt::format("Figure 11: Simpson is more precise than RK4 at equal step, {}, h = t̄/20 to t̄/1000",
                            q == 0 ? "nutation" : "energy"),
                "yes",
                fmt::format("RK4's error is {:.3g} to {:.3g} times as large", std::ranges::min(factors),
                            std::ranges::max(factors)),
                all_below(line_errors(lines_, simpson, q), line_errors(lines_, rk4, q), "at every step"));
  }
  r.add({"claim-precision-top",
         "Claim: Simpson's scheme is more precise than RK4 (Figure 11)",
         "Errors over one nutation period at equal steps.",
         {advantage_panel("nutation", lines_, rk4, simpson, 0), advantage_panel("energy", lines_, rk4, simpson, 1)}});
}

}  // namespace actio::papers
