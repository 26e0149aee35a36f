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

std::map<std::string, int> verdicts_of_claims(const paper_report& report) {
  std::map<std::string, int> count;
  for (const paper_claim& claim : report.claims) ++count[claim.verdict];
  return count;
}

// A reader of the text alone must be able to judge again.
void expect_rules(const paper_report& report) {
  for (const paper_table& table : report.tables) EXPECT_FALSE(table.rule.empty()) << table.id;
  for (const paper_claim& claim : report.claims) {
    EXPECT_EQ(claim.rule.empty(), claim.verdict == "computed here") << claim.statement;
    EXPECT_EQ(claim.published.empty(), claim.verdict == "computed here") << claim.statement;
    EXPECT_FALSE(claim.reproduced.empty()) << claim.statement;
  }
}

paper_report reproduced(const char* key) {
  return reproduce(paper_named({key, {}, ""}), {.quick = true, .threads = 2});
}

using counts = std::map<std::string, int>;

}  // namespace

TEST(reproduce, dubois2023) {
  const paper_report report = reproduced("dubois2023");
  EXPECT_EQ(verdicts_in(report.tables.at(0)), (counts{{"agrees", 18}}));
  EXPECT_EQ(verdicts_of_claims(report),
            (counts{{"agrees", 6}, {"holds", 4}, {"holds in part", 1}, {"computed here", 1}}));
  expect_rules(report);
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 3U);
}

TEST(reproduce, marsden1997) {
  const paper_report report = reproduced("marsden1997");
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(verdicts_of_claims(report), (counts{{"close", 21}, {"holds", 35}, {"computed here", 18}}));
  expect_rules(report);
  EXPECT_EQ(report.figures.size(), 9U);
}

TEST(reproduce, rojas2024) {
  const paper_report report = reproduced("rojas2024");
  EXPECT_EQ(verdicts_in(report.tables.at(0)),
            (counts{{"agrees", 62}, {"left out", 24}, {"misprint", 5}, {"unreliable digits", 5}}));
  EXPECT_EQ(verdicts_of_claims(report), (counts{{"close", 4}, {"holds", 14}, {"holds in part", 1}}));
  expect_rules(report);
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 8U);
}

TEST(reproduce, rojas2025) {
  const paper_report report = reproduced("rojas2025");
  EXPECT_EQ(verdicts_in(report.tables.at(0)), (counts{{"agrees", 36}, {"left out", 24}}));
  EXPECT_EQ(verdicts_in(report.tables.at(1)), (counts{{"agrees", 36}, {"left out", 12}}));
  EXPECT_EQ(verdicts_in(report.tables.at(2)), (counts{{"agrees", 36}, {"left out", 12}}));
  EXPECT_EQ(verdicts_of_claims(report),
            (counts{{"agrees", 1}, {"close", 11}, {"holds", 19}, {"misprint", 3}, {"computed here", 14}}));
  expect_rules(report);
  EXPECT_FALSE(has_disagreement(report));
  EXPECT_EQ(report.figures.size(), 17U);
}

}  // namespace actio
