// What the texts point to exists: works in the bibliography, pages, and headings of pages.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "actio/integrate/catalogue.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::contents;
using testing::lines_of;

const std::filesystem::path root = ACTIO_SOURCE_DIR;

// Of these folders, recursively, by how the name ends.
std::vector<std::filesystem::path> files_in(std::initializer_list<const char*> folders,
                                            std::initializer_list<const char*> endings) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      for (const char* ending : endings) {
        if (entry.path().extension() == ending) files.push_back(entry.path());
      }
    }
  }
  return files;
}

std::vector<std::filesystem::path> texts() {
  std::vector<std::filesystem::path> files = files_in({"docs"}, {".md"});
  for (const char* name : {"README.md", "ARCHITECTURE.md"}) files.push_back(root / name);
  return files;
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

std::set<std::string> bibliography() {
  return matches(contents(root / "docs/references.bib"), std::regex("@\\w+\\{([\\w-]+),"));
}

// Keys are a name and a year: "marsden1997".
std::set<std::string> cited_in(const std::string& text) {
  return matches(text, std::regex("\\b([a-z]{2,}(?:19|20)\\d\\d)\\b"));
}

TEST(references, every_work_that_is_cited_is_in_the_bibliography) {
  const std::set<std::string> known = bibliography();
  std::map<std::string, std::set<std::string>> cited;
  for (const auto& file : texts()) cited[file.string()] = cited_in(contents(file));
  for (const auto& file : files_in({"actio", "apps", "papers", "problems"}, {".hpp", ".cpp"})) {
    cited[file.string()] = cited_in(contents(file));
  }
  for (const method& m : method_catalogue()) cited[m.name] = matches(m.reference, std::regex("([^,\\s]+)"));
  for (const problem& p : problem_catalogue()) cited[std::string(p.name)] = cited_in(std::string(p.source));
  std::size_t citations = 0;
  for (const auto& [where, keys] : cited) {
    citations += keys.size();
    for (const std::string& key : keys) EXPECT_TRUE(known.contains(key)) << where << ": " << key;
  }
  EXPECT_GT(citations, 100U);
}

TEST(references, every_work_of_the_bibliography_is_cited) {
  std::string everything;
  for (const auto& file : texts()) everything += contents(file);
  for (const auto& file : files_in({"actio", "problems"}, {".hpp", ".cpp"})) everything += contents(file);
  for (const std::string& key : bibliography()) EXPECT_NE(everything.find(key), std::string::npos) << key;
}

// The anchors that GitHub gives to the headings of a page.
std::set<std::string> anchors_of(const std::filesystem::path& page) {
  std::set<std::string> anchors;
  for (const std::string& line : lines_of(contents(page))) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.find(' '), line.size() - 1) + 1)) {
      if (c == ' ') anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(references, every_link_of_the_texts_leads_to_a_page_and_a_heading) {
  std::size_t links = 0;
  for (const auto& file : texts()) {
    for (const std::string& target : matches(contents(file), std::regex("\\]\\(([^)\\s]+)\\)"))) {
      if (target.find(':') != std::string::npos) continue;  // not a page of ours
      ++links;
      const std::size_t hash = std::min(target.find('#'), target.size());
      const auto page = hash == 0 ? file : file.parent_path() / target.substr(0, hash);
      ASSERT_TRUE(std::filesystem::exists(page)) << file << ": " << target;
      if (hash == target.size()) continue;
      EXPECT_TRUE(anchors_of(page).contains(target.substr(hash + 1))) << file << ": " << target;
    }
  }
  EXPECT_GT(links, 50U);
}

}  // namespace
}  // namespace actio
