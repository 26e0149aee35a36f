// Models written in C++ that are no models: which part is wrong, and what would be right.
#include <gtest/gtest.h>

#include <limits>

#include "actio/mechanics/model_builder.hpp"

namespace actio {
namespace {

model_builder oscillator() {
  model_builder builder("oscillator");
  builder.coordinate("q").parameter("omega", 2).initial_position({1}).initial_velocity({0});
  return builder;
}

void expect_refusal(const model_builder& builder, const std::string& id, const std::string& message,
                    const std::string& place, const std::string& cure) {
  try {
    builder.build();
    FAIL() << "no error: " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id) << error.what();
    EXPECT_NE(error.message().find(message), std::string::npos) << error.what();
    EXPECT_EQ(to_text(error.place()), place) << error.what();
    EXPECT_NE(error.cure().find(cure), std::string::npos) << error.what();
  }
}

TEST(builder_errors, names_that_do_not_exist) {
  expect_refusal(oscillator().lagrangian("q'^2/2 - omgea*q^2"), "unknown-name", "'omgea' in lagrangian",
                 "lagrangian of oscillator:1:10", "did you mean 'omega'?");
  expect_refusal(oscillator().lagrangian([](const auto& s) { return pow(s.velocity(0), 2) * s.parameter("omgea"); }),
                 "unknown-name", "unknown parameter 'omgea' in lagrangian", "lagrangian of oscillator",
                 "did you mean 'omega'?");
  expect_refusal(oscillator().lagrangian([](const auto& s) { return pow(s.velocity(1), 2); }), "unknown-name",
                 "no coordinate number 1 in lagrangian", "lagrangian of oscillator", "has 1, which count from 0");
  expect_refusal(oscillator().lagrangian(pow(expr::symbol("p'"), 2)), "unknown-name", "'p'", "lagrangian of oscillator",
                 "");
  expect_refusal(oscillator().lagrangian("q'^2").force("x", 1), "unknown-key", "'x' in [forces] is no coordinate",
                 "force on x of oscillator", "known: q");
}

TEST(builder_errors, values_that_are_missing_or_too_many) {
  const auto with_lagrangian = [] { return oscillator().lagrangian("q'^2/2"); };
  expect_refusal(with_lagrangian().coordinate("x"), "missing-initial-value",
                 "initial position has 1 values for 2 coordinates", "initial position of oscillator", "one for each");
  expect_refusal(with_lagrangian().initial_position("q", 2), "value-given-twice", "initial position of q",
                 "initial position of q of oscillator", "remove one");
  expect_refusal(with_lagrangian().initial_momentum({1}), "two-initial-rates", "both",
                 "[initial.velocity] of oscillator", "");
  expect_refusal(with_lagrangian().initial_position({1, 2}), "unknown-initial-value",
                 "initial position has 2 values for 1 coordinates", "initial position of oscillator", "one for each");
  expect_refusal(with_lagrangian().symmetry("shift", [](const auto&) { return std::vector<expr>(2, expr(1)); }),
                 "unknown-key", "symmetry shift has 2 values", "symmetry shift of oscillator", "one for each");
  expect_refusal(with_lagrangian().lagrangian("q'^2"), "value-given-twice", "lagrangian", "lagrangian of oscillator",
                 "remove one");
  expect_refusal(with_lagrangian().parameter("omega", 1), "value-given-twice", "parameter omega",
                 "parameter omega of oscillator", "remove one");
  expect_refusal(oscillator(), "missing-key", "no lagrangian", "oscillator", "lagrangian(...)");
  expect_refusal(model_builder("nothing").lagrangian(1), "missing-key", "no coordinates", "nothing", "coordinate");
}

TEST(builder_errors, values_that_have_no_meaning) {
  const auto with_lagrangian = [] { return oscillator().lagrangian("q'^2/2"); };
  expect_refusal(with_lagrangian().parameter("m", std::numeric_limits<double>::quiet_NaN()), "bad-number",
                 "parameter m is nan", "parameter m of oscillator", "finite");
  expect_refusal(model_builder("odd").coordinate("2x").lagrangian(1), "bad-name", "2x", "coordinate 2x of odd", "");
  expect_refusal(with_lagrangian().option("stpe", 1), "unknown-key", "stpe", "option stpe of oscillator", "step");
  expect_refusal(with_lagrangian().observable("a", [](const auto& s) { return s.rate(s.velocity(0)); }),
                 "acceleration-in-expression", "rate of 'q''", "observable a of oscillator", "without velocities");
  expect_refusal(with_lagrangian().symmetry("shift", {{"q", "q"}}), "false-symmetry", "shift",
                 "[symmetries.shift] of oscillator", "");
  expect_refusal(oscillator().lagrangian("q"), "velocity-missing", "q", "lagrangian of oscillator", "");
}

}  // namespace
}  // namespace actio
