#include "actio/mechanics/parameter_overrides.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

constexpr const char* rod = R"toml(
lagrangian = "1/2*m*l^2*q'^2 + m*g*l*cos(q)"
coordinates = ["q"]
[parameters]
g = 10
l = "g/2"
m = "l + g"
[initial]
position = {q = 1}
velocity = {q = 0}
)toml";

TEST(parameter_overrides, what_is_defined_by_a_parameter_follows_it) {
  parameter_overrides values(testing::read(rod).system);
  EXPECT_EQ(values.values(), (std::vector<double>{10, 5, 15}));
  values.set("g", 4);
  EXPECT_EQ(values.values(), (std::vector<double>{4, 2, 6}));
  values.set("l", 1);
  EXPECT_EQ(values.values(), (std::vector<double>{4, 1, 5}));
  values.set("g", 6);
  EXPECT_EQ(values.values(), (std::vector<double>{6, 1, 7}));
}

TEST(parameter_overrides, refuses_by_name_and_keeps_what_it_had) {
  parameter_overrides values(testing::read(rod).system);
  EXPECT_THROW(values.set("gg", 4), input_error);
  EXPECT_THROW(values.set("g", NAN), input_error);
  EXPECT_EQ(values.values(), (std::vector<double>{10, 5, 15}));
}

}  // namespace
}  // namespace actio
