// The iteration of Gauss stages against the stage equations solved in quad.
#include "actio/backend/stage_iteration.hpp"

#include <gtest/gtest.h>

#include "actio/integrate/collocation_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

struct stages {
  std::vector<std::vector<quad>> rates;  // of a component, one a node
  std::vector<quad> increment;           // h Σ b_i K_i
};

// K_i = f(t + τ_i h, y + h Σ a_ij K_j), iterated until quad does not change any more.
stages reference_stages(const collocation_code& code, const std::vector<double>& parameters, double h, double t,
                        const std::vector<double>& y) {
  const auto tableau = make_gauss_collocation<quad>(code.points);
  const auto field = compile<quad>(code.field)->evaluate_at(code.points);
  field->set_parameters(std::vector<quad>(parameters.begin(), parameters.end()));
  const std::size_t n = y.size(), stride = field->stride();
  std::vector<quad> in((n + 1) * stride), out((n + 1 + code.inverse_mass.size()) * stride);
  stages result{std::vector(n + 1, std::vector<quad>(code.points, quad(0))), std::vector<quad>(n, quad(0))};
  for (int k = 0; k < 200; ++k) {
    for (std::size_t i = 0; i < code.points; ++i) {
      for (std::size_t c = 0; c < n; ++c) {
        quad sum = y[c];
        for (std::size_t j = 0; j < code.points; ++j) {
          sum += quad(h) * (tableau.stages.head(i, j) + tableau.stages.tail(i, j)) * result.rates[c][j];
        }
        in[c * stride + i] = sum;
      }
      in[n * stride + i] = quad(t) + tableau.node[i] * quad(h);
    }
    (*field)(in.data(), out.data());
    for (std::size_t c = 0; c <= n; ++c) std::copy_n(&out[c * stride], code.points, result.rates[c].begin());
  }
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = 0; i < code.points; ++i) {
      result.increment[c] += quad(h) * tableau.weights.head(0, i) * result.rates[c][i];
    }
  }
  return result;
}

struct start {
  model m;
  double h, t;
  std::vector<double> y;  // positions, then momenta
};

// Places a start into the kernel, with constant rates as the guess.
void place(stage_iteration& iteration, const start& at, double guess) {
  const collocation_rows& rows = iteration.rows();
  for (std::size_t c = 0; c < at.y.size(); ++c) {
    iteration.work()[rows.start(c)] = at.y[c];
    iteration.work()[rows.remainder(c)] = 0;
    std::fill_n(&iteration.work()[rows.rate(c)], rows.lanes, guess);
  }
  iteration.work()[rows.time()] = at.t;
}

std::unique_ptr<stage_iteration> iteration_for(const collocation_code& code, const start& at) {
  auto iteration = std::make_unique<stage_iteration>(code, parameter_values<double>(at.m.system));
  fill_tables(*iteration, make_gauss_collocation<double>(code.points), at.h);
  return iteration;
}

TEST(stage_iteration, solves_the_stage_equations) {
  for (const start& at : {start{testing::read(testing::double_pendulum_in_angles), 0.02, 0, {0.8, 1.1, 0.3, -0.2}},
                          start{testing::read(testing::forced_system), 0.1, 0.7, {0.5, -0.2, 0.1, 0.4}}}) {
    for (const std::size_t points : {1U, 2U, 3U, 6U, 9U}) {
      SCOPED_TRACE(points);
      const collocation_code code{*hamilton_program(at.m.system), points};
      const std::unique_ptr<stage_iteration> made_iteration = iteration_for(code, at);
      stage_iteration& iteration = *made_iteration;
      place(iteration, at, 0);
      ASSERT_EQ(iteration.solve(), stage_outcome::converged);
      const stages wanted = reference_stages(code, parameter_values<double>(at.m.system), at.h, at.t, at.y);
      const collocation_rows& rows = iteration.rows();
      for (std::size_t c = 0; c < at.y.size(); ++c) {
        double scale = 0.1;
        for (std::size_t i = 0; i < points; ++i) scale = std::max(scale, std::abs(to_double(wanted.rates[c][i])));
        for (std::size_t i = 0; i < points; ++i) {
          EXPECT_NEAR(iteration.work()[rows.rate(c) + i], to_double(wanted.rates[c][i]), 4e-15 * scale) << c;
        }
        const quad found = quad(iteration.work()[rows.increment(c)]) + iteration.work()[rows.increment_remainder(c)];
        EXPECT_NEAR(to_double(quad(found - wanted.increment[c])), 0, 4e-15 * at.h * scale) << c;
      }
      EXPECT_GT(iteration.work()[rows.iterations()], 1);
    }
  }
}

// The polynomial of a step continued over the next one.
TEST(stage_iteration, begins_with_the_last_step_continued) {
  const start at{testing::read(testing::double_pendulum_in_angles), 0.02, 0, {0.8, 1.1, 0.3, -0.2}};
  const collocation_code code{*hamilton_program(at.m.system), 4};
  const std::unique_ptr<stage_iteration> made_iteration = iteration_for(code, at);
  stage_iteration& iteration = *made_iteration;
  const collocation_rows& rows = iteration.rows();
  place(iteration, at, 0);
  ASSERT_EQ(iteration.solve(), stage_outcome::converged);
  const double missed = iteration.work()[rows.missed()];
  for (std::size_t c = 0; c < 4; ++c) {
    iteration.work()[rows.start(c)] += iteration.work()[rows.increment(c)];
  }
  ASSERT_EQ(iteration.solve(), stage_outcome::converged);
  EXPECT_LT(iteration.work()[rows.missed()], missed / 50);
}

TEST(stage_iteration, says_why_it_found_nothing) {
  start at{testing::read(testing::double_pendulum_in_angles), 3, 0, {0.8, 1.1, 0.3, -0.2}};
  const collocation_code code{*hamilton_program(at.m.system), 3};
  const std::unique_ptr<stage_iteration> made_too_long = iteration_for(code, at);
  stage_iteration& too_long = *made_too_long;
  place(too_long, at, 0);
  const stage_outcome found = too_long.solve();
  EXPECT_TRUE(found == stage_outcome::slow || found == stage_outcome::not_finite);
  at.h = 0.01;
  at.y[2] = std::numeric_limits<double>::infinity();
  const std::unique_ptr<stage_iteration> made_unbounded = iteration_for(code, at);
  stage_iteration& unbounded = *made_unbounded;
  place(unbounded, at, 0);
  EXPECT_EQ(unbounded.solve(), stage_outcome::not_finite);
}

}  // namespace
}  // namespace actio
