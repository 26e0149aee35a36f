// What the README and the tutorial show must run and say what they quote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "actio/base/scalar.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using testing::actio_program;
using testing::contents;
using testing::lines_of;
using testing::outcome;
using testing::temporary_folder;

// The fenced blocks of a language in a Markdown file; no language is one, too.
std::vector<std::string> blocks(const std::string& file, const std::string& language) {
  std::vector<std::string> result;
  bool inside = false, wanted = false;
  for (const std::string& line : lines_of(contents(std::string(ACTIO_SOURCE_DIR "/") + file))) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line == "```" + language;
      if (wanted) result.emplace_back();
    } else if (wanted) {
      result.back() += line + "\n";
    }
  }
  return result;
}

TEST(docs, every_model_in_the_texts_runs) {
  const temporary_folder folder;
  for (const char* file : {"README.md", "docs/tutorial.md", "docs/files.md", "docs/time.md"}) {
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

// Whether a line is what is quoted, where `…` stands for anything.
bool line_matches(std::string_view quoted, std::string_view line) {
  const std::size_t dots = quoted.find("…");
  if (dots == std::string_view::npos) return quoted == line;
  if (!line.starts_with(quoted.substr(0, dots))) return false;
  const std::string_view rest = quoted.substr(dots + std::string_view("…").size());
  for (std::size_t at = dots; at <= line.size(); ++at) {
    if (line_matches(rest, line.substr(at))) return true;
  }
  return false;
}

// The same for lines, where a line with nothing but `…` stands for any number of them. Otherwise says where they part.
std::string difference(const std::vector<std::string>& quoted, const std::vector<std::string>& lines) {
  bool open = false;
  std::size_t at = 0;
  for (const std::string& want : quoted) {
    if (want.find_first_not_of(' ') == want.find("…") && want.ends_with("…")) {
      open = true;
      continue;
    }
    while (open && at < lines.size() && !line_matches(want, lines[at])) ++at;
    if (at == lines.size()) return want + "\n  is quoted, but not printed";
    if (!line_matches(want, lines[at])) return want + "\n  is quoted, but printed is\n" + lines[at];
    ++at, open = false;
  }
  return open || at == lines.size() ? "" : lines[at] + "\n  is printed, but not quoted";
}

// A command of a shell as words; quotes keep a word together, a comment ends it.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'') quoted = !quoted;
    else if (c != ' ' || quoted) words.back() += c;
    else if (!words.back().empty()) words.emplace_back();
    if (words.back() == "#") break;
  }
  if (words.back().empty() || words.back() == "#") words.pop_back();
  return words;
}

struct quotation {
  std::string file;
  std::vector<std::string> command, output;  // the command without the program's name
  bool has_output = false;                   // `$ command` with its output below, otherwise the command alone
};

// The commands of actio in the blocks of a text.
std::vector<quotation> quotations(const std::string& file) {
  std::vector<quotation> result;
  for (const char* language : {"", "sh"}) {
    for (const std::string& block : blocks(file, language)) {
      bool quoting = false;
      for (const std::string& line : lines_of(block)) {
        const bool asks = line.starts_with("$ ");
        const std::vector<std::string> words = words_of(asks ? line.substr(2) : line);
        if (asks || (!quoting && !words.empty() && words[0] == "actio")) {
          result.push_back({file, {words.begin() + 1, words.end()}, {}, asks});
          quoting = asks;
        } else if (quoting) {
          result.back().output.push_back(line);
        }
      }
    }
  }
  return result;
}

// Goes to a folder that has what the texts speak of: the examples, and models under the names that the texts give them.
class reader_at_work {
 public:
  reader_at_work() {
    std::filesystem::copy(ACTIO_SOURCE_DIR "/examples", folder_.path("examples"));
    folder_.write("swing.toml", blocks("docs/tutorial.md", "toml").at(0));
    folder_.write("chain.toml", blocks("docs/tutorial.md", "toml").at(1));
    std::filesystem::current_path(folder_.path(""));
  }
  ~reader_at_work() { std::filesystem::current_path(before_); }
  reader_at_work(const reader_at_work&) = delete;
  reader_at_work& operator=(const reader_at_work&) = delete;

