// marsden1997, Section 7: the double spherical pendulum, the discrete variational principle (DVP, (45) and (46)) beside
// the energy-momentum method (EM) of Gonzalez. Figures 3 to 5, and what higher order makes of the same system.
#include <fmt/format.h>

#include <cmath>

#include "actio/base/largest.hpp"
#include "actio/integrate/embedded_step.hpp"
#include "papers/marsden1997/marsden1997.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr double until = 20;  // not stated; with it the extremes of the energy at h = 0.1 s are those published
constexpr std::size_t second_y = 4;
const std::vector<double> steps{1e-4, 1e-3, 1e-2, 1e-1};

std::string label(const char* method, std::size_t k) { return fmt::format("{}, h = {:g} s", method, steps[k]); }

double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

// The largest distance of the points of both formulations, constrained and intrinsic, over one second.
double distance_of_formulations(const model& m) {
  const charted_model charted = intrinsic_model(m);
  const integrator_options<real> options{.method = "midpoint", .step = real("0.01")};
  const integrator<real> constrained(m.system, options);
  const method in_chart = intrinsic_method(constrained.method(), charted.space);
  const integrator<real> intrinsic =
      integrator<real>(charted.intrinsic.system, options).with_method(in_chart, options.step);
  phase_state<real> x = constrained.at_start(m), q = intrinsic.at_start(charted.intrinsic);
  const auto ambient_step = constrained.make_workspace(), chart_step = intrinsic.make_workspace();
  phase_point<real> point(intrinsic.space());
  real largest(0);
  for (int k = 0; k < 100; ++k) {
    const bool solved = ambient_step->advance(x) && chart_step->advance(q) &&
                        point.measure(q.time, q.position.value, q.momentum.value, q.velocity);
    if (!solved) return std::nan("");
    for (std::size_t i = 0; i < x.position.size(); ++i) {
      raise_to(largest, real(abs(real(point.observables()[i] - x.position[i]))));
    }
  }
  return to_double(largest);
}

}  // namespace

observed_motion observed_dvp(const model& m, double step) {
  const integrator<double> fine(m.system, {.method = "energy-momentum", .step = steps.front()});
  phase_state<double> state = fine.at_start(m);
  const std::vector<double> first = state.position.value;
  const auto workspace = fine.make_workspace();
  const auto count = static_cast<std::size_t>(std::llround(step / steps.front()));
  while (state.index < count && workspace->advance(state)) {
  }
  const integrator<double> flow(m.system, {.method = "midpoint", .step = step, .project = true});
  return observe(flow, flow.at_positions(first, state.position.value), until);
}

double_pendulum_in_space_study::double_pendulum_in_space_study(reproduction& r)
    : m_(load_model("double-spherical-pendulum")), dvp_(steps.size()), em_(steps.size()) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    r.task(3 * until / steps[k], [this, k] {
      const integrator<double> flow(m_.system, {.method = "energy-momentum", .step = steps[k]});
      em_[k] = observe(flow, flow.at_start(m_), until);
    });
    r.task(until / steps[k], [this, k] { dvp_[k] = observed_dvp(m_, steps[k]); });
  }
  r.task(1e4, [this] { distance_of_formulations_ = distance_of_formulations(m_); });

  orders_.m = m_;
  orders_.methods = {{"midpoint", "midpoint"},
                     {"energy-momentum", "energy-momentum"},
                     {"simpson", "simpson"},
                     {"lobatto-4", "lobatto-4"}};
  for (const std::size_t count : {50, 100, 200}) {
    orders_.steps.push_back(real(1) / real(count));
    orders_.lengths.push_back({count});
  }
  const integrator<real> fine(m_.system, {.method = "lobatto-8", .step = real(1) / real(100)});
  phase_state<real> state = fine.at_start(m_);
  const auto workspace = fine.make_workspace();
  while (state.index < 100 && workspace->advance(state)) {
  }
  const std::vector<real> end = state.position.value;
  orders_.measure = [end](const integrator<real>& flow, const phase_state<real>&) {
    const auto count = static_cast<std::size_t>(std::llround(to_double(real(1 / flow.step()))));
    return largest_errors<real>::measure([end, count](const sample<real>& now, std::span<real> errors) {
      errors[0] = real(0);
      if (now.state.index == count) errors[0] = distance<real>(now.state.position.value, end);
    });
  };
  orders_.gather(r);
}

