// Steps of equal length in a time that runs with the motion: symplectic for Gauss methods, reversible for the others.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/api/simulation.hpp"
#include "actio/backend/evaluate.hpp"
#include "actio/integrate/transformed_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/parameter_overrides.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

run_report<double> report_of(const model& m, const settings& given) {
  const simulation_result result = simulate(m, {.given = testing::typed_options(given)});
  EXPECT_EQ(result.status, run_status::done) << result.reason;
  return std::get<simulated<double>>(result.numbers).report;
}

model orbit(const std::string& scale) {
  return parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) + 1/r\"\n"
      "[definitions]\nr = \"sqrt(x^2 + y^2)\"\n[parameters]\ne = 0.9\n[time]\nscale = \"" +
          scale +
          "\"\n[initial.position]\nx = \"1 + e\"\ny = 0\n"
          "[initial.velocity]\nx = 0\ny = \"sqrt((1 - e)/(1 + e))\"\n"
          "[run]\nmethod = \"gauss-4\"\nstep = 0.1\nuntil = \"2*pi\"\n",
      "m.toml");
}

struct bounded {
  const char* method;
  double energy;  // largest relative error of it
};

class eccentric_orbit : public ::testing::TestWithParam<bounded> {};

TEST_P(eccentric_orbit, keeps_its_energy_for_a_thousand_turns) {
  const model m = orbit("r^(3/2)");
  const settings given = {{"method", GetParam().method}, {"until", "2000*pi"}};
  const auto report = report_of(m, given);
  EXPECT_EQ(report.time, 2000 * pi_value<double>());
  EXPECT_LT(report.energy.max_relative_error, GetParam().energy);
  EXPECT_FALSE(report.energy.drift.grows);
  const auto early = report_of(m, {{"method", GetParam().method}, {"until", "20*pi"}});
  EXPECT_LT(report.energy.max_relative_error, 2 * early.energy.max_relative_error + 1e-11);
  EXPECT_LT(report.momenta.at(0).max_error, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(methods, eccentric_orbit,
                         ::testing::Values(bounded{"gauss-4", 1e-11}, bounded{"simpson", 2e-4},
                                           bounded{"lobatto-4", 3e-7}, bounded{"verlet", 0.15}),
                         [](const auto& info) {
                           std::string name = info.param.method;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// With as many steps of equal length in t, errors are orders larger.
TEST(time_scale, pays) {
  const model m = orbit("r^(3/2)");
  const auto followed = report_of(m, {});
  model plain = m;
  plain.system.time_scale.reset();
  const auto equal = report_of(plain, {{"step", "2*pi/" + std::to_string(followed.steps)}});
  EXPECT_LT(1e4 * followed.energy.max_relative_error, equal.energy.max_relative_error);
}

// ρ of the step after the last one, taken back: the lengths are the same in reverse.
TEST(paced_step, is_reversible) {
  const model m = orbit("r^(3/2)");
  constexpr int steps = 800;  // about ten turns
  for (const char* method : {"simpson", "lobatto-4", "verlet"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    ASSERT_FALSE(is_transformed(flow.method(), m.system));
    const auto there = flow.make_workspace();
    phase_state<double> state = flow.at_start(m);
    const phase_state<double> start = state;
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(there->advance(state)) << method << " " << k;
    phase_state<double> beyond = state;
    ASSERT_TRUE(there->advance(beyond));
    const auto back = flow.with_step(-0.1).make_workspace();
    std::vector<double> history = back->history();
    history[0] = there->history()[0];
    back->restore_history(history);
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(back->advance(state)) << method << " back " << k;
    EXPECT_NEAR(state.time, 0, 1e-9) << method;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(state.position[i], start.position[i], 1e-9) << method;
      EXPECT_NEAR(state.momentum[i], start.momentum[i], 1e-9) << method;
    }
  }
}

// In the extended phase space steps of a Gauss method back are those forward.
TEST(transformed_step, is_reversible) {
  const model m = orbit("r^(3/2)");
  const integrator<double> flow(m.system, {.method = "gauss-2", .step = 0.1});
  ASSERT_TRUE(is_transformed(flow.method(), m.system));
  const auto there = flow.make_workspace(), back = flow.with_step(-0.1).make_workspace();
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> start = state;
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(there->advance(state));
  // Entered anew, −E is the energy there and not that of the start: as far apart as the energy error.
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(back->advance(state));
  EXPECT_NEAR(state.time, 0, 1e-3);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(state.position[i], start.position[i], 1e-3);
}

// The error of positions at the end shrinks with the order of the method.
TEST(time_scale, keeps_the_order) {
  const model m = orbit("r^(3/2)");
  for (const auto& [method, order] :
       std::vector<std::pair<std::string, double>>{{"gauss-2", 4}, {"simpson", 4}, {"lobatto-4", 6}}) {
    const auto error = [&](const char* step) {
      const auto report = report_of(m, {{"method", method}, {"step", step}});  // after one turn it is at the start
      return std::hypot(report.position[0] - 1.9, report.position[1]);
    };
    EXPECT_NEAR(std::log2(error("0.1") / error("0.05")), order, 0.2) << method;
  }
}

TEST(time_scale, may_depend_on_momenta_and_velocities) {
  const model in_p = orbit("1/(1 + p_x^2 + p_y^2)"), in_v = orbit("1/(1 + x'^2 + y'^2)");
  for (const char* method : {"gauss-4", "simpson", "verlet"}) {
    const settings given = {{"method", method}, {"until", "60"}};
    const auto a = report_of(in_p, given), b = report_of(in_v, given);
    EXPECT_EQ(a.steps, b.steps);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(a.position[i], b.position[i], 1e-9) << method;
    EXPECT_FALSE(a.energy.drift.grows) << method;
  }
}

TEST(time_scale, under_constraints_keeps_them) {
  const model m = parse_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - g*z"
[parameters]
g = 9.81
[constraints]
rod = "x^2 + y^2 + z^2 - 1"
[time]
scale = "1/sqrt(2 - z)"
[initial.position]
x = "sin(1)"
y = 0
z = "-cos(1)"
[initial.velocity]
x = 0
y = 2
z = 0
[run]
method = "simpson"
step = 0.02
until = 20
)toml",
                              "m.toml");
  for (const char* method : {"simpson", "lobatto-4", "verlet"}) {
    const auto report = report_of(m, {{"method", method}});
    EXPECT_LT(report.constraints.max_violation, 1e-14) << method;
    EXPECT_LT(report.constraints.max_hidden_violation, 1e-14) << method;
    EXPECT_FALSE(report.energy.drift.grows) << method;
    EXPECT_LT(report.momenta.at(0).max_error, 1e-13) << method;
  }
}

TEST(time_scale, is_found_for_a_kepler_orbit) {
  const model automatic = orbit("auto"), given = orbit("(r/1.9)^(3/2)");
  const auto a = report_of(automatic, {}), b = report_of(given, {});
  EXPECT_EQ(a.steps, b.steps);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(a.position[i], b.position[i], 1e-10);
}

// What a scale costs: operations of the field beside those without, and iterations beside them.
TEST(time_scale, of_the_model_is_cheap) {
  for (const char* problem : {"kepler", "pythagorean-three-body", "pleiades", "double-pendulum"}) {
    model m = load_model(problem);
    const std::size_t plain = hamilton_program(m.system)->field.body.size();
    m.system.time_scale = named_expr{"auto", automatic_time_scale(m), {}};
    const auto extended = extended_code(system_code(m.system));
    const auto& field = hamilton_program(*extended);
    EXPECT_TRUE(field->is_scaled && field->has_cyclic_time);
    EXPECT_LT(field->with_all().body.size(), 10 + 3 * plain) << problem;
  }
  model m = load_model("kepler");
  set_parameter(m, {"e=0.05", {}, ""});
  const auto iterations = [&](const char* method, const char* step, const char* scale) {
    return report_of(m, {{"method", method}, {"step", step}, {"steps", "300"}, {"time-scale", scale}}).mean_iterations;
  };
  for (const auto& [method, step] : {std::pair("gauss-4", "0.2"), std::pair("gauss-8", "0.3")})
    EXPECT_LT(iterations(method, step, "auto"), 1.15 * iterations(method, step, "none")) << method;
}

// The energy of all is rounding to the lightest of several bodies: an iteration ends there all the same.
TEST(time_scale, ends_iterations_in_rounding) {
  const auto report = report_of(load_model("outer-solar-system"),
                                {{"method", "gauss-10"}, {"step", "337"}, {"steps", "400"}, {"time-scale", "auto"}});
  EXPECT_LE(report.max_iterations, 12);
}

// Poles whose second derivatives cancel somewhere, as those of two atoms, charges that are zero, and other exponents.
TEST(time_scale, of_the_model_is_positive) {
  const auto scale_at = [](const std::string& potential, const std::string& more, double x_value) {
    model m = parse_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - (" + potential +
                              ")\"\n[definitions]\nr = \"sqrt(x^2 + y^2)\"\n[initial.position]\nx = 1\ny = 0\n" + more,
                          "m.toml");
    const expr scale = substitute(automatic_time_scale(m), {{m.system.coordinates[1], expr(0)}});
    std::vector<expr> symbols = m.system.parameter_symbols();
    std::vector<double> values = parameter_values<double>(m.system);
    symbols.push_back(m.system.coordinates[0]);
    values.push_back(x_value);
    return evaluate<double>(std::span(&scale, 1), symbols, values)[0];
  };
  for (const double at : {0.8, 1.0, 1.12, 1.2445, 2.0}) {
    const double scale = scale_at("1/r^12 - 1/r^6", "", at);
    EXPECT_TRUE(scale > 0 && scale < 1e3) << at << " " << scale;
  }
  EXPECT_NEAR(scale_at("-1/r - k/(r + 1)", "[parameters]\nk = 0\n", 4), 8, 1e-12);
  EXPECT_NEAR(scale_at("-1/r^2", "", 2), 4, 1e-12);
}

TEST(eccentric_kepler, is_accurate_with_few_steps) {
  const auto report = report_of(load_model("eccentric-kepler"), {});
  EXPECT_LT(report.steps, 2000U);
  EXPECT_LT(report.energy.max_relative_error, 1e-11);
  EXPECT_NEAR(report.position[0], 1.99, 1e-8);
  EXPECT_NEAR(report.position[1], 0, 1e-8);
  EXPECT_TRUE(report.trust.is_trusted());
}

}  // namespace
}  // namespace actio