 private:
  temporary_folder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST(docs, every_command_in_the_texts_works_and_prints_what_is_quoted) {
  const reader_at_work here;
  std::size_t quoted = 0;
  for (const char* file : {"README.md", "docs/tutorial.md", "docs/time.md"}) {
    for (const quotation& q : quotations(file)) {
      if (q.command[0] == "verify" && !q.has_output) continue;  // the contract tests measure all of it
      std::string command = q.file + ": actio";
      for (const std::string& word : q.command) command += " " + word;
#ifndef ACTIO_WITH_HDF5
      if (command.ends_with(".h5")) continue;
#endif
      if (!has_mpfr && command.find("--precision 50") != std::string::npos) continue;
      SCOPED_TRACE(command);
      const outcome result = actio_program(q.command);
      EXPECT_EQ(result.status, 0) << result.out << result.err;
      if (!q.has_output) continue;
      // Choices compare work, and that of Newton kernels is less.
      if (!testing::part_machine_code().is_there && command.find("--accuracy") != std::string::npos) continue;
      ++quoted;
      const std::string parting = difference(q.output, lines_of(result.out));
      EXPECT_EQ(parting, "");
    }
  }
  EXPECT_GE(quoted, 2U);
}

TEST(docs, the_energy_errors_of_the_double_pendulum_in_the_readme_are_those_of_its_runs) {
  const std::string readme = contents(ACTIO_SOURCE_DIR "/README.md");
  for (const std::string method : {"simpson", "midpoint"}) {
    std::string errors;
    for (const char* step : {"0.04", "0.02", "0.01"}) {
      const outcome run = actio_program(
          {"run", ACTIO_SOURCE_DIR "/examples/double_pendulum.toml", "--method", method, "--step", step, "--json"});
      ASSERT_EQ(run.status, 0) << run.err;
      const double error = nlohmann::json::parse(run.out)["energy"]["max_relative_error"];
      const int exponent = static_cast<int>(std::floor(std::log10(error)));
      errors += fmt::format("{}{:.2f}e{}", errors.empty() ? "" : " / ", error / std::pow(10, exponent), exponent);
    }
    EXPECT_NE(readme.find("| " + errors + ", bounded |"), std::string::npos) << errors;
  }
}

TEST(docs, quotations_are_compared_line_by_line) {
  const std::vector<std::string> printed = {"energy 1, error 3e-8", "solver 1.4", "time 0.1 s"};
  EXPECT_EQ(difference(printed, printed), "");
  EXPECT_EQ(difference({"energy 1, error …", "…", "time … s"}, printed), "");
  EXPECT_EQ(difference({"energy 1, error 3e-8", "  …"}, printed), "");
  EXPECT_NE(difference({"energy 1, error 4e-8", "…"}, printed), "");
  EXPECT_NE(difference({"energy 1, error 3e-8", "solver 1.4"}, printed), "");
  EXPECT_NE(difference({"…", "time … s", "more"}, printed), "");
  EXPECT_NE(difference({"energy … error"}, {"energy 1, error 3e-8"}), "");
}

TEST(docs, every_file_that_is_named_with_its_folder_exists) {
  std::vector<std::string> texts = {"ARCHITECTURE.md", "docs/cpp.md", "docs/errata.md", "docs/theory.md"};
  for (const std::string folder : {"docs/papers/", "docs/theory/"}) {
    for (const auto& entry : std::filesystem::directory_iterator(ACTIO_SOURCE_DIR "/" + folder)) {
      texts.push_back(folder + entry.path().filename().string());
    }
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

// A block of C++ is a piece of the example that the text before it names, line by line; every example is named.
TEST(docs, the_programs_of_the_guide_to_cpp_are_the_examples) {
  const std::regex named("`(examples/\\w+\\.cpp)`");
  std::set<std::string> examples;
  std::string example, block;
  bool inside = false;
  for (const std::string& line : lines_of(contents(ACTIO_SOURCE_DIR "/docs/cpp.md"))) {
    std::smatch found;
    if (line == "```cpp") {
      inside = true;
      block.clear();
    } else if (inside && line == "```") {
      inside = false;
      ASSERT_NE(example, "") << block;
      EXPECT_NE(contents(ACTIO_SOURCE_DIR "/" + example).find(block), std::string::npos) << example << ":\n" << block;
    } else if (inside) {
      block += line + "\n";
    } else if (std::regex_search(line, found, named)) {
      examples.insert(example = found[1]);
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(ACTIO_SOURCE_DIR "/examples")) {
    const std::string name = "examples/" + entry.path().filename().string();
    if (!name.ends_with(".cpp")) continue;
    EXPECT_TRUE(examples.contains(name)) << name << " is not in docs/cpp.md";
  }
}

}  // namespace
}  // namespace actio
