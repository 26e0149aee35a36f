#include "actio/mechanics/kinetic_form.hpp"

#include "actio/expr/collect.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/program/program.hpp"

namespace actio {

namespace {

constexpr std::size_t most_coordinates = 12;  // derivatives grow with their square

std::size_t cost_of_gradient(const lagrangian_system& system, const expr& L) {
  std::vector<expr> variables = system.coordinates;
  const std::vector<expr> v = system.velocities();
  variables.insert(variables.end(), v.begin(), v.end());
  const std::vector<expr> outputs = gradient(L, variables);
  variables.push_back(time_symbol());
  return lower(outputs, system.parameter_symbols(), variables).body.size();
}

}  // namespace

expr lagrangian_with_collected_mass(const lagrangian_system& system) {
  const expr& L = system.lagrangian;
  if (!system.has_lagrangian() || system.recursions || system.size() > most_coordinates || L.is_zero()) return L;
  if (!system.is_quadratic_in_velocities()) return L;
  const std::vector<expr> v = system.velocities(), P = gradient(L, v);
  expr_map<expr> rest;
  for (const expr& one : v) rest.emplace(one, expr(0));
  expr kinetic;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const std::vector<expr> row = gradient(P[i], std::span(v).first(i + 1));
    for (std::size_t j = 0; j <= i; ++j) {
      if (depends_on_any(row[j], v)) return L;
      const expr entry = collected(row[j]);
      kinetic += j == i ? entry * pow(v[i], 2) / 2 : entry * (v[j] * v[i]);
    }
    kinetic += substitute(P[i], rest) * v[i];
  }
  const expr rewritten = kinetic + substitute(L, rest);
  return cost_of_gradient(system, rewritten) < cost_of_gradient(system, L) ? rewritten : L;
}

}  // namespace actio
