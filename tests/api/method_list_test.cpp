#include "actio/api/method_list.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "problems/problem_list.hpp"

namespace actio {
namespace {

TEST(method_list, has_every_method) {
  const listing methods = list_methods();
  EXPECT_EQ(nlohmann::json::parse(methods.json)["methods"].size(), method_catalogue().size());
  for (const method& m : method_catalogue()) EXPECT_NE(methods.text.find("\n" + m.name + " "), std::string::npos);
}

TEST(problem_list, has_every_problem) {
  const listing problems = list_problems();
  EXPECT_EQ(nlohmann::json::parse(problems.json)["problems"].size(), problem_catalogue().size());
  for (const problem& p : problem_catalogue()) {
    EXPECT_NE(problems.text.find("\n" + std::string(p.name) + " "), std::string::npos);
    EXPECT_NE(description(p).find(p.text), std::string::npos);
  }
}

}  // namespace
}  // namespace actio