void double_pendulum_in_space_study::write(reproduction& r) const {
  constexpr const char* rounded = "the initial data are printed with three decimals; see the shifts below";
  const auto range = [](const interval& i) { return fmt::format("{:.9f} to {:.9f}", i.least, i.most); };
  const auto ends = [](const interval& i) { return std::vector<double>{i.least, i.most}; };
  const interval &fine = dvp_.front().middle_range, &coarse = dvp_.back().middle_range;
  const std::vector<double> fine_printed{24.944495109, 24.944499828}, coarse_printed{20.910805793, 25.583335766};
  r.close("Double spherical pendulum: DVP energy at h = 1e-4 s", "24.944495109 to 24.944499828", range(fine),
          within_share(ends(fine), fine_printed, 3e-4), rounded);
  r.close("Double spherical pendulum: width of that interval", "4.719e-6", fmt::format("{:.3e}", fine.width()),
          within_share(std::vector<double>{fine.width()}, std::vector<double>{fine_printed[1] - fine_printed[0]}, 0.03),
          rounded);
  r.close("Double spherical pendulum: DVP energy at h = 0.1 s", "20.910805793 to 25.583335766", range(coarse),
          within_share(ends(coarse), coarse_printed, 3e-4), rounded);
  const interval& momentum = dvp_.front().momentum_range.at(0);
  r.close("Double spherical pendulum: momentum at h = 1e-4 s", "199.825467170 to 199.825467184", range(momentum),
          within_share(ends(momentum), std::vector<double>{199.825467170, 199.825467184}, 4e-5), rounded);
  double momentum_width = 0, em_energy = 0, violation = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for (const observed_motion* motion : {&dvp_[k], &em_[k]}) {
      raise_to(momentum_width, motion->momentum_range.at(0).width());
      raise_to(violation, motion->violation);
    }
    raise_to(em_energy, em_[k].energy_range.width());
  }
  r.statement("Double spherical pendulum: the momentum is constant, h = 1e-4 to 0.1, DVP and EM", "yes",
              fmt::format("deviates by {} at most", two_digits(momentum_width)),
              about("deviation", at_most(momentum_width, 1e-11)));
  r.statement("Double spherical pendulum: the energy error of EM is zero, h = 1e-4 to 0.1", "yes",
              fmt::format("deviates by {} at most", two_digits(em_energy)),
              about("deviation", at_most(em_energy, 1e-11)));
  r.statement("Double spherical pendulum: the rods keep their lengths, h = 1e-4 to 0.1", "yes",
              fmt::format("constraints {} off at most", two_digits(violation)),
              about("constraints", at_most(violation, 1e-13)));

  const double energy = em_.front().energy.front();
  std::vector<double> dvp{0}, em{0}, energy_errors;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    double largest = energy - dvp_[k].middle_range.least;
    raise_to(largest, dvp_[k].middle_range.most - energy);
    energy_errors.push_back(largest);
    if (k == 0) continue;
    dvp.push_back(mean_distance(dvp_[k], em_.front()));
    em.push_back(mean_distance(em_[k], em_.front()));
    r.result(fmt::format("Figure 3: position error (57) at h = {:g} s, DVP and EM", steps[k]),
             fmt::format("{} and {}", six_digits(dvp[k]), six_digits(em[k])));
  }
  for (const auto& [name, e] : {std::pair("DVP", &dvp), std::pair("EM", &em)}) {
    const double seen = order((*e)[2], (*e)[1], steps[2] / steps[1]);
    r.close(fmt::format("Figure 3: position error of second order, {}, h = 1e-3 to 1e-2 s", name), "2",
            fmt::format("{:.3f}", seen), about("order", within(seen, 2, 0.1)));
  }
  r.statement(
      "Figure 3: the error of EM is slightly greater than that of DVP for h ≥ 1e-3 s", "yes",
      fmt::format("{:.2f}, {:.2f} and {:.2f} times", em[1] / dvp[1], em[2] / dvp[2], em[3] / dvp[3]),
      all_below(std::span(dvp).subspan(1), std::span(em).subspan(1), "for DVP at every step") &&
          about("factors",
                at_most(largest_size<double>(ratios(std::span(em).subspan(1), std::span(dvp).subspan(1))), 1.5)));
  const double energy_order = order(energy_errors[2], energy_errors[1], steps[2] / steps[1]);
  r.close("Double spherical pendulum: the DVP energy error drops off as the square of the time step", "2",
          fmt::format("{:.3f}", energy_order), about("order", within(energy_order, 2, 0.1)));
  r.statement("Theorem 6.1: constrained and intrinsic formulation have the same points", "yes",
              fmt::format("within {} over 100 steps in quad precision", two_digits(distance_of_formulations_)),
              about("distance", at_most(distance_of_formulations_, 1e-28)));
  const int promised[] = {2, 2, 4, 6};
  for (std::size_t k = 0; k < orders_.methods.size(); ++k) {
    const double seen = std::log2(orders_.errors[k][1][0][0] / orders_.errors[k][2][0][0]);
    r.result(fmt::format("Order of {} on the double spherical pendulum, h = 0.01 to 0.005, expected {}",
                         orders_.methods[k].label, promised[k]),
             fmt::format("{:.3f}", seen));
  }
  write_comparison(r);
  write_figures(r, dvp, em);
}

