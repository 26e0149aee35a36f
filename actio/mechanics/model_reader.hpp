// From the tables of a model file to a model.
#pragma once

#include <optional>
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
  model_reader(const file_value& root, const std::string& file) : root_(root), file_(file) {}

  model read();  // everything but the text itself

 private:
  void read_name();
  void read_coordinates();
  void number_coordinates(const file_entry& linear);
  void declare_names();
  void read_parameters_and_definitions();
  void refuse_what_needs_lagrangian() const;
  void read_lagrangian();
  void read_linear();
  void read_equations();
  void read_forces();
  void read_symmetries();
  void read_initial_data();
  void read_run();
  void check_size() const;

  std::vector<named_expr> expressions_of(std::string_view table, const std::string& role, expression_use use) const;
  std::vector<named_expr> one_per_coordinate(const file_entry& table) const;
  std::vector<expr> along_coordinates(const file_entry& table, const std::string& where, const std::string& role,
                                      expression_use use) const;
  expr expression(const file_entry& entry, const std::string& role, expression_use use) const;

  const file_value& root_;
  const std::string& file_;
  name_scope scope_;
  model model_;
};

}  // namespace actio
