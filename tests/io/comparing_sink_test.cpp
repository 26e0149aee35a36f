#include "actio/io/comparing_sink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using rows = std::vector<std::vector<double>>;

const double nan = std::numeric_limits<double>::quiet_NaN();
const std::string certificate = R"({"seconds": 1, "energy": {"final": 0.5, "grows": false}, "names": ["a", "b"]})";

template <class Sink>
void fill(Sink& sink, const rows& values, const rows& crossings, const std::string& text) {
  for (const auto& row : crossings) sink.append_to(0, row);
  for (const auto& row : values) sink.append(row);
  if (!text.empty()) sink.annotate("certificate", text);
  sink.close();
}

class comparing : public ::testing::Test {
 protected:
  void SetUp() override { ACTIO_NEEDS(hdf5); }

  // What is found when a run with these rows is compared with a file that has others.
  std::string difference(const rows& stored, const rows& now, const std::string& stored_text = certificate,
                         const rows& stored_crossings = {{7}}) const {
    const std::string path = folder_.path("a.h5");
    fill(*open_sink<double>({.path = {path, {}, ""}, .columns = {"t", "a/b"}, .more = {{"poincare", {"x"}}}}), stored,
         stored_crossings, stored_text);
    std::string found;
    comparing_sink<double> sink(path, {"t", "a/b"}, {{"poincare", {"x"}}}, found);
    fill(sink, now, {{7}}, certificate);
    return found;
  }

  const testing::temporary_folder folder_;
};

TEST_F(comparing, finds_nothing_where_all_is_the_same) {
  EXPECT_EQ(difference({{0, 1}, {1, nan}}, {{0, 1}, {1, nan}}), "");
}

TEST_F(comparing, tells_the_first_difference) {
  EXPECT_EQ(difference({{0, 1}, {1, 2}}, {{0, 1}, {1, 3}}), "row 1, 'a_b' is 2 there and 3 here");
  EXPECT_EQ(difference({{0, nan}}, {{0, 1}}), "row 0, 'a_b' is nan there and 1 here");
  EXPECT_EQ(difference({{0, -0.0}}, {{0, 0.0}}), "row 0, 'a_b' is -0 there and 0 here");
  EXPECT_EQ(difference({{0, 1}}, {{0, 1}, {1, 2}}), "it has 1 rows where there should be 2");
  EXPECT_EQ(difference({{0, 1}, {1, 2}}, {{0, 1}}), "it has 2 rows where there should be 1");
  EXPECT_EQ(difference({{0, 1}}, {{0, 1}}, ""), "it has no certificate: it was not finished, or has lost it");
  EXPECT_EQ(difference({{0, 1}}, {{0, 1}}, certificate, {{8}}), "poincare: row 0, 'x' is 8 there and 7 here");
  EXPECT_EQ(difference({{0, 1}}, {{0, 1}}, certificate, {}), "poincare: it has 0 rows where there should be 1");
}

TEST_F(comparing, finds_columns_that_are_missing) {
  const std::string path = folder_.path("a.h5");
  fill(*open_sink<double>({.path = {path, {}, ""}, .columns = {"t"}}), {{0}}, {}, certificate);
  std::string found;
  comparing_sink<double>(path, {"t", "x"}, {}, found);
  EXPECT_EQ(found, "it has no column 'x'");
  found.clear();
  comparing_sink<double>(path, {}, {}, found);
  EXPECT_EQ(found, "it has other columns");
}

TEST(json_difference, compares_numbers_whatever_the_keys_and_leaves_times_out) {
  EXPECT_EQ(json_difference(certificate, R"({"names": ["a", "b"], "energy": {"grows": false, "final": 0.5}})"), "");
  EXPECT_EQ(json_difference(certificate, R"({"names": ["a", "b"], "energy": {"grows": false, "final": 0.25}})"),
            "'energy.final' is 0.5 there and 0.25 here");
  EXPECT_EQ(json_difference(certificate, R"({"names": ["a", "c"], "energy": {"grows": false, "final": 0.5}})"),
            "'names[1]' is \"b\" there and \"c\" here");
  EXPECT_EQ(json_difference(certificate, R"({"energy": {"grows": false, "final": 0.5}})"),
            "'names' is not there any more");
  EXPECT_EQ(json_difference(R"({"a": 1})", R"({"a": 1, "b": 2})"), "'b' is missing");
  EXPECT_EQ(json_difference("{", "{}"), "it cannot be read");
}

TEST(interruption_in, reads_only_what_was_interrupted) {
  EXPECT_EQ(interruption_in(R"({"status": "interrupted", "steps": 7})", "steps"), std::optional<std::size_t>(7));
  for (const char* other :
       {R"({"status": "done", "steps": 7})", R"({"status": 1, "steps": 7})", "{}", "", "[1]",
        R"({"status": "interrupted", "steps": -7})", R"({"status": "interrupted", "steps": "x"})"}) {
    EXPECT_FALSE(interruption_in(other, "steps")) << other;
  }
}

}  // namespace
}  // namespace actio
