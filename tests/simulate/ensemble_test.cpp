// Ensembles: the same bits whatever the threads, the lanes and the neighbours; failures that stay alone.
#include "actio/simulate/ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actio/backend/backend.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

std::vector<trajectory_result> results_of(const ensemble_plan& plan, const ensemble_options& options,
                                          ensemble_report* report = nullptr) {
  std::vector<trajectory_result> results;
  const ensemble_report made = run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
  if (report != nullptr) *report = made;
  return results;
}

// Lanes are machine code.
std::string engine_in_lanes() {
  return machine_code_is_available() ? "8 trajectories in lanes" : "trajectory by trajectory";
}

void expect_same_bits(const std::vector<trajectory_result>& a, const std::vector<trajectory_result>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(a[k].start.position, b[k].start.position);
    EXPECT_EQ(a[k].position, b[k].position);
    EXPECT_EQ(a[k].momentum, b[k].momentum);
    EXPECT_EQ(a[k].energy_error, b[k].energy_error);
    EXPECT_EQ(a[k].momentum_errors, b[k].momentum_errors);
    EXPECT_EQ(a[k].status, b[k].status);
    EXPECT_EQ(a[k].steps, b[k].steps);
    EXPECT_EQ(a[k].crossings, b[k].crossings);
    EXPECT_EQ(a[k].lyapunov, b[k].lyapunov);
  }
}

ensemble_plan pendulums(std::size_t count) {
  return {load_model("double-pendulum"),
          {.sweeps = {{"q1", -3, 3, count}},
           .samples = {{"q2", distribution::normal, 0, 0.5}, {"m2", distribution::uniform, 0.5, 2}},
           .seed = 7}};
}

TEST(ensemble, has_the_same_bits_for_every_width_and_number_of_threads) {
  // So many that with one thread blocks follow each other in the same workspace, with three they do not.
  const ensemble_plan plan(load_model("double-pendulum"),
                           {.sweeps = {{"q1", -3, 3, 150}}, .samples = {{"q2", distribution::normal, 0, 0.5}}});
  for (const char* method : {"simpson", "gauss-3", "gauss-7"}) {
    SCOPED_TRACE(method);
    ensemble_options options{.integrator = {.method = method, .step = 0.02}, .steps = 60};
    options.poincare = section_from(plan.base(), {"q2:both", {}, "section"});
    ensemble_report report;
    const auto expected = results_of(plan, options, &report);
    EXPECT_EQ(report.engine, engine_in_lanes());
    EXPECT_EQ(report.done(), 150U);
    EXPECT_GT(report.crossings, 100U);
    EXPECT_LT(report.energy_error.largest, 1e-2);
    const std::pair<std::size_t, unsigned> ways[] = {{1, 3}, {4, 2}, {8, 2}, {8, 3}};
    for (const auto& [width, threads] : ways) {
      SCOPED_TRACE(width);
      options.width = width;
      options.threads = threads;
      expect_same_bits(results_of(plan, options), expected);
    }
  }
}

TEST(ensemble, has_the_same_bits_with_parameters_of_its_own) {
  const ensemble_plan plan = pendulums(21);
  ensemble_options options{.integrator = {.method = "gauss-4", .step = 0.05}, .steps = 60};
  options.poincare = section_from(plan.base(), {"q2:both", {}, "section"});
  const auto expected = results_of(plan, options);
  for (const std::size_t width : {1U, 4U}) {
    options.width = width;
    options.threads = static_cast<unsigned>(width);
    expect_same_bits(results_of(plan, options), expected);
  }
}

TEST(ensemble, has_the_same_bits_where_predictions_fail) {
  // Steps so long that some lanes are solved at a second attempt, others by the ordinary step.
  const ensemble_plan plan(load_model("double-pendulum"),
                           {.sweeps = {{"q1", 0, 3, 40}}, .samples = {{"q2", distribution::normal, 0, 1}}});
  ensemble_options options{.integrator = {.method = "gauss-6", .step = 0.25}, .steps = 40};
  const auto expected = results_of(plan, options);
  for (const std::size_t width : {1U, 4U}) {
    options.width = width;
    expect_same_bits(results_of(plan, options), expected);
  }
}

