#include "papers/published.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "papers/paper.hpp"

namespace actio {

TEST(judge, accepts_what_is_rounded_or_cut_off) {
  EXPECT_EQ(judge({"7.51e-2"}, 0.07514, false), verdict::agrees);
  EXPECT_EQ(judge({"7.51e-2"}, 0.07506, false), verdict::agrees);
  EXPECT_EQ(judge({"7.51e-2"}, 0.07519, false), verdict::agrees);  // cut off
  EXPECT_EQ(judge({"7.51e-2"}, 0.07504, false), verdict::disagrees);
  EXPECT_EQ(judge({"7.51e-2"}, 0.07521, false), verdict::disagrees);
  EXPECT_EQ(judge({"7.51e-2"}, 0.7514, false), verdict::disagrees);
  EXPECT_EQ(judge({"1.02"}, 1.0249, false), verdict::agrees);
  EXPECT_EQ(judge({"3.22e0"}, 3.2249, false), verdict::agrees);
  EXPECT_EQ(judge({"2.650e-1"}, 0.26504, false), verdict::agrees);
  EXPECT_EQ(judge({"2.650e-1"}, 0.2662, false), verdict::disagrees);
}

// Inside the tolerance is another word than the printed digits.
TEST(judge, calls_orders_close_within_a_tolerance) {
  EXPECT_EQ(judge({"4.01"}, 4.0149, true), verdict::agrees);
  EXPECT_EQ(judge({"4.01"}, 4.0001, true), verdict::close);
  EXPECT_EQ(judge({"4.01"}, 4.0205, true), verdict::disagrees);
  EXPECT_EQ(judge({"4.01"}, 4.0001, false), verdict::disagrees);
  EXPECT_EQ(judge({"0.00"}, -0.004, true), verdict::agrees);
  EXPECT_EQ(judge({"0.01"}, -0.0111, true), verdict::close);
  EXPECT_EQ(judge({"0.01"}, -0.0111, false), verdict::disagrees);
}

TEST(judge, knows_misprints_and_unreliable_digits) {
  const published_cell wrong{"7.82e-1", "power of ten", "", "7.82e-2"};
  EXPECT_EQ(judge(wrong, 0.0782, false), verdict::misprint);
  EXPECT_EQ(judge(wrong, 0.782, false), verdict::agrees);
  EXPECT_EQ(judge(wrong, 0.0793, false), verdict::disagrees);
  EXPECT_EQ(judge(wrong, 3.0, false), verdict::disagrees);
  EXPECT_EQ(judge({"1.29", "follows", "", "3.51"}, 3.5056, true), verdict::misprint);
  EXPECT_EQ(judge({"8.00e-4", "", "padded"}, 8.4e-4, false), verdict::unreliable_digits);
  EXPECT_EQ(judge({"8.00e-4", "", "padded"}, 9.5e-4, false), verdict::disagrees);
  EXPECT_EQ(judge({"8.00e-4", "", "padded"}, 8.4e-3, false), verdict::disagrees);
  EXPECT_EQ(judge({"8.00e-4"}, std::nan(""), false), verdict::not_reproducible);
}

TEST(papers, say_what_is_right_in_the_place_of_a_misprint) {
  constexpr const char* text = R"({"title": "", "authors": "", "summary": "", "year": 1, "tables": [{"id": "t",
    "title": "", "caption": "", "row_heads": [], "columns": ["c"], "rows": [{"heads": [],
    "cells": [{"published": "1", "misprint": "why"}]}]}]})";
  EXPECT_ANY_THROW(read_published(text));
}

// What fails, or could not be computed, must not pass: the exit status follows from this.
TEST(papers, fail_by_every_verdict_that_speaks_against_them) {
  for (const verdict v : all_verdicts) {
    const bool is_bad = v == verdict::disagrees || v == verdict::does_not_hold || v == verdict::not_reproducible;
    paper_report by_claim, by_cell;
    by_claim.claims.push_back({.statement = "period", .verdict = to_text(v)});
    by_cell.tables.push_back({.columns = {"period"}, .rows = {{{}, {{.verdict = to_text(v)}}}}});
    EXPECT_EQ(has_disagreement(by_claim), is_bad) << to_text(v);
    EXPECT_EQ(has_disagreement(by_cell), is_bad) << to_text(v);
  }
}

TEST(papers, have_whole_tables) {
  for (const paper& p : paper_catalogue()) {
    const published_paper published = read_published(p.published());
    EXPECT_FALSE(published.title.empty() || published.authors.empty() || published.summary.empty()) << p.key;
    for (const published_table& table : published.tables) {
      for (const published_row& row : table.rows) {
        EXPECT_EQ(row.heads.size(), table.row_heads.size()) << p.key << " " << table.id;
        EXPECT_EQ(row.cells.size(), table.columns.size()) << p.key << " " << table.id;
      }
    }
  }
}

}  // namespace actio
