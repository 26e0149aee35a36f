#include "actio/mechanics/hamilton_program.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "actio/program/program_builder.hpp"

namespace actio {

namespace {

using value = program_builder::value;
using entry = std::optional<value>;  // nothing: zero

// M x = r for a symmetric matrix in which structurally zero entries are known. Coordinates that no entry couples are
// solved apart: one by a division, two by Cramer's rule, more by M = L D Lᵀ without exchanging rows.
class mass_matrix {
 public:
  mass_matrix(program_builder& builder, std::vector<std::vector<entry>> lower)
      : build_(builder), entries_(std::move(lower)) {
    std::vector<bool> taken(entries_.size(), false);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!taken[i]) factorise(coupled_with(i, taken));
    }
  }

  std::vector<entry> solve(std::vector<entry> r) {
    for (const pair& p : pairs_) solve_pair(p, r);
    for (const factor& f : factors_) subtract_product(r[f.row], f.by, r[f.column]);
    for (const auto& [k, inverse] : pivots_) {
      if (r[k]) r[k] = build_.multiply(*r[k], inverse);
    }
    for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) subtract_product(r[f->column], f->by, r[f->row]);
    return r;
  }

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

  std::vector<std::size_t> coupled_with(std::size_t first, std::vector<bool>& taken) {
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

  void factorise(const std::vector<std::size_t>& block) {
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

  void solve_pair(const pair& p, std::vector<entry>& r) {
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

  void subtract_product(entry& from, value a, const entry& b) {
    if (!b) return;
    const value product = build_.multiply(a, *b);
    from = from ? build_.subtract(*from, product) : build_.apply(operation::negate, product);
  }

  program_builder& build_;
  std::vector<std::vector<entry>> entries_;
  std::vector<pair> pairs_;
  std::vector<std::pair<std::size_t, value>> pivots_;
  std::vector<factor> factors_;
};

// A program at points (q, p, t) in which q, t, the velocities and the parameters are known.
class phase_program {
 public:
  phase_program(const system_code& code, parameter_role role)
      : build(role == parameter_role::shared ? code.system().parameters.size() : 0,
              2 * code.system().size() + 1 + (role == parameter_role::shared ? 0 : code.system().parameters.size())),
        code_(code),
        system_(code.system()) {
    const std::size_t n = system_.size();
    const std::vector<expr> parameters = system_.parameter_symbols();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      symbols.emplace(parameters[k],
                      role == parameter_role::shared ? build.parameter(k) : build.variable(2 * n + 1 + k));
    }
    const std::vector<expr> momenta = system_.momenta();
    for (std::size_t i = 0; i < n; ++i) {
      symbols.emplace(system_.coordinates[i], build.variable(i));
      symbols.emplace(momenta[i], momentum(i));
    }
    symbols.emplace(time_symbol(), build.variable(2 * n));
  }

  // q' = M⁻¹ (p − c), or H_p; false where the Lagrangian is not quadratic in the velocities.
  bool eliminate() {
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

  // M⁻¹ r; after eliminate().
  std::vector<entry> solved(std::vector<entry> r) { return mass_->solve(std::move(r)); }
  // Column c of M⁻¹ from row c on.
  std::vector<entry> inverse_mass(std::size_t c) {
    std::vector<entry> unit(system_.size());
    unit[c] = build.number(1);
    const std::vector<entry> column = solved(std::move(unit));
    return {column.begin() + static_cast<std::ptrdiff_t>(c), column.end()};
  }

  value momentum(std::size_t i) const { return build.variable(system_.size() + i); }

  program_builder build;
  expr_map<value> symbols;
  std::vector<value> velocity;

 private:
  const system_code& code_;
  const lagrangian_system& system_;
  std::optional<mass_matrix> mass_;
};

// Entries beyond which using M⁻¹ costs more than it saves.
std::size_t most_inverse_entries(std::size_t n) { return std::max<std::size_t>(3 * n, 21); }

// Coordinates beyond which second derivatives of forces take long to make.
constexpr std::size_t most_sorted = 12;

// ∂L/∂q_a as Q_a + Σ B_ai v_i + Σ S_aij v_i v_j with coefficients that do not depend on the velocities: these come last
// in the program, and what needs them is short. After eliminate().
std::vector<value> forces_by_velocity(phase_program& at_point, const system_code& code) {
  program_builder& build = at_point.build;
  const lagrangian_derivatives& L = derivatives_of(code);
  const std::vector<expr> v = code.system().velocities();
  expr_map<expr> rest;
  for (const expr& one : v) rest.emplace(one, expr(0));
  std::vector<value> forces;
  for (std::size_t a = 0; a < v.size(); ++a) {
    entry sum;
    const auto add = [&](const expr& coefficient, auto&& times_velocities) {
      if (coefficient.is_zero()) return;
      const value term = times_velocities(build.evaluate(std::span(&coefficient, 1), at_point.symbols).front());
      sum = sum ? build.add(*sum, term) : term;
    };
    add(substitute(L.by_position[a], rest), [](value x) { return x; });
    for (std::size_t i = 0; i < v.size(); ++i) {
      const value v_i = at_point.velocity[i];
      add(substitute(L.mixed[i][a], rest), [&](value x) { return build.multiply(x, v_i); });
      const std::vector<expr> curvatures = gradient(L.mixed[i][a], std::span(v).first(i + 1));
      for (std::size_t j = 0; j <= i; ++j) {
        add(j == i ? curvatures[j] / 2 : curvatures[j],
            [&](value x) { return build.multiply(x, build.multiply(v_i, at_point.velocity[j])); });
      }
    }
    forces.push_back(sum ? *sum : build.number(0));
  }
  return forces;
}

std::vector<value> forces_as_written(phase_program& at_point, const system_code& code) {
  return at_point.build.evaluate(derivatives_of(code).by_position, at_point.symbols);
}

// The derivatives of a field by q and p, from those of p = ∂L/∂v, of p' and of the power by q and v: with p they move
//   v by M⁻¹ (δp − ∂p/∂q δq).
class field_slopes {
 public:
  field_slopes(phase_program& at_point, const system_code& code) : at_(at_point), n_(code.system().size()) {
    const jet_expressions& jet = expressions_of(code);
    const auto P_q = jet.rows(jet_block::momentum_q), G_q = jet.rows(jet_block::force_q),
               G_v = jet.rows(jet_block::force_v);
    for (std::size_t j = 0; j < n_; ++j) {
      std::vector<expr> column;
      for (std::size_t i = 0; i < n_; ++i) column.push_back(P_q[i][j]);
      velocity_.push_back(at_.solved(values(column)));
    }
    for (std::size_t a = 0; a < n_; ++a) add_row(n_ + a, values(G_q[a]), values(G_v[a]));
    add_row(2 * n_, values(gradient(jet.power, code.system().coordinates)),
            values(gradient(jet.power, code.system().velocities())));
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t i = 0; i < n_; ++i) add(i, j, negated(velocity_[j][i]));
    }
  }

  std::vector<matrix_entry> entries;
  std::vector<value> outputs;

 private:
  std::vector<entry> values(std::span<const expr> of) {
    const std::vector<value> all = at_.build.evaluate(of, at_.symbols);
    std::vector<entry> result;
    for (std::size_t i = 0; i < of.size(); ++i) result.push_back(of[i].is_zero() ? entry() : entry(all[i]));
    return result;
  }
  entry negated(const entry& e) { return e ? entry(at_.build.apply(operation::negate, *e)) : e; }

  void add(std::size_t row, std::size_t column, const entry& e) {
    if (!e) return;
    entries.push_back({row, column});
    outputs.push_back(*e);
  }
  // An output whose derivatives by q and v are known.
  void add_row(std::size_t row, std::vector<entry> by_q, const std::vector<entry>& by_v) {
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t i = 0; i < n_; ++i) {
        if (!by_v[i] || !velocity_[j][i]) continue;
        const value product = at_.build.multiply(*by_v[i], *velocity_[j][i]);
        by_q[j] = by_q[j] ? at_.build.subtract(*by_q[j], product) : at_.build.apply(operation::negate, product);
      }
      add(row, j, by_q[j]);
    }
    const std::vector<entry> by_p = at_.solved(by_v);
    for (std::size_t j = 0; j < n_; ++j) add(row, n_ + j, by_p[j]);
  }

  phase_program& at_;
  std::size_t n_;
  std::vector<std::vector<entry>> velocity_;  // −∂q'/∂q by columns
};

