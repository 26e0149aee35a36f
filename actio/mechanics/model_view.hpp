// What a model shows of its motion: points and what joins them, bodies, and shapes that stand still. The table [view].
#pragma once

#include <string>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

struct view_point {
  std::string name;
  std::vector<expr> position;  // in coordinates, time and parameters; as many as the view has dimensions
};

enum class body_form { box, disc };

struct view_body {
  std::string name;
  body_form form = body_form::box;
  std::vector<expr> size;    // in parameters. Box: its edges; disc: radius and thickness, which may be missing
  std::vector<expr> centre;  // in coordinates, time and parameters
  std::vector<std::vector<expr>> axes;  // unit vectors along the edges; a disc lies across the last one
};

// A variable of a shape runs over an interval, given in the parameters.
struct view_variable {
  expr symbol, from, to;
};

// A curve (one variable) or a surface (two) that does not move.
struct view_shape {
  std::string name;
  std::vector<view_variable> variables;
  std::vector<expr> point;  // in the variables and the parameters
};

struct model_view {
  std::size_t dimensions = 3;  // 2: everything lies in a plane
  std::vector<view_point> points;
  std::vector<std::vector<std::size_t>> lines;  // chains of points
  std::vector<std::size_t> traces;              // points whose path is drawn
  std::vector<view_body> bodies;
  std::vector<view_shape> shapes;

  bool is_empty() const { return points.empty() && bodies.empty(); }
};

}  // namespace actio
