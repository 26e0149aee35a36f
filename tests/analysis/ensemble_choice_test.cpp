// Accuracies of ensembles: what is promised holds, whoever computes which part of it.
#include "actio/analysis/ensemble_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actio/simulate/step_kinks.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

ensemble_plan pendulums(std::size_t side) {
  return {load_model("double-pendulum"), {.sweeps = {{"q1", 0.3, 1.2, side}, {"q2", 0.5, 1, side}}}};
}

std::vector<trajectory_result> results_of(const ensemble_plan& plan, const ensemble_options& options) {
  std::vector<trajectory_result> results;
  run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
  return results;
}

ensemble_options chosen(const ensemble_plan& plan, double accuracy, double until, const std::string& method = "") {
  ensemble_options options;
  options.integrator.method = method.empty() ? "simpson" : method;
  options.integrator.step = 1;
  choose_paces(plan, {.accuracy = accuracy, .until = until, .keeps_method = !method.empty()}, options);
  return options;
}

// Relative to the root mean squares of the ends, as the promise is.
std::vector<double> sorted_errors(const std::vector<trajectory_result>& results,
                                  const std::vector<trajectory_result>& reference) {
  double sizes[2] = {};
  for (const trajectory_result& r : reference) {
    for (const double x : r.position) sizes[0] += x * x;
    for (const double x : r.momentum) sizes[1] += x * x;
  }
  std::vector<double> errors;
  for (std::size_t k = 0; k < results.size(); ++k) {
    double squares[2] = {};
    for (std::size_t i = 0; i < results[k].position.size(); ++i) {
      squares[0] += std::pow(results[k].position[i] - reference[k].position[i], 2);
      squares[1] += std::pow(results[k].momentum[i] - reference[k].momentum[i], 2);
    }
    const double count = static_cast<double>(reference.size());
    errors.push_back(std::sqrt(std::max(squares[0] * count / sizes[0], squares[1] * count / sizes[1])));
  }
  std::ranges::sort(errors);
  return errors;
}

TEST(ensemble_choice, keeps_its_promise_on_all_trajectories) {
  const ensemble_plan plan = pendulums(20);
  const auto reference = results_of(plan, {.integrator = {.method = "gauss-8", .step = 0.01}, .steps = 300});
  for (const double accuracy : {1e-5, 1e-9}) {
    SCOPED_TRACE(accuracy);
    const ensemble_options options = chosen(plan, accuracy, 3);
    const auto results = results_of(plan, options);
    for (const trajectory_result& r : results) ASSERT_EQ(r.status, trajectory_status::done) << r.reason;
    const std::vector<double> errors = sorted_errors(results, reference);
    EXPECT_LT(errors[errors.size() * 9 / 10], 1.3 * accuracy);  // the sample is not the whole
    EXPECT_GT(errors[errors.size() * 9 / 10], accuracy / 20);   // and nothing is wasted
    EXPECT_LT(errors.back(), 100 * accuracy);
    EXPECT_LE(options.accuracy->ninth_decile, accuracy);
    EXPECT_LE(options.accuracy->median, options.accuracy->ninth_decile);
    EXPECT_LE(options.accuracy->percentile_99, options.accuracy->worst);
    EXPECT_LT(options.accuracy->uncertainty, accuracy / 2);
    const auto [fewest, most] = std::ranges::minmax(results, {}, &trajectory_result::steps);
    EXPECT_LT(fewest.steps, most.steps);  // each has its own
  }
}

TEST(ensemble_choice, has_the_same_bits_for_every_part_width_and_number_of_threads) {
  const ensemble_plan plan = pendulums(17);
  ensemble_options options = chosen(plan, 1e-7, 2);
  const auto whole = results_of(plan, options);
  const ensemble_options again = chosen(plan, 1e-7, 2);
  EXPECT_EQ(again.integrator.method, options.integrator.method);
  for (const std::size_t width : {1U, 4U, 8U}) {
    options.width = width;
    options.threads = 1 + static_cast<unsigned>(width) / 4;
    options.part = ensemble_part{2, 3};
    const auto part = results_of(plan, options);
    const trajectory_range range = range_of(*options.part, plan.size());
    ASSERT_EQ(part.size(), range.size());
    for (std::size_t k = 0; k < part.size(); ++k) {
      const trajectory_result& expected = whole[range.first + k];
      ASSERT_EQ(part[k].index, expected.index);
      EXPECT_EQ(part[k].position, expected.position);
      EXPECT_EQ(part[k].momentum, expected.momentum);
      EXPECT_EQ(part[k].steps, expected.steps);
      EXPECT_EQ(part[k].energy_error, expected.energy_error);
    }
  }
}

// Constraints keep trajectories out of lanes; a method may be given.
TEST(ensemble_choice, takes_what_suits_the_model) {
  const ensemble_plan rods(load_model("spherical-pendulum-rod"),
                           {.samples = {{"g", distribution::uniform, 5, 15}}, .count = 12});
  const ensemble_options held = chosen(rods, 1e-4, 1);
  for (const trajectory_result& r : results_of(rods, held)) EXPECT_EQ(r.status, trajectory_status::done) << r.reason;
  const ensemble_options kept = chosen(pendulums(6), 1e-4, 1, "verlet");
  EXPECT_EQ(kept.integrator.method, "verlet");
  EXPECT_EQ(kept.accuracy->sample, 36U);
  EXPECT_LE(kept.accuracy->ninth_decile, 1e-4);
}

// Twice as many steps may be the same where samples divide them, and then show no error.
TEST(ensemble_choice, is_measured_with_controls_and_kinks) {
  const std::string start = "[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";
  const std::string controlled =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/4*x^4 + u*x\"\n[control.u]\nvalue = \"-x' + "
      "0.2*x\"\nevery = 0.23\n";
  const std::string kinked = "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/4*x^4 - 3*abs(x - 0.3)\"\n";
  for (const std::string& text : {controlled, kinked}) {
    const ensemble_plan plan(parse_model(text + start, "m.toml"), {.sweeps = {{"x", 0.5, 3, 12}}});
    constexpr double accuracy = 1e-8;
    ensemble_options options{.integrator = {.method = "simpson", .step = 1}};
    options.watched = watched_events(plan.base(), true);
    ensemble_options finer = options;
    finer.integrator = {.method = "gauss-8", .step = 0.01};
    finer.until = 8;
    choose_paces(plan, {.accuracy = accuracy, .until = 8}, options);
    const std::vector<double> errors = sorted_errors(results_of(plan, options), results_of(plan, finer));
    EXPECT_LT(errors[errors.size() * 9 / 10 - 1], 1.3 * accuracy) << text;
    EXPECT_GT(options.accuracy->worst, 0) << text;
  }
}

TEST(ensemble_choice, refuses_what_cannot_be_measured) {
  try {
    chosen(pendulums(6), 1e-17, 3);
    FAIL() << "an accuracy beyond rounding was promised";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "accuracy-unreachable");
  }
}

TEST(ensemble_choice, is_an_option) {
  const auto done = testing::actio_program(
      {"ensemble", "pendulum", "--sweep", "q=0.5:1:9", "--until", "3", "--accuracy", "1e-6", "--quiet"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("90 % below"), std::string::npos) << done.out;
  const auto refused = testing::actio_program(
      {"ensemble", "pendulum", "--sweep", "q=0.5:1:9", "--until", "3", "--method", "auto", "--quiet"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--accuracy"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace actio
