#include "actio/io/svg_text.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

TEST(escaped_for_xml, leaves_text_and_replaces_what_is_none) {
  EXPECT_EQ(escaped_for_xml("‖e‖∞ φ̇ 𝑞\n"), "‖e‖∞ φ̇ 𝑞\n");
  EXPECT_EQ(escaped_for_xml("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  const std::string mark = "\uFFFD";
  EXPECT_EQ(escaped_for_xml("\x01 \xff"), mark + " " + mark);
  EXPECT_EQ(escaped_for_xml("\xcf"), mark);                        // the beginning of φ
  EXPECT_EQ(escaped_for_xml("\xe0\x80\xbc"), mark + mark + mark);  // `<` in three bytes
  EXPECT_EQ(escaped_for_xml("\xed\xa0\x80"), mark + mark + mark);  // half of a pair of UTF-16
  EXPECT_EQ(escaped_for_xml("\xef\xbf\xbf"), mark + mark + mark);  // U+FFFF
}

TEST(text_width, counts_characters_and_not_accents) {
  EXPECT_DOUBLE_EQ(text_width("φ", 10), text_width("φ̇", 10));
  EXPECT_GT(text_width("φφ", 10), text_width("φ", 10));
  EXPECT_EQ(text_width("", 10), 0);
}

}  // namespace
}  // namespace actio
