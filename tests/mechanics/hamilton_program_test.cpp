// Hamilton's equations as programs: their slopes are the derivatives of what they compute.
#include "actio/mechanics/hamilton_program.hpp"

#include <gtest/gtest.h>

#include "actio/backend/compiled_function.hpp"
#include "actio/mechanics/model.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

// All outputs of a program at one point.
std::vector<quad> outputs_at(const program& p, std::span<const quad> parameters, std::span<const quad> point) {
  const auto at = compile<quad>(p)->evaluate_at(1);
  at->set_parameters(parameters);
  std::vector<quad> in(point.size() * at->stride(), quad(0)), out(p.outputs.size() * at->stride(), quad(0)), values;
  for (std::size_t k = 0; k < point.size(); ++k) in[k * at->stride()] = point[k];
  (*at)(in.data(), out.data());
  for (std::size_t k = 0; k < p.outputs.size(); ++k) values.push_back(out[k * at->stride()]);
  return values;
}

// ∂(q', p', power)/∂(q, p) by symmetric differences, row by row.
std::vector<std::vector<quad>> differences(const field_code& code, std::span<const quad> parameters,
                                           std::vector<quad> point) {
  const quad d(1e-11);
  const std::size_t n = code.coordinates;
  std::vector<std::vector<quad>> rows(2 * n + 1, std::vector<quad>(2 * n));
  for (std::size_t j = 0; j < 2 * n; ++j) {
    const quad middle = point[j];
    point[j] = middle + d;
    const std::vector<quad> right = outputs_at(code.field, parameters, point);
    point[j] = middle - d;
    const std::vector<quad> left = outputs_at(code.field, parameters, point);
    point[j] = middle;
    for (std::size_t i = 0; i <= 2 * n; ++i) rows[i][j] = (right[i] - left[i]) / (2 * d);
  }
  return rows;
}

TEST(hamilton_program, has_the_slopes_of_its_field) {
  for (const char* problem : {"double-pendulum", "lagrange-top", "kepler", "charged-particle", "damped-driven-pendulum",
                              "foucault-pendulum"}) {
    const model m = load_model(problem);
    for (const parameter_role role : {parameter_role::shared, parameter_role::variable}) {
      const field_code code = *hamilton_program(m.system, role);
      ASSERT_TRUE(code.has_slopes()) << problem;
      const std::size_t n = code.coordinates;
      std::vector<quad> parameters = parameter_values<quad>(m.system), point;
      for (std::size_t k = 0; k < 2 * n; ++k) point.push_back(quad(0.7) + quad(0.31) * static_cast<double>(k));
      point.push_back(quad(0.4));
      if (role == parameter_role::variable) {
        point.insert(point.end(), parameters.begin(), parameters.end());
        parameters.clear();
      }
      std::vector<std::vector<quad>> expected = differences(code, parameters, point);
      const std::vector<quad> found = outputs_at(code.with_slopes, parameters, point);
      ASSERT_EQ(found.size(), 2 * n + 1 + code.inverse_mass.size() + code.slopes.size());
      std::vector<std::vector<quad>> slopes(2 * n + 1, std::vector<quad>(2 * n));
      std::size_t at = 2 * n + 1;
      for (const auto& [row, column] : code.inverse_mass)
        slopes[row][n + column] = slopes[column][n + row] = found[at++];
      for (const auto& [row, column] : code.slopes) slopes[row][column] = found[at++];
      for (std::size_t i = 0; i <= 2 * n; ++i) {
        for (std::size_t j = 0; j < 2 * n; ++j) {
          EXPECT_NEAR(to_double(slopes[i][j]), to_double(expected[i][j]),
                      1e-12 * (1 + std::abs(to_double(expected[i][j]))))
              << problem << ", output " << i << " by variable " << j;
        }
      }
    }
  }
}

TEST(hamilton_program, refuses_what_is_not_quadratic_in_the_velocities) {
  EXPECT_TRUE(hamilton_program(load_model("outer-solar-system").system));
  EXPECT_FALSE(hamilton_program(load_model("relativistic-oscillator").system));
}

}  // namespace
}  // namespace actio
