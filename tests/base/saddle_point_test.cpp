#include "actio/base/saddle_point.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocations.hpp"

namespace actio {
namespace {

// [H Aᵀ; A 0] with H = diag(4, 0) and A = (0, w): H is singular along what A holds.
void fill(saddle_point_solver<double>& K, double h, double w) {
  K.set_zero();
  K.add(0, 0, h);
  K.add(1, 2, w);
  K.add(2, 1, w);
}

TEST(saddle_point_solver, solves_where_the_first_block_is_singular) {
  saddle_point_solver<double> K(3);
  fill(K, 4, 2);
  ASSERT_TRUE(K.factorise());
  std::vector<double> x = {8, 6, 10};
  K.solve_in_place(x);
  EXPECT_EQ(x, (std::vector<double>{2, 5, 3}));
}

TEST(saddle_point_solver, does_not_care_about_units) {
  saddle_point_solver<double> plain(3), scaled(3);
  fill(plain, 4, 2);
  fill(scaled, 4e-200, 2e200);
  ASSERT_TRUE(plain.factorise() && scaled.factorise());
  EXPECT_NEAR(plain.pivot_ratio(), scaled.pivot_ratio(), 0.5);
  std::vector<double> x = {8e-200, 6e200, 10e200};
  scaled.solve_in_place(x);
  EXPECT_NEAR(x[0], 2, 1e-15);
  EXPECT_NEAR(x[1], 5, 1e-15);
  EXPECT_NEAR(x[2], 3, 1e-15);
}

TEST(saddle_point_solver, knows_a_singular_matrix_from_one_that_is_not_finite) {
  saddle_point_solver<double> K(3);
  fill(K, 0, 2);
  EXPECT_FALSE(K.factorise());
  EXPECT_TRUE(K.is_finite());
  fill(K, std::numeric_limits<double>::quiet_NaN(), 2);
  EXPECT_FALSE(K.factorise());
  EXPECT_FALSE(K.is_finite());
}

TEST(saddle_point_solver, allocates_nothing) {
  saddle_point_solver<double> K(3);
  std::vector<double> x = {8, 6, 10};
  EXPECT_EQ(testing::allocations_in([&] {
              fill(K, 4, 2);
              K.factorise();
              K.solve_in_place(x);
            }),
            0U);
}

}  // namespace
}  // namespace actio
