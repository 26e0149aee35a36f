// What the README and the tutorial show must run and say what they quote.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::contents;
using testing::lines_of;
using testing::outcome;
using testing::temporary_folder;

// The fenced blocks of a language in a Markdown file.
std::vector<std::string> blocks(const std::string& file, const std::string& language) {
  const std::string text = contents(std::string(ACTIO_SOURCE_DIR "/") + file), open = "```" + language + "\n";
  std::vector<std::string> result;
  for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    at += open.size();
    const std::size_t end = text.find("```", at);
    result.push_back(text.substr(at, end - at));
    at = end + 3;
  }
  return result;
}

TEST(docs, every_model_in_the_texts_runs) {
  const temporary_folder folder;
  for (const char* file : {"README.md", "docs/tutorial.md", "docs/files.md"}) {
    const auto models = blocks(file, "toml");
    EXPECT_FALSE(models.empty()) << file;
    for (const std::string& text : models) {
      const std::string path = folder.write("model.toml", text);
      for (const char* command : {"check", "run"}) {
        const outcome result = actio_program({command, path});
        EXPECT_EQ(result.status, 0) << file << ": " << result.err;
      }
    }
  }
}

TEST(docs, the_certificate_in_the_readme_is_what_the_program_prints) {
  const outcome run = actio_program({"run", ACTIO_SOURCE_DIR "/examples/double_pendulum.toml"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string readme = contents(ACTIO_SOURCE_DIR "/README.md");
  for (std::size_t k = 0; k < 2; ++k) {  // iterations depend on how models are compiled
    EXPECT_NE(readme.find(lines_of(run.out)[k]), std::string::npos) << lines_of(run.out)[k];
  }
}

TEST(docs, every_file_that_is_named_with_its_folder_exists) {
  std::vector<std::string> texts = {"ARCHITECTURE.md", "docs/errata.md", "docs/theory.md"};
  for (const auto& entry : std::filesystem::directory_iterator(ACTIO_SOURCE_DIR "/docs/papers")) {
    texts.push_back("docs/papers/" + entry.path().filename().string());
  }
  const std::regex path("`((?:actio|papers|problems|apps|tests|tools|web|bench|examples|docs)/[\\w/.-]+\\.\\w+)`");
  std::size_t found = 0;
  for (const std::string& file : texts) {
    const std::string text = contents(std::string(ACTIO_SOURCE_DIR "/") + file);
    for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at, ++found) {
      const std::string name = (*at)[1];
      if (name.find("KEY") != std::string::npos) continue;  // a pattern
      EXPECT_TRUE(std::filesystem::exists(std::string(ACTIO_SOURCE_DIR "/") + name)) << file << ": " << name;
    }
  }
  EXPECT_GT(found, 50U);
}

TEST(docs, the_program_in_the_tutorial_is_the_example) {
  const std::string example = contents(ACTIO_SOURCE_DIR "/examples/pendulum.cpp");
  for (const std::string& line : lines_of(blocks("docs/tutorial.md", "cpp").at(0))) {
    EXPECT_NE(example.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace actio
