#include "actio/backend/llvm/loaded_code.hpp"

#include <gtest/gtest.h>

#include "actio/backend/llvm/code_generator.hpp"

namespace actio::machine_code {
namespace {

TEST(loaded_code, refuses_what_is_no_object) {
  EXPECT_FALSE(loaded_code::load(""));
  EXPECT_FALSE(loaded_code::load("\177ELF"));
  EXPECT_FALSE(loaded_code::load(std::string(10'000, '\1')));
}

TEST(loaded_code, refuses_every_truncated_object) {
  if (!processor_suffices() || !memory_can_become_executable()) GTEST_SKIP();
  const expr x = expr::symbol("x"), e = sin(x) * x;
  const std::string object = make_object(lower(std::span(&e, 1), {}, std::span(&x, 1)), {2, 2, false});
  EXPECT_TRUE(loaded_code::load(object));
  for (std::size_t length = 0; length < object.size(); length += 7) {
    EXPECT_FALSE(loaded_code::load(std::string_view(object).substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace actio::machine_code
