// A program at points (q, p, t) of phase space in which velocities, forces and H are put together value by value: what
// fields and certificates have in common.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "actio/mechanics/system_code.hpp"
#include "actio/program/program_builder.hpp"

namespace actio {

// Whether the parameters of a system are the same at all points, or each point has its own: variables behind t.
enum class parameter_role { shared, variable };

// M x = r for a symmetric matrix in which structurally zero entries are known. Coordinates that no entry couples are
// solved apart: one by a division, two by Cramer's rule, more by M = L D Lᵀ without exchanging rows.
class mass_matrix {
 public:
  using value = program_builder::value;
  using entry = std::optional<value>;  // nothing: zero

  mass_matrix(program_builder& builder, std::vector<std::vector<entry>> lower);
  std::vector<entry> solve(std::vector<entry> r);

 private:
  struct pair {
    std::size_t first, second;
    value inverse_determinant;
  };
  struct factor {
    std::size_t row, column;
    value by;
  };

  entry& at(std::size_t i, std::size_t j) { return i >= j ? entries_[i][j] : entries_[j][i]; }
  std::vector<std::size_t> coupled_with(std::size_t first, std::vector<bool>& taken);
  void factorise(const std::vector<std::size_t>& block);
  void solve_pair(const pair& p, std::vector<entry>& r);
  void subtract_product(entry& from, value a, const entry& b);

  program_builder& build_;
  std::vector<std::vector<entry>> entries_;
  std::vector<pair> pairs_;
  std::vector<std::pair<std::size_t, value>> pivots_;
  std::vector<factor> factors_;
};

// q, t, the velocities and the parameters are known in it.
class phase_program {
 public:
  using value = program_builder::value;
  using entry = std::optional<value>;

  // `extended`: t is the last coordinate and −E its momentum, as in the extended phase space.
  phase_program(const system_code& code, parameter_role role, bool extended = false);

  // q' = M⁻¹ (p − c), or H_p; false where the Lagrangian is not quadratic in the velocities. What follows needs them.
  bool eliminate();

  // M⁻¹ r.
  std::vector<entry> solved(std::vector<entry> r) { return mass_->solve(std::move(r)); }
  // Column c of M⁻¹ from row c on.
  std::vector<entry> inverse_mass(std::size_t c);
  // ½ v·(p − c) − L at rest, or H.
  value energy();

  value momentum(std::size_t i) const { return build.variable(first_momentum_ + i); }
  value sum_of_products(const std::vector<value>& a, const std::vector<value>& b);

  program_builder build;
  expr_map<value> symbols;
  std::vector<value> velocity;

 private:
  const system_code& code_;
  const lagrangian_system& system_;
  std::size_t first_momentum_;
  std::optional<mass_matrix> mass_;
  std::vector<value> moving_;  // p − c
};

}  // namespace actio
