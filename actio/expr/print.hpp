// Writing expressions as text that parses back to the same DAG, and as LaTeX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "actio/expr/expr.hpp"

namespace actio {

// A small DAG can be a huge tree: beyond this many bytes the text ends with "…" (and does not parse back).
inline constexpr std::size_t max_printed_length = 200'000;

std::string to_text(const expr& e);

// LaTeX with \frac, \sqrt, function names; q1 becomes q_{1}, theta \theta, q1' \dot{q}_{1}.
std::string to_latex(const expr& e);
std::string symbol_to_latex(std::string_view name);

}  // namespace actio
