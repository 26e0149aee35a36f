#include "actio/simulate/run_settings.hpp"

#include <gtest/gtest.h>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

source_text typed(const std::string& flag, const std::string& text) { return {text, {flag, 1, 1}, flag}; }

template <class Action>
std::string id_of_error(Action&& action) {
  try {
    action();
  } catch (const input_error& error) {
    return error.id();
  }
  return "";
}

TEST(run_settings, precisions) {
  EXPECT_EQ(precision_from(typed("--precision", "double")), precision::of_double());
  EXPECT_EQ(precision_from(typed("--precision", "quad")), precision::of_quad());
  if (has_mpfr) {
    EXPECT_EQ(precision_from(typed("--precision", "64")), precision::of_digits(64));
  } else {
    EXPECT_EQ(id_of_error([] { precision_from(typed("--precision", "64")); }), "bad-precision");
  }
  for (const char* wrong : {"", "16", "100001", "-40", "4.5e1x", "float", "inf"}) {
    EXPECT_EQ(id_of_error([&] { precision_from(typed("--precision", wrong)); }), "bad-precision") << wrong;
  }
}

TEST(run_settings, counts) {
  EXPECT_EQ(count_from(typed("--steps", "0"), 0), 0U);
  EXPECT_EQ(count_from(typed("--steps", "1e6"), 0), 1'000'000U);
  for (const char* wrong : {"", "-1", "1.5", "1e16", "1e9999", "ten"}) {
    EXPECT_EQ(id_of_error([&] { count_from(typed("--steps", wrong), 0); }), "bad-count") << wrong;
  }
  EXPECT_EQ(id_of_error([] { count_from(typed("--every", "0"), 1); }), "bad-count");
}

TEST(run_settings, lists_keep_the_places_of_their_parts) {
  const auto parts = list_from(typed("--methods", "simpson, rk4,,gauss-4,"));
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].text, "rk4");
  EXPECT_EQ(to_text(parts[1].origin), "--methods:1:10");
  EXPECT_EQ(to_text(parts[2].origin), "--methods:1:15");
  EXPECT_TRUE(list_from(typed("--methods", " , ")).empty());
}

TEST(run_settings, beta_and_gamma_become_part_of_the_method) {
  model m;
  m.run.set("method", typed("m.toml", "newmark"));
  EXPECT_EQ(merged_options(m, {}).find("method")->text, "newmark");
  m.run.set("beta", typed("m.toml", "0.3"));
  const option_values in_file = merged_options(m, {});
  EXPECT_EQ(in_file.find("method")->text, "newmark-beta:0.3:1/2");
  EXPECT_FALSE(in_file.has("beta"));

  option_values options;
  options.set("gamma", typed("--gamma", "3/5"));
  EXPECT_EQ(merged_options(m, options).find("method")->text, "newmark-beta:0.3:0.6");
  options.set("beta", typed("--beta", "1/4"));
  EXPECT_EQ(merged_options(m, options).find("method")->text, "newmark-beta:1/4:0.6");

  option_values other;
  other.set("method", typed("--method", "simpson"));
  EXPECT_EQ(merged_options(m, other).find("method")->text, "simpson");
  other.set("gamma", typed("--gamma", "1/2"));
  EXPECT_EQ(id_of_error([&] { merged_options(m, other); }), "conflicting-options");
}

TEST(run_settings, a_typed_accuracy_replaces_method_and_step_of_the_file) {
  model m;
  m.run.set("method", typed("m.toml", "simpson"));
  m.run.set("step", typed("m.toml", "0.25"));
  m.run.set("steps", typed("m.toml", "40"));
  EXPECT_FALSE(leaves_choice(merged_options(m, {})));
  option_values options;
  options.set("accuracy", typed("--accuracy", "1e-8"));
  const option_values merged = merged_options(m, options);
  EXPECT_TRUE(leaves_choice(merged));
  EXPECT_EQ(merged.find("method")->text, "auto");
  EXPECT_FALSE(merged.has("step"));
  EXPECT_FALSE(merged.has("steps"));
  EXPECT_EQ(merged.find("until")->text, "40*(0.25)");
  options.set("method", typed("--method", "gauss-4"));
  EXPECT_EQ(merged_options(m, options).find("method")->text, "gauss-4");
}

TEST(run_settings, a_typed_step_replaces_the_accuracy_of_the_file) {
  model m;
  m.run.set("accuracy", typed("m.toml", "1e-8"));
  m.run.set("until", typed("m.toml", "10"));
  EXPECT_TRUE(leaves_choice(merged_options(m, {})));
  option_values options;
  options.set("step", typed("--step", "0.1"));
  EXPECT_FALSE(leaves_choice(merged_options(m, options)));
  m.run.set("step", typed("m.toml", "0.1"));
  EXPECT_EQ(id_of_error([&] { merged_options(m, {}); }), "conflicting-options");
}

TEST(run_settings, machine_code_needs_a_build_that_has_it) {
  const auto in_double = precision::of_double();
  EXPECT_EQ(backend_from(typed("--backend", "auto"), in_double, false), backend::automatic);
  EXPECT_EQ(backend_from(typed("--backend", "interpreter"), in_double, false), backend::interpreter);
  EXPECT_EQ(backend_from(typed("--backend", "machine-code"), in_double, true), backend::machine_code);
  EXPECT_EQ(id_of_error([&] { backend_from(typed("--backend", "machine-code"), in_double, false); }),
            "backend-unavailable");
}

TEST(run_settings, typed_options_win_over_the_file) {
  model m;
  m.run.set("until", typed("m.toml", "3"));
  m.run.set("step", typed("m.toml", "1"));
  option_values options;
  options.set("steps", typed("--steps", "7"));
  const option_values merged = merged_options(m, options);
  EXPECT_FALSE(merged.has("until"));
  EXPECT_EQ(merged.find("steps")->text, "7");
  EXPECT_EQ(merged.find("step")->text, "1");
  options.set("until", typed("--until", "1"));
  EXPECT_EQ(id_of_error([&] { merged_options(m, options); }), "conflicting-options");
}

TEST(run_settings, steps_and_times_are_expressions_at_the_precision_of_the_run) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  const precision_scope scope(50);
  EXPECT_LT(abs(step_from<multi>(m, typed("--step", "pi/100")) - pi_value<multi>() / 100), multi("1e-50"));
  EXPECT_LT(abs(step_from<multi>(m, typed("--step", "g/981")) - multi("0.01")), multi("1e-50"));
  EXPECT_EQ(time_from<double>(m, typed("--until", "0")), 0);
  EXPECT_EQ(id_of_error([&] { step_from<double>(m, typed("--step", "0")); }), "bad-step");
  EXPECT_EQ(id_of_error([&] { time_from<quad>(m, typed("--until", "1/exp(-100000)")); }), "bad-number");
}

}  // namespace
}  // namespace actio
