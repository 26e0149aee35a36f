// Figures as data: drawn for print by svg.hpp and on pages by paper_page.hpp.
#pragma once

#include <string>
#include <vector>

namespace actio {

enum class curve_style { line, dashed, points, line_with_points };

// Points in their order. A coordinate that is not finite, or not positive on a logarithmic axis, makes a gap. A curve
// without a name is a guide, such as the outline of a sphere: thin and grey, without an entry in the legend.
struct curve {
  std::string name = {};
  curve_style style = curve_style::line;
  std::vector<double> x = {}, y = {};  // equally many
};

struct panel {
  std::string title = {}, x_label = {}, y_label = {};
  bool x_log = false, y_log = false;
  bool equal_scales = false;  // one unit is as long along x as along y; for two linear axes
  std::vector<curve> curves = {};
};

struct figure {
  std::string id = {};  // "figure-4": names the SVG file and the anchor
  std::string title = {}, caption = {};
  std::vector<panel> panels = {};
};

}  // namespace actio
