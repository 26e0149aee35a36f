// Prints the Lagrangian of a pendulum.
#include <iostream>

#include "actio/expr/expr.hpp"
#include "actio/expr/print.hpp"

int main() {
  using actio::expr;
  const expr q = expr::symbol("q"), v = expr::symbol("q'"), g = expr::symbol("g");
  std::cout << to_text(v * v / 2 + g * cos(q)) << '\n';
}
