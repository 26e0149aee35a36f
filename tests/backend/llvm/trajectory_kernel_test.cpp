// Kernels of trajectories: the bits of the text carried out with numbers, in rows of any length; lanes that know
// nothing of each other.
#include "actio/backend/trajectory_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actio/backend/interpreter/double_lanes.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/backend/kernel/trajectory_text.hpp"
#include "actio/backend/llvm/code_library.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/host_functions.hpp"
#include "actio/integrate/gauss_tables.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

double called(operation op, double x, double y) {
  if (machine_code::is_outside(op)) return machine_code::outside_value(op, x, y);
  return operand_count(op) == 1 ? machine_code::value_of(op, x) : machine_code::value_of(op, x, y);
}

// Everything that a kernel for a system is made of.
struct kernel_bench {
  kernel_bench(const model& m, std::size_t points)
      : flow(m.system, {.method = "gauss-2", .step = 0.1}), parameters(flow.space().parameters().values()) {
    code.field = *hamilton_program(*flow.space().code());
    code.tables = make_gauss_tables(points);
    code.certificate = *certificate_program(*flow.space().code(), parameter_role::shared);
    code.rows = {m.system.size(), points, 0, flow.space().momentum_names().size(), 0};
    code.has_power = flow.space().has_power();
  }

  // The rows of a trajectory that begins a little beside the model's.
  std::vector<double> start(const model& m, std::size_t k, double h, std::size_t steps) const {
    std::vector<double> rows(code.rows.count(), 0.0);
    const double shift = 0.01 * static_cast<double>(k);
    const phase_state<double> s = flow.at_start(m);
    for (std::size_t a = 0; a < m.system.size(); ++a) {
      rows[code.rows.state(a)] = s.position[a] + shift;
      rows[code.rows.state(m.system.size() + a)] = s.momentum[a] * (1 - 0.5 * shift);
    }
    rows[code.rows.step()] = h;
    rows[code.rows.steps()] = static_cast<double>(steps);
    rows[code.rows.lives()] = 1;
    return rows;
  }

  std::vector<std::vector<double>> in_lanes(const std::vector<std::vector<double>>& starts, std::size_t lanes,
                                            std::size_t steps, std::size_t a_call) const {
    const auto kernel = make_trajectory_kernel(code, parameters, lanes);
    std::vector<std::vector<double>> ends = starts;
    for (std::size_t first = 0; first < starts.size(); first += lanes) {
      for (std::size_t r = 0; r < code.rows.count(); ++r) {
        for (std::size_t l = 0; l < lanes; ++l) kernel->row(r)[l] = starts[std::min(first + l, starts.size() - 1)][r];
      }
      for (std::size_t k = 0; k < steps; k += a_call) kernel->run(k, std::min(k + a_call, steps));
      for (std::size_t r = 0; r < code.rows.count(); ++r) {
        for (std::size_t l = 0; l < lanes && first + l < starts.size(); ++l) ends[first + l][r] = kernel->row(r)[l];
      }
    }
    return ends;
  }

  std::vector<double> with_numbers(std::vector<double> rows, std::size_t steps) const {
    kernel::number_builder b(called);
    const auto fixed_of = [&](const program& p) {
      std::vector<double> fixed = machine_code::fixed_numbers(p);
      std::copy(parameters.begin(), parameters.end(), fixed.begin());
      interpreter::run_lanes(1, p.setup, fixed.data());
      return [fixed](std::size_t k) { return fixed[k]; };
    };
    const machine_code::dataflow field = machine_code::analyse(code.field.field),
                                 certificate = machine_code::analyse(code.certificate);
    kernel::write_trajectories(b, code, field, certificate, {}, kernel::number_builder::rows(rows.data(), 1),
                               std::size_t{0}, steps, fixed_of(code.field.field), fixed_of(code.certificate));
    return rows;
  }

  integrator<double> flow;
  std::vector<double> parameters;
  kernel::trajectory_code code;
};

class trajectory_kernel_of : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ACTIO_NEEDS(machine_code); }
};

TEST_P(trajectory_kernel_of, has_the_bits_of_its_text_in_rows_of_any_length) {
  constexpr std::size_t steps = 40;
  const model m = load_model(GetParam());
  for (const std::size_t points : {1U, 3U, 8U}) {
    const kernel_bench bench(m, points);
    std::vector<std::vector<double>> starts;
    // Some with steps of their own, one that ends earlier.
    for (std::size_t k = 0; k < 11; ++k)
      starts.push_back(bench.start(m, k, k % 3 == 1 ? 0.03 : 0.02, k == 4 ? 17 : steps));
    const auto eight = bench.in_lanes(starts, 8, steps, steps), one = bench.in_lanes(starts, 1, steps, steps),
               four = bench.in_lanes(starts, 4, steps, 7);
    // What a lane that has ended last saw of the field means nothing.
    const auto meant = [&](std::vector<double> rows) {
      std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(bench.code.rows.rate(0, 0)), 2 * m.system.size() * points,
                  0.0);
      return rows;
    };
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const std::vector<double> expected = meant(bench.with_numbers(starts[k], steps));
      EXPECT_EQ(expected[bench.code.rows.lives()], 1) << points << " " << k;
      EXPECT_EQ(meant(eight[k]), expected) << points << " " << k;
      EXPECT_EQ(meant(four[k]), expected) << points << " " << k;
      EXPECT_EQ(meant(one[k]), expected) << points << " " << k;
    }
  }
}

TEST_P(trajectory_kernel_of, follows_the_single_step) {
  constexpr std::size_t steps = 50;
  constexpr double h = 0.02;
  const model m = load_model(GetParam());
  for (const std::size_t points : {2U, 5U}) {
    const kernel_bench bench(m, points);
    const integrator<double> flow(m.system, {.method = "gauss-" + std::to_string(points), .step = h});
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
  const kernel_bench bench(m, 4);
  std::vector<std::vector<double>> starts;
  for (std::size_t k = 0; k < 8; ++k) starts.push_back(bench.start(m, k, 0.02, steps));
  const auto healthy = bench.in_lanes(starts, 8, steps, steps);
  starts[2][bench.code.rows.state(0)] = std::numeric_limits<double>::quiet_NaN();
  starts[5][bench.code.rows.step()] = 40;
  const auto ailing = bench.in_lanes(starts, 8, steps, steps);
  for (std::size_t k = 0; k < 8; ++k) {
    const bool is_lost = k == 2 || k == 5;
    EXPECT_EQ(ailing[k][bench.code.rows.lives()], is_lost ? 0 : 1) << k;
    if (is_lost) continue;
    EXPECT_EQ(ailing[k], healthy[k]) << k;
  }
}

}  // namespace
}  // namespace actio
