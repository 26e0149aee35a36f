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
#include <span>
#include <string>
#include <vector>

#include "actio/expr/expr.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

// One of many: `target` says which row it belongs to where terms belong to rows (a constraint, the coordinate that a
// force acts on).
struct element_term {
  expr value;
  std::uint32_t target = 0;
};

// θ_k(e) of all elements: numbers, or values of the parameters with these numbers. One of the two is empty.
struct element_values {
  std::vector<expr> numbers;
  std::vector<std::uint32_t> parameters;
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
};

// What the symbols of terms are: q_i, v_i and parameters, by number. Made once for many calls.
class element_symbols {
 public:
  enum class role : std::uint8_t { position, velocity, parameter };
  struct meaning {
    role is;
    std::uint32_t number;
  };
  explicit element_symbols(const lagrangian_system& system);
  // Further variables: sums then read them behind the positions.
  void add(const expr& symbol, role is, std::uint32_t number) { meanings_.emplace(symbol, meaning{is, number}); }
  // nullptr for t and what is unknown.
  const meaning* find(const expr& symbol) const {
    const auto found = meanings_.find(symbol);
    return found == meanings_.end() ? nullptr : &found->second;
  }
  std::span<const expr> parameters() const { return parameters_; }
  // Whether an expression contains no variables.
  bool is_fixed(const expr& e) const;

 private:
  expr_map<meaning> meanings_;
  std::vector<expr> parameters_;
};

// Signs are carried into the terms, and factors without variables as well where there are many terms.
std::vector<element_term> terms_of_sum(const expr& sum, const element_symbols& symbols, std::uint32_t target = 0);

// Families of equal tables are joined: one expression then has the terms of all of them.
std::vector<element_family> families_of(std::span<const element_term> terms, const element_symbols& symbols);

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

// Gives a system the Lagrangian `value` whose long sums are kept as families; false, and nothing is changed, where one
// of them is more than a term with a factor free of variables. What stands for a sum is no symbol of a model, so that
// whoever takes L for all of it fails.
struct symbolic_sum;
bool keep_sums(lagrangian_system& system, const expr& value, const std::vector<symbolic_sum>& sums);
// Writes them out into the Lagrangian.
void write_out_sums(lagrangian_system& system);
// Whether a symbol stands for a sum.
bool is_kept_sum(const expr& symbol);
// Of L with its sums.
bool depends_on_time(const lagrangian_system& system);

// Those of a system that is compiled, made once.
const system_families& families_of(const system_code& code);

}  // namespace actio
