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

}  // namespace actio
