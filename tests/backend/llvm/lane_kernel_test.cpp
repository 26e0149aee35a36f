// Steps with trajectories in lanes: the same bits in rows of any length, and lanes that know nothing of each other.
#include "actio/backend/lane_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/integrate/collocation_lanes.hpp"
#include "actio/integrate/collocation_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "problems/problem.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

class lane_kernel : public ::testing::Test {
 protected:
  void SetUp() override {
    ACTIO_NEEDS(machine_code);
    const model m = load_model("double-pendulum");
    code = {*hamilton_program(m.system), points};
    parameters = parameter_values<double>(m.system);
  }

  // A kernel whose lanes start from angles[l % angles.size()] at rest, with the rates there as those of earlier steps.
  std::unique_ptr<lane_stage_kernel> started(std::size_t lanes, const std::vector<double>& angles) const {
    auto kernel = make_lane_stage_kernel(code, parameters, lanes);
    const lane_rows& rows = kernel->rows();
    const collocation_lane_tables tables = collocation_tables(points, step);
    std::ranges::copy(tables.stages, &kernel->table()[rows.stage(0, 0)]);
    std::ranges::copy(tables.stage_remainders, &kernel->table()[rows.stage_remainder(0, 0)]);
    std::ranges::copy(tables.weights, &kernel->table()[rows.weight(0)]);
    std::ranges::copy(tables.weight_remainders, &kernel->table()[rows.weight_remainder(0)]);
    for (std::size_t l = 0; l < lanes; ++l) {
      kernel->row(rows.wanted())[l] = kernel->row(rows.lives())[l] = 1;
      kernel->row(rows.state(0))[l] = angles[l % angles.size()];
      kernel->row(rows.state(1))[l] = 1 + 0.5 * angles[l % angles.size()];
      for (std::size_t k = 0; k < points * 2 * points; ++k) {
        kernel->row(rows.continuation(0, k))[l] = tables.predictions[0].coefficients[k];
      }
    }
    kernel->find_rates();
    std::copy_n(kernel->rates().now, rows.rate(rows.components, 0) * lanes, kernel->rates().recent);
    return kernel;
  }

  static void expect_same_lane(lane_stage_kernel& a, std::size_t lane_of_a, lane_stage_kernel& b,
                               std::size_t lane_of_b) {
    for (std::size_t c = 0; c < a.rows().components; ++c) {
      EXPECT_EQ(a.row(a.rows().state(c))[lane_of_a], b.row(b.rows().state(c))[lane_of_b]);
      EXPECT_EQ(a.row(a.rows().remainder(c))[lane_of_a], b.row(b.rows().remainder(c))[lane_of_b]);
    }
  }

  static constexpr std::size_t points = 3;
  static constexpr double step = 0.05;
  collocation_code code{};
  std::vector<double> parameters;
};

TEST_F(lane_kernel, has_the_same_bits_in_rows_of_any_length) {
  const std::vector<double> angles{0.1, -2.5, 3, 7e5};  // the last one beyond what inlined sines know
  const auto one_row = started(4, angles);
  one_row->solve();
  for (const std::size_t lanes : {8U, 16U, 32U}) {
    const auto wide = started(lanes, angles);
    wide->solve();
    for (std::size_t l = 0; l < lanes; ++l) {
      EXPECT_EQ(wide->row(wide->rows().lives())[l], 1);
      expect_same_lane(*wide, l, *one_row, l % angles.size());
    }
  }
}

TEST_F(lane_kernel, leaves_lanes_alone_that_are_not_wanted) {
  const auto kernel = started(8, {0.4, 0.8});
  const lane_rows& rows = kernel->rows();
  kernel->row(rows.wanted())[3] = 0;
  kernel->solve();
  EXPECT_EQ(kernel->row(rows.state(0))[3], 0.8);
  EXPECT_NE(kernel->row(rows.state(0))[5], 0.8);
  for (std::size_t l = 0; l < 8; ++l) kernel->row(rows.wanted())[l] = l == 3 ? 1 : 0;
  kernel->solve();
  for (const std::size_t l : {1U, 3U, 7U}) expect_same_lane(*kernel, l, *kernel, 5);
  for (const std::size_t l : {0U, 2U, 6U}) expect_same_lane(*kernel, l, *kernel, 4);
}

TEST_F(lane_kernel, a_lane_that_is_lost_stays_where_it_was) {
  const auto kernel = started(4, {0.4}), other = started(4, {0.4});
  const lane_rows& rows = kernel->rows();
  kernel->row(rows.state(2))[2] = std::nan("");
  kernel->solve();
  other->solve();
  EXPECT_EQ(kernel->row(rows.lives())[2], 0);
  EXPECT_EQ(kernel->row(rows.state(0))[2], 0.4);
  for (const std::size_t l : {0U, 1U, 3U}) {
    EXPECT_EQ(kernel->row(rows.lives())[l], 1);
    expect_same_lane(*kernel, l, *other, 2);
  }
}

}  // namespace
}  // namespace actio
