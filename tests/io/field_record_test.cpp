#include "actio/io/field_record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace actio {
namespace {

std::vector<std::string> row(const std::string& base, int count, int first = 1) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}[{}]", base, first + i));
  return names;
}

TEST(field_record, finds_arrays_that_are_worth_a_picture) {
  std::vector<std::string> names{"alone"};
  for (const auto& part : {row("short", 3), row("q", 20, -4)}) names.insert(names.end(), part.begin(), part.end());
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 7; ++j) names.push_back(fmt::format("u[{},{}]", i, j));
  }
  const std::vector<coordinate_field> fields = fields_of(names);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].name(), "q");
  EXPECT_EQ(fields[0].directions()[0].least, -4);
  EXPECT_EQ(fields[0].cells(), 20u);
  EXPECT_EQ(fields[1].directions().size(), 2u);
  EXPECT_EQ(fields[1].directions()[0].cells, 8u);
  EXPECT_EQ(fields[1].directions()[1].cells, 7u);
}

TEST(field_record, cells_are_means_of_neighbours) {
  std::vector<coordinate_field> fields = fields_of(row("q", 1001));
  ASSERT_EQ(fields.size(), 1u);
  std::vector<double> q(1001);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = static_cast<double>(i);
  fields[0].add(0, q);
  ASSERT_EQ(fields[0].cells(), 501u);
  EXPECT_EQ(fields[0].values()[0], 0.5);
  EXPECT_EQ(fields[0].values()[499], 998.5);
  EXPECT_EQ(fields[0].values()[500], 1000);  // the last one alone
}

TEST(field_record, of_two_indices_keeps_lines_apart) {
  std::vector<std::string> names{"t0"};
  constexpr std::size_t lines = 100, columns = 200;
  std::vector<double> u{-1};
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      names.push_back(fmt::format("u[{},{}]", i, j));
      u.push_back(static_cast<double>(1000 * i + j));
    }
  }
  std::vector<coordinate_field> fields = fields_of(names);
  fields[0].add(0, u);
  const auto& d = fields[0].directions();
  ASSERT_EQ(d[0].cells, 50u);
  ASSERT_EQ(d[1].cells, 67u);
  for (std::size_t a = 0; a < d[0].cells; ++a) {
    for (std::size_t b = 0; b < d[1].cells; ++b) {
      const double middle = b + 1 < d[1].cells ? static_cast<double>(3 * b + 1) : 198.5;
      EXPECT_DOUBLE_EQ(fields[0].values()[a * d[1].cells + b], static_cast<double>(2000 * a + 500) + middle);
    }
  }
}

// Whatever the number of steps: moments are evenly apart, and each is as it was.
TEST(field_record, thins_evenly) {
  std::vector<coordinate_field> fields = fields_of(row("q", 16));
  for (int k = 0; k <= 5000; ++k) fields[0].add(0.5 * k, std::vector<double>(16, std::sin(k)));
  const std::vector<double>& times = fields[0].times();
  EXPECT_EQ(fields[0].stride(), 16u);
  ASSERT_EQ(times.size(), 313u);
  for (std::size_t m = 0; m < times.size(); ++m) {
    EXPECT_EQ(times[m], 8.0 * static_cast<double>(m));
    EXPECT_DOUBLE_EQ(fields[0].values()[16 * m + 7], std::sin(16.0 * static_cast<double>(m)));
  }
}

}  // namespace
}  // namespace actio
