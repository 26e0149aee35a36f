// Models in indices: [sizes], [tables.NAME], and keys with ranges written out into one entry a member.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

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

// The same file where every entry of a table stands for one member, instead of "m[i = 1..n]" and of arrays. Bindings
// refer to the tables of `names`. Coordinates and their initial values keep their ranges, whose number of members is
// looked at: of them there may be very many. Throws bad-index, too-many-elements.
file_value with_members(const file_value& root, const index_names& names);

inline bool has_index(std::string_view key) { return key.find('[') != std::string_view::npos; }

// The ranges of a key. Throws too-many-elements where it has more members than are possible.
indexed_key ranges_of(const source_text& key, const index_names& names);

// Each member that a key stands for, and what its indices are bound to.
using member_use = std::function<void(std::string name, const index_binding& bound)>;
void for_each_member(const indexed_key& key, const member_use& use);

}  // namespace actio
