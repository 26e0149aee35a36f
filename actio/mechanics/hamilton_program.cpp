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
        for (std::size_t j = k + 1; j <= i; ++j) {
          if (!entries_[j][k]) continue;
          const value product = build_.multiply(factor, column_value(j, k));
          entries_[i][j] =
              entries_[i][j] ? build_.subtract(*entries_[i][j], product) : build_.apply(operation::negate, product);
        }
        factors_.push_back({i, k, factor});
      }
    }
  }

  // M x = r.
  std::vector<value> solve(std::vector<value> r) {
    for (const factor& f : factors_) r[f.row] = build_.subtract(r[f.row], build_.multiply(f.by, r[f.column]));
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = build_.multiply(r[k], pivots_[k]);
    for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) {
      r[f->column] = build_.subtract(r[f->column], build_.multiply(f->by, r[f->row]));
    }
    return r;
  }

 private:
  struct factor {
    std::size_t row, column;
    value by;
  };
  value column_value(std::size_t j, std::size_t k) const { return *entries_[j][k]; }

  program_builder& build_;
  std::vector<std::vector<entry>> entries_;
  std::vector<value> pivots_;
  std::vector<factor> factors_;
};

bool depends_on_any(const expr& e, std::span<const expr> symbols) {
  return std::ranges::any_of(symbols, [&](const expr& s) { return depends_on(e, s); });
}

}  // namespace

std::optional<program> hamilton_program(const lagrangian_system& system) {
  const std::size_t n = system.size();
  const std::vector<expr>& q = system.coordinates;
  const std::vector<expr> v = system.velocities(), parameters = system.parameter_symbols();
  const std::vector<expr> P = gradient(system.lagrangian, v);
  std::vector<expr> mass;  // lower triangle, row by row
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<expr> row = gradient(P[i], std::span(v).first(i + 1));
    if (row[i].is_zero()) return std::nullopt;
    for (const expr& e : row) {
      if (depends_on_any(e, v)) return std::nullopt;
      mass.push_back(e);
    }
  }
  expr_map<expr> rest;
  for (const expr& velocity : v) rest.emplace(velocity, expr(0));
  const std::vector<expr> at_rest = substitute(P, rest);

  program_builder build(parameters.size(), 2 * n + 1);
  expr_map<value> symbols;
  for (std::size_t k = 0; k < parameters.size(); ++k) symbols.emplace(parameters[k], build.parameter(k));
  for (std::size_t i = 0; i < n; ++i) symbols.emplace(q[i], build.variable(i));
  symbols.emplace(time_symbol(), build.variable(2 * n));

  const std::vector<value> M = build.evaluate(mass, symbols), c = build.evaluate(at_rest, symbols);
  std::vector<std::vector<entry>> lower(n);
  std::vector<value> r;
  for (std::size_t i = 0, at = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j, ++at) lower[i].push_back(mass[at].is_zero() ? entry() : entry(M[at]));
    const value p = build.variable(n + i);
    r.push_back(at_rest[i].is_zero() ? p : build.subtract(p, c[i]));
  }
  const std::vector<value> velocity = symmetric_elimination(build, std::move(lower)).solve(std::move(r));
  for (std::size_t i = 0; i < n; ++i) symbols.emplace(v[i], velocity[i]);

  std::vector<expr> forces = gradient(system.lagrangian, q);
  expr power = -derivative(system.lagrangian, time_symbol());
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    forces[i] += system.forces[i];
    power += system.forces[i] * v[i];
  }
  forces.push_back(power);
  std::vector<value> outputs = velocity;
  const std::vector<value> rates = build.evaluate(forces, symbols);
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  return build.finish(outputs);
}

}  // namespace actio
