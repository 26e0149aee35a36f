// From the tables of a model file to a model.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/mechanics/model.hpp"
#include "actio/mechanics/model_file.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

// Reads one file; every function throws input_error for what is wrong in its part.
class model_reader {
 public:
  // `root` with keys written out into members (indexed_tables.hpp), which `indices` are for.
  model_reader(const file_value& root, const std::string& file, std::shared_ptr<const index_names> indices)
      : root_(root), file_(file) {
    scope_.use_indices(indices);
    model_.indices = std::move(indices);
  }

  model read();  // everything but the text itself

 private:
  void read_name();
  void read_coordinates();
  void number_coordinates(const file_entry& linear);
  void declare_signals();
  void declare_names();
  void read_parameters_and_definitions();
  void refuse_what_needs_lagrangian() const;
  void read_lagrangian();
  bool read_lagrangian_as_sums(const file_entry& entry);
  void refuse_beside_hamiltonian() const;
  void read_hamiltonian();
  void read_linear();
  void read_equations();
  void read_forces();
  void read_symmetries();
  void read_initial_data();
  void read_time();
  void read_run();
  void read_view();
  void check_size() const;

  // A table that gives values to coordinates, by their names or by those of definitions that are vectors or
  // quaternions of coordinates.
  struct table_use {
    std::string where, role;  // "[initial.position]", "initial position of "
    expression_use use;
    std::string_view unknown_key;  // the id of the error
  };
  using coordinate_values = std::vector<std::optional<named_expr>>;  // nothing where no value is given yet

  const file_entry* read_rate_kind(const file_value& initial);
  static const file_value& table_of(const file_entry& entry);
  // The entries of a table of the file, none where there is no such table.
  static const std::vector<file_entry>& entries_of(const file_value& root, std::string_view key);
  static void require_shape(const expr_tuple& value, tuple_shape shape, const file_entry& entry,
                            const std::string& role);
  void read_velocities(const file_value& initial);
  void give_rates(const file_entry& table, coordinate_values& velocities) const;
  std::vector<named_expr> expressions_of(std::string_view table, const std::string& role, expression_use use) const;
  coordinate_values given_in(const file_entry& table) const;
  std::vector<named_expr> with_zeros(const coordinate_values& values, const std::string& before,
                                     const std::string& after);
  std::vector<named_expr> complete(const coordinate_values& values, const file_entry& table) const;
  std::vector<expr> along_coordinates(const file_entry& table, const std::string& where, const std::string& role,
                                      expression_use use) const;
  void read_values(const file_entry& table, const table_use& as, coordinate_values& into) const;
  void give(coordinate_values& values, const file_entry& entry, std::span<const std::size_t> to,
            const expr_tuple& given) const;
  std::vector<std::size_t> coordinates_called(const std::string& name) const;
  expr expression(const file_entry& entry, const std::string& role, expression_use use) const;
  expr_tuple tuple_expression(const file_entry& entry, const std::string& role, expression_use use) const;

  const file_value& root_;
  const std::string& file_;
  name_scope scope_;
  model model_;
  expr_map<std::size_t> coordinate_places_;
};

}  // namespace actio
