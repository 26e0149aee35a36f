#include "actio/mechanics/linear_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/mechanics/model_language.hpp"

namespace actio {

namespace {

const file_entry& matrix_entry(const file_entry& table, const std::string& key) {
  if (table.value.kind != file_value_kind::table) {
    throw_wrong_type("'linear'", "a table", table.value, table.value.place,
                     "write [linear] on a line of its own, and its keys below");
  }
  const file_entry* entry = find_entry(table.value, key);
  const std::string example = fmt::format("{} = [[2, -1], [-1, 2]]", key);
  if (entry == nullptr) {
    throw input_error("missing-key", fmt::format("[linear] has no '{}'", key), table.place,
                      "add a line such as " + example);
  }
  if (entry->value.kind != file_value_kind::array) {
    throw_wrong_type(fmt::format("'{}'", key), "an array of rows", entry->value, entry->value.place,
                     "write " + example);
  }
  if (entry->value.items.empty()) {
    throw input_error("matrix-not-square", fmt::format("the {} matrix is empty", key), entry->value.place,
                      "write " + example);
  }
  return *entry;
}

class linear_table_reader {
 public:
  linear_table_reader(const name_scope& scope, std::size_t coordinates) : scope_(scope), size_(coordinates) {}

  std::vector<std::vector<named_expr>> matrix(const file_entry& entry) const {
    const std::vector<file_value>& rows = entry.value.items;
    std::vector<std::vector<named_expr>> result;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string row = fmt::format("row {} of the {} matrix", i + 1, entry.key);
      if (rows[i].kind != file_value_kind::array)
        throw_wrong_type(row, "an array", rows[i], rows[i].place, "write it as [2, -1]");
      if (rows[i].items.size() != rows.size()) {
        throw input_error("matrix-not-square",
                          fmt::format("the {} matrix is not square: it has {} rows, but row {} has {} entries",
                                      entry.key, rows.size(), i + 1, rows[i].items.size()),
                          rows[i].place, "give as many entries in each row as there are rows");
      }
      result.push_back(list(rows[i], fmt::format("{} ({}, ", entry.key, i + 1), ")", expression_use::constant));
    }
    check_size(rows.size(), fmt::format("the {0} matrix is {1} × {1}", entry.key, rows.size()), entry.value.place);
    return result;
  }

  // a M + b K for rayleigh = [a, b].
  std::vector<std::vector<named_expr>> rayleigh(const file_entry& entry, const linear_form& form) const {
    const std::string cure = "write rayleigh = [a, b] for the damping a*mass + b*stiffness";
    if (entry.value.kind != file_value_kind::array || entry.value.items.size() != 2) {
      throw_wrong_type("'rayleigh'", "an array of two numbers", entry.value, entry.value.place, cure);
    }
    const std::vector<named_expr> factors = list(entry.value, "rayleigh ", "", expression_use::constant);
    std::vector<std::vector<named_expr>> result;
    for (std::size_t i = 0; i < size_; ++i) {
      std::vector<named_expr>& row = result.emplace_back();
      for (std::size_t j = 0; j < size_; ++j) {
        row.push_back({fmt::format("damping ({}, {})", i + 1, j + 1),
                       factors[0].value * form.mass[i][j].value + factors[1].value * form.stiffness[i][j].value,
                       entry.value.place});
      }
    }
    return result;
  }

  std::vector<named_expr> load(const file_entry& entry, std::span<const expr> coordinates) const {
    if (entry.value.kind != file_value_kind::array)
      throw_wrong_type("'load'", "an array", entry.value, entry.value.place, "write load = [0, 1]");
    check_size(entry.value.items.size(), fmt::format("the load has {} entries", entry.value.items.size()),
               entry.value.place);
    std::vector<named_expr> result = list(entry.value, "load ", "", expression_use::generator);
    for (const named_expr& one : result) {
      for (const expr& q : coordinates) {
        if (!depends_on(one.value, q)) continue;
        throw input_error("name-not-allowed",
                          fmt::format("the coordinate '{}' has no meaning in {}", q.name(), one.name), one.place,
                          "a load depends on t and parameters; give other forces in [forces]");
      }
    }
    return result;
  }

