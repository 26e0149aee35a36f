// What is proved of an expression by the way it is written.
//
// Derivatives prove nothing: those of |x| and sign(x) are constant or zero wherever they exist, though the functions
// are neither linear nor constant. Whoever concludes structure (a linear system, a mass matrix without velocities, no
// coupling) asks here.
#pragma once

#include <optional>
#include <span>

#include "actio/expr/expr.hpp"

namespace actio {

bool depends_on_any(const expr& e, std::span<const expr> symbols);

// A bound of the degree of e as a polynomial in all of `symbols` together, with coefficients free of them; nothing
// where e is not written as one. 0: e does not depend on them; 1: it is affine.
std::optional<unsigned> polynomial_degree(const expr& e, std::span<const expr> symbols);
bool is_polynomial(const expr& e, std::span<const expr> symbols, unsigned degree);

// Whether e is analytic in `symbols` wherever it is defined: none of them stands under |·|, sign, atan2, step, floor, a
// condition or a signal, or what is one of these in other words, such as √(x²) and acos(cos x), whose pieces have
// derivatives that know nothing of one another. Of such an expression a derivative that vanishes does prove that it is
// constant.
bool is_smooth_in(const expr& e, std::span<const expr> symbols);
bool are_smooth_in(std::span<const expr> all, std::span<const expr> symbols);

}  // namespace actio
