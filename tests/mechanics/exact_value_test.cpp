#include "actio/mechanics/exact_value.hpp"

#include <gtest/gtest.h>

#include "actio/expr/print.hpp"

namespace actio {
namespace {

std::string text_of(const quad& x, const std::vector<known_value>& known = {}) {
  const std::optional<expr> found = exact_value(x, known);
  return found ? to_text(*found) : "";
}

TEST(exact_value, writes_fractions_and_decimals) {
  EXPECT_EQ(text_of(0), "0");
  EXPECT_EQ(text_of(-3), "-3");
  EXPECT_EQ(text_of(quad(-22) / 7), "-22/7");
  EXPECT_EQ(text_of(quad(981) / 100), "9.81");
  EXPECT_EQ(text_of(quad(667) / pow(quad(10), 13)), "6.67e-11");
}

TEST(exact_value, writes_roots_and_products_of_what_is_known) {
  EXPECT_EQ(text_of(sqrt(quad(3)) / 2), "sqrt(3/4)");
  const quad r = sqrt(quad(2)) + exp(quad(1)), m = sin(quad(1));
  const std::vector<known_value> known = {{expr::symbol("R"), r}, {expr::symbol("m"), m}};
  EXPECT_EQ(text_of(r, known), "R");
  EXPECT_EQ(text_of(-2 / r, known), "-2/R");
  EXPECT_EQ(text_of(r / m, known), "R/m");
  EXPECT_EQ(text_of(3 * pi_value<quad>(), known), "3*pi");
}

TEST(exact_value, does_not_write_what_is_only_near) {
  EXPECT_EQ(text_of(quad(1) / 3 + quad(1e-11)), "");
  EXPECT_EQ(text_of(exp(quad(1))), "");
}

}  // namespace
}  // namespace actio
