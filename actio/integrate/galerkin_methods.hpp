#pragma once

#include <optional>
#include <vector>

#include "actio/integrate/catalogue.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

std::vector<method> galerkin_methods();

// The nodes of a method of the catalogue, where it is a Galerkin method.
std::optional<galerkin_scheme> galerkin_scheme_of(const method& m);

// Whether it is a Gauss method by name: collocation on Hamilton's equations. (midpoint is the same as gauss-1.)
bool is_gauss_method(const method& m);

// Beyond, a Newton iteration written out is longer than it is fast.
inline constexpr std::size_t most_fused_unknowns = 12;

}  // namespace actio
