#include "actio/integrate/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/base/snapshot.hpp"

namespace actio {
namespace {

const std::vector<double> weights{1.0};

TEST(step_predictor, continues_a_polynomial_sequence_exactly) {
  step_predictor<double> predictor(1, matrix<double>(1, 1));
  const auto term = [](int k) { return 1.0 + 2.0 * k - 0.5 * k * k + 0.125 * k * k * k; };
  for (int k = 0; k < 8; ++k) predictor.record(std::vector<double>{term(k)}, weights);
  std::vector<double> next(1);
  predictor.predict(next);
  EXPECT_DOUBLE_EQ(next[0], term(8));
}

TEST(step_predictor, finds_the_order_that_suits_the_sequence) {
  step_predictor<double> smooth(1, matrix<double>(1, 1));
  for (int k = 0; k < 30; ++k) smooth.record(std::vector<double>{std::sin(0.1 * k)}, weights);
  std::vector<double> next(1);
  smooth.predict(next);
  EXPECT_NEAR(next[0], std::sin(3.0), 1e-8);
  // Noise must not be amplified by high differences.
  step_predictor<double> noisy(1, matrix<double>(1, 1));
  for (int k = 0; k < 30; ++k) noisy.record(std::vector<double>{1 + 1e-3 * std::sin(1e4 * k * k)}, weights);
  noisy.predict(next);
  EXPECT_NEAR(next[0], 1, 1e-2);
}

TEST(step_predictor, prefers_the_polynomial_of_the_step_where_it_is_better) {
  matrix<double> twice(1, 1);
  twice(0, 0) = 2;  // "continued": each solution is twice the one before
  step_predictor<double> predictor(1, twice);
  for (int k = 0; k < 6; ++k) predictor.record(std::vector<double>{std::ldexp(1.0, k)}, weights);
  std::vector<double> next(1);
  predictor.predict(next);
  EXPECT_DOUBLE_EQ(next[0], 64);
}

TEST(step_predictor, extrapolates_followers_with_the_order_of_the_others) {
  step_predictor<double> predictor(1, matrix<double>::identity(1), first_guess::extrapolation, 1);
  std::vector<double> next(2);
  for (int k = 0; k < 6; ++k) {
    predictor.record(std::vector<double>{1.0 + k * k, 3.0 * k * k - k}, weights);
    predictor.predict(next);
    EXPECT_TRUE(k > 0 || next[1] == 0);  // they stay
  }
  EXPECT_DOUBLE_EQ(next[0], 37);
  EXPECT_DOUBLE_EQ(next[1], 102);
  predictor.change_length(matrix<double>::identity(1), 0.25);
  predictor.predict(next);
  EXPECT_DOUBLE_EQ(next[0], 26);
  EXPECT_DOUBLE_EQ(next[1], 17.5);
}

TEST(step_predictor, refuses_a_history_that_is_not_its_own) {
  step_predictor<double> predictor(1, matrix<double>(1, 1));
  const auto load = [&](const std::vector<double>& saved) {
    step_memory<double> memory{std::span<const double>(saved)};
    predictor.remember(memory);
  };
  EXPECT_THROW(load({}), snapshot_error);
  EXPECT_THROW(load({2, 0, 0, 1}), snapshot_error);
  EXPECT_THROW(load({1e9, 0, 0}), snapshot_error);
  EXPECT_NO_THROW(load({1, 0, 1, 0.5}));
}

}  // namespace
}  // namespace actio
