// Statistics of ensembles on the fly, and what their pages keep.
#include "actio/simulate/ensemble_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actio/io/ensemble_page.hpp"
#include "actio/io/json_report.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

ensemble_plan pendulums() {
  return {load_model("double-pendulum"),
          {.sweeps = {{"q1", -1, 1, 9}}, .samples = {{"q2", distribution::normal, 0, 0.5}}, .count = 20}};
}

ensemble_options plain() { return {.integrator = {.method = "gauss-4", .step = 0.05}, .steps = 40}; }

TEST(ensemble_statistics, are_those_of_the_results) {
  const ensemble_plan plan = pendulums();
  ensemble_options options = plain();
  ensemble_statistics statistics(plan, options);
  options.observers = {&statistics};
  std::vector<double> ends;
  const ensemble_report report =
      run_ensemble(plan, options, [&](const trajectory_result& r) { ends.push_back(r.position[1]); });
  std::ranges::sort(ends);
  const quantity_statistics& q2 = statistics.quantities()[1];
  EXPECT_EQ(q2.name(), "q2");
  EXPECT_EQ(q2.count(), 180U);
  EXPECT_NEAR(q2.mean(), report.position[1].mean, 1e-13);
  EXPECT_NEAR(q2.deviation(), report.position[1].deviation, 1e-13);
  EXPECT_EQ(q2.smallest(), ends.front());
  EXPECT_EQ(q2.largest(), ends.back());
  EXPECT_LE(std::abs(q2.quantile(0.25) - ends[44]), q2.resolution());
  const quantity_statistics& energy = statistics.quantities()[4];
  EXPECT_TRUE(energy.is_logarithmic());
  EXPECT_GT(energy.quantile(0.5), 0);
  EXPECT_LE(energy.quantile(0.5), energy.largest());
}

TEST(ensemble_statistics, do_not_depend_on_order_and_parts) {
  const ensemble_plan plan = pendulums();
  const ensemble_options options = plain();
  ensemble_statistics whole(plan, options), parted(plan, options);
  std::vector<trajectory_result> results;
  run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
  for (const trajectory_result& r : results) whole.see(r);
  std::ranges::reverse(results);
  for (const trajectory_result& r : results) parted.see(r);
  EXPECT_EQ(to_json(whole), to_json(parted));
  quantity_statistics left("x"), right("x"), all("x");
  for (int k = 0; k < 1000; ++k) {
    const double x = std::sin(k) * std::exp2(k % 40);
    (k % 7 < 3 ? left : right).add(x);
    all.add(x);
  }
  left.add(right);
  EXPECT_EQ(left.mean(), all.mean());
  EXPECT_EQ(left.deviation(), all.deviation());
  EXPECT_EQ(left.quantile(0.3), all.quantile(0.3));
}

// Far from zero, where plain sums of squares have no digits left.
TEST(quantity_statistics, keeps_small_deviations_and_counts_what_is_not_finite) {
  quantity_statistics q("x");
  for (const double x : {1e9, 1e9 + 1, 1e9 + 2}) q.add(x);
  EXPECT_NEAR(q.deviation(), std::sqrt(2.0 / 3), 1e-12);
  q.add(std::nan(""));
  q.add(INFINITY);
  EXPECT_EQ(q.not_finite(), 2U);
  EXPECT_EQ(q.count(), 3U);
  for (const double x : {1.0, 3.7e-5, 8e300, 5e-324}) EXPECT_NEAR(straight_power(straight_logarithm(x)) / x, 1, 1e-13);
}

TEST(ensemble_recorder, puts_results_where_they_started) {
  const ensemble_plan plan(load_model("double-pendulum"), {.sweeps = {{"q1", 0, 1, 4}, {"q2", 0.5, 1, 3}}});
  ensemble_options options{.integrator = {.method = "gauss-2", .step = 0.05}, .steps = 10};
  options.lyapunov = true;
  ensemble_recorder recorder(plan, options);
  options.observers = {&recorder};
  std::vector<trajectory_result> results;
  const ensemble_report report = run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
  ASSERT_EQ(recorder.axes().size(), 2U);
  EXPECT_EQ(recorder.axes()[0].variable->name, "q1");
  const ensemble_map& lyapunov = recorder.maps().front();
  const auto q2 = std::ranges::find(recorder.maps(), "q2", &ensemble_map::name);
  ASSERT_NE(q2, recorder.maps().end());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(lyapunov.values[j * 4 + i], static_cast<float>(results[i * 3 + j].lyapunov));
      EXPECT_EQ(q2->values[j * 4 + i], static_cast<float>(results[i * 3 + j].position[1]));
    }
  }
  const std::string page = ensemble_page(report, recorder, plan.base(), {"actio ensemble", "1"});
  EXPECT_NE(page.find("\"png\":\"iVBORw0KGgo"), std::string::npos);
  EXPECT_LT(page.size(), 1'000'000U);
}

