// Models in indices: [sizes], [tables.NAME], and keys with ranges written out into one entry a member.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "actio/expr/indices.hpp"
#include "actio/mechanics/model_file.hpp"

namespace actio {

// Sizes that are not those of the model's text.
using size_overrides = std::map<std::string, std::int64_t, std::less<>>;

// The sizes and tables of a model. Throws bad-size, table-column, bad-number, wrong-type, missing-key, and what reading
// a file beside the model throws.
std::shared_ptr<const index_names> read_indices(const file_value& root, const std::string& file,
                                                const size_overrides& sizes);

// The rows of a table [tables.NAME] as text that a model can hold instead of the key `file`.
std::string rows_text(const file_entry& entry, const std::string& file);

// The same file where every entry stands for one member: "q[1..n]" among the coordinates, "m[i = 1..n]" and arrays in
// tables. Bindings refer to the tables of `names`. Throws bad-index, too-many-elements.
file_value with_members(const file_value& root, const index_names& names);

}  // namespace actio
