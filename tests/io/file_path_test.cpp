#include "actio/io/file_path.hpp"

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::temporary_folder;

TEST(file_path, follows_links_to_their_end_whether_there_is_a_file_or_not) {
  const temporary_folder folder;
  std::filesystem::create_directory(folder.path("data"));
  std::filesystem::create_symlink("data/b", folder.path("a"));
  std::filesystem::create_symlink("c", folder.path("data/b"));
  std::filesystem::create_symlink("loop", folder.path("loop"));
  EXPECT_EQ(followed(folder.path("a")), folder.path("data/c"));
  EXPECT_EQ(followed(folder.path("none")), folder.path("none"));
  EXPECT_EQ(followed(folder.path("loop")), folder.path("loop"));
  EXPECT_EQ(beside(folder.path("a"), ".lock"), folder.path("data/c.lock"));
  EXPECT_EQ(beside("/dev/null", ".lock"), "/dev/null.lock");
}

bool are_distinct(const std::string& a, const std::string& b) {
  const std::vector<file_use> files{{a, {}, "the output"}, {b, {"--report", 0, 0}, "the report"}};
  try {
    require_distinct(files);
  } catch (const input_error& e) {
    EXPECT_EQ(e.id(), "conflicting-options");
    EXPECT_EQ(e.message(), "the output and the report would be one file, '" + b + "'");
    return false;
  }
  return true;
}

TEST(file_path, knows_one_file_by_all_its_names) {
  const temporary_folder folder;
  const std::string file = folder.write("a", "");
  std::filesystem::create_hard_link(file, folder.path("hard"));
  std::filesystem::create_symlink("a", folder.path("soft"));
  std::filesystem::create_symlink("new", folder.path("soft_new"));
  EXPECT_FALSE(are_distinct(file, folder.path("./a")));
  EXPECT_FALSE(are_distinct(file, folder.path("hard")));
  EXPECT_FALSE(are_distinct(folder.path("soft"), folder.path("hard")));
  EXPECT_FALSE(are_distinct(folder.path("new"), folder.path("soft_new")));
  EXPECT_FALSE(are_distinct("new", "./new"));
  EXPECT_TRUE(are_distinct(file, folder.path("new")));
  EXPECT_TRUE(are_distinct("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace actio
