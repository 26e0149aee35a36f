// Kernels of trajectories: the bits of the text carried out with numbers, in rows of any length; lanes that know
// nothing of each other.
#include "actio/backend/trajectory_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "problems/problem.hpp"
#include "tests/support/kernel_bench.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using testing::kernel_bench;

class trajectory_kernel_of : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ACTIO_NEEDS(machine_code); }
};

TEST_P(trajectory_kernel_of, has_the_bits_of_its_text_in_rows_of_any_length) {
  constexpr std::size_t steps = 40;
  const model m = load_model(GetParam());
  for (const char* method : {"gauss-1", "gauss-3", "gauss-8", "midpoint", "simpson", "lobatto-4", "euler-a"}) {
    const kernel_bench bench(m, method);
    std::vector<std::vector<double>> starts;
    // Some with steps of their own, one that ends earlier.
    for (std::size_t k = 0; k < 11; ++k)
      starts.push_back(bench.start(m, k, k % 3 == 1 ? 0.03 : 0.02, k == 4 ? 17 : steps));
    const auto eight = bench.in_lanes(starts, 8, steps, steps), one = bench.in_lanes(starts, 1, steps, steps),
               four = bench.in_lanes(starts, 4, steps, 7);
    const auto meant = [&](const std::vector<double>& rows) { return bench.meant(rows); };
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const std::vector<double> expected = meant(bench.with_numbers(starts[k], steps));
      EXPECT_EQ(expected[bench.code.rows.lives()], 1) << method << " " << k;
      EXPECT_EQ(meant(eight[k]), expected) << method << " " << k;
      EXPECT_EQ(meant(four[k]), expected) << method << " " << k;
      EXPECT_EQ(meant(one[k]), expected) << method << " " << k;
    }
  }
}

TEST_P(trajectory_kernel_of, follows_the_single_step) {
  constexpr std::size_t steps = 50;
  constexpr double h = 0.02;
  const model m = load_model(GetParam());
  for (const char* method : {"gauss-2", "gauss-5", "simpson", "lobatto-4"}) {
    const kernel_bench bench(m, method);
    const integrator<double> flow(m.system, {.method = method, .step = h});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    while (state.index < steps) ASSERT_TRUE(workspace->advance(state));
    const std::vector<double> end = bench.in_lanes({bench.start(m, 0, h, steps)}, 4, steps, steps)[0];
    for (std::size_t a = 0; a < m.system.size(); ++a) {
      EXPECT_NEAR(end[bench.code.rows.state(a)], state.position[a], 1e-12 * (1 + std::abs(state.position[a])));
      EXPECT_NEAR(end[bench.code.rows.state(m.system.size() + a)], state.momentum[a],
                  1e-12 * (1 + std::abs(state.momentum[a])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(problems, trajectory_kernel_of,
                         ::testing::Values("double-pendulum", "kepler", "damped-driven-pendulum", "lagrange-top"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// One that starts nowhere, one that a step of its length cannot follow.
TEST(trajectory_kernel, leaves_neighbours_of_lost_trajectories_alone) {
  ACTIO_NEEDS(machine_code);
  constexpr std::size_t steps = 30;
  const model m = load_model("double-pendulum");
  for (const char* method : {"gauss-4", "simpson"}) {
    const kernel_bench bench(m, method);
    std::vector<std::vector<double>> starts;
    for (std::size_t k = 0; k < 8; ++k) starts.push_back(bench.start(m, k, 0.02, steps));
    const auto healthy = bench.in_lanes(starts, 8, steps, steps);
    starts[2][bench.code.rows.state(0)] = std::numeric_limits<double>::quiet_NaN();
    starts[5][bench.code.rows.step()] = 40;
    const auto ailing = bench.in_lanes(starts, 8, steps, steps);
    for (std::size_t k = 0; k < 8; ++k) {
      const bool is_lost = k == 2 || k == 5;
      EXPECT_EQ(ailing[k][bench.code.rows.lives()], is_lost ? 0 : 1) << method << " " << k;
      if (is_lost) continue;
      EXPECT_EQ(ailing[k], healthy[k]) << method << " " << k;
    }
  }
}

// Newton's method, whose equations have the parameters of a lane among their variables.
TEST(trajectory_kernel, moves_trajectories_with_parameters_of_their_own_as_with_shared_ones) {
  ACTIO_NEEDS(machine_code);
  constexpr std::size_t steps = 20;
  const model m = load_model("double-pendulum");
  const kernel_bench own(m, "simpson", parameter_role::variable), shared(m, "simpson");
  const std::vector<double> usual = own.start(m, 1, 0.02, steps);
  std::vector<double> heavy = usual;
  heavy[own.code.rows.parameter(0)] *= 2;
  const auto found = own.in_lanes({usual, heavy, usual, heavy}, 4, steps, steps);
  const auto wanted = shared.in_lanes({shared.start(m, 1, 0.02, steps)}, 1, steps, steps)[0];
  for (std::size_t c = 0; c < own.code.rows.components(); ++c) {
    EXPECT_NEAR(found[0][own.code.rows.state(c)], wanted[shared.code.rows.state(c)], 1e-13);
  }
  EXPECT_EQ(found[0], found[2]);
  EXPECT_EQ(found[1], found[3]);
  EXPECT_NE(found[0], found[1]);
}

// A good prediction leaves one iteration a step.
TEST(trajectory_kernel, takes_few_iterations_of_newtons_method) {
  ACTIO_NEEDS(machine_code);
  constexpr std::size_t steps = 400;
  const model m = load_model("double-pendulum");
  const kernel_bench bench(m, "simpson");
  const auto end = bench.in_lanes({bench.start(m, 0, 0.01, steps)}, 1, steps, steps)[0];
  EXPECT_LT(end[bench.code.rows.effort()], 1.5 * steps);
}

}  // namespace
}  // namespace actio