TEST(ensemble, has_the_same_bits_at_any_angle) {
  // Beside angles of ordinary size some whose changes are small beside them and yet large for a sine, and some that are
  // too large for the usual code of sines.
  const ensemble_plan plan(load_model("double-pendulum"), {.sweeps = {{"q1", 0.5, 4e6, 13}, {"q2", -1, 1e4, 2}}});
  for (const char* method : {"gauss-4", "gauss-9"}) {
    SCOPED_TRACE(method);
    ensemble_options options{.integrator = {.method = method, .step = 0.02}, .steps = 60};
    ensemble_report report;
    const auto expected = results_of(plan, options, &report);
    EXPECT_EQ(report.done(), plan.size());
    ensemble_report alone;
    options.width = 0;
    results_of(plan, options, &alone);
    EXPECT_LT(report.energy_error.largest, 1.01 * alone.energy_error.largest + 1e-8);
    for (const std::size_t width : {1U, 4U}) {
      options.width = width;
      expect_same_bits(results_of(plan, options), expected);
    }
  }
}

TEST(ensemble, a_trajectory_does_not_know_its_neighbours) {
  const model m = load_model("double-pendulum");
  for (const char* method : {"lobatto-4", "gauss-4"}) {
    const ensemble_options options{.integrator = {.method = method, .step = 0.05}, .steps = 100};
    const auto together = results_of({m, {.sweeps = {{"q1", 0, 3, 13}}}}, options);
    for (const std::size_t k : {0U, 5U, 12U}) {
      const double q1 = together[k].start.position[0];
      auto alone = results_of({m, {.sweeps = {{"q1", q1, q1, 1}}}}, options);
      expect_same_bits(alone, {together[k]});
    }
  }
}

TEST(ensemble, in_lanes_follows_the_ordinary_step) {
  for (const char* problem : {"double-pendulum", "kepler", "damped-driven-pendulum", "lagrange-top"}) {
    SCOPED_TRACE(problem);
    const model m = load_model(problem);
    const std::string name = m.system.parameters.front().name;
    const double value = parameter_values<double>(m.system).front();
    const ensemble_plan plan(m, {.sweeps = {{name, value, 1.1 * value, 9}}});
    for (const char* method : {"midpoint", "verlet", "simpson", "gauss-1", "gauss-2", "gauss-5", "gauss-8"}) {
      SCOPED_TRACE(method);
      ensemble_options options{.integrator = {.method = method, .step = 0.01}, .steps = 50};
      ensemble_report report;
      const auto lanes = results_of(plan, options, &report);
      EXPECT_EQ(report.engine, engine_in_lanes());
      options.width = 0;
      const auto ordinary = results_of(plan, options, &report);
      EXPECT_EQ(report.engine, "trajectory by trajectory");
      ASSERT_EQ(lanes.size(), ordinary.size());
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        for (std::size_t i = 0; i < m.system.size(); ++i) {
          EXPECT_NEAR(lanes[k].position[i], ordinary[k].position[i], 1e-10 * (1 + std::abs(ordinary[k].position[i])));
          EXPECT_NEAR(lanes[k].momentum[i], ordinary[k].momentum[i], 1e-10 * (1 + std::abs(ordinary[k].momentum[i])));
        }
        EXPECT_NEAR(lanes[k].energy_error, ordinary[k].energy_error, 1e-3 * ordinary[k].energy_error + 1e-13);
      }
    }
  }
}

