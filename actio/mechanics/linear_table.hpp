// The table [linear] of a model file: matrices in the place of a Lagrangian.
#pragma once

#include <span>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/mechanics/model_file.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

// The number of rows of its mass matrix. Throws missing-key, wrong-type.
std::size_t linear_size(const file_entry& table);

// Entries are numbers or expressions in the parameters, those of the load in t as well. Throws unknown-key,
// missing-key, wrong-type, matrix-not-square, matrix-sizes-differ, two-descriptions, and what name_scope::parse throws.
linear_form read_linear_table(const file_entry& table, const name_scope& scope, std::span<const expr> coordinates);

// ½ v·Mv − ½ q·Kq + f·q, from the upper triangles and with what is constant of the load.
expr lagrangian_of(const linear_form& form, std::span<const expr> coordinates);

// −C v + f(t), with what is not constant of the load; empty where there is neither.
std::vector<expr> forces_of(const linear_form& form, std::span<const expr> coordinates);

}  // namespace actio
