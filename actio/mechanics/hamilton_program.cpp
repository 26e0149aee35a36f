#include "actio/mechanics/hamilton_program.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/program/program_builder.hpp"

namespace actio {

namespace {

using value = program_builder::value;
using entry = std::optional<value>;  // nothing: zero

// M = L D Lᵀ, entries that are structurally zero left out.
class symmetric_elimination {
 public:
  symmetric_elimination(program_builder& builder, std::vector<std::vector<entry>> lower)
      : build_(builder), entries_(std::move(lower)) {
    const std::size_t n = entries_.size();
    for (std::size_t k = 0; k < n; ++k) {
      pivots_.push_back(build_.divide(build_.number(1), *entries_[k][k]));
      for (std::size_t i = k + 1; i < n; ++i) {
        if (!entries_[i][k]) continue;
        const value factor = build_.multiply(*entries_[i][k], pivots_[k]);
        for (std::size_t j = k + 1; j <= i; ++j) subtract_product(entries_[i][j], factor, entries_[j][k]);
        factors_.push_back({i, k, factor});
      }
    }
  }

  // M x = r.
  std::vector<entry> solve(std::vector<entry> r) {
    for (const factor& f : factors_) subtract_product(r[f.row], f.by, r[f.column]);
    for (std::size_t k = 0; k < r.size(); ++k) {
      if (r[k]) r[k] = build_.multiply(*r[k], pivots_[k]);
    }
    for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) subtract_product(r[f->column], f->by, r[f->row]);
    return r;
  }

 private:
  struct factor {
    std::size_t row, column;
    value by;
  };

  void subtract_product(entry& from, value a, const entry& b) {
    if (!b) return;
    const value product = build_.multiply(a, *b);
    from = from ? build_.subtract(*from, product) : build_.apply(operation::negate, product);
  }

  program_builder& build_;
  std::vector<std::vector<entry>> entries_;
  std::vector<value> pivots_;
  std::vector<factor> factors_;
};

bool depends_on_any(const expr& e, std::span<const expr> symbols) {
  return std::ranges::any_of(symbols, [&](const expr& s) { return depends_on(e, s); });
}

// A program at points (q, p, t) in which q, t, the velocities and the parameters are known.
class phase_program {
 public:
  phase_program(const lagrangian_system& system, parameter_role role)
      : build(role == parameter_role::shared ? system.parameters.size() : 0,
              2 * system.size() + 1 + (role == parameter_role::shared ? 0 : system.parameters.size())),
        system_(system) {
    const std::size_t n = system.size();
    const std::vector<expr> parameters = system.parameter_symbols();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      symbols.emplace(parameters[k],
                      role == parameter_role::shared ? build.parameter(k) : build.variable(2 * n + 1 + k));
    }
    for (std::size_t i = 0; i < n; ++i) symbols.emplace(system.coordinates[i], build.variable(i));
    symbols.emplace(time_symbol(), build.variable(2 * n));
  }

  // q' = M⁻¹ (p − c); false where the Lagrangian is not quadratic in the velocities.
  bool eliminate() {
    const std::size_t n = system_.size();
    const std::vector<expr> v = system_.velocities(), P = gradient(system_.lagrangian, v);
    std::vector<expr> mass;  // lower triangle, row by row
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<expr> row = gradient(P[i], std::span(v).first(i + 1));
      if (row[i].is_zero()) return false;
      for (const expr& e : row) {
        if (depends_on_any(e, v)) return false;
        mass.push_back(e);
      }
    }
    expr_map<expr> rest;
    for (const expr& one : v) rest.emplace(one, expr(0));
    const std::vector<expr> at_rest = substitute(P, rest);
    const std::vector<value> M = build.evaluate(mass, symbols), c = build.evaluate(at_rest, symbols);
    std::vector<std::vector<entry>> lower(n);
    std::vector<entry> r;
    for (std::size_t i = 0, at = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j, ++at) lower[i].push_back(mass[at].is_zero() ? entry() : entry(M[at]));
      r.push_back(at_rest[i].is_zero() ? momentum(i) : build.subtract(momentum(i), c[i]));
    }
    mass_.emplace(build, std::move(lower));
    for (const entry& e : mass_->solve(std::move(r))) velocity.push_back(*e);
    for (std::size_t i = 0; i < n; ++i) symbols.emplace(v[i], velocity[i]);
    return true;
  }

  // Column c of M⁻¹ from row c on; after eliminate().
  std::vector<entry> inverse_mass(std::size_t c) {
    std::vector<entry> unit(system_.size());
    unit[c] = build.number(1);
    const std::vector<entry> column = mass_->solve(std::move(unit));
    return {column.begin() + static_cast<std::ptrdiff_t>(c), column.end()};
  }

  value momentum(std::size_t i) const { return build.variable(system_.size() + i); }

  program_builder build;
  expr_map<value> symbols;
  std::vector<value> velocity;

 private:
  const lagrangian_system& system_;
  std::optional<symmetric_elimination> mass_;
};

// Entries beyond which using M⁻¹ costs more than it saves.
std::size_t most_inverse_entries(std::size_t n) { return std::max<std::size_t>(3 * n, 21); }

}  // namespace

std::optional<hamilton_field> hamilton_program(const lagrangian_system& system) {
  phase_program at_point(system, parameter_role::shared);
  if (!at_point.eliminate()) return std::nullopt;
  const std::vector<expr> v = system.velocities();
  std::vector<expr> forces = gradient(system.lagrangian, system.coordinates);
  expr power = -derivative(system.lagrangian, time_symbol());
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    forces[i] += system.forces[i];
    power += system.forces[i] * v[i];
  }
  forces.push_back(power);
  std::vector<value> outputs = at_point.velocity;
  const std::vector<value> rates = at_point.build.evaluate(forces, at_point.symbols);
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  hamilton_field field;
  std::vector<value> inverse;
  for (std::size_t c = 0; c < system.size(); ++c) {
    const std::vector<entry> column = at_point.inverse_mass(c);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column[i]) continue;
      field.inverse_mass.push_back({c + i, c});
      inverse.push_back(*column[i]);
    }
  }
  if (inverse.size() <= most_inverse_entries(system.size()))
    outputs.insert(outputs.end(), inverse.begin(), inverse.end());
  else field.inverse_mass.clear();
  field.code = at_point.build.finish(outputs);
  return field;
}

std::optional<program> certificate_program(const lagrangian_system& system, parameter_role role) {
  phase_program at_point(system, role);
  if (!at_point.eliminate()) return std::nullopt;
  program_builder& build = at_point.build;
  const std::vector<expr> momenta = system.momenta();
  std::optional<value> pv;
  for (std::size_t i = 0; i < system.size(); ++i) {
    at_point.symbols.emplace(momenta[i], at_point.momentum(i));
    const value product = build.multiply(at_point.momentum(i), at_point.velocity[i]);
    pv = pv ? build.add(*pv, product) : product;
  }
  std::vector<expr> measured{system.lagrangian};
  for (const conserved_momentum& m : conserved_momenta(system)) measured.push_back(m.value);
  std::vector<value> outputs = at_point.velocity;
  outputs.push_back(*pv);
  const std::vector<value> values = build.evaluate(measured, at_point.symbols);
  outputs.insert(outputs.end(), values.begin(), values.end());
  return build.finish(outputs);
}

}  // namespace actio
