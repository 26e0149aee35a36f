#include "actio/api/method_verification.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

TEST(method_verification, measures_what_a_method_declares) {
  std::size_t told = 0;
  const method_verification_result result =
      verify_methods({.methods = {testing::typed("midpoint")}, .progress = [&](std::size_t done, std::size_t all) {
                        EXPECT_EQ(all, 1u);
                        told = done;
                      }});
  EXPECT_EQ(told, 1u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_FALSE(result.interrupted);
  const auto order = std::ranges::find(result.rows, "order", &verification_row::property);
  ASSERT_NE(order, result.rows.end());
  EXPECT_NEAR(order->measured, 2, 0.1);
}

TEST(method_verification, takes_parameters_of_a_family) {
  const method_verification_result result = verify_methods(
      {.methods = {testing::typed("newmark")}, .given = testing::typed_options({{"beta", "0.3"}, {"gamma", "0.6"}})});
  ASSERT_FALSE(result.rows.empty());
  EXPECT_EQ(result.rows.front().method, "newmark-beta:0.3:0.6");
  EXPECT_THROW(verify_methods({.methods = {testing::typed("nobody")}}), input_error);
}

TEST(method_verification, may_be_interrupted) {
  const method_verification_result result =
      verify_methods({.methods = {testing::typed("all")}, .interrupted = [] { return true; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.rows.empty());
}

}  // namespace
}  // namespace actio
