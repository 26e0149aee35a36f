#include "actio/base/recursive_equations.hpp"

#include <gtest/gtest.h>

#include <random>

#include "actio/base/dense.hpp"
#include "actio/base/scalar.hpp"

namespace actio {
namespace {

// A form over free and dependent unknowns with random entries; what a dense matrix makes of it is the truth.
struct random_form {
  static constexpr std::size_t lanes = 3, stages = 2;
  recursion_pattern pattern;
  recursive_equations<double>::basis basis{{lanes, stages}, {lanes, stages}, {lanes, stages}, {lanes, stages}};
  std::mt19937 bits{11};
  double number() { return std::uniform_real_distribution<double>(-1, 1)(bits); }

  explicit random_form(recursion_pattern given) : pattern(std::move(given)) {
    for (auto* table : {&basis.value, &basis.slope, &basis.test_value, &basis.test_slope}) {
      for (double& x : table->data()) x = number();
    }
  }

  // What solving with random data leaves of dense equations, beside their right sides.
  double error() {
    const std::size_t n = pattern.free, m = pattern.dependent, places = n + m, unknowns = n * stages;
    const auto layout = std::make_shared<const recursion_layout>(pattern);
    recursive_equations<double> equations(layout, basis, true);
    // Rows: (position or rate, place, lane); columns: z.
    const auto row = [&](bool rate, std::size_t place, std::size_t l) {
      return ((rate ? places : 0) + place) * lanes + l;
    };
    matrix<double> trial(2 * places * lanes, unknowns), test = trial;
    matrix<double> form(2 * places * lanes, 2 * places * lanes);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t l = 0; l < lanes; ++l) {
        for (std::size_t k = 0; k < stages; ++k) {
          trial(row(false, a, l), k * n + a) = basis.value(l, k);
          trial(row(true, a, l), k * n + a) = basis.slope(l, k);
          test(row(false, a, l), k * n + a) = basis.test_value(l, k);
          test(row(true, a, l), k * n + a) = basis.test_slope(l, k);
        }
      }
    }
    std::vector<double> slopes, rates, values;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::uint32_t e = pattern.first[i]; e < pattern.first[i + 1]; ++e) {
        double slope[lanes], rate[lanes];
        for (std::size_t l = 0; l < lanes; ++l) slope[l] = number(), rate[l] = number();
        slopes.insert(slopes.end(), slope, slope + lanes);
        rates.insert(rates.end(), rate, rate + lanes);
        for (auto* map : {&trial, &test}) {
          for (std::size_t l = 0; l < lanes; ++l) {
            for (std::size_t z = 0; z < unknowns; ++z) {
              const double position = (*map)(row(false, pattern.column[e], l), z);
              (*map)(row(false, n + i, l), z) += slope[l] * position;
              (*map)(row(true, n + i, l), z) +=
                  slope[l] * (*map)(row(true, pattern.column[e], l), z) + rate[l] * position;
            }
          }
        }
      }
    }
    const std::vector<double> weights{0.5, 2, 1};
    for (const recursion_pattern::entry& e : pattern.form) {
      for (std::size_t l = 0; l < lanes; ++l) {
        values.push_back(number() + (e.row == e.column ? 3 : 0));
        form(row(e.row_rate, e.row, l), row(e.column_rate, e.column, l)) += weights[l] * values.back();
      }
    }
    equations.set(values.data(), weights, slopes.data(), rates.data());
    const matrix<double> dense = transpose(test) * (form * trial);
    std::vector<double> right(unknowns), x;
    for (double& r : right) r = number();
    x = right;
    EXPECT_TRUE(equations.factorise());
    equations.solve_in_place(x);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < unknowns; ++i) {
      double sum = -right[i];
      for (std::size_t j = 0; j < unknowns; ++j) {
        sum += dense(i, j) * x[j];
        size = std::max(size, std::abs(dense(i, j) * x[j]));
      }
      error = std::max(error, std::abs(sum));
    }
    return error / size;
  }
};

// All four kinds of entries between two places.
void couple(recursion_pattern& p, std::uint32_t i, std::uint32_t j) {
  for (const bool row_rate : {false, true}) {
    for (const bool column_rate : {false, true}) {
      p.form.push_back({i, j, row_rate, column_rate, static_cast<std::uint32_t>(p.form.size())});
    }
  }
}

recursion_pattern chain(std::uint32_t n) {  // x_i = x_(i−1) + f(q_i), y_i likewise, and L couples x_i with y_i
  recursion_pattern p{n, 2 * n, {0}, {}, {}};
  for (const std::uint32_t begin : {n, 2 * n}) {
    for (std::uint32_t i = 0; i < n; ++i) {
      p.column.push_back(i);
      if (i > 0) p.column.push_back(begin + i - 1);
      p.first.push_back(static_cast<std::uint32_t>(p.column.size()));
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t a : {i, n + i, 2 * n + i}) couple(p, a, a);
    couple(p, n + i, 2 * n + i);
  }
  return p;
}

TEST(recursive_equations, solve_a_chain_like_a_dense_matrix) { EXPECT_LT(random_form(chain(7)).error(), 1e-11); }

// Every definition goes on from an earlier one and turns with it; free unknowns that nothing contains, entries that
// couple what is far apart.
TEST(recursive_equations, solve_trees_and_loops_like_a_dense_matrix) {
  recursion_pattern p{6, 8, {0}, {}, {}};
  for (std::uint32_t i = 0; i < 8; ++i) {
    p.column.push_back(i % 5);
    if (i >= 2) p.column.push_back(6 + (i - 1) / 2);
    if (i >= 4) p.column.push_back(6 + i % 3);
    p.first.push_back(static_cast<std::uint32_t>(p.column.size()));
  }
  for (std::uint32_t a = 0; a < 6; ++a) couple(p, a, a);
  for (const auto& [i, j] :
       {std::pair(6, 6), std::pair(13, 13), std::pair(13, 7), std::pair(12, 0), std::pair(5, 11)}) {
    couple(p, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }
  EXPECT_LT(random_form(p).error(), 1e-11);
}

// Work grows like the length of a chain.
TEST(recursive_equations, join_few_unknowns_in_chains) {
  const recursion_layout shorter(chain(100)), longer(chain(1000));
  EXPECT_LT(longer.targets.size(), 10.5 * static_cast<double>(shorter.targets.size()));
  EXPECT_LT(longer.blocks.size(), 10.5 * static_cast<double>(shorter.blocks.size()));
}

TEST(recursive_equations, say_when_they_are_singular) {
  const recursion_pattern p{2, 0, {0}, {}, {{0, 0, true, true, 0}}};
  const auto layout = std::make_shared<const recursion_layout>(p);
  const auto one = matrix<double>::identity(1);
  recursive_equations<double> equations(layout, {one, one, one, one}, false);
  const double value = 2, weight = 1;
  equations.set(&value, std::span(&weight, 1), nullptr, nullptr);
  EXPECT_FALSE(equations.factorise());
}

}  // namespace
}  // namespace actio
