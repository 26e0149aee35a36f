// Every word of the language of expressions does what its entry says.
#include "actio/expr/language.hpp"

#include <gtest/gtest.h>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/print.hpp"

namespace actio {
namespace {

expr read(std::string_view text) {
  const expr t = expr::symbol("t");
  const auto resolve = [&](const parsed_name& name) -> expr_tuple {
    if (name.name != "t") ADD_FAILURE() << "an example uses the name " << name.name;
    return name.primes == 0 ? t : expr(name.primes == 1 ? 1 : 0);
  };
  const auto rate = [&](const expr& e, const parsed_name&) { return derivative(e, t); };
  return parse_scalar({std::string(text), {}, "example"}, {resolve, rate});
}

void expect_example(std::string_view example, std::string_view value) {
  const expr t = expr::symbol("t"), left = read(example), right = read(value);
  for (const quad& at : {quad(1) / 7, quad(1), quad(5) / 3, quad(200)}) {
    const std::vector<expr> both{left, right};
    const auto found = evaluate<quad>(both, std::span(&t, 1), std::span(&at, 1));
    EXPECT_LE(abs(found[0] - found[1]), 1e-30 * (1 + abs(found[1]))) << example << " = " << value << " at t = " << at;
  }
  EXPECT_EQ(read(to_text(left)), left) << example << " is printed as " << to_text(left);
}

TEST(language, examples_have_the_values_they_are_said_to_have) {
  for (const language_function& f : language_functions()) {
    EXPECT_NE(f.example.find(f.name), std::string_view::npos) << f.name;
    EXPECT_NE(f.usage.find(f.name), std::string_view::npos) << f.name;
    EXPECT_FALSE(f.sentence.empty()) << f.name;
    expect_example(f.example, f.value);
  }
  for (const language_word& w : language_words()) expect_example(w.example, w.value);
}

TEST(language, names_every_operation_that_is_a_function) {
  for (int code = 0; code <= static_cast<int>(operation::lookup); ++code) {
    const auto op = static_cast<operation>(code);
    const std::string_view name = name_of(op);
    const bool is_word = name.front() >= 'a' && name.front() <= 'z' && operand_count(op) > 0;
    if (!is_word || op == operation::where || op == operation::lookup) continue;
    const bool known = std::ranges::any_of(language_functions(), [&](const auto& f) { return f.name == name; }) ||
                       std::ranges::any_of(language_words(), [&](const auto& w) { return w.name == name; });
    EXPECT_TRUE(known) << name;
  }
}

}  // namespace
}  // namespace actio
