#include "actio/base/sparse_equations.hpp"

#include <gtest/gtest.h>

#include <random>

#include "actio/base/dense.hpp"
#include "actio/base/pivot_groups.hpp"
#include "actio/base/scalar.hpp"
#include "tests/support/allocations.hpp"

using namespace actio;

namespace {

std::mt19937 generator(7);

double number(double from = -1, double to = 1) { return std::uniform_real_distribution(from, to)(generator); }

// Points in the plane with a rod each to an earlier point or, where that is -1, to the ground, and some rods more.
struct rods {
  std::vector<int> parent;
  std::vector<std::pair<int, int>> more;
  std::vector<double> x, y;

  explicit rods(std::vector<int> tree, std::vector<std::pair<int, int>> loops = {})
      : parent(std::move(tree)), more(std::move(loops)), x(parent.size()), y(x) {
    for (std::size_t i = 0; i < parent.size(); ++i) {
      const double angle = number(-3, 3);
      x[i] = (parent[i] < 0 ? 0 : x[parent[i]]) + std::cos(angle);
      y[i] = (parent[i] < 0 ? 0 : y[parent[i]]) + std::sin(angle);
    }
  }
  std::size_t points() const { return parent.size(); }
  std::size_t count() const { return points() + more.size(); }
  std::pair<int, int> ends(std::size_t c) const {
    return c < points() ? std::pair(parent[c], static_cast<int>(c)) : more[c - points()];
  }
};

rods chain(std::size_t n, bool is_held_at_both_ends = false) {
  std::vector<int> parent(n);
  for (std::size_t i = 0; i < n; ++i) parent[i] = static_cast<int>(i) - 1;
  std::vector<std::pair<int, int>> more;
  if (is_held_at_both_ends) more.emplace_back(-1, static_cast<int>(n) - 1);
  return rods(parent, more);
}

rods tree(std::size_t n) {
  std::vector<int> parent{-1};
  for (std::size_t i = 1; i < n; ++i) parent.push_back(static_cast<int>(generator() % i));
  return rods(parent);
}

// What H is: tridiagonal along the numbers of points, diagonal, or diagonal with nothing for y.
enum class mass { coupled, apart, singular };

// [H Aᵀ; A 0]
template <class S>
struct saddle_point {
  sparse_pattern pattern;
  std::vector<S> values;

  explicit saddle_point(const rods& r, mass kind = mass::coupled) {
    const std::size_t n = 2 * r.points();
    pattern.size = n + r.count();
    std::vector<index_pair> coupled, held;
    const auto add = [&](std::size_t i, std::size_t j, const S& value) {
      pattern.add(i, j);
      values.push_back(value);
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (kind != mass::singular || i % 2 == 0) add(i, i, S(2 + number()));
      if (i >= 2 && kind == mass::coupled) {
        const S value(number() / 2);
        add(i, i - 2, value);
        add(i - 2, i, value);
        coupled.emplace_back(i, i - 2);
      }
    }
    for (std::size_t c = 0; c < r.count(); ++c) {
      const auto [a, b] = r.ends(c);
      const double dx = r.x[b] - (a < 0 ? 0 : r.x[a]), dy = r.y[b] - (a < 0 ? 0 : r.y[a]);
      for (const auto& [point, sign] : {std::pair(a, -1.0), std::pair(b, 1.0)}) {
        if (point < 0) continue;
        for (const int k : {0, 1}) {
          const std::size_t at = 2 * static_cast<std::size_t>(point) + k;
          const S slope(sign * (k == 0 ? dx : dy));
          add(n + c, at, slope);
          add(at, n + c, slope);
          held.emplace_back(c, at);
        }
      }
    }
    pattern.order = order_of(group_pivots_apart(n, coupled, r.count(), held));
    pattern.other = order_of(group_pivots(n, coupled, r.count(), held));
    EXPECT_EQ(pattern.order.group.empty(), kind == mass::coupled && r.points() > 1);
    if (pattern.order.group.empty()) std::swap(pattern.order, pattern.other);
  }

  static pivot_order order_of(const pivot_groups& groups) {
    pivot_order order{groups.of_coordinate, groups.turn};
    order.group.insert(order.group.end(), groups.of_constraint.begin(), groups.of_constraint.end());
    return order;
  }

