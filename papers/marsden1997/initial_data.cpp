// marsden1997, Section 7: the double spherical pendulum is said to have an energy and a momentum that its printed
// initial data miss. The nearest data that have them differ by less than the rounding of three decimals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/base/dense.hpp"
#include "papers/marsden1997/marsden1997.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr double half_a_unit = 0.5e-3;  // of the last printed decimal
constexpr const char *published_energy = "24.9445", *published_momentum = "199.8255";

// A printed number: its parameter in the model, its name in the paper.
struct printed_datum {
  const char *parameter, *name;
};
constexpr printed_datum data[] = {{"X1", "x1"},  {"Y1", "y1"},  {"X2", "x2"},  {"Y2", "y2"},
                                  {"U1", "x1'"}, {"V1", "y1'"}, {"U2", "x2'"}, {"V2", "y2'"}};
constexpr std::size_t count = std::size(data);
using numbers = std::array<real, count>;

model with_data(model m, const numbers& values) {
  for (std::size_t k = 0; k < count; ++k) {
    set_parameter(m, {fmt::format("{}={}", data[k].parameter, to_brief(values[k], 36)), {}, ""});
  }
  return m;
}

// Energy and momentum at the start; heights and vertical velocities follow from the constraints.
std::array<real, 2> invariants(const model& m, const numbers& values) {
  const model moved = with_data(m, values);
  const integrator<real> flow(moved.system, {.method = "midpoint", .step = real(1)});
  const phase_state<real> start = flow.at_start(moved);
  phase_point<real> point(flow.space());
  point.measure(start.time, start.position.value, start.momentum.value, start.velocity);
  return {point.energy(), point.momenta()[0]};
}

numbers as_printed(const model& m) {
  numbers values;
  const std::vector<real> all = parameter_values<real>(m.system);
  for (std::size_t k = 0; k < count; ++k) {
    const auto found = std::ranges::find(m.system.parameters, data[k].parameter, &named_expr::name);
    values[k] = all[static_cast<std::size_t>(found - m.system.parameters.begin())];
  }
  return values;
}

// The data nearest to the printed ones with these invariants: Newton's method for x = printed + Aᵀμ,
//   A(x) Aᵀ μ = wanted − I(x) + A(x) (x − printed),   A = ∂I/∂x by central differences.
numbers nearest_data(const model& m, const numbers& printed, const std::array<real, 2>& wanted) {
  const real nudge("1e-10");  // central differences in quad precision are good to twenty digits then
  numbers x = printed;
  for (int iteration = 0; iteration < 6; ++iteration) {
    const std::array<real, 2> now = invariants(m, x);
    std::array<numbers, 2> slopes;
    for (std::size_t k = 0; k < count; ++k) {
      numbers ahead = x, behind = x;
      ahead[k] += nudge;
      behind[k] -= nudge;
      const std::array<real, 2> above = invariants(m, ahead), below = invariants(m, behind);
      for (std::size_t i = 0; i < 2; ++i) slopes[i][k] = (above[i] - below[i]) / (2 * nudge);
    }
    matrix<real> gram(2, 2);
    std::array<real, 2> mu;
    for (std::size_t i = 0; i < 2; ++i) {
      mu[i] = wanted[i] - now[i];
      for (std::size_t k = 0; k < count; ++k) {
        mu[i] += slopes[i][k] * (x[k] - printed[k]);
        for (std::size_t j = 0; j < 2; ++j) gram(i, j) += slopes[i][k] * slopes[j][k];
      }
    }
    lu_factorisation<real> factors(2);
    factors.factorise(gram);
    factors.solve_in_place(mu);
    for (std::size_t k = 0; k < count; ++k) x[k] = printed[k] + slopes[0][k] * mu[0] + slopes[1][k] * mu[1];
  }
  return x;
}

}  // namespace

