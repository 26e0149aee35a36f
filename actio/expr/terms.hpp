// What a sum is made of: how large its terms are, and which of them are constant.
#pragma once

#include <span>

#include "actio/expr/expr.hpp"

namespace actio {

// What rounding makes of e, in units of the relative rounding of numbers: that of its variables and constants and of
// every operation, carried on to first order. For x - y this is about |x| + |y|, for (x - y)^4 it is 4 |x - y|^3 times
// that.
expr rounding_size(const expr& e);

// |a| + |b| + … of e = a ± b ± …: how large e is where its terms do not cancel.
expr size_of_terms(const expr& e);

// e = varying + constant, where the terms of `constant` contain none of the variables. Where there is no such term,
// `varying` is e as it stands.
struct split_sum {
  expr varying, constant;
};
split_sum split_constant(const expr& e, std::span<const expr> variables);

}  // namespace actio
