// Residuals with many digits, a Jacobian in double: fifteen digits an iteration, or the word that it does not do.
#include "actio/base/mixed_newton.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

// x² + y² = 25, x y = 12 with the solution (3, 4); the Jacobian is `factor` times the right one.
template <class S>
struct circle_and_hyperbola {
  double factor = 1;
  bool fits_double = true, needs = false;
  int evaluations = 0, jacobians = 0;
  std::vector<S> x = {};

  void evaluate(std::span<const S> at, bool) {
    x.assign(at.begin(), at.end());
    ++evaluations;
  }
  void residual(std::span<S> r) {
    r[0] = x[0] * x[0] + x[1] * x[1] - 25;
    r[1] = x[0] * x[1] - 12;
  }
  bool rough_jacobian(std::span<const S> at, matrix<double>& J) {
    const double a = to_double(at[0]), b = to_double(at[1]);
    J(0, 0) = factor * 2 * a;
    J(0, 1) = factor * 2 * b;
    J(1, 0) = factor * b;
    J(1, 1) = factor * a;
    ++jacobians;
    return fits_double;
  }
  double rough_weight(std::size_t) { return 1; }
  bool needs_evaluation() const { return needs; }
};

template <class S>
double error_of(const std::vector<S>& x) {
  return to_double(S(std::max<S>(abs(S(x[0] - 3)), abs(S(x[1] - 4))) / epsilon<S>()));
}

TEST(mixed_newton, converges_to_the_floor_of_quad) {
  circle_and_hyperbola<quad> problem;
  std::vector<quad> x{quad(2.9), quad(4.2)};
  const newton_result result = mixed_newton<quad>(2).solve(problem, x);
  EXPECT_EQ(result.outcome, newton_outcome::converged);
  EXPECT_LT(error_of(x), 16);
  EXPECT_EQ(result.iterations, problem.evaluations);
}

TEST(mixed_newton, converges_to_the_floor_of_many_digits_with_few_jacobians) {
  const precision_scope digits(120);
  circle_and_hyperbola<multi> problem;
  std::vector<multi> x{multi(2.9), multi(4.2)};
  EXPECT_EQ(mixed_newton<multi>(2).solve(problem, x).outcome, newton_outcome::converged);
  EXPECT_LT(error_of(x), 16);
  EXPECT_LT(problem.jacobians, problem.evaluations);  // near the solution moving it changes only its rounding
  EXPECT_LE(problem.evaluations, 16);
}

// The solution is the point of the last evaluation less the last update.
TEST(mixed_newton, hands_out_its_last_update) {
  circle_and_hyperbola<quad> problem;
  std::vector<quad> x{quad(2.9), quad(4.2)};
  mixed_newton<quad> solver(2);
  solver.solve(problem, x);
  for (std::size_t j = 0; j < 2; ++j) {
    const quad update = ldexp(quad(solver.last_update()[j]), static_cast<int>(solver.update_exponent()));
    EXPECT_LE(abs(quad(problem.x[j] - update - x[j])), 8 * epsilon<quad>());
  }
}

TEST(mixed_newton, evaluates_at_the_solution_where_that_is_needed) {
  circle_and_hyperbola<quad> problem;
  problem.needs = true;
  std::vector<quad> x{quad(2.9), quad(4.2)};
  EXPECT_EQ(mixed_newton<quad>(2).solve(problem, x).outcome, newton_outcome::converged);
  EXPECT_LT(error_of(problem.x), 64);
}

TEST(mixed_newton, says_so_where_double_does_not_do) {
  std::vector<quad> x{quad(2.9), quad(4.2)};
  circle_and_hyperbola<quad> wrong{.factor = 1.9};  // contracts by 0.47 at best
  EXPECT_EQ(mixed_newton<quad>(2).solve(wrong, x).outcome, newton_outcome::stalled);
  circle_and_hyperbola<quad> unfit{.fits_double = false};
  x = {quad(2.9), quad(4.2)};
  EXPECT_EQ(mixed_newton<quad>(2).solve(unfit, x).outcome, newton_outcome::stalled);
  circle_and_hyperbola<quad> singular;
  x = {quad(3), quad(3)};  // where the Jacobian is singular
  EXPECT_EQ(mixed_newton<quad>(2).solve(singular, x).outcome, newton_outcome::stalled);
}

// A residual that a double would hold as zero: it is scaled before it is rounded.
TEST(mixed_newton, sees_residuals_below_the_range_of_double) {
  struct tiny {
    multi unit = pow(multi(10), -400), x = 0;
    void evaluate(std::span<const multi> at, bool) { x = at[0]; }
    void residual(std::span<multi> r) const { r[0] = x - unit; }
    static bool rough_jacobian(std::span<const multi>, matrix<double>& J) {
      J(0, 0) = 1;
      return true;
    }
    static double rough_weight(std::size_t) { return 1; }
    static bool needs_evaluation() { return false; }
  };
  const precision_scope digits(60);
  tiny problem;
  std::vector<multi> x{multi(0)};
  EXPECT_EQ(mixed_newton<multi>(1).solve(problem, x).outcome, newton_outcome::converged);
  EXPECT_NEAR(to_double(multi(x[0] / problem.unit)), 1, 1e-15);
}

TEST(mixed_newton, remembers_the_contraction_that_it_saw) {
  circle_and_hyperbola<quad> problem;
  std::vector<quad> x{quad(3) + quad(1e-6), quad(4)};
  mixed_newton<quad> solver(2);
  EXPECT_EQ(solver.contraction(), 0);
  solver.solve(problem, x);
  EXPECT_LT(solver.contraction(), 0);
  mixed_newton<quad> other(2);
  other.set_contraction(solver.contraction());
  EXPECT_EQ(other.contraction(), solver.contraction());
}

}  // namespace
}  // namespace actio
