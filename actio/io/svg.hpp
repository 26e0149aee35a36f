// Figures for print.
#pragma once

#include <string>

#include "actio/io/figure.hpp"

namespace actio {

// A complete, self-contained SVG. It uses presentation attributes only, so that converters for LaTeX understand it.
std::string to_svg(const figure& f);

}  // namespace actio
