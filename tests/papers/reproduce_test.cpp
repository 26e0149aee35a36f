#include <gtest/gtest.h>

#include <map>

#include "papers/paper.hpp"

namespace actio {

namespace {

std::map<std::string, int> verdicts_in(const paper_table& table) {
  std::map<std::string, int> count;
  for (const auto& row : table.rows) {
    for (const table_cell& cell : row.cells) ++count[cell.verdict];
  }
  return count;
}

paper_report reproduced(const char* key) {
  return reproduce(paper_named({key, {}, ""}), {.quick = true, .threads = 2});
}

using counts = std::map<std::string, int>;

}  // namespace

TEST(reproduce, dubois2023) {
  const paper_report report = reproduced("dubois2023");
  EXPECT_EQ(verdicts_in(report.tables.at(0)), (counts{{"agrees", 18}}));
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 2U);
}

TEST(reproduce, marsden1997) {
  const paper_report report = reproduced("marsden1997");
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.claims.size(), 46U);
  EXPECT_EQ(report.figures.size(), 5U);
}

TEST(reproduce, rojas2024) {
  const paper_report report = reproduced("rojas2024");
  EXPECT_EQ(verdicts_in(report.tables.at(0)),
            (counts{{"agrees", 62}, {"left out", 24}, {"misprint", 5}, {"unreliable digits", 5}}));
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 6U);
}

TEST(reproduce, rojas2025) {
  const paper_report report = reproduced("rojas2025");
  EXPECT_EQ(verdicts_in(report.tables.at(0)), (counts{{"agrees", 36}, {"left out", 24}}));
  EXPECT_EQ(verdicts_in(report.tables.at(1)), (counts{{"agrees", 36}, {"left out", 12}}));
  EXPECT_EQ(verdicts_in(report.tables.at(2)), (counts{{"agrees", 36}, {"left out", 12}}));
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 12U);
}

}  // namespace actio
