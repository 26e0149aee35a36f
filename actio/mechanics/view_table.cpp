#include "actio/mechanics/view_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actio/mechanics/model_language.hpp"

namespace actio {

namespace {

// What a page can hold and draw.
constexpr std::size_t most_points = 200, most_bodies = 50, most_shapes = 8, most_lines = 1000;

const std::vector<file_value>& array_of(const file_value& value, const std::string& what, std::string_view expected,
                                        const std::string& cure) {
  if (value.kind != file_value_kind::array) throw_wrong_type(what, expected, value, value.place, cure);
  return value.items;
}

const std::vector<file_entry>& table_of(const file_entry& entry, const std::string& where) {
  if (entry.value.kind != file_value_kind::table) {
    throw_wrong_type("'" + entry.key + "'", "a table", entry.value, entry.value.place,
                     "write " + where + " on a line of its own, and its keys below");
  }
  return entry.value.entries;
}

void check_count(std::size_t count, std::size_t most, const std::string& what, const source_place& place) {
  if (count <= most) return;
  throw input_error("model-too-large", fmt::format("the view has {} {}", count, what), place,
                    fmt::format("at most {} are possible", most));
}

std::string counted(std::size_t count) { return fmt::format("{} component{}", count, count == 1 ? "" : "s"); }

// Of several keys that say the same thing, the one that is given; nullptr where none is.
const file_entry* one_of(const file_value& table, const std::vector<std::string>& keys, const std::string& what) {
  const file_entry* given = nullptr;
  for (const std::string& key : keys) {
    const file_entry* entry = find_entry(table, key);
    if (entry == nullptr) continue;
    if (given != nullptr) {
      throw input_error("two-descriptions", fmt::format("{} has both '{}' and '{}'", what, given->key, entry->key),
                        entry->place, "one of them is enough; remove the other");
    }
    given = entry;
  }
  return given;
}

// The columns of the rotation that the unit quaternion w + xi + yj + zk stands for.
std::vector<std::vector<expr>> axes_of_quaternion(const std::vector<expr>& q) {
  const expr &w = q[0], &x = q[1], &y = q[2], &z = q[3], two = 2;
  return {{w * w + x * x - y * y - z * z, two * (x * y + w * z), two * (x * z - w * y)},
          {two * (x * y - w * z), w * w - x * x + y * y - z * z, two * (y * z + w * x)},
          {two * (x * z + w * y), two * (y * z - w * x), w * w - x * x - y * y + z * z}};
}

class view_table_reader {
 public:
  explicit view_table_reader(const name_scope& scope) : scope_(scope) {}

  model_view read(const file_entry& table) {
    table_of(table, "[view]");
    check_keys(table.value, "[view]", keys_of_table("view"));
    if (const file_entry* points = find_entry(table.value, "points")) read_points(*points);
    // Dimensions are known before anything needs them: shapes and bodies may rely on what points say.
    if (const file_entry* shapes = find_entry(table.value, "shapes")) read_shapes(*shapes);
    if (const file_entry* bodies = find_entry(table.value, "bodies")) read_bodies(*bodies);
    if (view_.is_empty()) {
      throw input_error("missing-key", "[view] shows nothing", table.place,
                        "add [view.points] with lines such as bob = [\"x\", \"y\"]");
    }
    if (const file_entry* lines = find_entry(table.value, "lines")) read_lines(*lines);
    if (const file_entry* traces = find_entry(table.value, "traces")) {
      view_.traces = names_of_points(traces->value, "'traces'", "traces = [\"bob\"]");
    }
    return std::move(view_);
  }

 private:
  void read_points(const file_entry& table) {
    for (const file_entry& entry : table_of(table, "[view.points]")) {
      view_.points.push_back({entry.key, vector(entry.value, "the point '" + entry.key + "'", "point " + entry.key)});
    }
    check_count(view_.points.size(), most_points, "points", table.place);
  }

