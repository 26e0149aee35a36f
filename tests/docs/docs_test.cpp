// What the README and the tutorial show must run and say what they quote.
#include <gtest/gtest.h>

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

TEST(docs, the_program_in_the_tutorial_is_the_example) {
  const std::string example = contents(ACTIO_SOURCE_DIR "/examples/pendulum.cpp");
  for (const std::string& line : lines_of(blocks("docs/tutorial.md", "cpp").at(0))) {
    EXPECT_NE(example.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace actio
