#include <gtest/gtest.h>

#include <set>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

TEST(problem_catalogue, has_models_that_load_and_run_by_default) {
  std::set<std::string_view> names;
  for (const problem& p : problem_catalogue()) {
    SCOPED_TRACE(p.name);
    EXPECT_TRUE(names.insert(p.name).second);
    EXPECT_FALSE(p.summary.empty() || p.source.empty());
    EXPECT_EQ(p.text.front(), '#') << "a model opens with a line that says what it is";
    const model m = load_model(p.name);
    EXPECT_FALSE(m.system.name.empty());
    for (const char* key : {"method", "step", "until"}) EXPECT_TRUE(m.run.has(key)) << key;
    const double step = quantity_value<double>(m.system, parse_quantity(m, *m.run.find("step")));
    const double until = quantity_value<double>(m.system, parse_quantity(m, *m.run.find("until")));
    EXPECT_GT(step, 0);
    EXPECT_GE(until, 50 * step);
    EXPECT_LE(until, 1e5 * step);
  }
  EXPECT_EQ(names.size(), 49u);
}

TEST(find_problem, knows_names_alone) {
  EXPECT_NE(find_problem("kepler"), nullptr);
  EXPECT_EQ(find_problem("Kepler"), nullptr);
  EXPECT_EQ(find_problem(""), nullptr);
}

std::vector<std::string> momenta_of(std::string_view name) {
  std::vector<std::string> names;
  for (const conserved_momentum& m : conserved_momenta(load_model(name).system)) names.push_back(m.name);
  return names;
}

TEST(problem_catalogue, has_the_conserved_momenta_of_the_textbooks) {
  using list = std::vector<std::string>;
  EXPECT_EQ(momenta_of("lagrange-top"), (list{"p_phi", "p_psi"}));
  EXPECT_EQ(momenta_of("cusped-lagrange-top"), (list{"p_phi", "p_psi"}));
  EXPECT_TRUE(momenta_of("reduced-lagrange-top").empty());
  EXPECT_EQ(momenta_of("spherical-pendulum"), list{"p_phi"});
  EXPECT_EQ(momenta_of("kepler"), list{"angular_momentum"});
  EXPECT_EQ(momenta_of("foucault-pendulum"), list{"angular_momentum"});
  EXPECT_EQ(momenta_of("toda-lattice"), list{"total_momentum"});
  EXPECT_EQ(momenta_of("charged-particle"), (list{"p_z", "rotation"}));
  EXPECT_EQ(momenta_of("outer-solar-system").size(), 6u);
  EXPECT_TRUE(momenta_of("damped-driven-pendulum").empty());
  EXPECT_EQ(momenta_of("double-spherical-pendulum"), list{"vertical_momentum"});
  EXPECT_EQ(momenta_of("torus-geodesic"), list{"clairaut"});
  EXPECT_EQ(momenta_of("free-rigid-body"), (list{"momentum_x", "momentum_y", "momentum_z"}));
  EXPECT_EQ(momenta_of("heavy-top"), (list{"p_phi", "p_psi"}));
  EXPECT_EQ(momenta_of("satellite").size(), 3u);
  EXPECT_EQ(momenta_of("jointed-bodies").size(), 6u);
  EXPECT_TRUE(momenta_of("triple-pendulum").empty());  // y is held by a rod, not cyclic
}

// The rate of an observable along the motion, with accelerations from the Euler–Lagrange equations of a system whose
// mass matrix is the unit matrix.
double rate_of_observable(const model& m, std::size_t which) {
  const lagrangian_system& system = m.system;
  const std::vector<expr> force = gradient(system.lagrangian, system.coordinates);
  expr_map<expr> accelerations;
  for (std::size_t i = 0; i < system.size(); ++i) {
    accelerations.emplace(acceleration_symbol(system.coordinates[i]), force[i]);
  }
  const expr rate = substitute(time_derivative(system, system.observables[which].value), accelerations);
  std::vector<expr> symbols(system.coordinates);
  for (const expr& v : system.velocities()) symbols.push_back(v);
  for (const expr& p : system.parameter_symbols()) symbols.push_back(p);
  std::vector<double> values;
  for (std::size_t i = 0; i < 2 * system.size(); ++i) values.push_back(0.3 + 0.17 * static_cast<double>(i % 5));
  for (double p : parameter_values<double>(system)) values.push_back(p);
  return evaluate<double>(std::span(&rate, 1), symbols, values).front();
}

TEST(toda_lattice, conserves_its_third_integral) {
  EXPECT_NEAR(rate_of_observable(load_model("toda-lattice"), 0), 0, 1e-14);
}

TEST(kepler, conserves_the_direction_of_the_perihelion) {
  EXPECT_NEAR(rate_of_observable(load_model("kepler"), 0), 0, 1e-13);
  EXPECT_NEAR(rate_of_observable(load_model("kepler"), 1), 0, 1e-13);
}

run_report<double> run_of(std::string_view name, const std::string& method, double step, std::size_t steps) {
  const model m = load_model(name);
  const integrator<double> flow(m.system, {.method = method, .step = step});
  phase_state<double> state = flow.at_start(m);
  return run(flow, state, steps);
}

// The data of marsden1997, Section 7: the printed digits give 24.9396 and 199.8319 where 24.9445 and 199.8255 are
// published.
TEST(double_spherical_pendulum, keeps_constraints_momentum_and_energy) {
  for (const double step : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const run_report<double> report = run_of("double-spherical-pendulum", "verlet", step, 2000);
    ASSERT_EQ(report.status, run_status::done);
    EXPECT_LT(report.constraints.max_violation, 1e-13) << step;
    EXPECT_LT(report.constraints.max_hidden_violation, 1e-13) << step;
    EXPECT_LT(report.momenta[0].max_error, 1e-11) << step;
    if (step > 1e-4) {  // with fewer steps than a swing takes there is nothing to fit
      EXPECT_FALSE(report.energy.drift.grows) << step;
    }
    EXPECT_NEAR(report.energy.initial, 24.9445, 2e-4 * 24.9445);
    EXPECT_NEAR(report.momenta[0].initial, 199.8255, 4e-5 * 199.8255);
  }
}

TEST(ellipsoid_geodesic, keeps_the_integral_of_joachimsthal_as_well_as_its_order_allows) {
  const auto spread = [](double step) {
    const run_report<double> report =
        run_of("ellipsoid-geodesic", "lobatto-4", step, static_cast<std::size_t>(10 / step));
    return report.observables[0].largest - report.observables[0].smallest;
  };
  const double coarse = spread(0.1), fine = spread(0.05);
  EXPECT_LT(fine, 1e-8);
  EXPECT_LT(fine, coarse / 40);
}

TEST(four_bar_linkage, turns_its_crank_all_around) {
  const model m = load_model("four-bar-linkage");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  double angle = 0, before = std::atan2(state.position[1], state.position[0]);
  for (int k = 0; k < 500; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    const double now = std::atan2(state.position[1], state.position[0]);
    angle += std::remainder(now - before, 2 * pi_value<double>());
    before = now;
  }
  EXPECT_GT(std::abs(angle), 2 * pi_value<double>());
}

TEST(henon_heiles, has_the_energy_that_its_parameter_says) {
  const model m = load_model("henon-heiles");
  const double px = quantity_value<double>(m.system, m.initial.rates[0].value);
  const double y = quantity_value<double>(m.system, m.initial.position[1].value);
  EXPECT_NEAR(px * px / 2 + y * y / 2 - y * y * y / 3, 0.125, 1e-16);
}

}  // namespace
}  // namespace actio
