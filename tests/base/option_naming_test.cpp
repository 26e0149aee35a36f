#include "actio/base/option_naming.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "actio/base/option.hpp"

namespace actio {
namespace {

class naming_scope {
 public:
  explicit naming_scope(option_naming naming) { name_options_as(naming); }
  ~naming_scope() { name_options_as(option_naming::words); }
  naming_scope(const naming_scope&) = delete;
  naming_scope& operator=(const naming_scope&) = delete;
};

constexpr const char* cure = "leave @state out, or choose @method=rk4; add @step-sizes=0.1,0.2 (@json)";

TEST(option_naming, reads_as_words_unless_told_otherwise) {
  EXPECT_EQ(named_options(cure), "leave 'state' out, or choose method = rk4; add step-sizes = 0.1,0.2 ('json')");
  EXPECT_EQ(named_options("the option @'times' is missing"), "the option 'times' is missing");
  EXPECT_EQ(to_text(named_options(source_place{"@step", 1, 3})), "option 'step':1:3");
  EXPECT_EQ(named_options(source_place{"@compare", 0, 0}).file, "compare");
}

TEST(option_naming, reads_as_flags_on_a_command_line) {
  const naming_scope scope(option_naming::flags);
  EXPECT_EQ(named_options(cure), "leave --state out, or choose --method rk4; add --step-sizes 0.1,0.2 (--json)");
  EXPECT_EQ(named_options("the option @'times' is missing"), "the option '--times' is missing");
  EXPECT_EQ(to_text(named_options(source_place{"@step", 1, 3})), "--step:1:3");
  EXPECT_EQ(named_options(source_place{"@compare", 0, 0}).file, "actio compare");
}

TEST(option_naming, reads_as_keywords_in_a_language_of_calls) {
  const naming_scope scope(option_naming::keywords);
  EXPECT_EQ(named_options(cure), "leave state= out, or choose method=rk4; add step_sizes=0.1,0.2 (json=)");
  EXPECT_EQ(named_options("the option @'step-sizes' is missing"), "the option 'step_sizes' is missing");
  EXPECT_EQ(named_options(source_place{"@step", 0, 0}).file, "step=");
}

TEST(option_naming, leaves_other_texts_alone) {
  for (const char* text : {"'@step' is no name", "me@step", "@nobody", "a/@step/b", "@", "@'step", "@'nobody' is"}) {
    EXPECT_EQ(named_options(text), text);
  }
  EXPECT_EQ(named_options(source_place{"@home/model.toml", 3, 1}).file, "@home/model.toml");
}

TEST(option_naming, is_that_of_every_error) {
  const input_error error("bad-step", "the step in @step is wrong", {"@step", 1, 2}, "give @step=0.1");
  EXPECT_EQ(error.message(), "the step in 'step' is wrong");
  EXPECT_EQ(error.cure(), "give step = 0.1");
  EXPECT_EQ(error.place().file, "option 'step'");
  EXPECT_STREQ(error.what(), "the step in 'step' is wrong, option 'step':1:2; give step = 0.1");
}

TEST(typed_option, counts_columns_of_expressions_and_lists) {
  EXPECT_EQ(to_text(typed_option("step", "pi/x").place_at(3)), "@step:1:4");
  EXPECT_EQ(typed_option("methods", "a,b").origin.line, 1);
  EXPECT_EQ(typed_option("method", "a").origin.line, 0);
  EXPECT_EQ(whole_place(typed_option("step", "1")).line, 0);
  EXPECT_EQ(whole_place({"1", {"a.toml", 4, 2}, "step"}).line, 4);
}

// The string literals of a source file, raw ones as well; nothing of its comments.
std::vector<std::string> literals_of(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string code = text.str();
  std::vector<std::string> literals;
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (code.compare(k, 2, "//") == 0) {
      k = std::min(code.find('\n', k), code.size());
    } else if (code.compare(k, 2, "R\"") == 0) {
      const std::size_t open = code.find('(', k);
      const std::string close = ")" + code.substr(k + 2, open - k - 2) + "\"";
      const std::size_t end = code.find(close, open);
      literals.push_back(code.substr(open + 1, end - open - 1));
      k = end + close.size() - 1;
    } else if (code[k] == '"' || (code[k] == '\'' && !std::isalnum(static_cast<unsigned char>(code[k - 1])))) {
      std::size_t end = k + 1;
      while (code[end] != code[k]) end += code[end] == '\\' ? 2 : 1;
      if (code[k] == '"') literals.push_back(code.substr(k + 1, end - k - 1));
      k = end;
    }
  }
  return literals;
}

TEST(library_texts, name_options_by_marks_that_exist) {
  static const std::regex flag("(^|[ '(])--[a-z]"), mark("(^|[ (])@'?([a-z-]+)");
  std::size_t marks = 0;
  for (const char* folder : {"actio", "problems"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(ACTIO_SOURCE_DIR "/" + std::string(folder))) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      for (const std::string& text : literals_of(entry.path())) {
        EXPECT_FALSE(std::regex_search(text, flag)) << entry.path() << ": " << text;
        for (std::sregex_iterator it(text.begin(), text.end(), mark), end; it != end; ++it) {
          const std::string name = (*it)[2];
          EXPECT_TRUE(find_option(name) != nullptr || !options_of(name).empty()) << entry.path() << ": " << text;
          ++marks;
        }
      }
    }
  }
  EXPECT_GT(marks, 40u);
}

}  // namespace
}  // namespace actio