TEST(ensemble, in_lanes_keeps_energy_over_many_steps) {
  // Rounding that is always the same would show as a drift.
  const ensemble_plan plan(load_model("kepler"), {.sweeps = {{"GM", 1, 1.1, 8}}});
  ensemble_options options{.integrator = {.method = "gauss-6", .step = 0.05}, .steps = 60'000};
  for (const trajectory_result& r : results_of(plan, options)) {
    EXPECT_LT(r.energy_error, 1e-13);
    for (const double error : r.momentum_errors) EXPECT_LT(error, 1e-13);
  }
}

TEST(ensemble, finds_crossings_in_lanes_where_the_ordinary_step_does) {
  const model m = load_model("double-pendulum");
  for (const char* method : {"simpson", "gauss-4"}) {
    SCOPED_TRACE(method);
    ensemble_options options{.integrator = {.method = method, .step = 0.02}, .steps = 300};
    options.poincare = section_from(m, {"p_q1 - q2' : down", {}, "section"});
    const ensemble_plan plan(m, {.sweeps = {{"q1", 0.2, 0.6, 10}, {"l2", 0.7, 0.8, 2}}});
    ensemble_report report;
    const auto lanes = results_of(plan, options, &report);
    EXPECT_EQ(report.engine, engine_in_lanes());
    options.width = 0;
    const auto alone = results_of(plan, options);
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      ASSERT_EQ(lanes[k].crossings.size(), alone[k].crossings.size());
      ASSERT_GT(lanes[k].crossings.size(), 0U);
      for (std::size_t i = 0; i < lanes[k].crossings.size(); ++i) {
        EXPECT_NEAR(lanes[k].crossings[i], alone[k].crossings[i], 1e-8);
      }
    }
  }
}

// Pairs of crossings inside one step, touches and poles: in lanes as trajectory by trajectory, whatever the width.
TEST(ensemble, looks_inside_steps_for_crossings) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const ensemble_plan plan(m, {.sweeps = {{"x", 1, 1.0005, 5}}});
  ensemble_options options{.integrator = {.method = "gauss-3", .step = 0.1}, .steps = 400};
  for (const char* text : {"x - 0.999:both", "x - 1:both", "1/(x - 0.5):both"}) {
    SCOPED_TRACE(text);
    options.poincare = section_from(m, {text, {}, "section"});
    options.width = 0;
    ensemble_report alone, together;
    const auto expected = results_of(plan, options, &alone);
    options.width = 8;
    const auto lanes = results_of(plan, options, &together);
    EXPECT_EQ(together.crossings, alone.crossings);
    EXPECT_EQ(together.tangencies, alone.tangencies);
    EXPECT_EQ(together.discontinuities, alone.discontinuities);
    for (const std::size_t width : {1U, 4U}) {
      options.width = width;
      options.threads = static_cast<unsigned>(width);
      expect_same_bits(results_of(plan, options), lanes);
    }
    if (text[0] == '1') {
      EXPECT_EQ(together.crossings, 0U);
      EXPECT_EQ(together.discontinuities, 13U * 5U);
      EXPECT_NE(to_text(together).find("changes of sign without a zero"), std::string::npos) << to_text(together);
    } else if (text[4] == '1') {
      EXPECT_EQ(together.crossings, 52U);  // of all but the first, which touches
      EXPECT_EQ(together.tangencies, 6U);
      EXPECT_NE(to_text(together).find("6 near-tangencies"), std::string::npos) << to_text(together);
    } else {
      EXPECT_EQ(together.crossings, 65U);
    }
  }
}

TEST(ensemble, looks_into_a_single_step) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  ensemble_options options{.integrator = {.method = "gauss-6", .step = 7}, .steps = 1};
  options.integrator.allow_unstable = true;
  options.poincare = section_from(m, {"sin(t):both", {}, "section"});
  for (const std::size_t width : {0U, 8U}) {
    options.width = width;
    ensemble_report report;
    results_of({m, {.sweeps = {{"x", 1, 2, 2}}}}, options, &report);
    EXPECT_EQ(report.crossings, 4U);
  }
}

