#include "actio/mechanics/hamilton_program.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/mechanics/time_transformation.hpp"

namespace actio {

namespace {

using value = program_builder::value;
using entry = std::optional<value>;  // nothing: zero

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

// M⁻¹ below and on the diagonal; none where there would be too many entries.
std::vector<value> eliminated_inverse_mass(phase_program& at_point, const lagrangian_system& system, field_code& code) {
  std::vector<value> inverse;
  for (std::size_t c = 0; c < system.size(); ++c) {
    const std::vector<entry> column = at_point.inverse_mass(c);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column[i]) continue;
      code.inverse_mass.push_back({c + i, c});
      inverse.push_back(*column[i]);
    }
  }
  if (inverse.size() > most_inverse_entries(system.size())) {
    code.inverse_mass.clear();
    inverse.clear();
  }
  return inverse;
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
  const std::vector<value> inverse = eliminated_inverse_mass(at_point, system, code);
  outputs.insert(outputs.end(), inverse.begin(), inverse.end());
  code.field = build.finish(outputs);
  if (!inverse.empty() && system.size() <= most_coordinates_with_slopes) {
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

std::vector<value> inverse_mass_of(phase_program& at_point, const lagrangian_system& system, field_code& code) {
  if (!system.is_hamiltonian()) return eliminated_inverse_mass(at_point, system, code);
  return given_inverse_mass(at_point, system, gradient(*system.hamiltonian, system.momenta()), code);
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
  if (has_inverse && system.size() <= most_coordinates_with_slopes) {
    append(given_slopes(at_point, system, equations, code));
    code.with_slopes = at_point.build.finish(outputs);
    if (!are_slopes_worthwhile(code)) code.leave_out_slopes();
  }
  return code;
}

// What `make` gives with forces as they are written, or sorted by velocities.
template <class Make>
std::optional<field_code> shorter_of(const system_code& code, Make&& make) {
  std::optional<field_code> as_written = make(forces_as_written);
  if (!as_written || code.system().size() > most_sorted) return as_written;
  std::optional<field_code> by_velocity = make(forces_by_velocity);
  // What comes after the velocities is waited for: some more instructions before them are no loss.
  return 4 * by_velocity->field.body.size() <= 5 * as_written->field.body.size() ? by_velocity : as_written;
}

std::optional<field_code> make_field(const system_code& code, parameter_role role) {
  if (code.system().applied_force || code.system().recursions) return std::nullopt;
  if (code.system().is_hamiltonian()) return given_field(code, role);
  return shorter_of(code, [&](auto&& forces) { return field_with(code, role, forces); });
}

// q' = σ v, t' = σ, p' = σ (G − c D), −E' = −σ (H_t + c_t D) with D = H − E and c = ∂log σ/∂(q, t): v, G, H and H_t of
// the system, σ and c are computed once each. Nothing where M⁻¹ has too many entries.
template <class Forces>
std::optional<field_code> scaled_field(const system_code& source, Forces&& forces_of) {
  const lagrangian_system& system = source.system();
  const std::size_t n = system.size();
  phase_program at_point(source, parameter_role::shared, true);
  if (!at_point.eliminate()) return std::nullopt;
  program_builder& build = at_point.build;
  const std::vector<value> velocity = at_point.velocity, forces = forces_of(at_point, source);
  std::vector<expr> at_time(system.coordinates);
  at_time.push_back(time_symbol());
  std::vector<expr> scaling = logarithmic_gradient(system.time_scale->value, at_time);
  scaling.push_back(system.time_scale->value);
  std::vector<value> slopes = build.evaluate(scaling, at_point.symbols);
  const value scale = slopes.back();
  slopes.pop_back();
  const value excess = build.add(at_point.energy(), at_point.momentum(n));
  const auto moved = [&](value force, std::size_t i) {
    const value held = scaling[i].is_zero() ? force : build.subtract(force, build.multiply(slopes[i], excess));
    return build.multiply(scale, held);
  };
  const expr power = system.is_hamiltonian() ? hamilton_equations_of(system).power : expressions_of(source).power;
  const value by_time = build.apply(operation::negate, build.evaluate(std::span(&power, 1), at_point.symbols).front());
  std::vector<value> outputs;
  for (const value v : velocity) outputs.push_back(build.multiply(scale, v));
  outputs.push_back(scale);
  for (std::size_t i = 0; i < n; ++i) outputs.push_back(moved(forces[i], i));
  const bool has_cyclic_time = power.is_zero() && scaling[n].is_zero();
  outputs.push_back(has_cyclic_time ? build.number(0) : moved(by_time, n));
  outputs.push_back(build.number(0));  // K is conserved
  field_code code{.coordinates = n + 1};
  code.has_cyclic_time = has_cyclic_time;
  for (const value entry : inverse_mass_of(at_point, system, code)) outputs.push_back(build.multiply(scale, entry));
  if (code.inverse_mass.empty()) return std::nullopt;
  code.field = build.finish(outputs);
  outputs.insert(outputs.end(), slopes.begin(), slopes.end());
  code.with_slopes = build.finish(outputs);
  code.is_scaled = true;
  return code;
}

std::string name_of(parameter_role role) { return role == parameter_role::shared ? "shared" : "variable"; }

}  // namespace

const std::optional<field_code>& hamilton_program(const system_code& code, parameter_role role) {
  return *code.piece<std::optional<field_code>>(name_of(role), [&] { return make_field(code, role); });
}

void share_field(const system_code& code, const system_code& extended) {
  const lagrangian_system& system = code.system();
  const expr& scale = system.time_scale->value;
  if (system.recursions || depends_on_any(scale, system.momenta()) || depends_on_any(scale, system.velocities()))
    return;
  std::optional<field_code> field =
      system.is_hamiltonian() ? scaled_field(code,
                                             [](phase_program& at_point, const system_code& source) {
                                               return at_point.build.evaluate(
                                                   hamilton_equations_of(source.system()).force, at_point.symbols);
                                             })
                              : shorter_of(code, [&](auto&& forces) { return scaled_field(code, forces); });
  if (field)
    extended.piece<std::optional<field_code>>(name_of(parameter_role::shared), [&] { return std::move(field); });
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
