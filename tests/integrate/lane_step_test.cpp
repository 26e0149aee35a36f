// Steps in lanes: every lane has the bits that it has alone and the motion of the single step; one that is lost takes
// nobody along.
#include "actio/integrate/lane_step.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "actio/backend/backend.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using state_of_lane = std::pair<std::vector<double>, std::vector<double>>;  // positions, momenta

// Lanes with everything that they are made of.
class lane_bench {
 public:
  lane_bench(const char* text, const std::string& method, double h, parameter_role role = parameter_role::shared)
      : m_(testing::read(text)), flow_(m_.system, {.method = method, .step = h}), role_(role), h_(h) {
    if (role == parameter_role::shared) shared_ = flow_.space().parameters().values();
    iteration_ = compile<double>(newton_program(*flow_.space().code(), make_tableau<double>(simpson), role));
  }

  std::size_t size() const { return m_.system.size(); }
  const integrator<double>& flow() const { return flow_; }

  std::unique_ptr<lane_workspace> make(std::size_t width) const {
    const bool has_power = flow_.space().has_power();
    const std::size_t varied = role_ == parameter_role::variable ? m_.system.parameters.size() : 0;
    const newton_layout layout{size(), simpson.degree, varied};
    return std::make_unique<lane_step>(simpson, *iteration_, layout, shared_, h_, has_power, width);
  }

  phase_state<double> start(std::size_t k) const {
    const double x = static_cast<double>(k);
    return flow_.at_velocity({0.3 + 0.1 * x, -0.2 + 0.07 * x}, {0.5 - 0.15 * x, 0.04 * x * x});
  }

  // All lanes from these starts, with first guesses from their velocities.
  void begin(lane_workspace& lanes, const std::vector<phase_state<double>>& starts,
             const std::vector<std::vector<double>>& varied = {}) const {
    lanes.clear();
    std::vector<double> velocity(size() * lanes.width(), 0.0), v(size());
    phase_point<double> point(flow_.space());
    for (std::size_t l = 0; l < lanes.width(); ++l) {
      const phase_state<double>& s = starts[l % starts.size()];
      lanes.start(l, s.position.value, s.momentum.value, varied.empty() ? std::vector<double>{} : varied[l]);
      point.velocity_at(0, s.position.value, s.momentum.value, v);
      for (std::size_t a = 0; a < size(); ++a) velocity[a * lanes.width() + l] = v[a];
    }
    lanes.guess(velocity.data());
  }

  state_of_lane lane(const lane_workspace& lanes, std::size_t l) const {
    state_of_lane s;
    for (std::size_t a = 0; a < size(); ++a) {
      s.first.push_back(lanes.position()[a * lanes.width() + l]);
      s.second.push_back(lanes.momentum()[a * lanes.width() + l]);
    }
    return s;
  }

 private:
  static constexpr galerkin_scheme simpson{2, node_family::lobatto, 3};
  model m_;
  integrator<double> flow_;
  parameter_role role_;
  double h_;
  std::vector<double> shared_;
  std::shared_ptr<const compiled_function<double>> iteration_;
};

TEST(lane_step, trajectories_have_the_bits_that_each_has_alone) {
  for (const char* text : {testing::double_pendulum_in_angles, testing::forced_system}) {
    const lane_bench bench(text, "simpson", 0.05);
    std::vector<phase_state<double>> starts;
    for (std::size_t k = 0; k < 8; ++k) starts.push_back(bench.start(k));
    std::vector<state_of_lane> alone;
    for (std::size_t k = 0; k < 8; ++k) {
      const auto single = bench.make(1);
      bench.begin(*single, {starts[k]});
      for (std::size_t j = 0; j < 40; ++j) ASSERT_TRUE(single->advance(j));
      alone.push_back(bench.lane(*single, 0));
    }
    for (const std::size_t width : {4U, 8U}) {
      const auto lanes = bench.make(width);
      ASSERT_EQ(lanes->width(), width);
      bench.begin(*lanes, starts);
      for (std::size_t j = 0; j < 40; ++j) ASSERT_TRUE(lanes->advance(j));
      for (std::size_t l = 0; l < width; ++l) {
        EXPECT_TRUE(lanes->lives(l));
        EXPECT_EQ(bench.lane(*lanes, l), alone[l]) << width << " " << l;
      }
    }
  }
}

