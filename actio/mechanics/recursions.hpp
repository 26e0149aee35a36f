// Definitions that go on from one another, as x[i] = x[i-1] + l*sin(q[i]), kept instead of being written out.
//
// Written out, the last of n contains all coordinates, and the second derivatives of L are dense: a step would cost n²
// to n³. Kept, L is a sum of elements in places: coordinates q first, then the x, each with its rate.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/mechanics/element_sums.hpp"

namespace actio {

// Whether definitions of a system of so many coordinates are kept. The one place that decides so: of fewer coordinates
// the mass matrix is collected (kinetic_form.hpp), which makes them faster than anything that goes from one to the
// next.
bool is_worth_keeping(std::size_t coordinates);

// The names among those of `texts` (without indices) that lead back to themselves.
struct defining_text {
  std::string base;
  source_text text;
};
std::vector<std::string> recursive_names(std::span<const defining_text> texts);

// Definitions that are kept are found stage by stage: those of one stage are affine in one another. That of a
// definition with this value, where others have theirs; nothing where it cannot be kept because it contains velocities
// or momenta, or because there would be too many stages.
std::optional<std::uint32_t> stage_of(const expr& value, const expr_map<std::uint32_t>& stages);

// Coordinates and definitions that are kept: what has a place in families.
std::vector<expr> places_of(const lagrangian_system& system);
// Writes them out into L, forces and observables.
void write_out_recursions(lagrangian_system& system);

// X as families of elements, and what is asked of them. Places are those of q, x and, of each x_i, an adjoint variable:
// λ_i in the place of a position and μ_i in that of a velocity, so that Σ λ_i X_i + μ_i X_i' is a sum of elements too.
struct recursion_families {
  explicit recursion_families(const lagrangian_system& system);

  std::size_t coordinates, definitions;
  // Row i of A = ∂X/∂(q, x): entries first[i] … first[i + 1] − 1 in these columns.
  std::vector<std::uint32_t> first, column;
  std::vector<element_family> value;    // X_i
  std::vector<element_family> adjoint;  // μ_i X_i', and λ_i X_i' = λ_i times the same with λ_i in the place of X_i

  enum array : std::uint32_t { value_array, slope_array, rate_array, force_array, power_array };
  // What is found of a stage from q and the stages before: X where the x of this stage are 0, and those slopes and
  // rates ∂X/∂t that do not contain these, with all slopes by them. Then x, in the order of `rows`, by entries that are
  // `own`.
  struct stage {
    std::vector<std::uint32_t> rows;
    std::vector<element_request> before;
  };
  std::vector<stage> stages;
  std::vector<std::uint8_t> own;        // of each entry: its column is of the stage of its row
  std::vector<element_request> behind;  // the other slopes and rates
  std::vector<element_request> bend;    // ∂/∂(q, x) of Σ μ_i X_i', and −∂/∂t of it
  std::vector<element_request> turn;    // A', the rates of the entries
};

// Made once.
const recursion_families& recursion_families_of(const system_code& code);

}  // namespace actio
