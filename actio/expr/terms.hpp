// What a sum is made of: how large its terms are, and which of them are constant.
#pragma once

#include <span>

#include "actio/expr/expr.hpp"

namespace actio {

// The size of what rounding acts on when e is evaluated: sums become sums of sizes, |a| + |b| for a - b, and so on
// through products, quotients and whole powers; anything else is its own size. Never below |e|.
expr magnitude(const expr& e);

// e = varying + constant, where the terms of `constant` contain none of the variables. Where there is no such term,
// `varying` is e as it stands.
struct split_sum {
  expr varying, constant;
};
split_sum split_constant(const expr& e, std::span<const expr> variables);

}  // namespace actio