// A linear iteration must be shorter than one with the field, and the slopes not much longer than a few of these.
bool are_slopes_worthwhile(const field_code& code) {
  const std::size_t field = code.field.body.size();
  return code.slopes.size() + code.inverse_mass.size() <= field && code.with_slopes.body.size() <= 4 * field;
}

template <class Forces>
std::optional<field_code> field_with(const system_code& source, parameter_role role, Forces&& forces_of) {
  const lagrangian_system& system = source.system();
  phase_program at_point(source, role);
  if (!at_point.eliminate()) return std::nullopt;
  program_builder& build = at_point.build;
  std::vector<value> outputs = at_point.velocity, forces = forces_of(at_point, source);
  const std::vector<value> applied = build.evaluate(system.forces, at_point.symbols);
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (!system.forces[i].is_zero()) forces[i] = build.add(forces[i], applied[i]);
  }
  outputs.insert(outputs.end(), forces.begin(), forces.end());
  outputs.push_back(build.evaluate(std::span(&expressions_of(source).power, 1), at_point.symbols).front());
  field_code code{.coordinates = system.size()};
  std::vector<value> inverse;
  for (std::size_t c = 0; c < system.size(); ++c) {
    const std::vector<entry> column = at_point.inverse_mass(c);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column[i]) continue;
      code.inverse_mass.push_back({c + i, c});
      inverse.push_back(*column[i]);
    }
  }
  const bool has_inverse = inverse.size() <= most_inverse_entries(system.size());
  if (has_inverse) outputs.insert(outputs.end(), inverse.begin(), inverse.end());
  else code.inverse_mass.clear();
  code.field = build.finish(outputs);
  if (has_inverse && system.size() <= most_coordinates_with_slopes) {
    const field_slopes slopes(at_point, source);
    code.slopes = slopes.entries;
    outputs.insert(outputs.end(), slopes.outputs.begin(), slopes.outputs.end());
    code.with_slopes = build.finish(outputs);
    if (!are_slopes_worthwhile(code)) code.leave_out_slopes();
  }
  return code;
}