  matrix<S> dense() const {
    matrix<S> result(pattern.size, pattern.size);
    for (std::size_t e = 0; e < values.size(); ++e) result(pattern.row[e], pattern.column[e]) += values[e];
    return result;
  }
};

template <class S>
void expect_dense_solution(const saddle_point<S>& problem, bool without_search) {
  using std::abs;
  const std::size_t n = problem.pattern.size;
  sparse_equations<S> equations(problem.pattern);
  std::ranges::copy(problem.values, equations.entries().begin());
  ASSERT_TRUE(equations.factorise());
  EXPECT_EQ(equations.searched_pivots(), !without_search);
  lu_factorisation<S> lu(n);
  ASSERT_TRUE(lu.factorise(problem.dense()));
  std::vector<S> x(n), y;
  for (S& one : x) one = S(number());
  y = x;
  equations.solve_in_place(x);
  lu.solve_in_place(y);
  S size(0), error(0);
  for (std::size_t i = 0; i < n; ++i) {
    size = std::max<S>(size, abs(y[i]));
    error = std::max<S>(error, abs(x[i] - y[i]));
  }
  EXPECT_LT(to_double(S(error / size)), 1e6 * to_double(epsilon<S>()));
}

}  // namespace

TEST(sparse_equations, solve_chains_like_a_dense_matrix) {
  for (const std::size_t n : {1, 2, 3, 10, 60}) expect_dense_solution(saddle_point<double>(chain(n)), true);
  expect_dense_solution(saddle_point<quad>(chain(20)), true);
  expect_dense_solution(saddle_point<multi>(chain(10)), true);
}

TEST(sparse_equations, solve_trees_and_loops_like_a_dense_matrix) {
  for (int trial = 0; trial < 20; ++trial) expect_dense_solution(saddle_point<double>(tree(40)), true);
  rods loops = tree(50);
  loops.more = {{3, 40}, {7, 30}, {-1, 49}};
  expect_dense_solution(saddle_point<double>(loops), true);
  expect_dense_solution(saddle_point<quad>(loops), true);
  expect_dense_solution(saddle_point<double>(chain(30, true)), true);
}

TEST(sparse_equations, eliminate_multipliers_after_coordinates_with_a_mass) {
  for (const std::size_t n : {1, 2, 3, 10, 60}) {
    expect_dense_solution(saddle_point<double>(chain(n), mass::apart), true);
  }
  expect_dense_solution(saddle_point<multi>(chain(10), mass::apart), true);
  for (int trial = 0; trial < 20; ++trial) {
    expect_dense_solution(saddle_point<double>(tree(40), mass::apart), true);
  }
  expect_dense_solution(saddle_point<double>(chain(30, true), mass::apart), true);
}

TEST(sparse_equations, eliminate_multipliers_with_coordinates_without_a_mass) {
  for (const std::size_t n : {2, 10, 60}) expect_dense_solution(saddle_point<double>(chain(n), mass::singular), true);
  expect_dense_solution(saddle_point<quad>(chain(20), mass::singular), true);
}

// The middle of the string, where two rods stand in line, is not where loops are closed.
TEST(sparse_equations, need_no_search_where_rods_stand_in_line) {
  rods r = chain(21, true);
  for (std::size_t i = 0; i < r.points(); ++i) {
    r.x[i] = 0.5 * static_cast<double>(i + 1);
    r.y[i] = i < 10 ? -0.1 * static_cast<double>(i) : -1 - (i == 20 ? 1 : 0);
  }
  expect_dense_solution(saddle_point<double>(r), true);
}

TEST(sparse_equations, solve_lattices_like_a_dense_matrix) {
  constexpr int side = 9;
  sparse_pattern pattern;
  pattern.size = side * side;
  std::vector<double> values;
  for (int i = 0; i < side * side; ++i) {
    pattern.order.group.push_back(static_cast<std::uint32_t>(i));
    for (const int j : {i - side, i - 1, i, i + 1, i + side}) {
      if (j < 0 || j >= side * side) continue;
      pattern.add(i, j);
      values.push_back(i == j ? 4 : number());
    }
  }
  sparse_equations<double> equations(pattern);
  std::ranges::copy(values, equations.entries().begin());
  ASSERT_TRUE(equations.factorise());
  std::vector<double> x(pattern.size), right(pattern.size, 0.0);
  for (double& one : x) one = number();
  for (std::size_t e = 0; e < values.size(); ++e) right[pattern.row[e]] += values[e] * x[pattern.column[e]];
  equations.solve_in_place(right);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(right[i], x[i], 1e-13);
}

