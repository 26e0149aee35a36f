// Functions that are pieced together, with all their pieces: an identity that holds for every sign holds on all sides.
#pragma once

#include <span>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

// Near a point |x - 3| + x may be constant, and so may sqrt((x - 3)^2) + x. With s = ±1 instead, s*(x - 3) + x is not.
// Far from their centres exp(-1000*(x - 5)^2) and tanh(100*(x - 30)) are constant to every digit; exp(c*a) and
// tanh(c*a) with one small c for all of them are not, and satisfy the same identities among one another.
struct branched_expressions {
  std::vector<expr> values;  // |a| and sign(a) as s*a and s, step(a) as (1 + s)/2, roots, asin(a) and acos(a) times an
                             // s of their own; floor(a) as a whole number that three signs make; exp, sinh, cosh, tanh,
                             // erf and varying exponents with c, a power of two from 1 to 2^-84 that three signs make;
                             // signals as in with_generic_signals
  std::vector<expr> signs;   // the symbols s
  std::vector<expr> jumps;   // arguments of sign(), step() and floor(), with signs: values may not be continuous there
};

// Signals replaced by functions that are analytic, nowhere zero and known everywhere, one for each: what holds for them
// holds for signals with any samples.
std::vector<expr> with_generic_signals(std::span<const expr> es);

// Functions of what contains none of `variables` stay as they are.
branched_expressions with_free_signs(std::span<const expr> es, std::span<const expr> variables);

}  // namespace actio
