// From the tables of a model file to a model.
#pragma once

#include <cstdint>
#include <map>
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
  void keep_recursions();
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
  void require_controls_beside_start() const;
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
  // What values coordinates are given so far: each by itself, or by one of the ranges.
  struct coordinate_values {
    static constexpr std::uint32_t nobody = 0xffff'ffff, first_range = 0x8000'0000;
    std::vector<std::uint32_t> giver;  // one a coordinate: a place in `single`, or first_range + one in `ranges`
    std::vector<named_expr> single;
    std::vector<ranged_values> ranges;  // only among initial values

    explicit coordinate_values(std::size_t n) : giver(n, nobody) {}
    bool has(std::size_t i) const { return giver[i] != nobody; }
    const named_expr* find(std::size_t i) const { return giver[i] < first_range ? &single[giver[i]] : nullptr; }
    const source_place& place(std::size_t i) const {
      return giver[i] < first_range ? single[giver[i]].place : ranges[giver[i] - first_range].place;
    }
  };

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
  initial_values with_zeros(const coordinate_values& values, const std::string& before, const std::string& after);
  initial_values in_ranges(const coordinate_values& values) const;
  initial_values complete(const coordinate_values& values, const file_entry& table) const;
  std::vector<expr> along_coordinates(const file_entry& table, const std::string& where, const std::string& role,
                                      expression_use use) const;
  // An entry of a table, as one of the members that its key stands for.
  struct member_entry {
    const file_entry& entry;
    const std::string& name;
    const index_binding& bound;
  };
  void read_values(const file_entry& table, const table_use& as, coordinate_values& into) const;
  void read_value(const member_entry& entry, const table_use& as, coordinate_values& into) const;
  bool give_range(const file_entry& entry, const indexed_key& key, coordinate_values& into) const;
  std::optional<element_family> family_of_range(const file_entry& entry, const indexed_key& key) const;
  void give(coordinate_values& values, const file_entry& entry, const std::string& key, std::span<const std::size_t> to,
            const expr_tuple& given) const;
  std::map<std::string, member_block> parameter_blocks() const;
  std::vector<std::size_t> coordinates_called(const std::string& name) const;
  expr expression(const file_entry& entry, const std::string& role, expression_use use) const;
  expr_tuple tuple_expression(const file_entry& entry, const std::string& role, expression_use use) const;

  const file_value& root_;
  const std::string& file_;
  name_scope scope_;
  model model_;
};

}  // namespace actio