// A row starts where the trajectory does: on the constraints, with the momentum of the given velocity there.
TEST(ensemble, starts_where_the_projection_leads) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(1 + x^2)*(x'^2 + y'^2) - y\"\n"
      "[constraints]\ncircle = \"x^2 + y^2 - 1\"\n[initial]\nposition = {x = 1.5, y = 0}\n"
      "velocity = {x = 0.2, y = 1}\n",
      "m.toml");
  ensemble_options options{.integrator = {.method = "simpson", .step = 0.01, .project = true}, .steps = 1};
  const auto results = results_of({m, {.sweeps = {{"x", 1.5, 2, 2}}}}, options);
  const integrator<double> flow(m.system, options.integrator);
  for (const trajectory_result& r : results) {
    const phase_state<double> start = flow.at_velocity({r.start.values[0], 0}, {0.2, 1});
    EXPECT_EQ(r.start.position, start.position.value);
    EXPECT_EQ(r.start.momentum, start.momentum.value);
    EXPECT_NEAR(r.start.position[0], 1, 1e-15);
    EXPECT_NEAR(r.start.momentum[1], 2, 1e-15);
  }
}

TEST(ensemble, sweeps_and_samples_do_not_overflow) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const ensemble_plan plan(m, {.sweeps = {{"x", 1e308, -1e308, 5}},
                               .samples = {{"p_x", distribution::uniform, -1.5e308, 1.5e308}},
                               .count = 3});
  std::vector<double> values(2);
  for (std::size_t k = 0; k < plan.size(); ++k) {
    plan.values(k, values);
    EXPECT_EQ(values[0], 1e308 * (1 - 0.5 * static_cast<double>(k / 3)));
    EXPECT_TRUE(std::isfinite(values[1]));
  }
  const auto refused = [&](ensemble_variation variation) {
    try {
      ensemble_plan(m, std::move(variation));
    } catch (const input_error& error) {
      return std::string(error.id());
    }
    return std::string();
  };
  EXPECT_EQ(refused({.sweeps = {{"x", 0, std::numeric_limits<double>::infinity(), 3}}}), "bad-number");
  EXPECT_EQ(refused({.samples = {{"x", distribution::normal, 0, 1e308}}}), "bad-number");
  EXPECT_EQ(refused({.samples = {{"x", distribution::normal, 0, 1e300}}}), "");
}

TEST(ensemble, measures_lyapunov_exponents) {
  ensemble_options options{
      .integrator = {.method = "simpson", .step = 0.02}, .steps = 500, .width = 0, .lyapunov = true};
  ensemble_report report;
  const ensemble_plan plan(load_model("double-pendulum"), {.sweeps = {{"q1", 0.1, 3, 4}}});
  const auto results = results_of(plan, options, &report);
  EXPECT_EQ(report.engine, "trajectory by trajectory");
  ASSERT_TRUE(report.lyapunov.has_value());
  EXPECT_EQ(report.lyapunov->largest,
            std::max({results[0].lyapunov, results[1].lyapunov, results[2].lyapunov, results[3].lyapunov}));
  EXPECT_GT(results[3].lyapunov, 1);
  options.threads = 2;
  expect_same_bits(results_of(plan, options), results);
  // Neighbours in lanes say the same.
  options.width = 8;
  const auto lanes = results_of(plan, options, &report);
  EXPECT_EQ(report.engine, engine_in_lanes());
  for (std::size_t k = 0; k < lanes.size(); ++k) EXPECT_NEAR(lanes[k].lyapunov, results[k].lyapunov, 1e-5) << k;
}

TEST(ensemble, of_oscillators_moves_as_the_exact_motion_does) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  const auto end_of = [&](const ensemble_variation& variation, std::size_t width) {
    ensemble_options options{.integrator = {.method = "gauss-3", .step = 0.1}, .steps = 50, .width = width};
    return results_of({m, variation}, options);
  };
  for (const std::size_t width : {0U, 8U}) {
    for (const auto& r : end_of({.sweeps = {{"x", -1, 2, 7}, {"p_x", 0, 1, 3}}}, width)) {
      const double x0 = r.start.position[0], p0 = r.start.momentum[0];
      EXPECT_NEAR(r.position[0], x0 * std::cos(5.0) + p0 * std::sin(5.0), 1e-8);
      EXPECT_LT(r.energy_error, 1e-9);
    }
    for (const auto& r : end_of({.samples = {{"k", distribution::uniform, 1, 4}}, .count = 12}, width)) {
      const double omega = std::sqrt(r.start.values[0]);
      EXPECT_NEAR(r.position[0], std::cos(5 * omega), 1e-5);
    }
  }
}

