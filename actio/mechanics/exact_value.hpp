// Numbers that were computed, as what they are: fractions, decimals, roots, products of parameters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/base/scalar.hpp"
#include "actio/expr/expr.hpp"

namespace actio {

struct known_value {
  expr formula;
  quad value;
};

// An expression that is x to twenty digits, or to eleven and more where it is as simple as 2/3: a fraction or a short
// decimal, else such a number times a known value, a quotient or product of two, or pi, or its root. So few numbers are
// of that kind that hardly one is met by accident. Nothing where there is none.
std::optional<expr> exact_value(const quad& x, std::span<const known_value> known);

}  // namespace actio
