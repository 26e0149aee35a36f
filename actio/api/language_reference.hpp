// What the language of models knows, as texts: from the tables by which it is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace actio {

// The whole reference, a page in Markdown: operators, functions, tables and keys, errors.
std::string language_page();

// A function, an operator, a table ("forces" or "[forces]") or a key; nothing where the language has no such word.
std::optional<std::string> explained_word(std::string_view word);
// All of them, for suggestions.
std::vector<std::string> language_topics();

}  // namespace actio
