#include "papers/paper_reproduction.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

TEST(paper_reproduction, has_a_report_for_each_paper_and_writes_its_page) {
  const testing::temporary_folder folder;
  paper_reproduction_options options{
      .papers = {testing::typed("dubois2023")},
      .given = testing::typed_options({{"quick", "true"}, {"output", folder.path("out")}})};
  std::vector<std::string> finished;
  options.finished = [&](const paper_report& report, const std::string&) { finished.push_back(report.key); };
  const paper_reproduction_result result = reproduce_papers(options);
  ASSERT_EQ(result.reports.size(), 1u);
  EXPECT_EQ(finished, std::vector<std::string>{"dubois2023"});
  EXPECT_EQ(result.status, "agrees");
  EXPECT_EQ(result.write_error, "");
  EXPECT_FALSE(result.reports[0].tables.empty());
  EXPECT_TRUE(std::filesystem::exists(folder.path("out/dubois2023.html")));
}

TEST(paper_reproduction, may_be_interrupted) {
  const paper_reproduction_result result = reproduce_papers({.interrupted = [] { return true; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.reports.empty());
}

TEST(paper_reproduction, knows_its_papers) {
  EXPECT_THROW(reproduce_papers({.papers = {testing::typed("nobody1900")}}), input_error);
}

}  // namespace
}  // namespace actio
