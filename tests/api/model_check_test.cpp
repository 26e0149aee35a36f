#include "actio/api/model_check.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

TEST(model_check, knows_structure_and_start) {
  const model_check_result result = check_model(load_model("kepler"));
  EXPECT_TRUE(result.facts.structure.is_separable);
  EXPECT_TRUE(result.facts.structure.has_constant_mass);
  EXPECT_FALSE(result.facts.momenta.empty());
  EXPECT_EQ(result.facts.position.size(), 2u);
  EXPECT_LT(result.facts.energy, 0);
}

TEST(model_check, is_that_of_the_program) {
  for (const char* problem : {"linear-double-pendulum", "four-bar-linkage"}) {
    // Terms stand in an order that depends on what the process has seen before.
    const auto without_formulas = [](const std::string& text) {
      auto object = nlohmann::json::parse(text);
      for (const char* key : {"lagrangian", "equations", "momenta"}) object.erase(key);
      return object;
    };
    const model_check_result result = check_model(load_model(problem));
    EXPECT_EQ(without_formulas(result.json),
              without_formulas(testing::actio_program({"check", problem, "--json"}).out));
    EXPECT_EQ(result.text.size(), testing::actio_program({"check", problem}).out.size());
  }
}

TEST(model_check, projects_where_asked_and_leaves_the_model_alone) {
  model m = load_model("spherical-pendulum-rod");
  m.initial.position.front().value = m.initial.position.front().value + expr(1) / 10;
  EXPECT_THROW(check_model(m), input_error);
  const model_check_result result = check_model(m, {.given = testing::typed_options({{"project", "true"}})});
  ASSERT_TRUE(result.facts.projection);
  EXPECT_GT(result.facts.projection->position, 0.01);
  EXPECT_FALSE(m.run.has("project"));
}

}  // namespace
}  // namespace actio
