#include "actio/base/spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace actio {
namespace {

double distance_to(const std::vector<std::complex<double>>& all, std::complex<double> wanted) {
  double nearest = 1e300;
  for (const auto& x : all) nearest = std::min(nearest, std::abs(x - wanted));
  return nearest;
}

TEST(eigenvalues, of_rotations_and_triangles_are_known) {
  matrix<double> a(3, 3);
  a(0, 1) = -2, a(1, 0) = 2, a(2, 2) = 5;
  const auto turning = eigenvalues(a);
  ASSERT_EQ(turning.size(), 3U);
  for (const std::complex<double> wanted : {std::complex<double>(0, 2), {0, -2}, {5, 0}}) {
    EXPECT_LT(distance_to(turning, wanted), 1e-14);
  }
  matrix<double> block(2, 2);
  block(0, 0) = block(1, 1) = block(0, 1) = 1;
  for (const auto& x : eigenvalues(block)) EXPECT_LT(std::abs(x - 1.0), 1e-7);
  EXPECT_TRUE(eigenvalues(matrix<double>(0, 0)).empty());
}

// Sums and sums of squares are those of the matrix.
TEST(eigenvalues, have_the_traces_of_random_matrices) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const std::size_t n : {1U, 2U, 7U, 40U}) {
    matrix<double> a(n, n);
    for (double& x : a.data()) x = number(random);
    const matrix<double> square = a * a;
    std::complex<double> sum = 0, squares = 0;
    const auto all = eigenvalues(a);
    ASSERT_EQ(all.size(), n);
    for (const auto& x : all) sum += x, squares += x * x;
    double trace = 0, trace_of_square = 0;
    for (std::size_t i = 0; i < n; ++i) trace += a(i, i), trace_of_square += square(i, i);
    EXPECT_LT(std::abs(sum - trace), 1e-12) << n;
    EXPECT_LT(std::abs(squares - trace_of_square), 1e-11) << n;
  }
}

}  // namespace
}  // namespace actio