  void read_lines(const file_entry& entry) {
    const std::string example = "lines = [[\"pivot\", \"bob\"]]";
    for (const file_value& chain : array_of(entry.value, "'lines'", "an array of lines", "write " + example)) {
      std::vector<std::size_t> line = names_of_points(chain, "a line", example);
      if (line.size() < 2) {
        throw input_error("component-count", "a line joins two points at least", chain.place, "write " + example);
      }
      view_.lines.push_back(std::move(line));
    }
    check_count(view_.lines.size(), most_lines, "lines", entry.place);
  }

  void read_bodies(const file_entry& table) {
    for (const file_entry& entry : table_of(table, "[view.bodies]")) view_.bodies.push_back(body(entry));
    check_count(view_.bodies.size(), most_bodies, "bodies", table.place);
  }

  void read_shapes(const file_entry& table) {
    for (const file_entry& entry : table_of(table, "[view.shapes]")) view_.shapes.push_back(shape(entry));
    check_count(view_.shapes.size(), most_shapes, "shapes", table.place);
  }

  view_body body(const file_entry& entry) {
    const std::string what = "the body '" + entry.key + "'", of = " of " + entry.key;
    const std::string where = "[view.bodies." + entry.key + "]";
    table_of(entry, where);
    check_keys(entry.value, where, {"centre", "box", "disc", "axes", "orientation", "angle"});
    view_body result{.name = entry.key, .size = {}, .centre = {}, .axes = {}};
    if (const file_entry* centre = find_entry(entry.value, "centre")) {
      // A name in quotes is a point, unless it stands for a vector of the model.
      const bool is_name = centre->value.kind == file_value_kind::text && !is_vector(centre->value);
      result.centre = is_name ? view_.points[point_named(centre->value, what)].position
                              : vector(centre->value, "the centre" + of, "centre" + of);
    }
    result.axes = axes(entry, what, of);
    // Neither says how many dimensions there are: space.
    if (dimensions_ == 0) set_dimensions(3, what, entry.place);
    if (result.centre.empty()) result.centre.assign(dimensions_, expr(0));
    if (result.axes.empty()) {
      result.axes.assign(dimensions_, std::vector<expr>(dimensions_, expr(0)));
      for (std::size_t k = 0; k < dimensions_; ++k) result.axes[k][k] = expr(1);
    }
    const file_entry* form = one_of(entry.value, {"box", "disc"}, what);
    if (form == nullptr) {
      throw input_error(
          "missing-key", what + " has no form", entry.place,
          "add its edges, box = [2, 1" + std::string(dimensions_ == 3 ? ", 0.5" : "") + "], or a radius, disc = [0.5]");
    }
    result.form = form->key == "box" ? body_form::box : body_form::disc;
    result.size = sizes(*form, what, of);
    return result;
  }

  std::vector<expr> sizes(const file_entry& form, const std::string& what, const std::string& of) const {
    const bool is_box = form.key == "box";
    const std::vector<file_value>& items =
        array_of(form.value, "'" + form.key + "' of " + what, "an array of lengths", "");
    const bool fits = is_box ? items.size() == dimensions_ : items.size() >= 1 && items.size() < dimensions_;
    if (!fits) {
      throw input_error("component-count", fmt::format("'{}' of {} has {}", form.key, what, counted(items.size())),
                        form.value.place,
                        is_box             ? fmt::format("give the lengths of its {} edges", dimensions_)
                        : dimensions_ == 3 ? "give its radius, and its thickness where it has one"
                                           : "give its radius alone");
    }
    std::vector<expr> result;
    for (const file_value& item : items) {
      result.push_back(expression(item, scope_, form.key + of, expression_use::constant));
    }
    return result;
  }