initial_data_study::initial_data_study(reproduction& r) : m_(load_model("double-spherical-pendulum")) {
  r.task(1e6, [this] {
    const numbers printed = as_printed(m_);
    const numbers nearest = nearest_data(m_, printed, {real(published_energy), real(published_momentum)});
    for (std::size_t k = 0; k < count; ++k) {
      printed_.push_back(to_double(printed[k]));
      shifts_.push_back(to_double(real(nearest[k] - printed[k])));
    }
    const std::array<real, 2> before = invariants(m_, printed), after = invariants(m_, nearest);
    printed_energy_ = to_double(before[0]);
    printed_momentum_ = to_double(before[1]);
    energy_ = to_double(after[0]);
    momentum_ = to_double(after[1]);
    const model moved = with_data(m_, nearest);
    fine_ = observed_dvp(moved, 1e-4);
    coarse_ = observed_dvp(moved, 0.1);
  });
}

void initial_data_study::write(reproduction& r) const {
  r.result("Double spherical pendulum: energy and momentum of the initial data as printed",
           fmt::format("{:.4f} J and {:.4f} kg m²/s", printed_energy_, printed_momentum_));
  std::vector<std::string> list;
  std::vector<double> sizes;
  figure f{"claim-initial-data",
           "Claim: rounded initial data explain the published energy and momentum (Section 7)",
           "Shifts of the eight printed numbers, in the order of print, that give both exactly; dashed: half a unit of "
           "the last printed decimal.",
           {{"", "printed number", "shift", false, false, false, {}}}};
  curve shown{"shift", curve_style::points, {}, shifts_};
  for (std::size_t k = 0; k < count; ++k) {
    list.push_back(fmt::format("{} {:.3f} {:+.2e}", data[k].name, printed_[k], shifts_[k]));
    sizes.push_back(std::abs(shifts_[k]));
    shown.x.push_back(static_cast<double>(k + 1));
  }
  f.panels[0].curves = {shown,
                        {"", curve_style::dashed, {1, count}, {half_a_unit, half_a_unit}},
                        {"", curve_style::dashed, {1, count}, {-half_a_unit, -half_a_unit}}};
  const double off_energy = std::abs(energy_ - std::stod(published_energy)),
               off_momentum = std::abs(momentum_ - std::stod(published_momentum));
  r.statement(
      "Double spherical pendulum: data within their rounding have the published energy and momentum", "three decimals",
      fmt::format("{}", fmt::join(list, ", ")),
      about("every shift", at_most(std::ranges::max(sizes), half_a_unit)) &&
          about("energy and momentum off the published ones by", at_most(std::max(off_energy, off_momentum), 1e-12)),
      "of all that do, these have the smallest sum of squares");
  r.result("Double spherical pendulum: energy and momentum of the shifted data",
           fmt::format("{:.9f} J and {:.9f} kg m²/s", energy_, momentum_),
           fmt::format("{} and {} by construction", published_energy, published_momentum));
  const auto range = [](const interval& i) { return fmt::format("{:.9f} to {:.9f}", i.least, i.most); };
  const auto ends = [](const interval& i) { return std::vector<double>{i.least, i.most}; };
  const interval &fine = fine_.middle_range, &coarse = coarse_.middle_range, &momentum = fine_.momentum_range.at(0);
  r.close("Shifted data: DVP energy at h = 1e-4 s", "24.944495109 to 24.944499828", range(fine),
          within_share(ends(fine), std::vector<double>{24.944495109, 24.944499828}, 3e-7));
  r.close("Shifted data: momentum at h = 1e-4 s", "199.825467170 to 199.825467184", range(momentum),
          within_share(ends(momentum), std::vector<double>{199.825467170, 199.825467184}, 3e-7));
  r.close("Shifted data: DVP energy at h = 0.1 s", "20.910805793 to 25.583335766", range(coarse),
          within_share(ends(coarse), std::vector<double>{20.910805793, 25.583335766}, 3e-4));
  r.add(std::move(f));
}

}  // namespace actio::papers
