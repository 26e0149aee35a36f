#include "actio/io/figure.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

panel panel_with(const std::vector<std::string>& names) {
  panel p;
  for (const std::string& name : names) p.curves.push_back({.name = name});
  return p;
}

std::vector<std::size_t> looks_of(const panel& p) {
  std::vector<std::size_t> looks;
  for (const curve& c : p.curves) looks.push_back(c.look.value_or(99));
  return looks;
}

using looks = std::vector<std::size_t>;

TEST(number_looks, gives_a_name_the_same_look_in_all_figures) {
  std::vector<figure> figures(2);
  figures[0].panels = {panel_with({"exact", "midpoint", "simpson"}), panel_with({"simpson"})};
  figures[1].panels = {panel_with({"midpoint", "rk4", "simpson"})};
  number_looks(figures);
  EXPECT_EQ(looks_of(figures[0].panels[0]), (looks{0, 1, 2}));
  EXPECT_EQ(looks_of(figures[0].panels[1]), (looks{2}));
  EXPECT_EQ(looks_of(figures[1].panels[0]), (looks{1, 0, 2}));
}

TEST(number_looks, tells_different_names_in_a_panel_apart) {
  std::vector<figure> figures(1);
  figures[0].panels = {panel_with({"a"}), panel_with({"b"}), panel_with({"b", "a", "", "b"})};
  number_looks(figures);
  EXPECT_EQ(looks_of(figures[0].panels[1]), (looks{0}));
  EXPECT_EQ(looks_of(figures[0].panels[2]), (looks{0, 1, 99, 0}));  // guides have none
}

}  // namespace
}  // namespace actio
