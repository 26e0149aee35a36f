// Forces that the program computes, beside the same forces written as expressions.
#include "actio/mechanics/force_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/api/simulation.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

// A pendulum on a cart: a mass matrix that varies, and a cyclic coordinate that friction breaks.
constexpr const char* cart = R"toml(
coordinates = ["x", "q"]
lagrangian = "x'^2 + 1/2*q'^2 + x'*q'*cos(q) + g*cos(q)"
[parameters]
g = 9.81
[initial.position]
x = 0.1
q = 1
[initial.velocity]
x = 0.5
q = 0
)toml";
constexpr const char* friction = R"toml([forces]
x = "-0.3*x' + sin(2*t)"
q = "-0.2*q'^3 - 0.1*x"
)toml";

model without_friction() { return parse_model(cart, "cart.toml"); }
model with_friction() { return parse_model(std::string(cart) + friction, "cart.toml"); }

struct friction_force {
  template <class S>
  void operator()(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> force) const {
    using std::sin;
    force[0] = sin(S(2) * t) - S(3) / S(10) * v[0];
    force[1] = -v[1] * v[1] * v[1] / S(5) - q[0] / S(10);
  }
};

lagrangian_system applied(const lagrangian_system& system) {
  lagrangian_system forced = system;
  forced.applied_force = force_from(friction_force());
  return forced;
}

template <class S>
run_report<S> motion_of(const lagrangian_system& system, const model& m, const std::string& method, const S& step,
                        std::size_t steps, bool velocity_state = false) {
  const integrator<S> flow(system, {.method = method, .step = step, .velocity_state = velocity_state});
  phase_state<S> state = flow.at_start(m);
  return run(flow, state, steps);
}

template <class S>
double difference(const std::vector<S>& a, const std::vector<S>& b) {
  using std::abs;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, to_double(S(abs(S(a[i] - b[i])))));
  return largest;
}

TEST(force_function, moves_as_the_same_force_written_down) {
  const model m = without_friction();
  for (const char* method : {"simpson", "midpoint", "verlet", "gauss-1", "gauss-4", "lobatto-4", "euler-a",
                             "lobatto-iiia-iiib-3", "newmark-beta", "rk4"}) {
    const auto given = motion_of<double>(applied(m.system), m, method, 0.02, 200);
    const auto written = motion_of<double>(with_friction().system, m, method, 0.02, 200);
    EXPECT_EQ(given.status, run_status::done) << method << ": " << given.reason;
    EXPECT_LT(difference(given.position, written.position), 2e-12) << method;
    EXPECT_LT(difference(given.momentum, written.momentum), 2e-12) << method;
    ASSERT_TRUE(given.energy.supplied) << method;
    EXPECT_NEAR(given.energy.work, written.energy.work, 2e-12) << method;
    EXPECT_NEAR(given.energy.max_error, written.energy.max_error, 1e-11) << method;
    EXPECT_EQ(given.trust.is_trusted(), written.trust.is_trusted()) << method;
  }
}

TEST(force_function, acts_on_velocity_states_too) {
  const model m = without_friction();
  const auto given = motion_of<double>(applied(m.system), m, "rk4", 0.02, 100, true);
  const auto written = motion_of<double>(with_friction().system, m, "rk4", 0.02, 100, true);
  EXPECT_LT(difference(given.position, written.position), 1e-13);
  EXPECT_NEAR(given.energy.work, written.energy.work, 1e-13);
}

TEST(force_function, has_all_digits_of_the_run) {
  const model m = without_friction();
  const auto in_quad = motion_of<quad>(applied(m.system), m, "gauss-4", quad(0.02), 20);
  EXPECT_LT(
      difference(in_quad.position, motion_of<quad>(with_friction().system, m, "gauss-4", quad(0.02), 20).position),
      1e-30);
  const precision_scope digits(50);
  const multi step = multi(1) / multi(50);
  const auto in_multi = motion_of<multi>(applied(m.system), m, "simpson", step, 20);
  EXPECT_LT(difference(in_multi.position, motion_of<multi>(with_friction().system, m, "simpson", step, 20).position),
            1e-45);
}

TEST(force_function, keeps_the_order_of_methods) {
  const model m = without_friction();
  for (const auto& [method, order] : {std::pair("simpson", 4.0), std::pair("gauss-2", 4.0), std::pair("rk4", 4.0),
                                      std::pair("midpoint", 2.0), std::pair("lobatto-4", 6.0)}) {
    const auto reference = motion_of<quad>(applied(m.system), m, "gauss-6", quad(0.05), 20);
    const auto error = [&](int parts) {
      const auto at = motion_of<quad>(applied(m.system), m, method, quad(0.05) / quad(parts), 20 * parts);
      return difference(at.position, reference.position);
    };
    EXPECT_NEAR(std::log2(error(4) / error(8)), order, 0.4) << method;
  }
}

