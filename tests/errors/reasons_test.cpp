// The reason that a refusal gives is the right one.
#include <gtest/gtest.h>

#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {
namespace {

model held_by(const std::string& constraints) {
  return parse_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2)\"\n[constraints]\n" + constraints +
                         "[initial]\nposition = {x = 1, y = 0}\nvelocity = {x = 0, y = 0}\n",
                     "m.toml");
}

TEST(reasons, constraints_that_all_but_depend_are_no_degenerate_lagrangian) {
  const model m = held_by("a = \"x^2 + y^2 - 1\"\nb = \"x - 1 + 1e-9*y\"\n");
  try {
    const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
    flow.at_start(m);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "redundant-constraints");
    EXPECT_EQ(error.message(),
              "constraints 'a' and 'b' all but depend on one another at the initial position: their forces cannot be "
              "told apart in this precision");
    EXPECT_EQ(error.place().line, 5);
  }
  const integrator<quad> with_more_digits(m.system, {.method = "simpson", .step = quad(0.01)});
  EXPECT_NO_THROW(with_more_digits.at_start(m));
}

TEST(reasons, a_constraint_that_contains_the_time_is_named) {
  const model m = held_by("moving = \"x^2 + y^2 - 1 - t^3\"\n");
  for (const char* method : {"energy-momentum", "energy-difference"}) {
    try {
      const integrator<double> flow(m.system, {.method = method, .step = 0.01});
      FAIL();
    } catch (const input_error& error) {
      if (error.id() == "method-refuses-constraints") continue;
      EXPECT_EQ(error.id(), "method-needs-energy");
      EXPECT_NE(error.message().find("the constraint 'moving' contains the time"), std::string::npos)
          << error.message();
      EXPECT_EQ(error.place().line, 4);
    }
  }
}

}  // namespace
}  // namespace actio