void double_pendulum_in_space_study::write_figures(reproduction& r, const std::vector<double>& dvp,
                                                   const std::vector<double>& em) const {
  const std::vector<double> shown(steps.begin() + 1, steps.end());
  const curve slope = slope_of_order_2(steps, dvp);
  r.add({"figure-3",
         "Figure 3: position error against the time step",
         "Double spherical pendulum over 20 s: errors (57) from the energy-momentum run with h = 1e-4 s.",
         {{"",
           "h in s",
           "error",
           true,
           true,
           false,
           {{"DVP", curve_style::line_with_points, shown, {dvp.begin() + 1, dvp.end()}},
            {"EM", curve_style::line_with_points, shown, {em.begin() + 1, em.end()}},
            slope}}}});
  const auto positions = [&](const char* title, const char* method, const std::vector<observed_motion>& motions) {
    return panel{title,
                 "t in s",
                 "y of the second mass in m",
                 false,
                 false,
                 false,
                 {motions.front().component(second_y, label(method, 0)),
                  motions.back().component(second_y, label(method, 3), curve_style::line_with_points)}};
  };
  r.add({"figure-4",
         "Figure 4: a position against time",
         "The second mass with the shortest and the longest step, by both methods.",
         {positions("discrete variational principle", "DVP", dvp_), positions("energy-momentum", "EM", em_)}});
  const auto energies = [&](const char* title, std::size_t first, std::size_t second) {
    panel p{title, "t in s", "energy in J", false, false, false, {}};
    for (const std::size_t k : {first, second}) {
      p.curves.push_back({label("DVP", k), curve_style::line, dvp_[k].t, dvp_[k].middle_energy});
    }
    p.curves.push_back({label("EM", first), curve_style::dashed, em_[first].t, em_[first].energy});
    return p;
  };
  panel forces{"multipliers, h = 0.001 s", "t in s", "λ", false, false, false, {}};
  for (std::size_t c = 0; c < 2; ++c) {
    curve lambda{c == 0 ? "upper rod" : "lower rod", curve_style::line, dvp_[1].t, {}};
    for (const std::vector<double>& now : dvp_[1].multipliers) lambda.y.push_back(now[c]);
    forces.curves.push_back(std::move(lambda));
  }
  r.add({"figure-5",
         "Figure 5: energy and multipliers against time",
         "The energy of DVP oscillates about a constant value, the more so the longer the step and the larger the "
         "multipliers; that of EM is constant.",
         {energies("short steps", 1, 0), forces, energies("long steps", 3, 2)}});
}

}  // namespace actio::papers
