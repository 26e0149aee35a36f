#include "actio/base/digest.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

// Examples of the standard, and lengths at which the end needs another block.
TEST(digest, is_sha_256) {
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_NE(digest(std::string(55, 'a')), digest(std::string(56, 'a')));
}

}  // namespace
}  // namespace actio
