// Kernels for GPUs: PTX that leaves no rounding open, and the bits of the text in threads of a stand-in that carries
// PTX out.
#include "actio/backend/device_kernel.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "actio/backend/device_code.hpp"
#include "problems/problem.hpp"
#include "tests/support/gpu_double/settings.hpp"
#include "tests/support/kernel_bench.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using testing::gpu_setting;
using testing::kernel_bench;

std::shared_ptr<const device_program> program_for(const kernel_bench& bench, int number = 0) {
  const auto gpu = device::gpu::open(number);
  const auto ptx = make_device_code(bench.code, device_architecture(gpu->properties().capability));
  return std::make_shared<device_program>(gpu, bench.code, ptx.value(), bench.parameters);
}

class device_kernel_of : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ACTIO_NEEDS(machine_code);
    if (!writes_device_code() || testing::gpu_double_path().empty()) GTEST_SKIP() << "this build writes no PTX";
  }
};

TEST_P(device_kernel_of, has_the_bits_of_its_text) {
  const gpu_setting setting;
  constexpr std::size_t steps = 12;
  const model m = load_model(GetParam());
  for (const char* method : {"gauss-1", "gauss-3", "gauss-8", "simpson", "lobatto-4"}) {
    const kernel_bench bench(m, method);
    std::vector<std::vector<double>> starts;
    // Some with steps of their own, one that ends earlier.
    for (std::size_t k = 0; k < 7; ++k)
      starts.push_back(bench.start(m, k, k % 3 == 1 ? 0.03 : 0.02, k == 4 ? 5 : steps));
    device_kernel kernel(program_for(bench), 5);
    const auto at_once = bench.in_lanes_of(kernel, starts, steps, steps),
               in_parts = bench.in_lanes_of(kernel, starts, steps, 5);
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const std::vector<double> expected = bench.meant(bench.with_numbers(starts[k], steps));
      EXPECT_EQ(expected[bench.code.rows.lives()], 1) << method << " " << k;
      EXPECT_EQ(bench.meant(at_once[k]), expected) << method << " " << k;
      EXPECT_EQ(bench.meant(in_parts[k]), expected) << method << " " << k;
    }
  }
}

TEST_P(device_kernel_of, leaves_no_rounding_open) {
  const kernel_bench bench(load_model(GetParam()), "gauss-4");
  for (const char* architecture : device_architectures) {
    const std::string ptx = *make_device_code(bench.code, architecture);
    EXPECT_NE(ptx.find(std::string(".target ") + architecture + "\n"), std::string::npos);
    EXPECT_NE(ptx.find("fma.rn.f64"), std::string::npos);
    EXPECT_NE(ptx.find("ld.const.f64"), std::string::npos);  // coefficients and shared numbers
    EXPECT_FALSE(std::regex_search(ptx, std::regex("\\b(add|sub|mul|fma|mad|div|rcp|sqrt)\\.f64")));
    EXPECT_FALSE(std::regex_search(ptx, std::regex("\\.(approx|full|ftz|sat|rz|rm|rp)\\b")));
    EXPECT_EQ(ptx.find(".extern"), std::string::npos);  // nothing of CUDA's library
  }
}

TEST(device_kernel, gives_a_gpu_up_that_does_not_answer) {
  ACTIO_NEEDS(machine_code);
  if (!writes_device_code() || testing::gpu_double_path().empty()) GTEST_SKIP() << "this build writes no PTX";
  const gpu_setting setting({{"GPU_DOUBLE_HANGING_LAUNCH", "2"}});
  const model m = load_model("kepler");
  const kernel_bench bench(m, "gauss-2");
  const auto program = program_for(bench);
  device_kernel kernel(program, 3, 0.05);
  kernel.clear(3);
  kernel.run(0, 1);
  try {
    kernel.run(1, 2);
    FAIL() << "it answered";
  } catch (const device::gpu_failure& failure) {
    EXPECT_STREQ(failure.what(), "running the kernel: no answer within 0.05 seconds");
  }
  EXPECT_TRUE(program->gpu()->is_lost());
}

TEST(device_kernel, is_refused_where_functions_are_missing) {
  const kernel_bench bench(load_model("kepler"), "gauss-2");
  EXPECT_TRUE(suits_devices(bench.code));
  const model m = parse_model(
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - j0(x)\"\n"
      "[initial.position]\nx = 1\n[initial.momentum]\nx = 0\n",
      "m.toml");
  EXPECT_FALSE(suits_devices(kernel_bench(m, "gauss-2").code));
}

INSTANTIATE_TEST_SUITE_P(problems, device_kernel_of,
                         ::testing::Values("double-pendulum", "kepler", "damped-driven-pendulum", "lagrange-top"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace actio
