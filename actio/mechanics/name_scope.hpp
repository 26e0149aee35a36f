// The names of a model and what they mean in each kind of expression.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "actio/expr/parse.hpp"
#include "actio/mechanics/coordinate_boxes.hpp"
#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// A variable stands for itself where its table declares it, as a parameter does everywhere.
enum class name_kind { coordinate, parameter, definition, variable, signal };

// What an expression describes decides which names it may use.
enum class expression_use {
  constant,     // parameters: for parameters, initial values and options
  generator,    // and coordinates, time, definitions without velocities
  phase,        // and momenta p_x: for a Hamiltonian
  dynamics,     // coordinates and velocities: for definitions, the Lagrangian, forces
  measurement,  // and momenta p_x
  observation   // and accelerations
};

// Names are declared first, all of them, and then defined one after the other; an expression may use what is defined.
class name_scope {
 public:
  // Sizes and tables that indices are made of; before anything is declared. Throws duplicate-name later, where another
  // thing has the name of a size.
  void use_indices(std::shared_ptr<const index_names> indices) { indices_ = std::move(indices); }
  const index_names& indices() const;

  // Throws bad-name, reserved-name, duplicate-name. `source` is the text that will define the name, read with `bound`.
  void declare(const std::string& name, name_kind kind, const source_place& place, source_text source = {},
               index_binding bound = {});
  // All coordinates of a box, whose numbers follow those of coordinates that were declared before. Throws the same.
  void declare_coordinates(coordinate_box box);
  const coordinate_boxes& boxes() const { return boxes_; }
  // Coordinates that are known without being declared; they must outlive this.
  void know_coordinates(std::span<const expr> coordinates) { known_coordinates_ = coordinates; }
  // Counted in the order of their declaration; nothing for other names.
  std::optional<std::size_t> coordinate_number(const std::string& name) const;
  // A signal: NAME(x). Throws the same, and reserved-name where a function has its name.
  void declare_signal(const std::shared_ptr<const sample_table>& samples, const source_place& place);
  // Names p_x are momenta of coordinates; to be called when all coordinates and other names are declared.
  void reserve_momenta() const;
  // For models without momenta: p_x is a name like any other.
  void exclude_momenta() { has_momenta_ = false; }
  // For models with a Hamiltonian: momenta are variables of the motion, in definitions and forces too.
  void use_momenta() { momenta_vary_ = true; }

  // Reads the source of a parameter or definition and gives the name its meaning. The result is the expression as
  // written, where other definitions are symbols: w, or w.x and so on for a vector or quaternion. A parameter is a
  // scalar. Throws what parse throws.
  expr_tuple define(const std::string& name);
  // Definitions with these names, with any indices, are kept where they can be (recursions.hpp); before any is defined.
  void keep_recursions(std::unordered_set<std::string> names) { recursive_ = std::move(names); }
  const recursive_definitions& recursions() const { return recursions_; }
  // From now on expressions contain the symbols of those that are kept, or what they stand for.
  void show_recursions(bool shown) { shows_recursions_ = shown && !recursions_.symbols.empty(); }
  // For a parameter whose value does not matter here.
  void define_as_symbol(const std::string& name) { names_.at(name).defined = true; }

  // The expression that `source` holds, with definitions substituted. Throws what parse_scalar throws, and
  // unknown-name, name-not-allowed, parameter-cycle, acceleration-in-expression.
  expr parse(const source_text& source, expression_use use, const index_binding& bound = {}) const;
  // The same with long sums kept in `sums`, for which symbols stand.
  expr parse(const source_text& source, expression_use use, symbolic_sums& sums) const;
  // The same where a vector or a quaternion has a meaning too.
  expr_tuple parse_tuple(const source_text& source, expression_use use, const index_binding& bound = {}) const;
  // The condition that `source` holds, as parse_condition gives it.
  expr parse_condition(const source_text& source, expression_use use) const;

  // What a definition stands for, or nothing where `name` is no definition that has its meaning yet.
  const expr_tuple* definition(const std::string& name) const;

 private:
  struct meaning {
    name_kind kind;
    source_place place;
    source_text source;
    index_binding bound;
    bool defined = false;
    expr_tuple value = {};
    std::optional<expr_tuple> rate = {};  // the total time derivative, unless that needs accelerations
    expr_tuple kept = {}, kept_rate = {};  // the same in symbols of definitions that are kept, where there are any
    std::shared_ptr<const sample_table> samples = nullptr;  // of a signal
    std::size_t number = 0;                                 // of a coordinate
  };
  struct context {
    const source_text& source;
    expression_use use;
    bool keeps_definitions;  // as symbols x1 and x1', instead of what they stand for
    const index_binding& bound;
  };

  const meaning* find(const std::string& name) const;
  void require_name(const std::string& name, name_kind kind, const source_place& place) const;
  tuple_names names_for(const context& in) const;
  expr_tuple resolve(const parsed_name& name, const context& in) const;
  expr resolve_time(const parsed_name& name, const context& in) const;
  expr resolve_coordinate(const parsed_name& name, const context& in) const;
  expr_tuple resolve_definition(const parsed_name& name, const meaning& m, const context& in) const;
  std::optional<expr> resolve_momentum(const parsed_name& name, const context& in) const;
  std::optional<expr> rate_as_written(const expr& e) const;
  std::optional<expr> rate_along_motion(const expr& e) const;
  bool has_momentum(std::span<const expr> parts) const;
  expr expanded(const expr& e) const { return substitute(e, shows_recursions_ ? kept_ : expansion_); }
  bool keep(const std::string& name, const expr_tuple& body);

  [[noreturn]] void throw_unknown(const parsed_name& name, const context& in) const;
  [[noreturn]] void throw_not_yet_defined(const parsed_name& name, const context& in) const;
  std::vector<std::string> path_between(const std::string& from, const std::string& to) const;
  std::vector<std::string> names_used_by(const std::string& name) const;
  bool is_coordinate(const std::string& name) const;
  std::string members_beside(const std::string& name) const;

  std::shared_ptr<const index_names> indices_;
  std::unordered_map<std::string, meaning> names_;
  std::vector<std::string> order_;
  coordinate_boxes boxes_;
  meaning of_boxes_{.kind = name_kind::coordinate, .place = {}, .source = {}, .bound = {}, .defined = true};
  std::size_t coordinates_ = 0;
  std::span<const expr> known_coordinates_;
  bool has_momenta_ = true, momenta_vary_ = false;
  std::string current_;       // the name that is being defined
  expr_map<expr> expansion_;  // symbols x1, x1', w.x, w.x' of definitions → what they stand for
  expr_map<expr> kept_;       // the same without definitions that are kept; none where no name is recursive
  std::unordered_set<std::string> recursive_;
  recursive_definitions recursions_;
  expr_map<std::uint32_t> stages_;  // of the definitions that are kept
  bool shows_recursions_ = false;
};

// Declares definitions that a system keeps as written, where the components of a vector or quaternion stand one by one.
// Returns their names, in the order in which they can be defined.
std::vector<std::string> declare_definitions(name_scope& scope, const std::vector<named_expr>& definitions);

std::vector<std::shared_ptr<const sample_table>> signals_of(const lagrangian_system& system);
// Declares the signals that a system uses.
void declare_signals(name_scope& scope, const lagrangian_system& system);

std::string_view name_of(name_kind kind);  // "coordinate", "parameter", "definition", "variable", "signal"

}  // namespace actio