// H_pp below and on the diagonal, where it is free of the momenta; the same as M⁻¹ for whoever uses it.
std::vector<value> given_inverse_mass(phase_program& at_point, const lagrangian_system& system,
                                      std::span<const expr> velocity, field_code& code) {
  const std::vector<expr> p = system.momenta();
  std::vector<expr> entries;
  if (is_polynomial(*system.hamiltonian, p, 2)) {
    for (std::size_t c = 0; c < p.size(); ++c) {
      for (std::size_t r = c; r < p.size(); ++r) {
        const expr entry = derivative(velocity[r], p[c]);
        if (depends_on_any(entry, p)) {
          code.inverse_mass.clear();
          return {};
        }
        if (entry.is_zero()) continue;
        code.inverse_mass.push_back({r, c});
        entries.push_back(entry);
      }
    }
  }
  if (entries.size() > most_inverse_entries(system.size())) {
    code.inverse_mass.clear();
    return {};
  }
  return at_point.build.evaluate(entries, at_point.symbols);
}

// The derivatives of q', p' and the power by q and p, without those of q' by p.
std::vector<value> given_slopes(phase_program& at_point, const lagrangian_system& system,
                                const hamilton_equations& equations, field_code& code) {
  std::vector<expr> slopes;
  for (const auto& [at, slope] : equations.slopes(system)) {
    if (at.row < system.size() && at.column >= system.size()) continue;
    code.slopes.push_back(at);
    slopes.push_back(slope);
  }
  return at_point.build.evaluate(slopes, at_point.symbols);
}

