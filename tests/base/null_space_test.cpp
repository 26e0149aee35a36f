#include "actio/base/null_space.hpp"

#include <gtest/gtest.h>

#include <random>

namespace actio {
namespace {

using rows = std::vector<std::vector<quad>>;

quad product(const std::vector<quad>& a, const std::vector<quad>& b) {
  quad sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Random rows that are orthogonal to the given vectors, each of which has a column where it is 1 and the others are 0.
class random_rows {
 public:
  explicit random_rows(rows kernel) : kernel_(std::move(kernel)) {}

  std::vector<quad> next() {
    std::vector<quad> row(kernel_.front().size());
    for (quad& x : row) x = quad(static_cast<double>(bits_() >> 12)) * quad(0x1p-51) - 1;
    for (std::size_t k = 0; k < kernel_.size(); ++k) row[k] = 0;
    for (std::size_t k = 0; k < kernel_.size(); ++k) row[k] = -product(row, kernel_[k]);
    return row;
  }

 private:
  rows kernel_;
  std::mt19937_64 bits_{3};
};

struct eliminated {
  rows given;
  row_elimination elimination;

  explicit eliminated(std::size_t columns) : elimination(columns) {}
  bool add(const std::vector<quad>& row) {
    given.push_back(row);
    std::vector<double> rough;
    for (const quad& x : row) rough.push_back(to_double(x));
    return elimination.add(rough);
  }
  rows null_space() const {
    return elimination.null_space([&](std::size_t row, std::size_t column) { return given[row][column]; });
  }
};

TEST(row_elimination, finds_the_vectors_on_which_all_rows_vanish) {
  const quad root = sqrt(quad(2));
  const rows kernel = {{1, 0, 3, -root, 0, quad(1) / 7, 0, 2}, {0, 1, 0, 1, root / 3, 0, 5, -1}};
  eliminated all(8);
  random_rows source(kernel);
  for (int k = 0; k < 16; ++k) all.add(source.next());
  EXPECT_EQ(all.elimination.rank(), 6u);
  const rows found = all.null_space();
  ASSERT_EQ(found.size(), 2u);
  random_rows fresh(kernel);
  for (int k = 0; k < 40; ++k) {
    const std::vector<quad> row = fresh.next();
    for (const std::vector<quad>& x : found) EXPECT_LT(abs(product(row, x)), quad(1e-30));
  }
}

TEST(row_elimination, has_nothing_to_find_where_the_rank_is_full) {
  eliminated all(3);
  EXPECT_TRUE(all.add({1, 2, 3}));
  EXPECT_FALSE(all.add({2, 4, 6}));
  EXPECT_FALSE(all.add({0, 0, 0}));
  EXPECT_TRUE(all.add({0, 1, 0}));
  EXPECT_TRUE(all.add({1, 0, 0}));
  EXPECT_TRUE(all.null_space().empty());
}

// Double sees a null space of two dimensions; in quad one of them is none.
TEST(row_elimination, tells_what_is_small_from_what_is_zero) {
  const rows kernel = {{1, 0, 2, 3, -1}, {0, 1, 1, -2, 4}};
  random_rows source(kernel);
  eliminated all(5);
  for (int k = 0; k < 12; ++k) {
    std::vector<quad> row = source.next();
    row[1] += quad(1e-15) * quad(k % 3);
    all.add(row);
  }
  EXPECT_EQ(all.elimination.rank(), 3u);
  const rows found = all.null_space();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(abs(found[0][1]), quad(1e-13));
  EXPECT_NEAR(to_double(quad(found[0][3] / found[0][0])), 3, 1e-13);
}

TEST(kernel_of, has_the_unit_vectors_where_nothing_is_left) {
  EXPECT_EQ(kernel_of(matrix<quad>(3, 2), quad(1e-21)).size(), 2u);
  EXPECT_EQ(kernel_of(matrix<quad>(0, 2), quad(1e-21)).size(), 2u);
  EXPECT_TRUE(kernel_of(matrix<quad>::identity(2), quad(1e-21)).empty());
}

}  // namespace
}  // namespace actio
