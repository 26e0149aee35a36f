#include "actio/integrate/partitioned_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

constexpr const char* coupled_mass = R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + y'^2 + x'*y'/3 - x^2/2 - y^2/2 - x^2*y - y^4/3 - exp(x - y)/5"
[initial.position]
x = 0.1
y = -0.2
[initial.velocity]
x = 0.3
y = 0.2
)toml";

constexpr const char* uniform_field = R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + 3/4*(x*y' - y*x') - (x^2 + y^2)^2/4 - x*y/5"
[initial.position]
x = 0.9
y = 0.1
[initial.velocity]
x = 0.2
y = 0.5
)toml";

constexpr const char* varying_mass = R"toml(
coordinates = ["x", "y"]
lagrangian = "(1 + x^2 + y^2/2)*(x'^2 + y'^2)/2 - x^2/2 - y^4/4"
[initial.position]
x = 0.5
y = 0.4
[initial.velocity]
x = 0.2
y = 0.5
)toml";

struct pair_of_methods {
  const char *partitioned, *galerkin;
  int order;
};
constexpr pair_of_methods all_pairs[] = {{"lobatto-iiia-iiib-2", "verlet", 2},
                                         {"lobatto-iiia-iiib-3", "simpson", 4},
                                         {"lobatto-iiia-iiib-4", "lobatto-4", 6},
                                         {"lobatto-iiia-iiib-5", "lobatto-5", 8}};

// The largest difference of positions and momenta after some steps of both methods.
template <class S>
double apart(const model& m, const pair_of_methods& methods, const S& h, std::size_t steps) {
  using std::abs;
  std::vector<phase_state<S>> ends;
  for (const char* name : {methods.partitioned, methods.galerkin}) {
    const integrator<S> flow(m.system, {.method = name, .step = h});
    ends.push_back(flow.at_start(m));
    EXPECT_EQ(run(flow, ends.back(), steps).status, run_status::done) << name;
  }
  S worst(0);
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    worst = std::max<S>(worst, abs(S(ends[0].position[i] - ends[1].position[i])));
    worst = std::max<S>(worst, abs(S(ends[0].momentum[i] - ends[1].momentum[i])));
  }
  return to_double(worst);
}

TEST(lobatto_pairs, are_the_galerkin_methods_where_the_mass_is_constant) {
  const model m = testing::read(coupled_mass);
  for (const pair_of_methods& methods : all_pairs) {
    EXPECT_LT(apart<double>(m, methods, 0.1, 100), 1e-14) << methods.partitioned;
    EXPECT_LT(apart<quad>(m, methods, quad(0.1), 20), 1e-31) << methods.partitioned;
  }
}

// One step differs by h^{order + 1}, with a magnetic term as with a mass that depends on the position: both methods
// have the same order, and are not the same.
TEST(lobatto_pairs, are_others_where_momenta_depend_on_positions) {
  for (const char* text : {uniform_field, varying_mass}) {
    const model m = testing::read(text);
    for (const pair_of_methods& methods : all_pairs) {
      const double coarse = apart<quad>(m, methods, quad(1) / 20, 1), fine = apart<quad>(m, methods, quad(1) / 40, 1);
      EXPECT_GT(fine, 1e-25) << methods.partitioned;
      EXPECT_NEAR(std::log2(coarse / fine), methods.order + 1, 0.25)
          << methods.partitioned << " " << coarse << " " << fine;
    }
  }
}

TEST(lobatto_pairs, differ_from_simpson_in_a_uniform_field_by_the_fifth_power) {
  const model m = testing::read(uniform_field);
  const double coarse = apart<double>(m, all_pairs[1], 0.1, 1), fine = apart<double>(m, all_pairs[1], 0.05, 1);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_LT(coarse, 1e-6);
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.3) << coarse << " " << fine;
}

// p = v³ − v: three velocities for small momenta.
TEST(lobatto_pairs, stay_on_the_branch_of_the_start) {
  const auto system = lagrangian_system::from(
      "three branches", {"x"}, [](auto q, auto v) { return pow(v[0], 4) / 4 - v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  for (const double velocity : {-1.2, 0.1}) {
    const integrator<double> exact(system, {.method = "gauss-5", .step = 0.005});
    phase_state<double> right = exact.at_velocity({0.3}, {velocity});
    ASSERT_EQ(run(exact, right, 40).status, run_status::done);
    for (const char* name : {"lobatto-iiia-iiib-3", "newmark-beta"}) {
      const integrator<double> flow(system, {.method = name, .step = 0.0025});
      phase_state<double> state = flow.at_velocity({0.3}, {velocity});
      ASSERT_EQ(run(flow, state, 80).status, run_status::done) << name;
      EXPECT_NEAR(state.velocity[0], right.velocity[0], 1e-5) << name << velocity;
      EXPECT_NEAR(state.position[0], right.position[0], 1e-5) << name << velocity;
    }
  }
}

// From v = 0.7 the branch ends at v = 1/√3, where the mass 3v² − 1 vanishes.
TEST(lobatto_pairs, say_that_a_branch_ends) {
  const auto system = lagrangian_system::from(
      "three branches", {"x"}, [](auto q, auto v) { return pow(v[0], 4) / 4 - v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  for (const char* name : {"lobatto-iiia-iiib-2", "lobatto-iiia-iiib-4", "rk4"}) {
    const integrator<double> flow(system, {.method = name, .step = 0.01});
    phase_state<double> state = flow.at_velocity({0.3}, {0.7});
    const auto workspace = flow.make_workspace();
    step_status status;
    for (int k = 0; k < 400 && (status = workspace->advance(state)); ++k) continue;
    EXPECT_EQ(status.code, step_code::mass_singular) << name << " " << to_text(status.code);
  }
}

TEST(lobatto_pairs, say_where_the_motion_leaves_its_domain) {
  const auto system = lagrangian_system::from(
      "falling", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 - q[0] - sqrt(q[0]) / 1000; });
  const integrator<double> flow(system, {.method = "lobatto-iiia-iiib-3", .step = 0.1});
  phase_state<double> state = flow.at_velocity({1.0}, {0.0});
  const auto workspace = flow.make_workspace();
  step_status status;
  for (int k = 0; k < 100 && (status = workspace->advance(state)); ++k) continue;
  EXPECT_FALSE(status);
  EXPECT_GT(state.position[0], 0);
  EXPECT_LT(state.time, 1.5);
}

}  // namespace
}  // namespace actio
