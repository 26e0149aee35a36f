// Derivatives of expressions, as expressions of the same DAG.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

// ∂e/∂symbol.
expr derivative(const expr& e, const expr& symbol);

// (∂e/∂x for x in symbols) by one reverse sweep: at most a small multiple of the cost of e, whatever their number.
// d|x|/dx is sign(x), derivatives of sign(x), step(x), floor(x) and conditions are 0; all are right wherever the
// derivative exists. That of where(c, x) is where(c, x'): a branch that is not chosen disturbs no derivative.
std::vector<expr> gradient(const expr& e, std::span<const expr> symbols);

// Σ_x ∂e/∂x · rate(x) over the pairs (x, rate): with (q, q') and (t, 1) this is the total time derivative.
expr total_derivative(const expr& e, std::span<const std::pair<expr, expr>> rates);

}  // namespace actio
