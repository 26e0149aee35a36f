#include "actio/mechanics/generator_names.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

lagrangian_system system_of(const std::vector<std::string>& names) {
  lagrangian_system system;
  for (const std::string& name : names) system.coordinates.push_back(expr::symbol(name));
  return system;
}

TEST(common_stem, is_what_names_have_in_common) {
  EXPECT_EQ(common_stem({"x1", "x2", "x10"}), "x");
  EXPECT_EQ(common_stem({"sun_x", "moon_x"}), "x");
  EXPECT_EQ(common_stem({"q2"}), "q2");
  EXPECT_EQ(common_stem({"x_sun", "x_moon"}), "x");
  EXPECT_EQ(common_stem({"x", "phi"}), "");
  EXPECT_EQ(common_stem({"tau", "theta"}), "");
  EXPECT_EQ(common_stem({"x[1]", "x[2]"}), "x");
  EXPECT_EQ(common_stem({"q[1,1]", "q[1,2]", "q[2,1]"}), "q");
}

TEST(generator_names, are_those_of_what_moves) {
  generator_names names(system_of({"x1", "y1", "x2", "y2"}));
  EXPECT_EQ(names.name_of({{0, 4, 1}, {2, 4, 1}}), "momentum_x");
  EXPECT_EQ(names.name_of({{1, 4, 1}}), "p_y1");
  EXPECT_EQ(names.name_of({{0, 4, 3}, {1, 4, 1}}), "momentum_x_y");
  EXPECT_EQ(names.name_of({{0, 1, -1}, {1, 0, 1}, {2, 3, -1}, {3, 2, 1}}), "rotation_xy");
  EXPECT_EQ(names.name_of({{0, 1, -1}, {1, 0, 1}}), "rotation_x1_y1");
  EXPECT_EQ(names.name_of({{0, 0, 1}, {1, 0, 1}}), "symmetry_1");
  generator_names screw(system_of({"x", "y", "z"}));
  EXPECT_EQ(screw.name_of({{0, 1, -1}, {1, 0, 1}, {0, 3, 2}}), "rotation_xy");
  EXPECT_EQ(screw.name_of({{0, 1, -1}, {1, 0, 1}, {2, 3, 1}}), "rotation_xy_z");
  generator_names quaternion(system_of({"w", "x", "y", "z"}));
  EXPECT_EQ(quaternion.name_of({{0, 1, -1}, {1, 0, 1}, {2, 3, -1}, {3, 2, 1}}), "rotation_wx_yz");
  EXPECT_EQ(quaternion.name_of({{0, 2, -1}, {2, 0, 1}, {1, 3, 1}, {3, 1, -1}}), "rotation_wy_zx");
}

TEST(generator_names, are_names_of_nothing_else) {
  lagrangian_system system = system_of({"x", "y"});
  system.observables = {{"rotation_xy", expr(0)}};
  system.symmetries = {{"rotation_xy_2", {expr(0), expr(0)}, {}}};
  generator_names names(system);
  EXPECT_EQ(names.name_of({{0, 1, -1}, {1, 0, 1}}), "rotation_xy_3");
  EXPECT_EQ(names.name_of({{0, 1, -1}, {1, 0, 1}}), "rotation_xy_4");
}

}  // namespace
}  // namespace actio
