// Ensembles on GPUs: the bits of the processor's lanes for portions, GPUs and failures of all kinds. A stand-in for the
// driver carries the kernels out.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "actio/backend/device_code.hpp"
#include "actio/simulate/ensemble.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/gpu_double/settings.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using testing::gpu_setting;

class device_ensemble : public ::testing::Test {
 protected:
  void SetUp() override {
    ACTIO_NEEDS(machine_code);
    if (!writes_device_code() || testing::gpu_double_path().empty()) GTEST_SKIP() << "this build writes no PTX";
  }
};

struct outcome {
  std::vector<trajectory_result> results;
  ensemble_report report;
  std::string note;
};

outcome outcome_of(const ensemble_plan& plan, ensemble_options options, const char* device = nullptr) {
  outcome made;
  if (device != nullptr) options.device = device_from({device, {"@device", 0, 0}, "@device"});
  options.note = [&](const std::string& text) { made.note += text + "\n"; };
  made.report = run_ensemble(plan, options, [&](const trajectory_result& r) { made.results.push_back(r); });
  return made;
}

void expect_same_bits(const outcome& a, const outcome& b) {
  ASSERT_EQ(a.results.size(), b.results.size());
  for (std::size_t k = 0; k < a.results.size(); ++k) {
    SCOPED_TRACE(k);
    const trajectory_result &x = a.results[k], &y = b.results[k];
    EXPECT_EQ(x.index, y.index);
    EXPECT_EQ(x.position, y.position);
    EXPECT_EQ(x.momentum, y.momentum);
    EXPECT_EQ(x.energy_error, y.energy_error);
    EXPECT_EQ(x.scaled_energy_error, y.scaled_energy_error);
    EXPECT_EQ(x.momentum_errors, y.momentum_errors);
    EXPECT_EQ(x.status, y.status);
    EXPECT_EQ(x.reason, y.reason);
    EXPECT_EQ(x.steps, y.steps);
    EXPECT_EQ(x.crossings, y.crossings);
    EXPECT_EQ(x.lyapunov, y.lyapunov);
  }
}

ensemble_plan pendulums(std::size_t count) {
  return {load_model("double-pendulum"),
          {.sweeps = {{"q1", -3, 3, count}}, .samples = {{"q2", distribution::normal, 0, 0.5}}, .seed = 7}};
}
ensemble_plan varied_pendulums(std::size_t count) {
  return {load_model("double-pendulum"),
          {.sweeps = {{"q1", -3, 3, count}}, .samples = {{"m2", distribution::uniform, 0.5, 2}}, .seed = 7}};
}
ensemble_options some_steps(std::size_t steps, double step = 0.02, const char* method = "gauss-4") {
  return {.integrator = {.method = method, .step = step}, .steps = steps, .threads = 2};
}

// Over all problems that run in lanes; how many there are.
std::size_t compare_problems(const char* method) {
  const gpu_setting setting;
  std::size_t compared = 0;
  for (const problem& p : problem_catalogue()) {
    SCOPED_TRACE(p.name);
    const model m = load_model(p.name);
    if (!m.system.constraints.empty() || m.system.is_first_order()) continue;
    const std::string name = m.system.coordinate_names().front();
    std::optional<ensemble_plan> plan;
    outcome expected;
    const ensemble_options options = some_steps(6, 0.01, method);
    for (const std::string& varied : {"p_" + name, name + "'", name}) {
      try {
        plan.emplace(m, ensemble_variation{.sweeps = {{varied, 0.01, 0.3, 3}}});
        expected = outcome_of(*plan, options);
        break;
      } catch (const input_error&) {  // it starts from the other one, or the method does not suit
      }
    }
    if (expected.report.engine != "8 trajectories in lanes") continue;
    try {
      const outcome there = outcome_of(*plan, options, "gpu");
      EXPECT_EQ(there.report.engine, "a trajectory a thread on double 0");
      EXPECT_EQ(there.note, "");
      expect_same_bits(there, expected);
      ++compared;
    } catch (const input_error& error) {
      EXPECT_NE(std::string(error.what()).find("Bessel functions or signals"), std::string::npos) << error.what();
    }
  }
  return compared;
}

TEST_F(device_ensemble, has_the_bits_of_lanes_for_all_problems_that_run_in_them) {
  EXPECT_GE(compare_problems("gauss-4"), 20U);
}
TEST_F(device_ensemble, has_the_bits_of_lanes_with_newtons_method) { EXPECT_GE(compare_problems("simpson"), 15U); }

