// Charts x = ψ(q) of constrained models, and the same motion in their coordinates [marsden1997, eq. 48-50].
#pragma once

#include <vector>

#include "actio/mechanics/model.hpp"
#include "actio/mechanics/model_file.hpp"

namespace actio {

// The ambient system, without constraints, and its coordinates as expressions in those of the chart.
struct embedding {
  lagrangian_system ambient;
  std::vector<expr> chart;  // ψ, one an ambient coordinate
};

struct charted_model {
  model intrinsic;  // in the coordinates of the chart, without constraints
  embedding space;
};

// Whether the [chart] of a model file, if it has one, is a chart of the model: throws missing-chart,
// missing-chart-coordinate, chart-size, chart-off-constraint, chart-off-start, name-not-allowed (the time), and what is
// wrong with its names and expressions.
void check_chart(const file_value& root, const model& m);

// The model in the coordinates of its chart. Ambient coordinates and momenta of symmetries become observables.
// Throws missing-chart, two-point-start, and chart-off-start where parameters have moved the start off the chart.
charted_model intrinsic_model(const model& m);

}  // namespace actio