// ∂log σ/∂q of an extended system, whose t' is σ. False for others, and where σ depends on momenta.
bool add_scale(phase_program& at_point, const lagrangian_system& system, const hamilton_equations& equations,
               std::vector<value> outputs, field_code& code) {
  const expr& scale = equations.velocity.back();
  if (!is_extended(system) || depends_on_any(scale, system.momenta())) return false;
  std::vector<expr> slopes = gradient(scale, system.coordinates);
  for (expr& slope : slopes) slope = slope / scale;
  const std::vector<value> more = at_point.build.evaluate(slopes, at_point.symbols);
  outputs.insert(outputs.end(), more.begin(), more.end());
  code.with_slopes = at_point.build.finish(outputs);
  code.is_scaled = true;
  code.has_cyclic_time = !depends_on_any(*system.hamiltonian, std::span(&system.coordinates.back(), 1));
  return true;
}

field_code given_field(const system_code& source, parameter_role role) {
  const lagrangian_system& system = source.system();
  phase_program at_point(source, role);
  at_point.eliminate();
  const hamilton_equations equations = hamilton_equations_of(system);
  field_code code{.coordinates = system.size()};
  std::vector<value> outputs = at_point.velocity;
  std::vector<expr> rest(equations.force);
  rest.push_back(equations.power);
  const auto append = [&](const std::vector<value>& more) { outputs.insert(outputs.end(), more.begin(), more.end()); };
  append(at_point.build.evaluate(rest, at_point.symbols));
  append(given_inverse_mass(at_point, system, equations.velocity, code));
  code.field = at_point.build.finish(outputs);
  // Slopes leave those of q' by p to M⁻¹, which must then be all of them.
  const bool has_inverse = !code.inverse_mass.empty();
  if (has_inverse && add_scale(at_point, system, equations, outputs, code)) return code;
  if (has_inverse && system.size() <= most_coordinates_with_slopes) {
    append(given_slopes(at_point, system, equations, code));
    code.with_slopes = at_point.build.finish(outputs);
    if (!are_slopes_worthwhile(code)) code.leave_out_slopes();
  }
  return code;
}

std::optional<field_code> make_field(const system_code& code, parameter_role role) {
  if (code.system().applied_force || code.system().recursions) return std::nullopt;
  if (code.system().is_hamiltonian()) return given_field(code, role);
  std::optional<field_code> as_written = field_with(code, role, forces_as_written);
  if (!as_written || code.system().size() > most_sorted) return as_written;
  std::optional<field_code> by_velocity = field_with(code, role, forces_by_velocity);
  // What comes after the velocities is waited for: some more instructions before them are no loss.
  return 4 * by_velocity->field.body.size() <= 5 * as_written->field.body.size() ? by_velocity : as_written;
}

}  // namespace

const std::optional<field_code>& hamilton_program(const system_code& code, parameter_role role) {
  const std::string key = role == parameter_role::shared ? "shared" : "variable";
  return *code.piece<std::optional<field_code>>(key, [&] { return make_field(code, role); });
}

std::optional<program> certificate_program(const system_code& code, parameter_role role, std::span<const expr> more) {
  const lagrangian_system& system = code.system();
  phase_program at_point(code, role);
  if (!at_point.eliminate()) return std::nullopt;
  program_builder& build = at_point.build;
  std::optional<value> pv;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const value product = build.multiply(at_point.momentum(i), at_point.velocity[i]);
    pv = pv ? build.add(*pv, product) : product;
  }
  std::vector<expr> variables(system.coordinates), v = system.velocities();
  variables.insert(variables.end(), v.begin(), v.end());
  variables.push_back(time_symbol());
  const auto [varying, constant] = split_constant(system.lagrangian, variables);
  std::vector<expr> measured{varying, kinetic_scale(system), constant};
  if (system.is_hamiltonian()) pv = build.evaluate(std::span(&*system.hamiltonian, 1), at_point.symbols).front();
  for (const conserved_momentum& m : conserved_momenta(system)) measured.push_back(m.value);
  measured.insert(measured.end(), more.begin(), more.end());
  std::vector<value> outputs = at_point.velocity;
  outputs.push_back(*pv);
  const std::vector<value> values = build.evaluate(measured, at_point.symbols);
  outputs.insert(outputs.end(), values.begin(), values.end());
  return build.finish(outputs);
}

}  // namespace actio
