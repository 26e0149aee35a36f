#include "actio/base/option.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace actio {
namespace {

std::vector<std::string> names_of(const std::vector<const option_descriptor*>& options) {
  std::vector<std::string> names;
  for (const option_descriptor* option : options) names.emplace_back(option->name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(option_catalogue, describes_each_option_once_and_fully) {
  std::set<std::string_view> names;
  for (const option_descriptor& option : option_catalogue()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.sentence.empty()) << option.name;
    EXPECT_EQ(option.sentence.back(), '.') << option.name;
    EXPECT_FALSE(option.commands.empty()) << option.name;
    EXPECT_EQ(option.metavar.empty(), option.type == option_type::flag) << option.name;
  }
}

TEST(option_catalogue, is_found_by_name_and_by_command) {
  ASSERT_NE(find_option("step"), nullptr);
  EXPECT_EQ(find_option("step")->type, option_type::number);
  EXPECT_EQ(find_option("stepp"), nullptr);
  EXPECT_EQ(find_option(""), nullptr);
  const auto run = names_of(options_of("run")), compare = names_of(options_of("compare"));
  EXPECT_TRUE(has(run, "method") && has(run, "step") && has(run, "set") && !has(run, "step-sizes"));
  EXPECT_TRUE(has(compare, "methods") && has(compare, "step-sizes") && !has(compare, "method"));
  EXPECT_TRUE(options_of("ru").empty());
  EXPECT_TRUE(options_of("").empty());
}

TEST(option_catalogue, knows_the_keys_of_a_model_file) {
  const auto keys = names_of(options_in_model());
  for (const char* key : {"method", "step", "until", "steps", "precision", "every", "output", "state"}) {
    EXPECT_TRUE(has(keys, key)) << key;
  }
  EXPECT_FALSE(has(keys, "set"));
  EXPECT_FALSE(has(keys, "json"));
}

TEST(option_values, fall_back_to_the_default) {
  option_values values;
  EXPECT_FALSE(values.has("method"));
  ASSERT_TRUE(values.find("method"));
  EXPECT_EQ(values.find("method")->text, "simpson");
  EXPECT_EQ(values.find("precision")->text, "double");
  EXPECT_EQ(values.find("state")->text, "momentum");
  EXPECT_EQ(values.find("every")->text, "1");
  EXPECT_FALSE(values.find("step"));
  EXPECT_FALSE(values.find("no-such-option"));
}

TEST(option_values, keep_what_was_typed_and_where) {
  option_values values;
  values.set("step", {"pi/100", {"--step", 1, 1}, "--step"});
  ASSERT_TRUE(values.find("step"));
  EXPECT_EQ(values.find("step")->text, "pi/100");
  EXPECT_EQ(to_text(values.find("step")->origin), "--step:1:1");
  values.set("step", {"1", {}, ""});
  EXPECT_EQ(values.find("step")->text, "1");
  values.erase("step");
  values.erase("step");
  EXPECT_FALSE(values.has("step"));
}

TEST(option_values, of_the_command_line_win) {
  option_values model, flags;
  model.set("step", {"1", {}, ""});
  model.set("until", {"10", {}, ""});
  flags.set("step", {"2", {}, ""});
  model.override_with(flags);
  EXPECT_EQ(model.find("step")->text, "2");
  EXPECT_EQ(model.find("until")->text, "10");
  EXPECT_EQ(model.all().size(), 2u);
}

}  // namespace
}  // namespace actio
