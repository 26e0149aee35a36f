// Chains of rods in the plane, held by constraints: what is sparse against what is dense, and what is made of elements
// against its formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/discrete/constrained_action.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {
namespace {

model chain(std::size_t n) {
  return parse_model(R"toml(name = "chain"
coordinates = ["x[1..n]", "y[1..n]"]
lagrangian = "sum(i = 1..n, 1/2*m*(x[i]'^2 + y[i]'^2) - m*g*y[i])"
[sizes]
n = )toml" + std::to_string(n) +
                         R"toml(
[parameters]
m = 1.5
g = 9.81
l = 0.5
[definitions]
"x[0]" = 0
"y[0]" = 0
[constraints]
"rod[i = 1..n]" = "(x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 - l^2"
[initial.position]
"x[i = 1..n]" = "sum(j = 1..i, l*cos(j/n))"
"y[i = 1..n]" = "sum(j = 1..i, l*sin(j/n))"
)toml",
                     "chain.toml");
}

// The equations of one step, at a start that is no solution.
template <class S>
struct one_step {
  std::size_t n;
  model m;
  phase_space<S> space;
  galerkin_tableau<S> tableau;
  constrained_action<S> action;
  std::vector<S> q, x;

  one_step(std::size_t links, std::size_t degree)
      : n(links),
        m(chain(links)),
        space(m.system, parameter_values<S>(m.system)),
        tableau(make_tableau<S>({degree, node_family::lobatto, degree + 1})),
        action(tableau, space, S(1) / S(128)) {
    S at_x(0), at_y(0);
    std::vector<S> y;
    for (std::size_t i = 1; i <= n; ++i) {
      const double angle = std::sin(static_cast<double>(i));
      q.push_back(at_x += S(0.5 * std::cos(angle)));
      y.push_back(at_y += S(0.5 * std::sin(angle)));
    }
    q.insert(q.end(), y.begin(), y.end());
    for (std::size_t j = 0; j < action.unknowns(); ++j) x.push_back(S(1e-3 * std::cos(3.0 * static_cast<double>(j))));
    const std::vector<S> zero(2 * n, S(0));
    action.start(S(0), q, zero, zero, zero);
    action.evaluate(x, true);
  }
};

template <class S>
void expect_sparse_is_dense(std::size_t links, std::size_t degree) {
  using std::abs;
  one_step<S> step(links, degree);
  saddle_point_solver<S> dense(step.action.unknowns()), sparse = step.action.equations();
  ASSERT_TRUE(sparse.is_sparse());
  for (int again = 0; again < 2; ++again) {  // the first matrix gives the pattern, the second one uses it
    step.action.jacobian(dense);
    step.action.jacobian(sparse);
    ASSERT_TRUE(dense.factorise());
    ASSERT_TRUE(sparse.factorise());
    std::vector<S> a(step.action.unknowns()), b;
    step.action.residual(a);
    b = a;
    dense.solve_in_place(a);
    sparse.solve_in_place(b);
    S size(0), error(0);
    for (std::size_t j = 0; j < a.size(); ++j) {
      size = std::max<S>(size, abs(a[j]));
      error = std::max<S>(error, abs(a[j] - b[j]));
    }
    EXPECT_LT(to_double(S(error / size)), 1e6 * to_double(epsilon<S>())) << links << " " << degree;
    for (S& one : step.x) one *= S(0.5);
    step.action.evaluate(step.x, true);
  }
}

TEST(large_chain, equations_are_solved_like_dense_ones) {
  for (const std::size_t degree : {1U, 2U, 3U}) {
    expect_sparse_is_dense<double>(12, degree);
    expect_sparse_is_dense<double>(40, degree);
    expect_sparse_is_dense<quad>(12, degree);
  }
}

TEST(large_chain, constraints_of_elements_are_their_formulas) {
  const model m = chain(40);
  ASSERT_TRUE(is_made_of_elements(m.system));
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  const constraint_map<double>& map = *space.constraints();
  constraint_evaluation<double> held = map.at(2, space.parameters());
  constexpr std::size_t n = 40;
  std::vector<double> q(2 * n + 1), v(2 * n + 1);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    held.position(i)[0] = held.velocity(i)[0] = 0;
    held.position(i)[1] = q[i] = std::sin(7.0 * static_cast<double>(i));
    held.velocity(i)[1] = v[i] = std::cos(5.0 * static_cast<double>(i));
  }
  for (std::size_t c = 0; c < n; ++c) held.multiplier(c)[1] = static_cast<double>(c);
  held.time()[0] = held.time()[1] = 0;
  held.evaluate_slopes();
  const auto difference = [&](const std::vector<double>& of, std::size_t c, std::size_t part) {
    return of[part * n + c] - (c == 0 ? 0 : of[part * n + c - 1]);
  };
  for (std::size_t c = 0; c < n; ++c) {
    const double dx = difference(q, c, 0), dy = difference(q, c, 1), u = difference(v, c, 0), w = difference(v, c, 1);
    EXPECT_NEAR(held.value(c)[1], dx * dx + dy * dy - 0.25, 1e-14);
    EXPECT_EQ(held.value(c)[0], -0.25);
    EXPECT_NEAR(held.curvature(c)[1], 2 * (u * u + w * w), 1e-13);
  }
  const auto sign = [&](const constraint_entry& e) { return e.column % n == e.row ? 2.0 : -2.0; };
  EXPECT_EQ(map.jacobian().size(), 4 * n - 2);
  for (const constraint_entry& e : map.jacobian()) {
    EXPECT_NEAR(held.entry(e)[1], sign(e) * difference(q, e.row, e.column / n), 1e-14);
  }
  for (const constraint_entry& e : map.hidden_slope()) {
    EXPECT_NEAR(held.entry(e)[1], sign(e) * difference(v, e.row, e.column / n), 1e-14);
  }
  held.evaluate_second();
  double sum = 0;
  for (const constraint_entry& e : map.hessian()) {
    EXPECT_EQ(e.row / n, e.column / n);
    if (e.row == e.column) sum += held.entry(e)[1];
  }
  double wanted = 0;  // each rod bends by 2 λ at both ends, in x and in y
  for (std::size_t c = 0; c < n; ++c) wanted += 4.0 * static_cast<double>(c) * (c == 0 ? 1 : 2);
  EXPECT_NEAR(sum, wanted, 1e-9);
}

}  // namespace
}  // namespace actio
