// What methods keep in scaled time is measured, and what they do not keep shows.
#include "actio/analysis/scaled_verification.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace actio {
namespace {

std::vector<verification_row> rows_of(const char* name) {
  const precision_scope scope(64);
  return scaled_rows(*find_method(name), 64);
}

long count_of(const std::vector<verification_row>& rows, const std::string& property) {
  return std::ranges::count(rows, property, &verification_row::property);
}

TEST(scaled_verification, gauss_methods_are_symplectic_in_the_extended_phase_space) {
  const auto rows = rows_of("gauss-4");
  EXPECT_EQ(count_of(rows, "symplectic"), 2);
  EXPECT_EQ(count_of(rows, "reversible"), 1);
  EXPECT_EQ(count_of(rows, "energy"), 1);
  for (const verification_row& row : rows) EXPECT_TRUE(row.passed) << row.property << ' ' << row.measured;
}

TEST(scaled_verification, the_others_are_reversible_under_constraints_too) {
  for (const char* name : {"simpson", "lobatto-4", "verlet"}) {
    const auto rows = rows_of(name);
    EXPECT_EQ(count_of(rows, "symplectic"), 0) << name;
    EXPECT_EQ(count_of(rows, "reversible"), 2) << name;
    EXPECT_EQ(count_of(rows, "energy"), 2) << name;
    for (const verification_row& row : rows) EXPECT_TRUE(row.passed) << name << row.property << ' ' << row.measured;
  }
  EXPECT_EQ(count_of(rows_of("mclachlan-8"), "reversible"), 1);
}

TEST(scaled_verification, methods_that_are_not_symmetric_do_not_come_back) {
  const auto rows = rows_of("lie-trotter");
  ASSERT_EQ(count_of(rows, "reversible"), 1);
  EXPECT_EQ(rows.front().declared, "no");
  EXPECT_TRUE(rows.front().passed) << rows.front().measured;
  EXPECT_EQ(count_of(rows, "energy"), 0);
}

TEST(scaled_verification, methods_that_refuse_a_scale_have_no_rows) {
  EXPECT_TRUE(rows_of("rk4").empty());
  EXPECT_TRUE(rows_of("extrapolation").empty());
}

}  // namespace
}  // namespace actio
