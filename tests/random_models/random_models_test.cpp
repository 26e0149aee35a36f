// Fifty of the random models that `make random-models` draws: no run that is trusted says what is not true.
#include <gtest/gtest.h>

#include <map>

#include "tests/cli/program.hpp"
#include "tests/random_models/examination.hpp"

namespace actio::random_models {
namespace {

TEST(random_models, no_trusted_run_says_what_is_not_true) {
  const testing::temporary_folder folder;
  std::map<verdict, int> outcomes;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const random_model m = make_random_model(seed);
    const examination result = examine(m, folder.path("model.toml"));
    ++outcomes[result.outcome];
    EXPECT_NE(result.outcome, verdict::wrong) << result.reason << "\n--backend " << m.backend << "\n"
                                              << m.text << result.printed;
  }
  EXPECT_GE(outcomes[verdict::agrees], 20) << "too few models are compared at all";
}

// The reference against a motion that is known: a pendulum's energy, and an oscillator with its exact end.
TEST(random_models, the_reference_is_right_where_the_motion_is_known) {
  random_model m;
  m.lagrangian.value = [](const point& x) { return (x[2] * x[2] - x[0] * x[0]) * jet(0.5L); };
  m.position = {1};
  m.rate = {0.5L};
  m.step = 0.1L;
  m.steps = 50;
  const reference end = reference_motion(m);
  ASSERT_TRUE(end.arrives);
  const real t = m.step * 50;
  EXPECT_NEAR(static_cast<double>(end.position[0] - (std::cos(t) + 0.5L * std::sin(t))), 0, 1e-14);
  EXPECT_NEAR(static_cast<double>(end.momentum[0] - (0.5L * std::cos(t) - std::sin(t))), 0, 1e-14);

  // Thrown up against constant gravity |x|: free fall on both sides of the kink.
  m.lagrangian.value = [](const point& x) { return x[2] * x[2] * jet(0.5L) - abs(x[0]); };
  m.position = {0.5L};
  m.rate = {0};
  m.steps = 20;
  const reference after = reference_motion(m);
  ASSERT_TRUE(after.arrives);
  EXPECT_NEAR(static_cast<double>(after.position[0]), -0.5, 1e-12);  // half a period of 4 sqrt(2 · 0.5)
}

}  // namespace
}  // namespace actio::random_models
