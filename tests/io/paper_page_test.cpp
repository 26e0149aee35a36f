#include "actio/io/paper_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace actio {
namespace {

using json = nlohmann::json;

json data_of(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

paper_report small_report() {
  paper_report report;
  report.key = "doe2020";
  report.title = "On </script> & ‖e‖∞";
  report.command = "actio reproduce doe2020";
  report.seconds = 1.5;
  report.tables.push_back({.id = "table-1",
                           .title = "Table 1",
                           .columns = {"error", "order"},
                           .row_heads = {"h"},
                           .rows = {{{"0.1"}, {{"1.2e-3", "1.2e-3", "agrees"}, {"2.0", "2.0", "agrees"}}},
                                    {{"0.05"}, {{"3.0e-2", "3.0e-4", "misprint", "exponent"}, {"", "2.0", "odd"}}}}});
  report.claims.push_back({"It converges.", "yes", "no", "disagrees", ""});
  report.claims.push_back({"It is of order 2.", "2", "2.01", "close", "", "within 0.1 of 2"});
  report.claims.push_back({"It is fast.", "yes", "no", "does not hold", "", "at most 1"});
  curve c{"q", curve_style::line_with_points, {0.1, 0.2, 0.3}, {1, std::numeric_limits<double>::infinity(), 3}};
  report.figures.push_back({"figure-1", "Errors", "A caption.", {{.x_label = "h", .y_log = true, .curves = {c}}}});
  return report;
}

TEST(paper_page, holds_what_was_published_and_what_came_out) {
  const json data = data_of(paper_page(small_report()));
  EXPECT_EQ(data["kind"], "paper");
  EXPECT_EQ(data["title"], "On </script> & ‖e‖∞");
  EXPECT_EQ(data["tables"][0]["rows"][1]["cells"][0]["note"], "exponent");
  EXPECT_EQ(data["tables"][0]["rows"][1]["cells"][0]["published"], "3.0e-2");
  EXPECT_EQ(data["claims"][0]["verdict"], "disagrees");
  const json& panel = data["figures"][0]["panels"][0];
  EXPECT_EQ(panel["y_log"], true);
  EXPECT_EQ(panel["x_log"], false);
  EXPECT_EQ(panel["curves"][0]["style"], "line_with_points");
  EXPECT_EQ(panel["curves"][0]["x"], json::parse("[0.1, null, 0.3]"));
  EXPECT_EQ(panel["curves"][0]["y"], json::parse("[1, null, 3]"));
}

TEST(paper_page, counts_verdicts_in_their_order) {
  const std::vector<verdict_count> counts = count_verdicts(small_report());
  EXPECT_EQ(counts.at(0).count, 2u);
  std::vector<std::string> words;
  for (const verdict_count& c : counts) words.push_back(c.verdict);
  EXPECT_EQ(words, (std::vector<std::string>{"agrees", "close", "misprint", "disagrees", "does not hold", "odd"}));
}

TEST(paper_page, is_readable_without_scripts) {
  const std::string page = paper_page(small_report());
  EXPECT_NE(page.find("<title>On &lt;/script&gt; &amp; ‖e‖∞</title>"), std::string::npos);
  EXPECT_NE(page.find("error: published 3.0e-2, reproduced 3.0e-4: misprint; exponent"), std::string::npos);
  EXPECT_NE(page.find("It converges.\n    published yes, reproduced no: disagrees\n"), std::string::npos);
  EXPECT_NE(page.find("published 2, reproduced 2.01, rule: within 0.1 of 2: close\n"), std::string::npos);
}

TEST(paper_page, keeps_the_digits_that_can_be_seen) {
  paper_report report;
  const curve c{"E", curve_style::line, {0, 1.0 / 3}, {0.5, 0.5 + 1.23456e-12}};
  report.figures.push_back({"f", "", "", {{.curves = {c}}}});
  const json drawn = data_of(paper_page(report))["figures"][0]["panels"][0]["curves"][0];
  EXPECT_EQ(drawn["x"][1], 0.3333333);
  EXPECT_NEAR(drawn["y"][1].get<double>() - 0.5, 1.23456e-12, 1e-16);
}

// Twenty figures of four panels with five curves of 20,000 points: eight million numbers.
TEST(paper_page, stays_small) {
  paper_report report;
  curve c;
  for (std::size_t i = 0; i < 20'000; ++i) {
    c.x.push_back(static_cast<double>(i) / 997);
    c.y.push_back(std::sin(c.x.back()));
  }
  for (int k = 0; k < 20; ++k) {
    const panel p{.curves = std::vector<curve>(5, c)};
    report.figures.push_back({"figure", "", "", std::vector<panel>(4, p)});
  }
  const std::string page = paper_page(report);
  EXPECT_LT(page.size(), 2'000'000u);
  const json data = data_of(page);
  EXPECT_GT(data["figures"][19]["panels"][3]["curves"][4]["x"].size(), 90u);
}

TEST(paper_report, as_json_has_cells_claims_and_the_names_of_figures) {
  const json object = json::parse(to_json(small_report()));
  EXPECT_EQ(object["key"], "doe2020");
  EXPECT_EQ(object["seconds"], 1.5);
  EXPECT_EQ(object["verdicts"]["agrees"], 2);
  EXPECT_EQ(object["tables"][0]["columns"][1], "order");
  EXPECT_EQ(object["tables"][0]["rows"][0]["heads"][0], "0.1");
  EXPECT_EQ(object["claims"][0]["statement"], "It converges.");
  EXPECT_EQ(object["claims"][1]["rule"], "within 0.1 of 2");
  EXPECT_EQ(object["figures"], json::parse(R"([{"id": "figure-1", "title": "Errors"}])"));
}

}  // namespace
}  // namespace actio
