// Functions that are pieced together: conditions, and what is chosen by them.
//
// A condition is an expression that is 0 or 1, made of step(x), which is x ≥ 0, by `negation` and `both`. It is no
// number to people: the parser lets conditions stand only where one is asked for.
#pragma once

#include <optional>

#include "actio/expr/expr.hpp"

namespace actio {

expr is_at_least(const expr& a, const expr& b);  // a ≥ b
expr is_less(const expr& a, const expr& b);      // a < b
expr is_equal(const expr& a, const expr& b);
expr both(const expr& a, const expr& b);
expr either(const expr& a, const expr& b);
expr negation(const expr& condition);

// x where the condition holds, otherwise 0; x may be anything there.
expr where(const expr& condition, const expr& x);
// a where the condition holds, b otherwise; neither disturbs where it is not chosen.
expr conditional(const expr& condition, const expr& a, const expr& b);

expr min(const expr& a, const expr& b);
expr max(const expr& a, const expr& b);
expr clamp(const expr& x, const expr& low, const expr& high);  // max(low, min(x, high)) for low ≤ high
expr mod(const expr& a, const expr& b);                        // a − b ⌊a/b⌋, with the sign of b

// What `conditional` made, where e is that: if(condition, a, b).
struct conditional_parts {
  const expr &condition, &a, &b;
};
std::optional<conditional_parts> parts_of_conditional(const expr& e);

// What `mod` made, where e is that.
struct mod_parts {
  expr a, b;
};
std::optional<mod_parts> parts_of_mod(const expr& e);

}  // namespace actio
