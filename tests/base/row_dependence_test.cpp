#include "actio/base/row_dependence.hpp"

#include <gtest/gtest.h>

#include <random>

#include "actio/base/scalar.hpp"

namespace actio {
namespace {

// Rows of a chain, the last of which is twice row 3 less row 10.
std::vector<sparse_row<double>> chain_rows(std::uint32_t n) {
  std::mt19937 generator(3);
  std::uniform_real_distribution number(-1.0, 1.0);
  std::vector<sparse_row<double>> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) rows[i] = {{i, number(generator)}, {i + 1, number(generator)}};
  sparse_row<double> last;
  for (const auto& [j, value] : rows[3]) last.emplace_back(j, 2 * value);
  for (const auto& [j, value] : rows[10]) last.emplace_back(j, -value);
  rows.push_back(last);
  return rows;
}

TEST(row_dependence, is_found_in_few_and_in_many_rows) {
  for (const std::uint32_t n : {20U, 200U}) {
    std::vector<sparse_row<double>> rows = chain_rows(n);
    const row_dependence<double> found = dependence_of<double>(rows, n + 1, 1e-12);
    EXPECT_EQ(found.rank, n);
    ASSERT_EQ(found.combination.size(), n + 1);
    const double factor = found.combination[n];
    EXPECT_NEAR(found.combination[3] / factor, -2, 1e-12);
    EXPECT_NEAR(found.combination[10] / factor, 1, 1e-12);
    rows.pop_back();
    EXPECT_TRUE(dependence_of<double>(rows, n + 1, 1e-12).combination.empty());
    EXPECT_EQ(dependence_of<double>(rows, n + 1, 1e-12).rank, n);
  }
}

TEST(row_dependence, units_of_rows_do_not_matter) {
  std::vector<sparse_row<double>> rows = chain_rows(60);
  for (auto& [j, value] : rows[3]) value *= 1e-30;
  EXPECT_EQ(dependence_of<double>(rows, 61, 1e-12).rank, 60U);
}

}  // namespace
}  // namespace actio
