// Newton's method: to the floor where there is a solution, and the reason where there is none.
#include "actio/base/newton.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace actio {
namespace {

// Equations by functions, with counts of what was asked for.
template <class S>
struct equations {
  std::function<void(std::span<const S> x, std::span<S> r)> residual_at;
  std::function<void(std::span<const S> x, matrix<S>& J)> jacobian_at;
  S scale{1};
  int evaluations = 0, jacobians = 0;
  std::vector<S> x = {};

  void evaluate(std::span<const S> at, bool) {
    x.assign(at.begin(), at.end());
    ++evaluations;
  }
  void residual(std::span<S> r) { residual_at(x, r); }
  void jacobian(matrix<S>& J) {
    jacobian_at(x, J);
    ++jacobians;
  }
  S weight(std::size_t) { return scale; }
};

// x² + y² = 25, x y = 12: (3, 4) and (4, 3).
template <class S>
equations<S> circle_and_hyperbola() {
  return {[](std::span<const S> x, std::span<S> r) {
            r[0] = x[0] * x[0] + x[1] * x[1] - 25;
            r[1] = x[0] * x[1] - 12;
          },
          [](std::span<const S> x, matrix<S>& J) {
            J(0, 0) = 2 * x[0];
            J(0, 1) = 2 * x[1];
            J(1, 0) = x[1];
            J(1, 1) = x[0];
          }};
}

template <class S>
equations<S> of_one_unknown(std::function<S(S)> f, std::function<S(S)> slope) {
  return {[f](std::span<const S> x, std::span<S> r) { r[0] = f(x[0]); },
          [slope](std::span<const S> x, matrix<S>& J) { J(0, 0) = slope(x[0]); }};
}

template <class S>
class newton : public ::testing::Test {};
using scalars = ::testing::Types<double, quad>;
TYPED_TEST_SUITE(newton, scalars);

// The same equations, of which nothing is wanted but the solution, and which are said to bend so much.
struct patient : equations<double> {
  double bend = 1;
  double matrix_error(double size, double) const { return bend * size; }
};
// 2x = 3, solved from nearby.
struct linear : equations<double> {
  bool is_linear() const { return true; }
};

TEST(newton_solver, ends_where_the_next_update_is_foreseen) {
  newton_solver<double> newton(2);
  equations<double> plain = circle_and_hyperbola<double>();
  patient problem{circle_and_hyperbola<double>()};
  std::vector<double> x{3 + 1e-9, 4 - 1e-9}, y = x;
  EXPECT_EQ(newton.solve(plain, std::span<double>(x)).outcome, newton_outcome::converged);
  EXPECT_EQ(newton.solve(problem, std::span<double>(y)).outcome, newton_outcome::converged);
  EXPECT_LE(problem.evaluations, 2);
  EXPECT_LE(problem.evaluations, plain.evaluations);
  EXPECT_NEAR(y[0], 3, 1e-15);
  EXPECT_NEAR(y[1], 4, 1e-15);
  for (const double bend : {1.0, 1e-8}) {
    patient further{circle_and_hyperbola<double>(), bend};
    std::vector<double> z{3 + 1e-6, 4 - 1e-6};
    EXPECT_EQ(newton.solve(further, std::span<double>(z)).iterations, bend == 1 ? 2 : 1);
  }
}

TEST(newton_solver, takes_a_small_update_of_linear_equations_for_the_last) {
  newton_solver<double> newton(1);
  linear problem{of_one_unknown<double>([](double x) { return 2 * x - 3; }, [](double) { return 2.0; })};
  std::vector<double> near{1.5 + 1e-3}, far{100};
  EXPECT_EQ(newton.solve(problem, std::span<double>(near)).iterations, 1);
  EXPECT_DOUBLE_EQ(near[0], 1.5);
  EXPECT_EQ(newton.solve(problem, std::span<double>(far)).iterations, 2);
  EXPECT_DOUBLE_EQ(far[0], 1.5);
}

TYPED_TEST(newton, converges_to_the_floor) {
  using S = TypeParam;
  auto problem = circle_and_hyperbola<S>();
  std::vector<S> x{S(2), S(5)};
  const newton_result result = newton_solver<S>(2).solve(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::converged);
  EXPECT_LE(result.update, to_double(S(16) * epsilon<S>()));
  EXPECT_LE(std::abs(to_double(S(x[0] - 3))), to_double(S(16) * epsilon<S>()));
  EXPECT_LE(std::abs(to_double(S(x[1] - 4))), to_double(S(16) * epsilon<S>()));
  EXPECT_EQ(result.iterations, problem.evaluations);
  EXPECT_GT(result.first, 0.5);
  EXPECT_GT(result.contraction, 0);
  EXPECT_LT(result.contraction, 1);
}

TEST(newton_solver, keeps_its_jacobian_where_that_is_good_enough) {
  auto linear = of_one_unknown<double>([](double x) { return 3 * x - 6; }, [](double) { return 3.0; });
  std::vector<double> x{100};
  EXPECT_EQ(newton_solver<double>(1).solve(linear, x).outcome, newton_outcome::converged);
  EXPECT_EQ(x[0], 2.0);
  auto near =
      of_one_unknown<double>([](double y) { return y + 0.01 * y * y - 1; }, [](double y) { return 1 + 0.02 * y; });
  std::vector<double> y{0.99};
  EXPECT_EQ(newton_solver<double>(1).solve(near, y).outcome, newton_outcome::converged);
  EXPECT_GT(near.evaluations, near.jacobians);
  EXPECT_NEAR(y[0] + 0.01 * y[0] * y[0], 1, 1e-15);
}

TEST(newton_solver, renews_a_jacobian_that_contracts_too_slowly) {
  auto problem = of_one_unknown<double>([](double x) { return std::exp(x) - 1; }, [](double x) { return std::exp(x); });
  std::vector<double> x{3};
  const newton_result result = newton_solver<double>(1).solve(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::converged);
  EXPECT_NEAR(x[0], 0, 1e-15);
  EXPECT_LE(result.iterations, 9);  // quadratic, where the first slope alone would need some hundreds
}

TEST(newton_solver, says_singular_where_the_matrix_is) {
  equations<double> problem{[](std::span<const double> x, std::span<double> r) { r[0] = r[1] = x[0] + x[1] - 1; },
                            [](std::span<const double>, matrix<double>& J) { std::ranges::fill(J.data(), 1.0); }};
  std::vector<double> x{0, 0};
  EXPECT_EQ(newton_solver<double>(2).solve(problem, x).outcome, newton_outcome::singular);
  EXPECT_EQ(newton_solver<double>(2).solve_damped(problem, x).outcome, newton_outcome::singular);
}

TEST(newton_solver, says_not_finite_where_the_start_is_outside_the_domain) {
  auto problem = of_one_unknown<double>([](double x) { return std::log(x); }, [](double x) { return std::sqrt(x); });
  std::vector<double> x{-1};
  EXPECT_EQ(newton_solver<double>(1).solve(problem, x).outcome, newton_outcome::not_finite);
  EXPECT_EQ(newton_solver<double>(1).solve_damped(problem, x).outcome, newton_outcome::not_finite);
}

TEST(newton_solver, says_stalled_where_there_is_no_solution) {
  auto problem = of_one_unknown<double>([](double x) { return x * x + 1; }, [](double x) { return 2 * x; });
  std::vector<double> x{0.7};
  const newton_result result = newton_solver<double>(1).solve(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::stalled);
  EXPECT_GT(result.update, 1e-3);
}

// The first update of log x = 0 from 5 leads to −3.05.
TEST(newton_solver, comes_back_from_beyond_the_domain) {
  auto problem = of_one_unknown<double>([](double x) { return std::log(x); }, [](double x) { return 1 / x; });
  std::vector<double> x{5};
  const newton_result result = newton_solver<double>(1).solve(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::converged);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_EQ(result.contraction, 1);  // nothing says that the solution belongs to the start
}

TEST(newton_solver, reaches_from_afar_with_damping_what_it_misses_without) {
  auto problem =
      of_one_unknown<double>([](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); });
  std::vector<double> x{10};
  EXPECT_NE(newton_solver<double>(1).solve(problem, x).outcome, newton_outcome::converged);
  x = {10};
  const newton_result result = newton_solver<double>(1).solve_damped(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::converged);
  EXPECT_NEAR(x[0], 0, 1e-15);
  EXPECT_EQ(result.first, 1);
}

