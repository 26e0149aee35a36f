// One displacement moved by a step is what the step's matrix makes of it.
#include "actio/integrate/tangent_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/lyapunov.hpp"

namespace actio {
namespace {

// A ring with masses that are coupled, a drive and forces.
const std::string ring = R"toml(
coordinates = ["q[0..n-1]"]
lagrangian = """sum(i = 0..n-1, 1/2*(1 + mod(i, 3))*q[i]'^2 + 1/10*q[i]'*q[mod(i+1, n)]' + q[i]*sin(t + i))
 - sum(i = 0..n-1, 1/2*(q[mod(i+1, n)] - q[i])^2 + 1/4*q[i]^4 - cos(q[i] - q[mod(i+7, n)]))"""
[sizes]
n = 70
[forces]
"q[i = 0..n-1]" = "-q[i]/(1 + q[i]^2)"
[initial.position]
"q[i = 0..n-1]" = "sin(i)"
[initial.velocity]
"q[i = 0..n-1]" = "cos(3*i)"
)toml";

void expect_as_matrix(const std::string& method) {
  const model m = parse_model(ring, "m.toml");
  const integrator<double> flow(m.system, {.method = method, .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(workspace->advance(state));
  auto* const along = dynamic_cast<tangent_operator<double>*>(workspace.get());
  ASSERT_NE(along, nullptr);
  ASSERT_TRUE(along->moves_tangents());
  std::vector<double> displacement(140), expected(140, 0.0);
  for (std::size_t i = 0; i < 140; ++i) displacement[i] = std::sin(1.0 + static_cast<double>(i * i));
  const matrix<double> map = workspace->tangent_map(state);
  for (std::size_t i = 0; i < 140; ++i) {
    for (std::size_t j = 0; j < 140; ++j) expected[i] += map(i, j) * displacement[j];
  }
  ASSERT_TRUE(along->move_tangent(state, std::span(displacement).first(70), std::span(displacement).last(70)));
  for (std::size_t i = 0; i < 140; ++i) ASSERT_NEAR(displacement[i], expected[i], 1e-12) << i;
}

TEST(tangent_operator, of_a_splitting_is_its_matrix) { expect_as_matrix("yoshida-4"); }
TEST(tangent_operator, of_stages_is_their_matrix) { expect_as_matrix("gauss-3"); }

TEST(tangent_operator, leaves_the_motion_as_it_is) {
  const model m = parse_model(ring, "m.toml");
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.05});
  phase_state<double> alone = flow.at_start(m), watched = alone;
  const auto a = flow.make_workspace(), b = flow.make_workspace();
  lyapunov_meter<double> meter(140);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(meter.add(*b, watched));
    ASSERT_TRUE(a->advance(alone) && b->advance(watched));
  }
  EXPECT_EQ(alone.position.value, watched.position.value);
  EXPECT_TRUE(std::isfinite(meter.exponent(1.0)));
}

}  // namespace
}  // namespace actio
