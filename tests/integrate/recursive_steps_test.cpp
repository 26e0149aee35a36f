// Steps of systems whose definitions go on from one another and are kept: those of the system where they are written
// out.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "actio/integrate/galerkin_step.hpp"
#include "actio/simulate/integrator.hpp"
#include "tests/support/recursive_systems.hpp"

namespace actio {
namespace {

using testing::rods_in_angles;
using testing::written_out;

constexpr galerkin_scheme simpson{2, node_family::lobatto, 3}, gauss_4{4, node_family::gauss, 4},
    midpoint{1, node_family::gauss, 1}, verlet{1, node_family::lobatto, 2}, lobatto_4{3, node_family::lobatto, 4};

template <class S>
phase_state<S> start_of(const phase_space<S>& space) {
  const std::size_t n = space.size();
  phase_state<S> state;
  state.position.value.assign(n, S(0));
  state.position.remainder = state.position.value;
  state.momentum = state.position;
  std::vector<S> v(n, S(0));
  for (std::size_t i = 0; i < n; ++i) {
    state.position.value[i] = S(1) + S(static_cast<double>(i)) / S(50);
    v[i] = S(static_cast<double>(i % 3)) / S(10);
  }
  EXPECT_TRUE(phase_point<S>(space).momentum_of(S(0), state.position.value, v, state.momentum.value));
  return state;
}

template <class S>
phase_state<S> moved(const lagrangian_system& system, const galerkin_scheme& scheme, const S& h, int steps) {
  const phase_space<S> space(system, parameter_values<S>(system));
  galerkin_step<S> step(scheme, step_context<S>{.space = space, .step = h});
  phase_state<S> state = start_of(space);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(step.advance(state)) << k;
  return state;
}

template <class S>
void expect_same_motion(const lagrangian_system& kept, const galerkin_scheme& scheme, const S& h, int steps,
                        const S& near) {
  using std::abs;
  ASSERT_TRUE(kept.recursions);
  const phase_state<S> a = moved<S>(kept, scheme, h, steps), b = moved<S>(written_out(kept), scheme, h, steps);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_LE(S(abs(a.position[i] - b.position[i])), S(near * (1 + abs(b.position[i])))) << i;
    EXPECT_LE(S(abs(a.momentum[i] - b.momentum[i])), S(near * (1 + abs(b.momentum[i])))) << i;
  }
}

TEST(recursive_steps, move_like_those_where_definitions_are_written_out) {
  const lagrangian_system entangled = parse_model(testing::entangled, "m.toml").system,
                          tree = parse_model(testing::tree, "m.toml").system;
  for (const galerkin_scheme& scheme : {simpson, gauss_4, midpoint, verlet, lobatto_4}) {
    expect_same_motion<double>(rods_in_angles(6), scheme, 0.01, 20, 1e-11);
    expect_same_motion<double>(entangled, scheme, 0.002, 10, 1e-11);
    expect_same_motion<double>(tree, scheme, 0.005, 10, 1e-11);
  }
  expect_same_motion<quad>(entangled, simpson, quad(0.002), 3, quad(1e-28));
}

TEST(recursive_steps, have_the_same_forty_digits) {
  const precision_scope digits(40);
  for (const galerkin_scheme& scheme : {simpson, gauss_4}) {
    expect_same_motion<multi>(rods_in_angles(6), scheme, multi(1) / 100, 10, multi("1e-38"));
  }
}

// Two-sided, beside a motion of much smaller errors.
TEST(recursive_steps, have_the_order_of_their_method) {
  const lagrangian_system system = rods_in_angles(6);
  const phase_state<double> exact = moved<double>(system, gauss_4, 0.01, 20);
  const auto error = [&](double h, int steps) {
    const phase_state<double> state = moved<double>(system, simpson, h, steps);
    double worst = 0;
    for (std::size_t i = 0; i < system.size(); ++i)
      worst = std::max(worst, std::abs(state.position[i] - exact.position[i]));
    return worst;
  };
  const double order = std::log2(error(0.02, 10) / error(0.01, 20));
  EXPECT_GT(order, 3.7);
  EXPECT_LT(order, 4.3);
}

TEST(recursive_steps, keep_the_energy) {
  const lagrangian_system system = rods_in_angles(13);
  const phase_space<double> space(system, parameter_values<double>(system));
  galerkin_step<double> step(simpson, step_context<double>{.space = space, .step = 0.01});
  phase_state<double> state = start_of(space);
  phase_point<double> point(space);
  ASSERT_TRUE(point.measure(0, state.position.value, state.momentum.value));
  const double energy = point.energy();
  double scale = 0, of_first_half = 0, of_second_half = 0;
  constexpr int steps = 4000;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(step.advance(state)) << k;
    ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    scale = std::max(scale, point.kinetic_energy());
    double& worst = k < steps / 2 ? of_first_half : of_second_half;
    worst = std::max(worst, std::abs(point.energy() - energy));
  }
  EXPECT_LT(of_first_half, 1e-4 * scale);
  EXPECT_LT(of_second_half, 4 * of_first_half);
}

// Methods that ask for nothing but Hamilton's equations do not write definitions out.
TEST(recursive_steps, are_those_of_explicit_methods_too) {
  for (const char* method : {"rk4", "extrapolation"}) {
    for (const lagrangian_system& kept : {rods_in_angles(6), parse_model(testing::entangled, "m.toml").system}) {
      const auto moved = [&](const lagrangian_system& system) {
        const integrator<double> flow(system, {.method = method, .step = 0.002});
        EXPECT_EQ(flow.space().system().recursions == nullptr, system.recursions == nullptr);
        const auto workspace = flow.make_workspace();
        phase_state<double> state = start_of(flow.space());
        for (int k = 0; k < 10; ++k) EXPECT_TRUE(workspace->advance(state)) << k;
        return std::pair(state, workspace->tangent_map(state));
      };
      const auto [a, to] = moved(kept);
      const auto [b, from] = moved(written_out(kept));
      for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_NEAR(a.position[i], b.position[i], 1e-11 * (1 + std::abs(b.position[i]))) << method << " " << i;
        EXPECT_NEAR(a.momentum[i], b.momentum[i], 1e-11 * (1 + std::abs(b.momentum[i]))) << method << " " << i;
      }
      ASSERT_EQ(to.data().size(), from.data().size());
      for (std::size_t k = 0; k < to.data().size(); ++k) {
        EXPECT_NEAR(to.data()[k], from.data()[k], 1e-9 * (1 + std::abs(from.data()[k]))) << method << " " << k;
      }
    }
  }
}

TEST(recursive_steps, have_the_tangent_map_of_what_they_stand_for) {
  const lagrangian_system kept = parse_model(testing::entangled, "m.toml").system;
  const auto tangent = [](const lagrangian_system& system) {
    const phase_space<double> space(system, parameter_values<double>(system));
    galerkin_step<double> step(simpson, step_context<double>{.space = space, .step = 0.003});
    phase_state<double> state = start_of(space);
    EXPECT_TRUE(step.advance(state));
    return step.tangent_map(state);
  };
  const matrix<double> a = tangent(kept), b = tangent(written_out(kept));
  ASSERT_EQ(a.rows(), 2 * kept.size());
  double size = 0;
  for (const double x : b.data()) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < a.data().size(); ++k) EXPECT_NEAR(a.data()[k], b.data()[k], 1e-11 * size);
}

}  // namespace
}  // namespace actio
