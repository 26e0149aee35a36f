#include "actio/mechanics/hamiltonian_of.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"

namespace actio {

namespace {

constexpr std::size_t most_coupled = 8;

using expr_matrix = std::vector<std::vector<expr>>;

bool is_zero(const expr& e) { return e.is_number() && e.number() == 0; }

// Coordinates that entries of M couple, directly or through others, in blocks.
std::vector<std::vector<std::size_t>> blocks_of(const expr_matrix& mass) {
  std::vector<std::vector<std::size_t>> blocks;
  std::vector<bool> taken(mass.size(), false);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::size_t> block{i};
    taken[i] = true;
    for (std::size_t k = 0; k < block.size(); ++k) {
      for (std::size_t j = 0; j < mass.size(); ++j) {
        if (taken[j] || is_zero(mass[block[k]][j])) continue;
        taken[j] = true;
        block.push_back(j);
      }
    }
    std::ranges::sort(block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

// M x = r inside a block, by elimination.
void solve_block(expr_matrix& m, const std::vector<std::size_t>& block, std::vector<expr>& r) {
  for (std::size_t k = 0; k < block.size(); ++k) {
    const std::size_t pivot = block[k];
    for (std::size_t i = k + 1; i < block.size(); ++i) {
      const std::size_t row = block[i];
      if (is_zero(m[row][pivot])) continue;
      const expr by = m[row][pivot] / m[pivot][pivot];
      for (std::size_t j = k + 1; j < block.size(); ++j) m[row][block[j]] = m[row][block[j]] - by * m[pivot][block[j]];
      r[row] = r[row] - by * r[pivot];
    }
  }
  for (std::size_t k = block.size(); k-- > 0;) {
    const std::size_t row = block[k];
    for (std::size_t j = k + 1; j < block.size(); ++j) r[row] = r[row] - m[row][block[j]] * r[block[j]];
    r[row] = r[row] / m[row][row];
  }
}

}  // namespace

std::optional<hamiltonian_form> hamiltonian_of(const lagrangian_system& system) {
  if (system.is_hamiltonian())
    return hamiltonian_form{*system.hamiltonian, gradient(*system.hamiltonian, system.momenta())};
  if (system.is_first_order() || system.is_constrained() || !system.is_quadratic_in_velocities()) return std::nullopt;
  const std::vector<expr> velocities = system.velocities(), momenta = system.momenta();
  expr_map<expr> rest;
  for (const expr& v : velocities) rest.emplace(v, expr(0));
  const std::vector<expr> slopes = gradient(system.lagrangian, velocities);
  expr_matrix mass;
  std::vector<expr> r;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    mass.push_back(substitute(gradient(slopes[i], velocities), rest));
    r.push_back(momenta[i] - substitute(slopes[i], rest));
  }
  const std::vector<expr> moving = r;  // p − c
  for (const std::vector<std::size_t>& block : blocks_of(mass)) {
    if (block.size() > most_coupled) return std::nullopt;
    solve_block(mass, block, r);
  }
  expr kinetic = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    // Squares have derivatives of one term.
    const bool is_alone = r[i] == moving[i] / mass[i][i];
    kinetic = kinetic + (is_alone ? pow(moving[i], 2) / mass[i][i] : moving[i] * r[i]);
  }
  return hamiltonian_form{kinetic / 2 - substitute(system.lagrangian, rest), std::move(r)};
}

}  // namespace actio
