#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> galerkin_methods();

// The Galerkin method of a scheme, as a method of its own to be registered: its order is min(2s, order of the rule), it
// is symplectic, and symmetric unless its rule is one-sided. Throws bad-method where the scheme has no path or fewer
// nodes than its degree, or where a one-sided or a Lobatto rule does not have such nodes.
method galerkin_method(std::string name, const galerkin_scheme& scheme);

// Beyond, a Newton iteration written out is longer than it is fast.
inline constexpr std::size_t most_fused_unknowns = 12;

}  // namespace actio
