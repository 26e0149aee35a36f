#include "actio/base/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace actio {
namespace {

TEST(source_place, is_written_as_far_as_it_is_known) {
  EXPECT_EQ(to_text(source_place{"pendulum.toml", 7, 14}), "pendulum.toml:7:14");
  EXPECT_EQ(to_text(source_place{"pendulum.toml", 7, 0}), "pendulum.toml:7");
  EXPECT_EQ(to_text(source_place{"pendulum.toml", 0, 0}), "pendulum.toml");
  EXPECT_EQ(to_text(source_place{"", 2, 3}), "2:3");
  EXPECT_EQ(to_text(source_place{}), "");
}

TEST(source_text, counts_characters_and_lines_from_its_origin) {
  const source_text source{"θ + x\n  - y", {"m.toml", 4, 15}, "lagrangian"};
  EXPECT_EQ(to_text(source.place_at(0)), "m.toml:4:15");
  EXPECT_EQ(to_text(source.place_at(std::string("θ + ").size())), "m.toml:4:19");  // θ has two bytes
  EXPECT_EQ(to_text(source.place_at(source.text.find('y'))), "m.toml:5:5");
  EXPECT_EQ(to_text(source.place_at(1000)), "m.toml:5:6");  // beyond the end is the end
}

TEST(source_text, without_a_line_is_one_place) {
  const source_text source{"x + y", {"m.toml", 0, 0}, ""};
  EXPECT_EQ(to_text(source.place_at(4)), "m.toml");
}

TEST(input_error, reads_message_place_cure) {
  const input_error full("unknown-name", "unknown name 'omgea' in lagrangian", {"p.toml", 7, 14},
                         "did you mean 'omega'?");
  EXPECT_STREQ(full.what(), "unknown name 'omgea' in lagrangian, p.toml:7:14; did you mean 'omega'?");
  EXPECT_EQ(full.id(), "unknown-name");
  EXPECT_EQ(full.message(), "unknown name 'omgea' in lagrangian");
  EXPECT_EQ(full.place().column, 14);
  EXPECT_EQ(full.cure(), "did you mean 'omega'?");
  EXPECT_STREQ(input_error("bad-step", "the step is -1", {}, "").what(), "the step is -1");
  EXPECT_STREQ(input_error("bad-step", "the step is -1", {}, "give a positive step").what(),
               "the step is -1; give a positive step");
}

#ifndef ACTIO_NO_ASSERTIONS
TEST(input_error_death_test, with_an_unlisted_id_is_a_bug) {
  EXPECT_DEATH(input_error("no-such-id", "", {}, ""), "actio has a bug");
}
#endif

TEST(error_catalogue, has_unique_ids_with_one_sentence_each) {
  std::set<std::string_view> ids;
  for (const error_entry& entry : error_catalogue()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_EQ(entry.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << entry.id;
    EXPECT_TRUE(entry.meaning.ends_with(".")) << entry.id;
    EXPECT_EQ(entry.meaning.find(". "), std::string_view::npos) << entry.id;
  }
  EXPECT_GE(ids.size(), 39U);
}

TEST(nearest_name, finds_slips_of_the_pen) {
  const std::vector<std::string> names = {"omega", "theta", "q1", "q2", "mass", "lambda"};
  EXPECT_EQ(nearest_name("omgea", names), "omega");  // neighbours swapped: one edit
  EXPECT_EQ(nearest_name("lambbda", names), "lambda");
  EXPECT_EQ(nearest_name("lmbd", names), "");          // two edits in four letters
  EXPECT_EQ(nearest_name("lmbdaa", names), "lambda");  // two edits in six letters
  EXPECT_EQ(nearest_name("OMEGA", names), "omega");
  EXPECT_EQ(nearest_name("q", names), "q1");
  EXPECT_EQ(nearest_name("velocity", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(nearest_name, does_not_take_one_letter_for_another) { EXPECT_EQ(nearest_name("x", {"y", "z"}), ""); }

TEST(nearest_name, prefers_equality_up_to_case_and_then_the_least_distance) {
  EXPECT_EQ(nearest_name("Masse", {"mass", "masses", "masse"}), "masse");
  EXPECT_EQ(nearest_name("abcdef", {"abcdxx", "abcdex"}), "abcdex");
}

TEST(nearest_name, counts_a_greek_letter_as_one_edit) { EXPECT_EQ(nearest_name("θ1", {"φ1"}), "φ1"); }

TEST(suggest, names_the_nearest_or_lists_what_is_known) {
  EXPECT_EQ(suggest("sine", {"sin", "cos"}), "did you mean 'sin'?");
  EXPECT_EQ(suggest("velocity", {"q1", "q2"}), "known: q1, q2");
  EXPECT_EQ(suggest("velocity", {}), "");
  std::vector<std::string> many;
  for (int i = 0; i < 20; ++i) many.push_back("n" + std::to_string(i));
  EXPECT_EQ(suggest("velocity", many), "known: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, ...");
}

}  // namespace
}  // namespace actio
