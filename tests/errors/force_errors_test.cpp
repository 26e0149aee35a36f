// What a force that the program computes cannot go with: which it is, and what would be right.
#include <gtest/gtest.h>

#include "actio/api/simulation.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "tests/api/typed_options.hpp"

namespace actio {
namespace {

std::shared_ptr<const force_function> drag() {
  return force_from([](const auto&, auto, auto v, auto force) { force[0] = -v[0]; });
}

model_builder oscillator() {
  model_builder builder("oscillator");
  builder.coordinate("q").lagrangian("1/2*q'^2 - 1/2*q^2").initial_position({1}).initial_velocity({0});
  builder.option("step", 0.1).option("until", 1).option("method", "simpson");
  return builder;
}

void expect_refusal(const model& m, const std::vector<std::pair<std::string, std::string>>& given,
                    const std::string& id, const std::string& message, const std::string& cure) {
  try {
    simulate(m, {.given = testing::typed_options(given)});
    FAIL() << "no error: " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id) << error.what();
    EXPECT_NE(error.message().find(message), std::string::npos) << error.what();
    EXPECT_NE(error.cure().find(cure), std::string::npos) << error.what();
  }
}

TEST(force_errors, methods_that_know_nothing_of_it) {
  const model m = oscillator().force(drag()).build();
  expect_refusal(m, {{"method", "strang"}}, "method-needs-separable", "the applied force may depend on velocities",
                 "choose simpson");
  for (const char* method : {"energy-momentum", "energy-difference"}) {
    expect_refusal(m, {{"method", method}}, "method-needs-energy", "an applied force acts", "choose simpson");
  }
  expect_refusal(m, {{"method", "simpson-linear-1"}}, "method-needs-linear", "has forces", "choose simpson");
}

TEST(force_errors, files_that_could_not_repeat_it) {
  const model m = oscillator().force(drag()).build();
  expect_refusal(m, {{"output", "forced.csv"}}, "conflicting-options", "a file could not repeat", "as an expression");
  expect_refusal(m, {{"shadow", "true"}}, "no-shadow-energy", "forces", "leave");
}

TEST(force_errors, forces_that_are_too_few) {
  const model m = oscillator().force(force_from([](auto, auto, auto) { return std::vector<double>(2, 0.0); })).build();
  expect_refusal(m, {}, "force-size", "2 forces, but there are 1 coordinates", "one force a coordinate");
}

TEST(force_errors, numbers_that_it_does_not_compute_in) {
  const auto in_double = std::make_shared<const force_function>(
      force_function{.in_double = [](double, std::span<const double>, std::span<const double>, std::span<double>) {}});
  const model m = oscillator().force(in_double).build();
  EXPECT_NO_THROW(simulate(m, {.given = {}}));
  expect_refusal(m, {{"precision", "quad"}}, "force-lacks-precision", "in quad precision", "force_from");
  if (has_mpfr)
    expect_refusal(m, {{"precision", "30"}}, "force-lacks-precision", "with the digits of the run", "force_from");
  try {
    oscillator().force(std::make_shared<const force_function>()).build();
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "force-lacks-precision");
  }
}

TEST(force_errors, two_of_them_and_systems_without_momenta) {
  simulation_options options{.given = {}};
  options.force = drag();
  try {
    simulate(oscillator().force(drag()).build(), options);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "conflicting-options");
    EXPECT_EQ(error.message(), "'oscillator' has a force function already");
  }
  model_builder decay("decay");
  decay.coordinate("y").equation("y", "-y").initial_position({1});
  try {
    decay.force(drag()).build();
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "needs-lagrangian");
    EXPECT_EQ(error.message(), "forces have no meaning beside equations y' = f(t, y)");
  }
}

}  // namespace
}  // namespace actio
