// Figures as data: drawn for print by svg.hpp and on pages by paper_page.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace actio {

enum class curve_style { line, dashed, points, line_with_points };

// Points in their order. A coordinate that is not finite, or not positive on a logarithmic axis, makes a gap. A curve
// without a name is a guide, such as the outline of a sphere: thin and grey, without an entry in the legend.
struct curve {
  std::string name = {};
  curve_style style = curve_style::line;
  std::vector<double> x = {}, y = {};    // equally many
  std::optional<std::size_t> look = {};  // which colour and marker; by its place in the panel where none is given
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

// Gives every curve with a name a look, the same name the same one in all figures: who reads on finds a method again.
// In a panel different names look different, also where that changes one.
void number_looks(std::vector<figure>& figures);

}  // namespace actio
