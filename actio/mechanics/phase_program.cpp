#include "actio/mechanics/phase_program.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"

namespace actio {

mass_matrix::mass_matrix(program_builder& builder, std::vector<std::vector<entry>> lower)
    : build_(builder), entries_(std::move(lower)) {
  std::vector<bool> taken(entries_.size(), false);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!taken[i]) factorise(coupled_with(i, taken));
  }
}

std::vector<mass_matrix::entry> mass_matrix::solve(std::vector<entry> r) {
  for (const pair& p : pairs_) solve_pair(p, r);
  for (const factor& f : factors_) subtract_product(r[f.row], f.by, r[f.column]);
  for (const auto& [k, inverse] : pivots_) {
    if (r[k]) r[k] = build_.multiply(*r[k], inverse);
  }
  for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) subtract_product(r[f->column], f->by, r[f->row]);
  return r;
}

std::vector<std::size_t> mass_matrix::coupled_with(std::size_t first, std::vector<bool>& taken) {
  std::vector<std::size_t> block{first};
  taken[first] = true;
  for (std::size_t k = 0; k < block.size(); ++k) {
    for (std::size_t j = 0; j < entries_.size(); ++j) {
      if (taken[j] || !at(block[k], j)) continue;
      taken[j] = true;
      block.push_back(j);
    }
  }
  std::ranges::sort(block);
  return block;
}

void mass_matrix::factorise(const std::vector<std::size_t>& block) {
  if (block.size() == 2) {
    const std::size_t i = block[0], j = block[1];
    const value product = build_.multiply(*at(i, i), *at(j, j)), square = build_.multiply(*at(j, i), *at(j, i));
    pairs_.push_back({i, j, build_.divide(build_.number(1), build_.subtract(product, square))});
    return;
  }
  for (const std::size_t k : block) {
    const value pivot = build_.divide(build_.number(1), *at(k, k));
    pivots_.emplace_back(k, pivot);
    for (const std::size_t i : block) {
      if (i <= k || !at(i, k)) continue;
      const value by = build_.multiply(*at(i, k), pivot);
      for (const std::size_t j : block) {
        if (j > k && j <= i) subtract_product(at(i, j), by, at(j, k));
      }
      factors_.push_back({i, k, by});
    }
  }
}

void mass_matrix::solve_pair(const pair& p, std::vector<entry>& r) {
  const auto cross = [&](value a, const entry& x, value b, const entry& y) -> entry {  // (a x − b y) / determinant
    entry sum;
    if (x) sum = build_.multiply(a, *x);
    subtract_product(sum, b, y);
    return sum ? entry(build_.multiply(*sum, p.inverse_determinant)) : sum;
  };
  const value across = *at(p.second, p.first);
  const entry first = cross(*at(p.second, p.second), r[p.first], across, r[p.second]);
  r[p.second] = cross(*at(p.first, p.first), r[p.second], across, r[p.first]);
  r[p.first] = first;
}

void mass_matrix::subtract_product(entry& from, value a, const entry& b) {
  if (!b) return;
  const value product = build_.multiply(a, *b);
  from = from ? build_.subtract(*from, product) : build_.apply(operation::negate, product);
}

phase_program::phase_program(const system_code& code, parameter_role role, bool extended)
    : build(role == parameter_role::shared ? code.system().parameters.size() : 0,
            2 * code.system().size() + (extended ? 3 : 1) +
                (role == parameter_role::shared ? 0 : code.system().parameters.size())),
      code_(code),
      system_(code.system()),
      first_momentum_(system_.size() + (extended ? 1 : 0)) {
  const std::size_t n = system_.size(), behind = 2 * n + (extended ? 3 : 1);
  const std::vector<expr> parameters = system_.parameter_symbols();
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    symbols.emplace(parameters[k], role == parameter_role::shared ? build.parameter(k) : build.variable(behind + k));
  }
  const std::vector<expr> momenta = system_.momenta();
  for (std::size_t i = 0; i < n; ++i) {
    symbols.emplace(system_.coordinates[i], build.variable(i));
    symbols.emplace(momenta[i], momentum(i));
  }
  symbols.emplace(time_symbol(), build.variable(extended ? n : 2 * n));
}

bool phase_program::eliminate() {
  if (system_.is_hamiltonian()) {
    const std::vector<expr> v = system_.velocities();
    velocity = build.evaluate(gradient(*system_.hamiltonian, system_.momenta()), symbols);
    for (std::size_t i = 0; i < v.size(); ++i) symbols.emplace(v[i], velocity[i]);
    return true;
  }
  if (system_.is_constrained() || !system_.is_quadratic_in_velocities()) return false;
  const std::size_t n = system_.size();
  const std::vector<expr> v = system_.velocities();
  const lagrangian_derivatives& L = derivatives_of(code_);
  std::vector<expr> mass;  // lower triangle, row by row
  for (std::size_t i = 0; i < n; ++i) {
    if (L.by_velocities[i][i].is_zero()) return false;
    for (const expr& e : std::span(L.by_velocities[i]).first(i + 1)) {
      if (depends_on_any(e, v)) return false;
      mass.push_back(e);
    }
  }
  expr_map<expr> rest;
  for (const expr& one : v) rest.emplace(one, expr(0));
  const std::vector<expr> at_rest = substitute(L.by_velocity, rest);
  const std::vector<value> M = build.evaluate(mass, symbols), c = build.evaluate(at_rest, symbols);
  std::vector<std::vector<entry>> lower(n);
  for (std::size_t i = 0, at = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j, ++at) lower[i].push_back(mass[at].is_zero() ? entry() : entry(M[at]));
    moving_.push_back(at_rest[i].is_zero() ? momentum(i) : build.subtract(momentum(i), c[i]));
  }
  mass_.emplace(build, std::move(lower));
  for (const entry& e : mass_->solve({moving_.begin(), moving_.end()})) velocity.push_back(*e);
  for (std::size_t i = 0; i < n; ++i) symbols.emplace(v[i], velocity[i]);
  return true;
}

std::vector<phase_program::entry> phase_program::inverse_mass(std::size_t c) {
  std::vector<entry> unit(system_.size());
  unit[c] = build.number(1);
  const std::vector<entry> column = solved(std::move(unit));
  return {column.begin() + static_cast<std::ptrdiff_t>(c), column.end()};
}

phase_program::value phase_program::sum_of_products(const std::vector<value>& a, const std::vector<value>& b) {
  value sum = build.multiply(a[0], b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) sum = build.add(sum, build.multiply(a[i], b[i]));
  return sum;
}

phase_program::value phase_program::energy() {
  if (system_.is_hamiltonian()) return build.evaluate(std::span(&*system_.hamiltonian, 1), symbols).front();
  expr_map<expr> rest;
  for (const expr& v : system_.velocities()) rest.emplace(v, expr(0));
  const expr at_rest = substitute(system_.lagrangian, rest);
  const value kinetic = build.multiply(build.number(rational(1, 2)), sum_of_products(velocity, moving_));
  return build.subtract(kinetic, build.evaluate(std::span(&at_rest, 1), symbols).front());
}

}  // namespace actio