TEST(lane_step, trajectories_follow_the_single_step_to_rounding) {
  for (const char* text : {testing::double_pendulum_in_angles, testing::forced_system}) {
    const lane_bench bench(text, "simpson", 0.02);
    std::vector<phase_state<double>> states;
    for (std::size_t k = 0; k < 4; ++k) states.push_back(bench.start(k));
    const auto lanes = bench.make(4);
    bench.begin(*lanes, states);
    std::vector<std::unique_ptr<step_workspace<double>>> single;
    for (std::size_t k = 0; k < 4; ++k) single.push_back(bench.flow().make_workspace());
    for (std::size_t j = 0; j < 25; ++j) {
      ASSERT_TRUE(lanes->advance(j));
      for (std::size_t l = 0; l < 4; ++l) {
        ASSERT_TRUE(single[l]->advance(states[l]));
        const double work = bench.flow().space().has_power() ? single[l]->work() : 0;
        EXPECT_NEAR(lanes->work()[l], work, 1e-14);
      }
    }
    for (std::size_t l = 0; l < 4; ++l) {
      const state_of_lane found = bench.lane(*lanes, l);
      for (std::size_t a = 0; a < bench.size(); ++a) {
        EXPECT_NEAR(found.first[a], states[l].position[a], 1e-13);
        EXPECT_NEAR(found.second[a], states[l].momentum[a], 1e-13);
      }
    }
  }
}

TEST(lane_step, trajectories_with_parameters_of_their_own_move_as_with_shared_ones) {
  const lane_bench own(testing::double_pendulum_in_angles, "simpson", 0.02, parameter_role::variable);
  const lane_bench shared(testing::double_pendulum_in_angles, "simpson", 0.02);
  const std::vector<double> usual = shared.flow().space().parameters().values();
  std::vector<double> heavy = usual;
  heavy[0] *= 2;
  const phase_state<double> start = shared.start(1);
  const auto lanes = own.make(4), reference = shared.make(4);
  own.begin(*lanes, {start}, {usual, heavy, usual, heavy});
  shared.begin(*reference, {start});
  for (std::size_t j = 0; j < 20; ++j) {
    ASSERT_TRUE(lanes->advance(j));
    ASSERT_TRUE(reference->advance(j));
  }
  const state_of_lane found = own.lane(*lanes, 0), wanted = shared.lane(*reference, 0);
  for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(found.first[a], wanted.first[a], 1e-13);
  EXPECT_EQ(own.lane(*lanes, 0), own.lane(*lanes, 2));
  EXPECT_EQ(own.lane(*lanes, 1), own.lane(*lanes, 3));
  EXPECT_NE(own.lane(*lanes, 0), own.lane(*lanes, 1));
}

// A lane that starts nowhere, one that goes where a step has no solution, one that is given up from outside.
TEST(lane_step, a_lost_trajectory_takes_nobody_along) {
  const lane_bench bench(testing::henon_heiles, "simpson", 0.05);
  std::vector<phase_state<double>> starts;
  for (std::size_t k = 0; k < 8; ++k) {
    starts.push_back(bench.flow().at_velocity({0.02 * static_cast<double>(k), 0.1}, {0.1, 0.05}));
  }
  const auto healthy = bench.make(8), ailing = bench.make(8);
  bench.begin(*healthy, starts);
  starts[2].position.value[0] = std::numeric_limits<double>::quiet_NaN();
  starts[5] = bench.flow().at_velocity({1e6, -3e6}, {1e7, 0});
  bench.begin(*ailing, starts);
  for (std::size_t j = 0; j < 30; ++j) {
    ASSERT_TRUE(healthy->advance(j));
    if (j == 10) ailing->lose(7);
    ASSERT_TRUE(ailing->advance(j));
  }
  for (std::size_t l = 0; l < 8; ++l) {
    const bool is_lost = l == 2 || l == 5 || l == 7;
    EXPECT_EQ(ailing->lives(l), !is_lost) << l;
    if (is_lost) continue;
    EXPECT_EQ(bench.lane(*ailing, l), bench.lane(*healthy, l)) << l;
  }
  for (std::size_t l = 0; l < 8; ++l) ailing->lose(l);
  EXPECT_FALSE(ailing->advance(30));
}

TEST(lane_step, what_was_before_is_forgotten) {
  const lane_bench bench(testing::double_pendulum_in_angles, "simpson", 0.05);
  const auto used = bench.make(4), fresh = bench.make(4);
  bench.begin(*used, {bench.start(5), bench.start(6)});
  for (std::size_t j = 0; j < 20; ++j) used->advance(j);
  used->lose(1);
  for (const auto& lanes : {used.get(), fresh.get()}) {
    bench.begin(*lanes, {bench.start(0), bench.start(1), bench.start(2)});
    for (std::size_t j = 0; j < 10; ++j) ASSERT_TRUE(lanes->advance(j));
  }
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_TRUE(used->lives(l));
    EXPECT_EQ(bench.lane(*used, l), bench.lane(*fresh, l));
  }
}

}  // namespace
}  // namespace actio
