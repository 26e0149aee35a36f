// Expressions: parsing, printing and parsing back to the same node, LaTeX, derivatives.
#include "actio/expr/derivative.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/print.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace actio;

namespace {

// Every name is known; primes are part of a symbol's name, as printing expects.
expr resolve(const parsed_name& name) { return expr::symbol(name.name + std::string(name.primes, '\'')); }

expr parsed(const std::string& text) { return parse_expression({text, {"fuzz", 1, 1}, "expression"}, resolve); }

void print_and_read_back(const expr& e) {
  const std::string text = to_text(e);
  if (text.ends_with("…")) return;  // too long to print
  expr again;
  try {
    again = parsed(text);
  } catch (const input_error& error) {
    fuzz::require(false, "what is printed can be read", text + "\n" + error.what());
  }
  fuzz::require(again == e, "what is printed reads back as the same expression", text + "\n" + to_text(again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  fuzz::attempt([&] {
    const expr e = parsed(text);
    print_and_read_back(e);
    (void)to_latex(e);
    const expr slope = derivative(e, expr::symbol("x"));
    (void)to_text(slope);
    (void)to_latex(slope);
  });
  return 0;
}
