// Checks that can fail: what is not a number never passes for small.
#include "actio/analysis/verification.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actio/analysis/convergence.hpp"
#include "actio/base/largest.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(largest, keeps_what_is_not_a_number) {
  for (const std::vector<double>& values : {std::vector{not_a_number, 1.0, 2.0}, std::vector{1.0, not_a_number, 2.0},
                                            std::vector{1.0, 2.0, not_a_number}}) {
    EXPECT_TRUE(std::isnan(largest_size<double>(values)));
  }
  EXPECT_EQ(largest_size<double>(std::vector{1.0, -3.0, 2.0}), 3);
}

TEST(symplectic_defect, is_not_a_number_where_an_entry_is) {
  EXPECT_EQ(symplectic_defect(matrix<double>::identity(4)), 0);
  for (std::size_t k = 0; k < 16; ++k) {
    matrix<double> tangent = matrix<double>::identity(4);
    tangent.data()[k] = not_a_number;
    EXPECT_TRUE(std::isnan(symplectic_defect(tangent))) << k;
    EXPECT_TRUE(std::isnan(symplectic_defect(tangent, matrix<double>::identity(4)))) << k;
  }
}

TEST(symplectic_defect, is_not_a_number_where_there_is_no_map) {
  EXPECT_TRUE(std::isnan(symplectic_defect(matrix<double>())));
  EXPECT_TRUE(std::isnan(symplectic_defect(matrix<double>::identity(2), matrix<double>())));
}

TEST(largest_errors, keep_what_is_not_a_number) {
  const model m = load_model("kepler");
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  largest_errors<double> errors(
      1, {5}, [](const sample<double>& now, std::span<double> e) { e[0] = now.state.index == 2 ? not_a_number : 1; });
  const auto workspace = flow.make_workspace();
  run(flow, *workspace, state, run_options<double>{.steps = 5, .observers = {&errors}});
  EXPECT_TRUE(std::isnan(errors(0, 0)));
}

// Systems to which energy is supplied are among those that methods are measured on.
TEST(verification_systems, have_forces_and_explicit_time) {
  std::size_t forced = 0, driven = 0;
  for (const model& m : verification_systems()) {
    if (m.system.is_forced()) ++forced;
    else if (m.system.is_time_dependent()) ++driven;
  }
  EXPECT_GE(forced, 1u);
  EXPECT_GE(driven, 2u);
}

}  // namespace
}  // namespace actio
