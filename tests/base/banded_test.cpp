#include "actio/base/banded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actio/base/dense.hpp"

namespace actio {
namespace {

std::size_t width_of(const std::vector<std::size_t>& place, const couplings& coupled) {
  std::size_t width = 0;
  for (const auto& [i, j] : coupled)
    width = std::max(width, place[i] > place[j] ? place[i] - place[j] : place[j] - place[i]);
  return width;
}

TEST(band_numbering, finds_the_band_of_a_shuffled_chain) {
  std::vector<std::size_t> names(50);
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = k;
  std::shuffle(names.begin(), names.end(), std::mt19937(7));
  couplings chain;
  for (std::size_t k = 0; k + 1 < names.size(); ++k) chain.emplace_back(names[k], names[k + 1]);
  EXPECT_EQ(width_of(band_numbering(50, chain), chain), 1U);
}

TEST(band_numbering, numbers_pieces_that_do_not_hang_together) {
  const couplings pieces = {{0, 3}, {3, 5}, {1, 2}};
  std::vector<std::size_t> place = band_numbering(7, pieces);
  EXPECT_LE(width_of(place, pieces), 2U);
  std::sort(place.begin(), place.end());
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(place[k], k);
}

// Without a dominant diagonal, so that rows must be exchanged.
template <class S>
void expect_the_solution_of_dense_elimination() {
  const std::size_t size = 30, width = 3;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<std::size_t> place(size);
  for (std::size_t k = 0; k < size; ++k) place[k] = (7 * k + 3) % size;
  banded_equations<S> banded(banded_matrix<S>(place, width));
  matrix<S> full(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (std::max(place[i], place[j]) - std::min(place[i], place[j]) > width) continue;
      full(i, j) = banded.matrix()(i, j) = S(place[i] == place[j] ? 1e-12 : any(random));
    }
  }
  std::vector<S> x(size), y;
  for (S& one : x) one = S(any(random));
  y = x;
  lu_factorisation<S> dense(size);
  ASSERT_TRUE(dense.factorise(full));
  ASSERT_TRUE(banded.factorise());
  dense.solve_in_place(x);
  banded.solve_in_place(y);
  for (std::size_t k = 0; k < size; ++k)
    EXPECT_NEAR(to_double(x[k]), to_double(y[k]), 1e-10 * (1 + std::abs(to_double(x[k]))));
}

TEST(banded_equations, have_the_solution_of_dense_elimination) {
  expect_the_solution_of_dense_elimination<double>();
  expect_the_solution_of_dense_elimination<quad>();
}

TEST(banded_equations, know_singular_and_infinite_matrices) {
  banded_equations<double> equations(banded_matrix<double>({0, 1, 2}, 1));
  for (std::size_t i = 0; i < 3; ++i) equations.matrix().at(i, 1) = 1;
  EXPECT_FALSE(equations.factorise());
  EXPECT_TRUE(equations.is_finite());
  equations.matrix().set_zero();
  equations.matrix().at(0, 0) = std::nan("");
  EXPECT_FALSE(equations.factorise());
  EXPECT_FALSE(equations.is_finite());
}

}  // namespace
}  // namespace actio