TEST(force_function, gives_its_slopes_to_tangent_maps) {
  const model m = without_friction();
  lagrangian_system with_slopes = m.system;
  force_function known{.in_double = force_values_from<double>(friction_force())};
  known.slopes_in_double = [](double, std::span<const double>, std::span<const double> v, matrix<double>& by_position,
                              matrix<double>& by_velocity) {
    by_velocity(0, 0) = -0.3;
    by_velocity(1, 1) = -0.6 * v[1] * v[1];
    by_position(1, 0) = -0.1;
  };
  with_slopes.applied_force = std::make_shared<const force_function>(known);
  for (const char* method : {"simpson", "gauss-3", "rk4", "newmark-beta"}) {
    const auto map_of = [&](const lagrangian_system& system) {
      const integrator<double> flow(system, {.method = method, .step = 0.1});
      const phase_state<double> start = flow.at_start(m);
      const matrix<double> map = flow.make_workspace()->tangent_map(start);
      return std::vector<double>(map.data().begin(), map.data().end());
    };
    const std::vector<double> exact = map_of(with_friction().system);
    ASSERT_EQ(exact.size(), 16u);
    EXPECT_LT(difference(map_of(with_slopes), exact), 1e-13) << method;
    EXPECT_LT(difference(map_of(applied(m.system)), exact), 1e-10) << method;
  }
}

TEST(force_function, breaks_every_momentum) {
  const lagrangian_system system = without_friction().system;
  EXPECT_EQ(conserved_momenta(system).size(), 1u);
  const lagrangian_system forced = applied(system);
  EXPECT_TRUE(conserved_momenta(forced).empty());
  EXPECT_TRUE(forced.cyclic_coordinates().empty());
  EXPECT_TRUE(forced.is_forced());
}

TEST(force_function, acts_under_constraints) {
  const std::string rod = R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 9.81*y"
[constraints]
rod = "x^2 + y^2 - 1"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 0
)toml";
  const model m = parse_model(rod, "rod.toml");
  const model written = parse_model(rod + "[forces]\nx = \"-0.5*x'\"\ny = \"-0.5*y'\"\n", "rod.toml");
  lagrangian_system forced = m.system;
  forced.applied_force = force_from([](const auto&, auto, auto v, auto force) {
    for (std::size_t i = 0; i < v.size(); ++i) force[i] = -v[i] / 2;
  });
  for (const char* method : {"simpson", "lobatto-4", "midpoint"}) {
    const auto given = motion_of<double>(forced, m, method, 0.01, 100);
    const auto there = motion_of<double>(written.system, m, method, 0.01, 100);
    EXPECT_LT(difference(given.position, there.position), 1e-12) << method;
    EXPECT_NEAR(given.energy.work, there.energy.work, 1e-12) << method;
    EXPECT_LT(given.constraints.max_violation, 1e-13) << method;
  }
}

TEST(force_function, belongs_to_models_and_runs) {
  const model built = model_builder("drop")
                          .coordinate("y")
                          .lagrangian("1/2*y'^2 - 9.81*y")
                          .force(force_from([](const auto&, auto, auto v) { return std::vector{-v[0] * v[0] * v[0]}; }))
                          .initial_position({100})
                          .initial_velocity({0})
                          .build();
  const simulation_options options{.given = testing::typed_options({{"step", "0.01"}, {"until", "20"}})};
  const simulation_result result = simulate(built, options);
  EXPECT_EQ(result.status, run_status::done);
  EXPECT_TRUE(result.is_trusted) << result.text;
  const auto& report = std::get<simulated<double>>(result.numbers).report;
  EXPECT_NEAR(report.momentum[0], -std::cbrt(9.81), 1e-9);
  EXPECT_NEAR(report.energy.work, report.energy.final - report.energy.initial, 1e-6);

  simulation_options forced{.given = testing::typed_options({{"step", "0.02"}, {"until", "2"}, {"method", "gauss-4"}})};
  forced.force = force_from(friction_force());
  const auto given = std::get<simulated<double>>(simulate(without_friction(), forced).numbers).report;
  forced.force.reset();
  const auto written = std::get<simulated<double>>(simulate(with_friction(), forced).numbers).report;
  EXPECT_LT(difference(given.position, written.position), 1e-12);
  EXPECT_TRUE(given.trust.is_trusted());
}

TEST(force_function, is_asked_by_trajectories_of_ensembles) {
  const auto ends = [](const model& m) {
    std::vector<double> found;
    ensemble_simulation_options options{
        .given = testing::typed_options({{"step", "0.05"}, {"until", "1"}, {"threads", "2"}}),
        .sweeps = {typed_option("sweep", "q=0:1:5"), typed_option("sweep", "g=9:10:2")}};
    options.collect = [&](const trajectory_result& one) { found.push_back(one.position[1]); };
    simulate_ensemble(m, options);
    return found;
  };
  model forced = without_friction();
  forced.system = applied(forced.system);
  const std::vector<double> given = ends(forced), written = ends(with_friction());
  ASSERT_EQ(given.size(), 10u);
  EXPECT_LT(difference(given, written), 1e-12);
}

TEST(force_function, may_end_a_run) {
  const model m = without_friction();
  simulation_options options{.given = testing::typed_options({{"step", "0.1"}, {"until", "10"}})};
  options.keeps_trajectory = true;
  options.force = force_from([](const auto& t, auto, auto, auto) {
    if (t > 2.05) throw callback_interruption();
  });
  const simulation_result result = simulate(m, options);
  EXPECT_EQ(result.status, run_status::interrupted);
  EXPECT_EQ(result.steps, 20u);
  EXPECT_EQ(std::get<simulated<double>>(result.numbers).trajectory.find("t")->size(), 21u);
  options.force = force_from([](const auto& t, auto, auto, auto) {
    if (t > 2.05) throw std::domain_error("beyond");
  });
  EXPECT_THROW(simulate(m, options), std::domain_error);
}

}  // namespace
}  // namespace actio