  // Empty where the body is not turned.
  std::vector<std::vector<expr>> axes(const file_entry& entry, const std::string& what, const std::string& of) {
    const file_entry* given = one_of(entry.value, {"axes", "orientation", "angle"}, what);
    if (given == nullptr) return {};
    if (given->key == "angle") {
      set_dimensions(2, "an angle" + of, given->value.place);
      const expr angle = expression(given->value, scope_, "angle" + of, expression_use::generator);
      return {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    }
    if (given->key == "orientation" && given->value.kind == file_value_kind::text) {
      set_dimensions(3, "an orientation" + of, given->value.place);
      return axes_of_quaternion(parts(given->value, "orientation" + of, tuple_shape::quaternion));
    }
    const std::vector<file_value>& items = array_of(given->value, "'" + given->key + "' of " + what, "an array", "");
    if (given->key == "orientation") {
      set_dimensions(3, "an orientation" + of, given->value.place);
      if (items.size() != 4) {
        throw input_error("component-count", fmt::format("the orientation{} has {}", of, counted(items.size())),
                          given->value.place, "give the four components of a unit quaternion, the real part first");
      }
      return axes_of_quaternion(components(items, "orientation" + of));
    }
    std::vector<std::vector<expr>> result;
    for (const file_value& item : items) {
      result.push_back(vector(item, fmt::format("axis {}{}", result.size() + 1, of), "axis" + of));
    }
    if (items.size() != dimensions_) {
      throw input_error("component-count", fmt::format("{} has {} axes", what, items.size()), given->value.place,
                        fmt::format("give {} unit vectors at right angles", dimensions_));
    }
    return result;
  }

  // Keys other than `point` are variables.
  view_shape shape(const file_entry& entry) {
    const std::string what = "the shape '" + entry.key + "'", where = "[view.shapes." + entry.key + "]";
    view_shape result{.name = entry.key, .variables = {}, .point = {}};
    name_scope inside = scope_;
    const std::vector<file_entry>& entries = table_of(entry, where);
    for (const file_entry& variable : entries) {
      if (variable.key == "point") continue;
      const std::string example = variable.key + " = [0, 1]";
      const std::vector<file_value>& ends =
          array_of(variable.value, "the variable '" + variable.key + "'", "an interval", "write " + example);
      if (ends.size() != 2) {
        throw input_error("component-count", fmt::format("the interval of '{}' has {} ends", variable.key, ends.size()),
                          variable.value.place, "write where it begins and where it ends, as in " + example);
      }
      const std::string role = "interval of " + variable.key;
      result.variables.push_back({expr::symbol(variable.key),
                                  expression(ends[0], scope_, role, expression_use::constant),
                                  expression(ends[1], scope_, role, expression_use::constant)});
      inside.declare(variable.key, name_kind::variable, variable.place);
      inside.define_as_symbol(variable.key);
    }
    const file_entry* point = find_entry(entry.value, "point");
    if (point == nullptr) {
      throw input_error("missing-key", what + " has no 'point'", entry.place,
                        "add its points in a variable of its own, as in s = [-1, 1] and point = [\"s\", \"s^2\"]");
    }
    if (result.variables.empty() || result.variables.size() > 2) {
      throw input_error("component-count", fmt::format("{} has {} variables", what, result.variables.size()),
                        entry.place, "a curve has one variable and a surface two, each with an interval: s = [0, 1]");
    }
    const std::vector<file_value>& items =
        array_of(point->value, "the point of " + what, "an array of expressions", "");
    set_dimensions(items.size(), what, point->value.place);
    for (const file_value& item : items) {
      result.point.push_back(expression(item, inside, "shape " + entry.key, expression_use::constant));
    }
    return result;
  }

  std::vector<std::size_t> names_of_points(const file_value& value, const std::string& what,
                                           const std::string& example) const {
    std::vector<std::size_t> result;
    for (const file_value& item : array_of(value, what, "an array of points", "write " + example)) {
      if (item.kind != file_value_kind::text) {
        throw_wrong_type("a point in " + what, "its name in quotes", item, item.place, "write " + example);
      }
      result.push_back(point_named(item, what));
    }
    return result;
  }

  std::size_t point_named(const file_value& name, const std::string& what) const {
    const auto found = std::ranges::find(view_.points, name.source.text, &view_point::name);
    if (found != view_.points.end()) return static_cast<std::size_t>(found - view_.points.begin());
    std::vector<std::string> names;
    for (const view_point& p : view_.points) names.push_back(p.name);
    throw input_error("unknown-point", "unknown point '" + name.source.text + "' in " + what, name.place,
                      names.empty() ? "points are named in [view.points]" : suggest(name.source.text, names));
  }

  std::vector<expr> vector(const file_value& value, const std::string& what, const std::string& role) {
    if (value.kind == file_value_kind::text) {
      set_dimensions(3, what, value.place);
      return parts(value, role, tuple_shape::vector);
    }
    const std::vector<file_value>& items =
        array_of(value, what, "an array of expressions", "write one expression a direction, as in [\"x\", \"y\"]");
    set_dimensions(items.size(), what, value.place);
    return components(items, role);
  }

  // The characters of a string with escapes have no places of their own.
  template <class Parse>
  static auto located(const file_value& value, Parse&& parse) {
    try {
      return parse();
    } catch (const input_error& error) {
      if (!value.has_escapes) throw;
      throw input_error(error.id(), error.message(), value.place, error.cure());
    }
  }

  // The parts of a vector or a quaternion that is written as one expression.
  std::vector<expr> parts(const file_value& value, const std::string& role, tuple_shape shape) const {
    source_text source = value.source;
    source.role = role;
    const expr_tuple given = located(value, [&] { return scope_.parse_tuple(source, expression_use::generator); });
    if (given.shape() != shape) {
      throw input_error("wrong-shape",
                        fmt::format("the {} must be {}, but is {}", role, name_of(shape), name_of(given.shape())),
                        value.place,
                        shape == tuple_shape::vector ? "write vector(x, y, z), a vector of the model, or an array"
                                                     : "write quaternion(w, x, y, z), one of the model, or an array");
    }
    return {given.parts().begin(), given.parts().end()};
  }
  bool is_vector(const file_value& value) const {
    try {
      return scope_.parse_tuple(value.source, expression_use::generator).shape() == tuple_shape::vector;
    } catch (const input_error&) {
      return false;
    }
  }

  std::vector<expr> components(const std::vector<file_value>& items, const std::string& role) const {
    std::vector<expr> result;
    for (const file_value& item : items) {
      result.push_back(expression(item, scope_, role, expression_use::generator));
    }
    return result;
  }

  // The first vector decides; all others must follow.
  void set_dimensions(std::size_t count, const std::string& what, const source_place& place) {
    if (count != 2 && count != 3) {
      throw input_error("component-count", what + " has " + counted(count), place,
                        "give two components in a plane, three in space");
    }
    if (dimensions_ != 0 && count != dimensions_) {
      throw input_error("component-count",
                        fmt::format("{} has {} dimensions, but {} has {}", what, count, decided_by_, dimensions_),
                        place, "draw everything in a plane or everything in space");
    }
    if (dimensions_ == 0) decided_by_ = what;
    dimensions_ = view_.dimensions = count;
  }

  static expr expression(const file_value& value, const name_scope& scope, const std::string& role,
                         expression_use use) {
    if (value.kind != file_value_kind::number && value.kind != file_value_kind::text) {
      throw_wrong_type("each component of " + role, "a number or an expression in quotes", value, value.place);
    }
    source_text source = value.source;
    source.role = role;
    return located(value, [&] { return scope.parse(source, use); });
  }

  const name_scope& scope_;
  model_view view_;
  std::size_t dimensions_ = 0;
  std::string decided_by_;
};

}  // namespace

model_view read_view_table(const file_entry& table, const name_scope& scope) {
  return view_table_reader(scope).read(table);
}

}  // namespace actio
