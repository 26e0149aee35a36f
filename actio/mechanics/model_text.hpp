// The tables of a model as the text of a model file: the inverse of read_tables.
#pragma once

#include <string>

#include "actio/mechanics/model_file.hpp"

namespace actio {

// TOML: keys of the root first, then its tables, [a] or [a.b], in their order. Texts and numbers are those of
// `source`, whatever their places.
std::string model_text(const file_value& root);
// One value: a number, a string in quotes, an array.
std::string value_text(const file_value& value);

}  // namespace actio
