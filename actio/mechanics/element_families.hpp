// A sum of many terms as families of elements:
//   Σ_families Σ_elements ℓ_f(q[I(e)], v[I(e)], t, θ, θ(e)).
//
// Terms that are written alike up to the names of coordinates and the values of constants and parameters are one
// family: one expression in local symbols, a table of the coordinates that each element touches, and the values in
// which elements differ. Families are found in a time that is linear in the size of the terms. The order of families
// and elements depends on the terms alone, and so does the order in which anything is added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/expr/expr.hpp"
#include "actio/mechanics/coordinate_index.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

// One of many: `target` says which row it belongs to where terms belong to rows (a constraint, the coordinate that a
// force acts on).
struct element_term {
  expr value;
  std::uint32_t target = 0;
};

// θ_k(e) of all elements: numbers, whole numbers, or values of the parameters with these numbers. Two of them are
// empty.
struct element_values {
  std::vector<expr> numbers = {};
  std::vector<std::uint32_t> parameters = {};
  std::vector<std::int64_t> whole = {};

  // That of an element; `symbols` are those of the parameters.
  expr value_of(std::size_t e, std::span<const expr> symbols) const;
  friend bool operator==(const element_values&, const element_values&) = default;
};

// Consecutive elements whose tables move evenly: slot k of element first + j is that of `first` plus j · moves[k], and
// so is the target (behind the slots). Where `even` is false tables are looked up element by element.
struct element_run {
  std::size_t first = 0, count = 0;
  bool even = false;
  std::vector<std::uint8_t> moves;  // 0 or 1
};

struct element_family {
  expr body;  // in the local symbols, t, and parameters that all elements share
  std::size_t elements = 0;
  std::vector<expr> positions;  // local symbols of q[I_k] and v[I_k], by slots
  std::vector<expr> velocities;
  std::vector<expr> symbols;                            // local symbols of θ_k
  std::vector<std::vector<std::uint32_t>> coordinates;  // I_k of every element, by slots
  std::vector<element_values> values;                   // θ_k, one a symbol
  std::vector<std::uint32_t> targets;                   // of every element
  std::vector<element_run> runs;                        // all elements, in their order

  std::size_t slots() const { return positions.size(); }
  // The body with the values of one element.
  expr value_of(std::size_t e, std::span<const expr> parameters) const;
};

// What the symbols of terms are: q_i, v_i and parameters, by number. Definitions that are kept are numbered behind the
// coordinates. Made once for many calls; the system must outlive it.
class element_symbols {
 public:
  enum class role : std::uint8_t { position, velocity, parameter };  // of definitions that are kept too
  struct meaning {
    role is;
    std::uint32_t number;
  };
  explicit element_symbols(const lagrangian_system& system);
  element_symbols(const element_symbols&) = delete;
  element_symbols& operator=(const element_symbols&) = delete;
  // Momenta p_i are variables too: sums then read them behind all positions.
  void add_momenta() { has_momenta_ = true; }
  // Nothing for t and what is unknown.
  std::optional<meaning> find(const expr& symbol) const;
  std::span<const expr> parameters() const { return parameters_; }
  // Whether an expression contains no variables.
  bool is_fixed(const expr& e) const;

 private:
  std::vector<expr> places_;
  coordinate_index index_;
  bool has_momenta_ = false;
  expr_map<std::uint32_t> parameter_numbers_;
  std::vector<expr> parameters_;
};

// Signs are carried into the terms, and factors without variables as well where there are many terms.
std::vector<element_term> terms_of_sum(const expr& sum, const element_symbols& symbols, std::uint32_t target = 0);

// Families of equal tables are joined: one expression then has the terms of all of them.
std::vector<element_family> families_of(std::span<const element_term> terms, const element_symbols& symbols);

// Both, with families of equal tables joined.
std::vector<element_family> joined(const std::vector<element_family>& sums, std::vector<element_family> others);

// The k-th local symbol of a kind: "#" of positions, "@" of values.
expr local_symbol(const char* kind, std::size_t k);

// Sets the runs of a family from its tables.
void find_runs(element_family& family);

// The families of a Lagrangian and of the forces; the slot of the coordinate that a force acts on.
struct system_families {
  std::vector<element_family> lagrangian, forces;
  std::vector<std::size_t> acts_on;
};

// Whether nothing dense is made of a system: no matrices, no expressions in all coordinates. So it is beyond a number
// of coordinates where there is a Lagrangian that is quadratic in the velocities, unless its matrices are given, a
// program computes forces, or accelerations are observed. This is the one place that decides so.
inline constexpr std::size_t most_dense_coordinates = 64;
bool is_made_of_elements(const lagrangian_system& system);

// The elements of a sum, without targets that mean anything and without runs.
struct symbolic_sum;
element_family family_of(symbolic_sum sum);
// Gives a system the Lagrangian `value` whose long sums are kept as families; false, and nothing is changed, where one
// of them is more than a term with a factor free of variables. What stands for a sum is no symbol of a model, so that
// whoever takes L for all of it fails.
bool keep_sums(lagrangian_system& system, const expr& value, std::vector<symbolic_sum> sums);
// Writes them out into the Lagrangian.
void write_out_sums(lagrangian_system& system);
// Whether a symbol stands for a sum.
bool is_kept_sum(const expr& symbol);
// Of L with its sums.
bool depends_on_time(const lagrangian_system& system);

// Remembered for the system that was asked for last.
std::shared_ptr<const system_families> families_of(const lagrangian_system& system);
// Those of a system that is compiled, made once.
const system_families& families_of(const system_code& code);

}  // namespace actio