// A mass for x alone: the blocks of points have pivots through their constraints only where rods are not level.
TEST(sparse_equations, search_for_pivots_where_a_block_has_none) {
  sparse_pattern pattern;
  pattern.size = 4;
  pattern.order.group = {0, 1, 2, 3};
  const std::vector<double> values{1, 2, 3, 4};
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 0), std::pair(2, 3), std::pair(3, 2)}) pattern.add(i, j);
  sparse_equations<double> equations(pattern);
  std::ranges::copy(values, equations.entries().begin());
  ASSERT_TRUE(equations.factorise());
  EXPECT_TRUE(equations.searched_pivots());
  std::vector<double> x{1, 2, 3, 4};
  equations.solve_in_place(x);
  EXPECT_EQ(x, (std::vector<double>{1, 1, 1, 1}));
}

TEST(sparse_equations, lose_no_digits_to_a_tiny_pivot) {
  sparse_pattern pattern;
  pattern.size = 3;
  pattern.order.group = {0, 1, 2};
  const std::vector<double> values{1e-14, 1, 1, 1, 1, 3};
  for (const auto& [i, j] :
       {std::pair(0, 0), std::pair(0, 1), std::pair(1, 0), std::pair(1, 1), std::pair(1, 2), std::pair(2, 2)}) {
    pattern.add(i, j);
  }
  sparse_equations<double> equations(pattern);
  std::ranges::copy(values, equations.entries().begin());
  ASSERT_TRUE(equations.factorise());
  std::vector<double> x{1 + 1e-14, 3, 3};
  equations.solve_in_place(x);
  for (const double one : x) EXPECT_NEAR(one, 1, 1e-15);
}

TEST(sparse_equations, name_what_is_not_determined) {
  sparse_pattern pattern;
  pattern.size = 3;
  pattern.order.group = {0, 1, 2};
  for (const auto& [i, j] : {std::pair(0, 0), std::pair(1, 1), std::pair(2, 0)}) pattern.add(i, j);
  sparse_equations<double> equations(pattern);
  std::ranges::copy(std::vector<double>{1, 1, 1}, equations.entries().begin());
  EXPECT_FALSE(equations.factorise());
  EXPECT_TRUE(equations.is_finite());
  EXPECT_EQ(equations.undetermined(), 2u);
  equations.entries()[0] = std::nan("");
  EXPECT_FALSE(equations.factorise());
  EXPECT_FALSE(equations.is_finite());
}

TEST(sparse_equations, allocate_nothing) {
  const saddle_point<double> problem(chain(30));
  sparse_equations<double> equations(problem.pattern);
  std::ranges::copy(problem.values, equations.entries().begin());
  std::vector<double> x(problem.pattern.size, 1.0);
  EXPECT_EQ(actio::testing::allocations_in([&] {
              equations.factorise();
              equations.solve_in_place(x);
            }),
            0u);
}

TEST(minimum_degree_order, fills_little) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> star;
  for (std::uint32_t i = 1; i < 20; ++i) star.emplace_back(0, i);
  const std::vector<std::uint32_t> order = minimum_degree_order(20, star);
  EXPECT_GE(std::ranges::find(order, 0u) - order.begin(), 18);
}

// A chain: what is eliminated before all that it is joined to is only what may be.
TEST(minimum_degree_order, waits_for_neighbours) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<group_turn> turn(21, group_turn::any);
  for (std::uint32_t i = 0; i < 20; ++i) pairs.emplace_back(i, i + 1);
  for (std::uint32_t i = 1; i < 20; i += 2) turn[i] = group_turn::after_neighbours;
  turn[0] = group_turn::last;
  const std::vector<std::uint32_t> order = minimum_degree_order(21, pairs, turn);
  const auto place = [&](std::uint32_t i) { return std::ranges::find(order, i) - order.begin(); };
  EXPECT_EQ(order.size(), 21u);
  EXPECT_EQ(order.back(), 0u);
  for (std::uint32_t i = 1; i < 20; i += 2) {
    EXPECT_GT(place(i), place(i + 1));
    if (i > 1) { EXPECT_GT(place(i), place(i - 1)); }
  }
}

TEST(group_pivots, gives_a_loop_to_the_end) {
  const pivot_order open = saddle_point<double>(chain(5)).pattern.order,
                    closed = saddle_point<double>(chain(5, true)).pattern.order;
  EXPECT_EQ(open.turn, std::vector<group_turn>(5, group_turn::any));
  ASSERT_EQ(closed.turn.size(), 6u);
  EXPECT_EQ(closed.turn.back(), group_turn::last);
  EXPECT_EQ(std::ranges::count(closed.group, 5u), 1);
}