// With some masses the steps are too long; whoever they are, the others move in lanes as they do one by one.
TEST(ensemble, of_linear_systems_in_lanes_knows_the_limits_of_steps) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*m*x'^2 + 1/2*y'^2 - 2*x^2 - 2*(x-y)^2\"\n"
      "[parameters]\nm = 1\n[initial]\nposition = {x = 1, y = 0}\nvelocity = {x = 0, y = 0}\n",
      "m.toml");
  for (const char* method : {"simpson", "midpoint", "verlet"}) {
    SCOPED_TRACE(method);
    ensemble_options options{.integrator = {.method = method, .step = 0.5}, .steps = 100};
    ensemble_report report;
    const ensemble_plan plan(m, {.sweeps = {{"m", 0.1, 3, 30}}});
    const auto lanes = results_of(plan, options, &report);
    EXPECT_EQ(report.engine, engine_in_lanes());
    options.width = 0;
    const auto ordinary = results_of(plan, options);
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      EXPECT_EQ(lanes[k].status, ordinary[k].status) << k;
      EXPECT_EQ(lanes[k].reason, ordinary[k].reason) << k;
      EXPECT_NEAR(lanes[k].position[0], ordinary[k].position[0], 1e-11) << k;
    }
    const auto refused = report.by_status[static_cast<std::size_t>(trajectory_status::bad_start)];
    if (method == std::string("midpoint")) EXPECT_EQ(refused, 0U);
    else EXPECT_GT(refused, 0U);
    options.width = 8;
    options.threads = 3;
    expect_same_bits(results_of(plan, options), lanes);
    options.integrator.allow_unstable = true;
    EXPECT_EQ(results_of(plan, options).front().status, trajectory_status::done);
  }
}

// Constant terms of L make the energy vanish at the start: errors are relative to the energies of the motion.
TEST(ensemble, of_long_sums_moves_as_lone_runs_do) {
  // So many stars that the sum over their pairs is kept as a table.
  const model stars = load_model("star-cluster");
  ASSERT_TRUE(stars.system.sums);
  for (const char* varied : {"eps", "x[2]'"}) {
    SCOPED_TRACE(varied);
    const ensemble_plan plan(stars, {.sweeps = {{varied, 0.1, 0.3, 2}}});
    const auto results = results_of(plan, {.integrator = {.method = "gauss-2", .step = 0.01}, .steps = 3});
    ASSERT_EQ(results.size(), 2U);
    for (const trajectory_result& r : results) {
      EXPECT_EQ(r.status, trajectory_status::done) << r.reason;
      EXPECT_LT(r.energy_error, 1e-10);
    }
    EXPECT_NE(results[0].momentum, results[1].momentum);
    const integrator<double> flow(stars.system, {.method = "gauss-2", .step = 0.01});
    const auto moved = varied == std::string("eps") ? flow.with_parameters(results[1].start.parameters) : flow;
    phase_state<double> state = moved.at_momentum(results[1].start.position, results[1].start.momentum);
    const auto workspace = moved.make_workspace();
    for (int k = 0; k < 3; ++k) ASSERT_EQ(workspace->advance(state).code, step_code::ok);
    EXPECT_EQ(state.position.value, results[1].position);
  }
}

TEST(ensemble, has_energy_errors_worth_reading_where_the_energy_vanishes) {
  const model m = parse_model(
      "coordinates = [\"q\"]\nlagrangian = \"1/2*q'^2 - 1/2*(q^2 - 0.01) - 0.1*q^4 + 0.00001\"\n"
      "[initial]\nposition = {q = 0.1}\nvelocity = {q = 0}\n",
      "m.toml");
  ensemble_options options{.integrator = {.method = "simpson", .step = 0.1}, .steps = 200};
  const ensemble_plan plan(m, {.sweeps = {{"q", 0.1, 0.1, 1}}});
  const double in_lanes = results_of(plan, options).front().energy_error;
  options.width = 0;
  const double alone = results_of(plan, options).front().energy_error;
  EXPECT_LT(alone, 1e-3);
  EXPECT_NEAR(in_lanes, alone, 1e-3 * alone);
}

