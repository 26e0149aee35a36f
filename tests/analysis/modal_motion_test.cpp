#include "actio/analysis/modal_motion.hpp"

#include <gtest/gtest.h>

#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/linear_systems.hpp"

namespace actio {
namespace {

double distance(const std::vector<multi>& a, const std::vector<multi>& b) {
  multi sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return to_double(multi(sqrt(sum)));
}

TEST(modal_motion, agrees_with_the_closed_form_of_the_linear_double_pendulum) {
  const precision_scope digits(50);
  const model m = load_model("linear-double-pendulum");
  const auto closed = find_problem("linear-double-pendulum")->exact.of<multi>(m);
  const auto modal = modal_motion_of<multi>(m);
  for (const char* t : {"0", "0.1", "3.7", "1000"}) {
    EXPECT_LT(distance(modal(multi(t)).position, closed(multi(t)).position), 1e-45) << t;
    EXPECT_LT(distance(modal(multi(t)).momentum, closed(multi(t)).momentum), 1e-45) << t;
  }
}

// Gauss with ten nodes and short steps, computed with ten digits more.
void expect_followed(const std::string& text, const char* until, int steps) {
  const model m = parse_model(text, "m.toml");
  exact_point<multi> truth;
  {
    const precision_scope digits(60);
    const integrator<multi> flow(m.system, {.method = "gauss-10", .step = multi(until) / steps});
    phase_state<multi> state = flow.at_start(m);
    ASSERT_EQ(run(flow, state, static_cast<std::size_t>(steps)).status, run_status::done);
    truth = {state.position.value, state.momentum.value};
  }
  const precision_scope digits(50);
  const exact_point<multi> modal = modal_motion_of<multi>(m)(multi(until));
  EXPECT_LT(distance(modal.position, truth.position), 1e-45);
  EXPECT_LT(distance(modal.momentum, truth.momentum), 1e-45);
}

TEST(modal_motion, agrees_with_gauss_to_fifty_digits) {
  expect_followed(testing::chain_model(3, false), "1", 40);
  expect_followed(testing::chain_model(3, true), "1", 40);                                    // a rigid motion
  expect_followed(testing::chain_model(3, false, "load = [1, 0, \"-k\"]\n"), "1", 40);        // a load
  expect_followed(testing::chain_model(3, true, "load = [1, \"0.25\", \"-k\"]\n"), "1", 40);  // a load that accelerates
}

TEST(modal_motion, starts_from_velocities_too) {
  const model m = parse_model(
      "[linear]\nmass = [[2, 1], [1, 1]]\nstiffness = [[3, 0], [0, 1]]\n"
      "[initial]\nposition = {q1 = 1, q2 = 0.5}\nvelocity = {q1 = 0.25, q2 = -1}\n",
      "m.toml");
  const exact_point<double> start = modal_motion_of<double>(m)(0.0);
  EXPECT_NEAR(start.position[0], 1, 1e-15);
  EXPECT_NEAR(start.momentum[0], -0.5, 1e-15);
  EXPECT_NEAR(start.momentum[1], -0.75, 1e-15);
}

TEST(modal_motion, is_none_where_the_model_is_not_linear) {
  EXPECT_FALSE(modal_motion_of<double>(load_model("pendulum")));
  EXPECT_FALSE(modal_motion_of<quad>(load_model("kepler")));
}

}  // namespace
}  // namespace actio
