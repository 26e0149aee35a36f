// rojas2025, Section 4.3: the top of Table 6, Simpson on the complete system and RK4 on the reduced one (26).
#include <fmt/format.h>

#include <cmath>

#include "papers/rojas2025/rojas2025.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr std::size_t nutation = 1;  // its index among the coordinates of both systems
constexpr std::size_t halvings = 8;  // h = 1/10 … 1/1280

std::vector<real> nutation_of(const model& m, const char* method, std::size_t steps) {
  const integrator<real> flow(m.system, {.method = method, .step = real(1) / real(steps)});
  phase_state<real> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  std::vector<real> angles;
  while (state.index < steps && workspace->advance(state)) angles.push_back(state.position[nutation]);
  return angles;
}

// sup |θ_Simpson − θ_RK4| over the grid points of one second; NaN where a run failed.
double difference(const model& complete, const model& reduced, std::size_t steps) {
  const std::vector<real> simpson = nutation_of(complete, "simpson", steps), rk4 = nutation_of(reduced, "rk4", steps);
  if (simpson.size() != steps || rk4.size() != steps) return std::nan("");
  real largest(0);
  for (std::size_t k = 0; k < steps; ++k) largest = std::max<real>(largest, abs(real(simpson[k] - rk4[k])));
  return to_double(largest);
}

}  // namespace

cusped_top_study::cusped_top_study(reproduction& r)
    : complete_(load_model("cusped-lagrange-top")),
      reduced_(load_model("reduced-lagrange-top")),
      differences_(halvings, std::nan("")),
      recordings_(3) {
  for (std::size_t k = 0; k < halvings; ++k) {
    const std::size_t steps = 10 << k;
    steps_.push_back(1.0 / static_cast<double>(steps));
    r.task(static_cast<double>(steps * 6),
           [this, k, steps] { differences_[k] = difference(complete_, reduced_, steps); });
  }
  r.task(1, [this] { recordings_[0] = record(complete_, {.method = "midpoint", .step = 0.1}, 10); });
  r.task(1, [this] { recordings_[1] = record(reduced_, {.method = "rk4", .step = 0.1}, 10); });
  r.task(1, [this] { recordings_[2] = record(complete_, {.method = "simpson", .step = 0.1}, 10); });
  r.task(1e4, [this] { reference_ = record(reduced_, {.method = "rk4", .step = 1e-5}, 100'000, 100); });
  r.task(1e3, [this] { motion_ = record(complete_, {.method = "simpson", .step = 0.001}, 5000, 2); });
}

void cusped_top_study::write(reproduction& r) const {
  const double p_phi = 2 * M_PI * std::sqrt(3), p_psi = 4 * M_PI;
  const auto state_momentum = [&](const char* name, const char* published, double value, double seen) {
    const double off = std::abs(seen - value) / value;
    r.close(fmt::format("(21): {} of the top of Table 6", name), published,
            fmt::format("{}, off by {} of it", six_digits(seen), two_digits(off)),
            about("relative difference", at_most(off, 1e-14)));
  };
  state_momentum("p_φ", "2π√3", p_phi, motion_.p[0][0]);
  state_momentum("p_ψ", "4π", p_psi, motion_.p[2][0]);
  for (std::size_t k = 0; k < halvings; ++k) {
    const double order = k > 0 ? std::log2(differences_[k - 1] / differences_[k]) : 0;
    const std::string seen =
        fmt::format("{}{}", six_digits(differences_[k]), k > 0 ? fmt::format(", order {:.4f}", order) : "");
    r.result(fmt::format("Figure 14: difference of θ, h = 1/{} s", 10 << k), seen);
  }
  const double order = std::log2(differences_[5] / differences_[7]) / 2;
  r.close("Figure 14: order of the difference, h = 1/320 to 1/1280 s", "4", fmt::format("{:.4f}", order),
          about("order", within(order, 4, 0.02)));
  write_claims(r);

  r.add({"figure-12", "Figure 12: the motion with cusps",
         "The axis of the top of Table 6 on the unit sphere over five seconds: it stops at every cusp.",
         axis_panels(motion_, 0, nutation)});
  r.add({"figure-13",
         "Figure 13: nutation over one second",
         "h = 0.1 s; the reference is RK4 on the reduced system with h = 1e-5 s.",
         {{"",
           "t in s",
           "θ",
           false,
           false,
           false,
           {reference_.position(nutation, "reference"),
            recordings_[0].position(nutation, "midpoint, complete", curve_style::line_with_points),
            recordings_[1].position(nutation, "RK4, reduced", curve_style::line_with_points),
            recordings_[2].position(nutation, "Simpson, complete", curve_style::points)}}}});
  curve slope{"slope 4", curve_style::dashed, {steps_.front(), steps_.back()}, {}};
  const double scale = 2 * differences_[5] / std::pow(steps_[5], 4);
  for (double h : slope.x) slope.y.push_back(scale * std::pow(h, 4));
  r.add({"figure-14",
         "Figure 14: Simpson (complete) minus RK4 (reduced)",
         "The largest difference of the nutation over one second against the step: order 4.",
         {{"",
           "h in s",
           "‖ε_θ‖_∞",
           true,
           true,
           false,
           {{"difference", curve_style::line_with_points, steps_, differences_}, slope}}}});
}

void cusped_top_study::write_claims(reproduction& r) const {
  std::vector<double> right, distances;
  for (std::size_t k = 0; k <= 10; ++k) right.push_back(reference_.q[nutation][100 * k]);
  for (const recording& motion : recordings_) distances.push_back(visible_distance(motion.q[nutation], right));
  r.statement("Figure 13: Simpson tracks the reference with more precision than RK4 on the reduced top, h = 0.1 s",
              "yes",
              fmt::format("{} of the range of θ; midpoint {}, RK4 {}", two_digits(distances[2]),
                          two_digits(distances[0]), two_digits(distances[1])),
              all_below(std::vector<double>{distances[2], distances[2]},
                        std::vector<double>{distances[0], distances[1]}, "than both others over one second"));
  const auto off = [&](const recording& motion, std::string name) {
    curve c{std::move(name), curve_style::line_with_points, {}, {}};
    for (std::size_t k = 1; k < right.size(); ++k) {
      c.x.push_back(motion.t[k]);
      c.y.push_back(std::abs(motion.q[nutation][k] - right[k]));
    }
    return c;
  };
  r.add({"claim-precision-cusps",
         "Claim: Simpson's scheme tracks the reference better than RK4 (Figure 13)",
         "Distance of the nutation from the reference, h = 0.1 s.",
         {{"",
           "t in s",
           "|θ − θ_ref|",
           false,
           true,
           false,
           {off(recordings_[0], "midpoint, complete"), off(recordings_[1], "RK4, reduced"),
            off(recordings_[2], "Simpson, complete")}}}});
}

}  // namespace actio::papers
