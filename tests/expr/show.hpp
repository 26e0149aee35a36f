// Lets a failing test show formulas instead of bytes.
#pragma once

#include <ostream>

#include "actio/expr/print.hpp"

namespace actio {

inline void PrintTo(const expr& e, std::ostream* out) { *out << to_text(e); }

}  // namespace actio