// x = 1, and y that is nothing but the rounding of its equation: it never shrinks beside itself.
struct noisy {
  int evaluations = 0;
  double x = 0, y = 0;
  void evaluate(std::span<const double> at, bool) { x = at[0], y = at[1], ++evaluations; }
  void residual(std::span<double> r) {
    r[0] = x * x - 1;
    r[1] = y + (evaluations % 2 == 0 ? 1e-17 : -1e-17);
  }
  void jacobian(matrix<double>& J) {
    J(0, 0) = 2 * x;
    J(0, 1) = J(1, 0) = 0;
    J(1, 1) = 1;
  }
  double weight(std::size_t j) { return j == 0 ? 1 : std::abs(y) + 1e-25; }
};
struct noisy_and_aware : noisy {
  static void rounding(std::span<double> r) {
    r[0] = 1e-16;
    r[1] = 1e-17;
  }
};

TEST(newton_solver, tells_rounding_from_failure) {
  noisy unaware;
  noisy_and_aware aware;
  std::vector<double> x{2, 0}, y{2, 0};
  EXPECT_EQ(newton_solver<double>(2).solve(unaware, x).outcome, newton_outcome::stalled);
  EXPECT_EQ(newton_solver<double>(2).solve(aware, y).outcome, newton_outcome::converged);
  EXPECT_NEAR(y[0], 1, 1e-15);
}

// The rounding of an equation is an excuse for its own unknown only.
struct stuck : noisy_and_aware {
  void residual(std::span<double> r) {
    noisy::residual(r);
    r[0] += evaluations % 2 == 0 ? 1e-3 : -1e-3;
  }
};

TEST(newton_solver, does_not_take_for_rounding_what_is_larger) {
  stuck problem;
  std::vector<double> x{2, 0};
  EXPECT_EQ(newton_solver<double>(2).solve(problem, x).outcome, newton_outcome::stalled);
}

}  // namespace
}  // namespace actio