TEST(ensemble, failures_leave_the_others_alone) {
  // Beyond some speed the fall reaches the logarithm's end; and one start lies outside its domain.
  const model m = parse_model(testing::falling_model, "m.toml");
  ensemble_options options{.integrator = {.method = "simpson", .step = 0.1}, .steps = 20};
  ensemble_report report;
  const ensemble_plan plan(m, {.sweeps = {{"x", -0.5, 2, 2}, {"x'", -40, 0, 9}}});
  const auto results = results_of(plan, options, &report);
  EXPECT_EQ(report.count, 18U);
  EXPECT_EQ(report.by_status[static_cast<std::size_t>(trajectory_status::bad_start)], 9U);
  EXPECT_GT(report.failed(), 9U);
  EXPECT_GT(report.done(), 0U);
  EXPECT_EQ(report.first_failures.size(), 5U);
  for (const trajectory_result& r : results) {
    EXPECT_EQ(r.status == trajectory_status::done, r.steps == 20) << r.index;
    EXPECT_EQ(r.reason.empty(), r.status == trajectory_status::done) << r.index;
    EXPECT_TRUE(std::isfinite(r.position[0]) && std::isfinite(r.momentum[0]) && std::isfinite(r.energy_error));
    const double x = r.start.position[0], v = r.start.momentum[0];
    if (x < 0) continue;
    expect_same_bits(results_of({m, {.sweeps = {{"x", x, x, 1}, {"x'", v, v, 1}}}}, options), {r});
  }
}

