// What can be wrong with a file before anybody reads it as TOML.
#pragma once

#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

inline constexpr std::size_t most_model_bytes = std::size_t{4} << 20;

// The bytes of a file. Throws file-unreadable, file-too-large.
std::string read_file(const std::string& path);

bool is_utf8(std::string_view text);

// Throws file-too-large, file-empty, file-not-text (no UTF-8, or control characters), toml-syntax (a key of so many
// parts that nobody could mean it).
void check_text(std::string_view text, const std::string& file);

}  // namespace actio