TEST_F(device_ensemble, has_the_same_bits_for_every_portion_and_number_of_gpus) {
  for (const ensemble_plan& plan : {pendulums(23), varied_pendulums(23)}) {
    const outcome expected = outcome_of(plan, some_steps(20));
    for (const char* gpus : {"1", "2", "3"}) {
      SCOPED_TRACE(gpus);
      testing::temporary_folder folder;
      const std::string log = folder.path("launches");
      const gpu_setting setting({{"GPU_DOUBLE_GPUS", gpus}, {"GPU_DOUBLE_LOG", log}});
      const outcome there = outcome_of(plan, some_steps(20), "gpu");
      expect_same_bits(there, expected);
      EXPECT_EQ(there.report.done(), expected.report.done());
      std::ifstream launches(log);
      std::set<int> used;
      for (int gpu = 0, threads = 0; launches >> gpu >> threads;) used.insert(gpu);
      EXPECT_EQ(used.size(), static_cast<std::size_t>(std::atoi(gpus)));
    }
  }
}

TEST_F(device_ensemble, does_with_little_memory) {
  const ensemble_plan plan = pendulums(200);
  const outcome expected = outcome_of(plan, some_steps(10));
  testing::temporary_folder folder;
  const std::string log = folder.path("launches");
  const gpu_setting setting(
      {{"GPU_DOUBLE_MEMORY", "1897000"}, {"GPU_DOUBLE_LOCAL_BYTES", "900"}, {"GPU_DOUBLE_LOG", log}});
  expect_same_bits(outcome_of(plan, some_steps(10), "gpu"), expected);
  std::ifstream launches(log);
  std::size_t most = 0, count = 0;
  for (std::size_t gpu = 0, threads = 0; launches >> gpu >> threads; ++count) most = std::max(most, threads);
  EXPECT_EQ(most, 16U);  // of 25 that each of eight blocks would have
  EXPECT_GT(count, 8U);
}

TEST_F(device_ensemble, keeps_parts_shorter_last_steps_and_failures) {
  const gpu_setting setting;
  ensemble_options options = some_steps(0, 0.03);
  options.until = 0.5;
  options.steps = 17;
  options.part = ensemble_part{2, 3};
  const ensemble_plan plan = pendulums(15);
  const outcome expected = outcome_of(plan, options);
  EXPECT_EQ(expected.report.engine, "8 trajectories in lanes");
  expect_same_bits(outcome_of(plan, options, "gpu"), expected);
  // A step that most cannot follow: those are done again on the processor.
  const ensemble_options wild = some_steps(3, 3);
  const outcome failing = outcome_of(plan, wild);
  EXPECT_GT(failing.report.failed(), 0U);
  expect_same_bits(outcome_of(plan, wild, "gpu"), failing);
}

TEST_F(device_ensemble, finds_crossings_of_a_section) {
  const gpu_setting setting;
  for (const ensemble_plan& plan : {pendulums(7), varied_pendulums(7)}) {
    ensemble_options options = some_steps(40, 0.05);
    options.poincare = section_from(plan.base(), {"q2:both", {}, "section"});
    const outcome expected = outcome_of(plan, options);
    EXPECT_GT(expected.report.crossings, 5U);
    expect_same_bits(outcome_of(plan, options, "gpu"), expected);
  }
}

TEST_F(device_ensemble, measures_lyapunov_exponents) {
  const gpu_setting setting;
  ensemble_options options = some_steps(30, 0.05);
  options.lyapunov = true;
  const outcome expected = outcome_of(pendulums(7), options);
  EXPECT_EQ(expected.report.engine, "8 trajectories in lanes");
  EXPECT_GT(expected.report.lyapunov->largest, 0);
  expect_same_bits(outcome_of(pendulums(7), options, "gpu"), expected);
}

TEST_F(device_ensemble, goes_on_where_gpus_fail) {
  const ensemble_plan plan = pendulums(31);
  const outcome expected = outcome_of(plan, some_steps(40));
  for (const char* gpus : {"1", "2"}) {
    for (const char* launch : {"1", "2", "4"}) {
      SCOPED_TRACE(std::string(gpus) + " " + launch);
      const gpu_setting setting({{"GPU_DOUBLE_GPUS", gpus}, {"GPU_DOUBLE_FAILING_LAUNCH", launch}});
      const outcome there = outcome_of(plan, some_steps(40), "gpu");
      expect_same_bits(there, expected);
      EXPECT_NE(there.note.find(
                    "unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED); its trajectories are done on the CPU"),
                std::string::npos)
          << there.note;
      EXPECT_FALSE(there.report.interrupted);
    }
  }
}

TEST_F(device_ensemble, ends_early_when_it_is_told) {
  const gpu_setting setting;
  ensemble_options options = some_steps(2000);
  std::atomic<int> asked = 0;
  options.interrupted = [&] { return ++asked > 3; };
  const outcome there = outcome_of(pendulums(8), options, "gpu");
  EXPECT_TRUE(there.report.interrupted);
  EXPECT_LT(there.results.size(), 8U);
}

}  // namespace
}  // namespace actio