TEST(ensemble, draws_numbers_that_depend_on_seed_trajectory_and_name_alone) {
  const model m = load_model("double-pendulum");
  const auto drawn = [&](std::vector<random_variable> samples, std::uint64_t seed, std::size_t k) {
    std::vector<double> values(samples.size());
    ensemble_plan(m, {.samples = std::move(samples), .count = 10'000, .seed = seed}).values(k, values);
    return values;
  };
  const random_variable q1{"q1", distribution::normal, 1, 2}, q2{"q2", distribution::uniform, -1, 3};
  EXPECT_EQ(drawn({q1, q2}, 1, 5)[1], drawn({q2}, 1, 5)[0]);
  EXPECT_NE(drawn({q1}, 1, 5), drawn({q1}, 2, 5));
  EXPECT_NE(drawn({q1}, 1, 5), drawn({q1}, 1, 6));

  const ensemble_plan plan(m, {.samples = {q1, q2}, .count = 10'000});
  double sum[2] = {}, squares[2] = {}, products = 0;
  std::vector<double> values(2);
  for (std::size_t k = 0; k < plan.size(); ++k) {
    plan.values(k, values);
    EXPECT_TRUE(values[1] > -1 && values[1] < 3);
    for (int i = 0; i < 2; ++i) {
      sum[i] += values[i];
      squares[i] += (values[i] - 1) * (values[i] - 1);
    }
    products += (values[0] - 1) * (values[1] - 1);
  }
  EXPECT_NEAR(sum[0] / 1e4, 1, 5 * 2 / 100.0);
  EXPECT_NEAR(sum[1] / 1e4, 1, 5 * 1.2 / 100.0);
  EXPECT_NEAR(squares[0] / 1e4, 4, 5 * 4 * 1.5 / 100.0);
  EXPECT_NEAR(squares[1] / 1e4, 16.0 / 12, 5 * 1.2 / 100.0);
  EXPECT_NEAR(products / 1e4, 0, 5 * 2 * 1.2 / 100.0);
}

TEST(ensemble, sums_up_what_is_done) {
  const model m = parse_model(testing::oscillator_model, "m.toml");
  ensemble_report report;
  const auto results = results_of({m, {.sweeps = {{"x", 1, 3, 3}}}},
                                  {.integrator = {.method = "midpoint", .step = 0.5}, .steps = 0}, &report);
  ASSERT_EQ(results.size(), 3U);
  ASSERT_EQ(report.position.size(), 1U);
  EXPECT_EQ(report.position[0].mean, 2);
  EXPECT_DOUBLE_EQ(report.position[0].deviation, std::sqrt(2.0 / 3));
  EXPECT_EQ(report.position[0].smallest, 1);
  EXPECT_EQ(report.position[0].largest, 3);
}

TEST(ensemble, ends_early_when_it_is_told_to) {
  ensemble_options options{.integrator = {.method = "simpson", .step = 0.02}, .steps = 10};
  int asked = 0;
  options.interrupted = [&] { return ++asked > 3; };
  ensemble_report report;
  results_of(pendulums(100), options, &report);
  EXPECT_TRUE(report.interrupted);
  EXPECT_LT(report.count, 100U);
}

TEST(ensemble, reads_sweeps_and_samples_as_they_are_typed) {
  const model m = load_model("double-pendulum");
  const swept_variable s = sweep_from(m, {"q1 = -pi : 2*m1 : 1e3", {"--sweep", 1, 1}, "--sweep"});
  EXPECT_EQ(s.name, "q1");
  EXPECT_EQ(s.from, -std::acos(-1.0));
  EXPECT_EQ(s.to, 2);
  EXPECT_EQ(s.count, 1000U);
  const random_variable r = sample_from(m, {"m2=uniform(sqrt(4), (1+2))", {"--sample", 1, 1}, "--sample"});
  EXPECT_EQ(r.name, "m2");
  EXPECT_EQ(r.kind, distribution::uniform);
  EXPECT_EQ(r.first, 2);
  EXPECT_EQ(r.second, 3);
}

TEST(ensemble, sweeps_over_lists_of_values) {
  const model m = load_model("double-pendulum");
  const swept_variable s = sweep_from(m, {"q1 = [0.1,-2e-3, atan2(1,m1)]", {"--sweep", 1, 1}, "--sweep"});
  EXPECT_EQ(s.name, "q1");
  EXPECT_EQ(s.values, (std::vector<double>{0.1, -2e-3, std::atan2(1.0, 1.0)}));
  const swept_variable again = sweep_from(m, {to_text(s), {"--sweep", 1, 1}, "--sweep"});
  EXPECT_EQ(again.values, s.values);
  const ensemble_plan plan(m, {.sweeps = {s, {.name = "q2", .from = 1, .to = 2, .count = 2}}});
  ASSERT_EQ(plan.size(), 6u);
  std::vector<double> values(2);
  plan.values(3, values);
  EXPECT_EQ(values, (std::vector<double>{-2e-3, 2}));
  const swept_variable beside = sweep_from(m, {"&q2=[4,5,6]", {"--sweep", 1, 1}, "--sweep"});
  EXPECT_EQ(to_text(beside), "&q2=[4,5,6]");
  const ensemble_plan pairs(m, {.sweeps = {{.name = "m1", .from = 1, .to = 2, .count = 2}, s, beside}});
  ASSERT_EQ(pairs.size(), 6u);
  values.resize(3);
  pairs.values(4, values);
  EXPECT_EQ(values, (std::vector<double>{2, -2e-3, 5}));
  const swept_variable longer{.name = "q2", .from = 0, .to = 1, .count = 4, .beside = true};
  EXPECT_THROW(ensemble_plan(m, {.sweeps = {s, longer}}), input_error);
  EXPECT_THROW(ensemble_plan(m, {.sweeps = {beside}}), input_error);
  for (const char* wrong : {"q1=[]", "q1=[1,]", "q1=[1,nobody]", "q1=[1e999]"}) {
    EXPECT_THROW(sweep_from(m, {wrong, {"--sweep", 1, 1}, "--sweep"}), input_error) << wrong;
  }
}

}  // namespace
}  // namespace actio