 private:
  void check_size(std::size_t size, const std::string& what, const source_place& place) const {
    if (size == size_) return;
    throw input_error("matrix-sizes-differ", fmt::format("{}, but there are {} coordinates", what, size_), place,
                      "give mass, damping, stiffness and load one row for each coordinate");
  }

  std::vector<named_expr> list(const file_value& values, const std::string& before, const std::string& after,
                               expression_use use) const {
    std::vector<named_expr> result;
    for (const file_value& value : values.items) {
      const std::string name = fmt::format("{}{}{}", before, result.size() + 1, after);
      result.push_back({name, expression(value, name, use), value.place});
    }
    return result;
  }

  expr expression(const file_value& value, const std::string& name, expression_use use) const {
    if (value.kind != file_value_kind::number && value.kind != file_value_kind::text) {
      throw_wrong_type("the entry " + name, "a number or an expression in quotes", value, value.place);
    }
    source_text source = value.source;
    source.role = name;
    try {
      return scope_.parse(source, use);
    } catch (const input_error& error) {
      // The characters of a string with escapes have no places of their own.
      if (!value.has_escapes) throw;
      throw input_error(error.id(), error.message(), value.place, error.cure());
    }
  }

  const name_scope& scope_;
  std::size_t size_;
};

}  // namespace

std::size_t linear_size(const file_entry& table) { return matrix_entry(table, "mass").value.items.size(); }

linear_form read_linear_table(const file_entry& table, const name_scope& scope, std::span<const expr> coordinates) {
  const linear_table_reader reader(scope, coordinates.size());
  const file_entry &mass = matrix_entry(table, "mass"), &stiffness = matrix_entry(table, "stiffness");
  check_keys(table.value, "[linear]", keys_of_table("linear"));
  linear_form form{reader.matrix(mass), reader.matrix(stiffness), {}, {}};
  if (const file_entry* load = find_entry(table.value, "load")) form.load = reader.load(*load, coordinates);
  const file_entry* const rayleigh = find_entry(table.value, "rayleigh");
  if (find_entry(table.value, "damping") != nullptr) {
    if (rayleigh != nullptr) {
      throw input_error("two-descriptions", "both 'damping' and 'rayleigh' are given", rayleigh->place,
                        "either gives the damping; remove one of them");
    }
    form.damping = reader.matrix(matrix_entry(table, "damping"));
  } else if (rayleigh != nullptr) {
    form.damping = reader.rayleigh(*rayleigh, form);
  }
  return form;
}

expr lagrangian_of(const linear_form& form, std::span<const expr> coordinates) {
  const std::size_t n = coordinates.size();
  expr kinetic = 0, potential = 0, work = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const expr factor = i == j ? expr(rational(1, 2)) : expr(1);
      const expr &m = form.mass[i][j].value, &k = form.stiffness[i][j].value;
      if (!m.is_zero()) kinetic += factor * m * (velocity_symbol(coordinates[i]) * velocity_symbol(coordinates[j]));
      if (!k.is_zero()) potential += factor * k * (coordinates[i] * coordinates[j]);
    }
    if (!form.load.empty() && !depends_on(form.load[i].value, time_symbol())) {
      work += form.load[i].value * coordinates[i];
    }
  }
  return kinetic - potential + work;
}

std::vector<expr> forces_of(const linear_form& form, std::span<const expr> coordinates) {
  const std::size_t n = coordinates.size();
  std::vector<expr> forces(n, expr(0));
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < form.damping.size(); ++j) {
      const expr& c = form.damping[i][j].value;
      if (!c.is_zero()) forces[i] -= c * velocity_symbol(coordinates[j]);
    }
    if (!form.load.empty() && depends_on(form.load[i].value, time_symbol())) forces[i] += form.load[i].value;
    any = any || !forces[i].is_zero();
  }
  return any ? forces : std::vector<expr>();
}

}  // namespace actio