// A neighbour in a lane says what tangent maps say.
TEST(ensemble, lyapunov_exponents_in_lanes_are_those_of_tangent_maps) {
  const ensemble_plan plan(load_model("double-pendulum"), {.sweeps = {{"q1", -2, 2, 11}}});
  ensemble_options options{.integrator = {.method = "gauss-4", .step = 0.05}, .steps = 60};
  options.lyapunov = true;
  std::vector<double> exponents[2];
  for (const std::size_t width : {8U, 0U}) {
    options.width = width;
    run_ensemble(plan, options, [&](const trajectory_result& r) { exponents[width / 8].push_back(r.lyapunov); });
  }
  for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(exponents[0][k], exponents[1][k], 1e-5) << k;
  options.lyapunov = false;
  std::vector<std::vector<double>> with, without;
  options.width = 8;
  run_ensemble(plan, options, [&](const trajectory_result& r) { without.push_back(r.position); });
  options.lyapunov = true;
  run_ensemble(plan, options, [&](const trajectory_result& r) { with.push_back(r.position); });
  EXPECT_EQ(with, without);  // the neighbour does not touch the trajectory
}

TEST(ensemble_page, is_written_with_statistics) {
  const testing::temporary_folder folder;
  const std::string page = folder.path("page.html");
  const auto done = testing::actio_program({"ensemble", "pendulum", "--sweep", "q=0.5:1:9", "--sweep", "rate=0:1:5",
                                            "--until", "1", "--step", "0.1", "--method", "gauss-2", "--statistics",
                                            "--json", "--report", page, "--quiet"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("\"quantiles\""), std::string::npos);
  EXPECT_NE(testing::contents(page).find("\"kind\":\"ensemble\""), std::string::npos);
}

trajectory_result one_of_many(std::size_t k) {
  trajectory_result result;
  result.begin(k);
  if (k % 5 == 1) result.status = trajectory_status::singular;
  result.reason = k % 5 == 1 ? std::to_string(k) : "";
  result.steps = 10 + (7 * k) % 13;
  const double x = static_cast<double>(k);
  result.position = {1e6 + 0.1 * x, std::exp(x)};
  result.momentum = {-1 / (1 + x)};
  result.energy_error = 1e-9 * x;
  result.scaled_energy_error = k == 4 ? 0.5 : 0;
  return result;
}

TEST(ensemble_summary, does_not_depend_on_how_results_are_divided) {
  ensemble_report whole, divided;
  whole.coordinates = divided.coordinates = {"a", "b"};
  ensemble_summary sums(whole), joined(divided);
  for (const auto& [first, end] : {std::pair{0, 0}, std::pair{0, 2}, std::pair{2, 17}, std::pair{17, 40}}) {
    ensemble_report part;
    ensemble_summary partial(part);
    for (int k = first; k < end; ++k) {
      sums.add(one_of_many(static_cast<std::size_t>(k)), 3);
      partial.add(one_of_many(static_cast<std::size_t>(k)), 3);
    }
    joined.add(partial);
  }
  sums.finish(false);
  joined.finish(false);
  EXPECT_EQ(to_text(divided), to_text(whole));
  EXPECT_EQ(divided.count, 40U);
  EXPECT_EQ(divided.crossings, 120U);
  EXPECT_EQ(divided.first_failures.front().index, 1U);
  EXPECT_EQ(std::pair(divided.fewest_steps, divided.most_steps), std::pair(whole.fewest_steps, whole.most_steps));
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(divided.position[i].mean, whole.position[i].mean);
    EXPECT_EQ(divided.position[i].deviation, whole.position[i].deviation);
  }
}

TEST(ensemble_summary, says_nothing_less_than_infinite_of_what_is_beyond_squares) {
  ensemble_report report;
  ensemble_summary sums(report);
  trajectory_result result = one_of_many(2);
  sums.add(result, 0);
  result.position[0] = 1e200;
  sums.add(result, 0);
  sums.finish(false);
  EXPECT_TRUE(std::isinf(report.position[0].mean));
  EXPECT_TRUE(std::isinf(report.position[0].largest));
  EXPECT_EQ(report.position[1].deviation, 0);
}

}  // namespace
}  // namespace actio
