#include "actio/mechanics/time_transformation.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/hamiltonian_of.hpp"

namespace actio {

namespace {

constexpr std::size_t most_curved = 6;  // coordinates whose second derivatives are all looked at

[[noreturn]] void throw_unknown(const model& m, const std::string& why) {
  throw input_error("time-scale-unknown", "no scale of time follows from the model: " + why,
                    m.system.time_scale ? m.system.time_scale->place : m.system.lagrangian_place,
                    "write it as an expression, as in scale = \"r^(3/2)\"");
}

// Arguments of powers that grow without bound where these vanish.
std::vector<expr> singular_arguments(const expr& potential, std::span<const expr> coordinates) {
  std::vector<expr> found;
  for (const expr& node : topological_order(std::span(&potential, 1))) {
    const auto parts = node.operands();
    const bool divides = node.op() == operation::divide;
    const bool inverts = node.op() == operation::power && parts[1].is_number() && parts[1].number() < 0;
    if (!divides && !inverts) continue;
    const expr& argument = parts[divides ? 1 : 0];
    if (depends_on_any(argument, coordinates) && std::ranges::find(found, argument) == found.end()) {
      found.push_back(argument);
    }
  }
  return found;
}

// x ↦ M⁻¹ x, from v = M⁻¹ (p − c).
class inverse_mass {
 public:
  inverse_mass(const hamiltonian_form& form, const std::vector<expr>& momenta) : form_(form), momenta_(momenta) {
    expr_map<expr> none;
    for (const expr& p : momenta_) none.emplace(p, expr(0));
    at_rest_ = substitute(form_.velocity, none);
  }
  std::vector<expr> times(const std::vector<expr>& x) const {
    expr_map<expr> by;
    for (std::size_t i = 0; i < x.size(); ++i) by.emplace(momenta_[i], x[i]);
    std::vector<expr> result = substitute(form_.velocity, by);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] - at_rest_[i];
    return result;
  }

 private:
  const hamiltonian_form& form_;
  const std::vector<expr>& momenta_;
  std::vector<expr> at_rest_;
};

// ∂²V/∂u² of a part u of V, everything else held.
expr curvature_by(const expr& potential, const expr& part) {
  const expr stand_in = expr::symbol("u of the time scale");
  expr_map<expr> to, back;
  to.emplace(part, stand_in);
  back.emplace(stand_in, part);
  return substitute(derivative(derivative(substitute(potential, to), stand_in), stand_in), back);
}

// x^(−1/4), by roots: a power would cost several times as much.
expr fourth_root_below(const expr& x) { return 1 / sqrt(sqrt(x)); }

}  // namespace

expr automatic_time_scale(const model& m) {
  const lagrangian_system& system = m.system;
  const std::optional<hamiltonian_form> form = hamiltonian_of(system);
  if (!form) throw_unknown(m, "its kinetic energy is not a form in the velocities of a few coordinates");
  const std::vector<expr> momenta = system.momenta();
  expr_map<expr> rest, start;
  for (const expr& v : system.velocities()) rest.emplace(v, expr(0));
  for (std::size_t i = 0; i < system.size(); ++i) start.emplace(system.coordinates[i], m.initial.position[i].value);
  start.emplace(time_symbol(), expr(0));
  const expr potential = -substitute(system.lagrangian, rest);
  if (!depends_on_any(potential, system.coordinates)) throw_unknown(m, "its potential is the same everywhere");
  const inverse_mass inverse(*form, momenta);
  expr sum = 0;
  const std::vector<expr> arguments = singular_arguments(potential, system.coordinates);
  for (const expr& u : arguments) {
    const std::vector<expr> slope = gradient(u, system.coordinates), moved = inverse.times(slope);
    expr square = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) square = square + slope[i] * moved[i];
    sum = sum + pow(curvature_by(potential, u) * square, 2);
  }
  if (!arguments.empty()) return fourth_root_below(sum / substitute(sum, start));
  if (system.size() > most_curved) throw_unknown(m, "its potential has no poles, and too many coordinates");
  const std::vector<expr> slope = gradient(potential, system.coordinates);
  for (const expr& row : slope) {
    for (const expr& entry : inverse.times(gradient(row, system.coordinates))) sum = sum + pow(entry, 2);
  }
  const expr first = substitute(sum, start);
  return fourth_root_below((sum / first + 1) / 2);
}

time_scale_form time_scale_of(const lagrangian_system& system) {
  const named_expr& given = *system.time_scale;
  const std::vector<expr> velocities = system.velocities(), momenta = system.momenta();
  expr scale = given.value;
  if (!depends_on_any(scale, velocities) && !depends_on_any(scale, momenta))
    return {scale, time_derivative(system, scale)};
  const std::optional<hamiltonian_form> form = hamiltonian_of(system);
  if (!form) {
    throw input_error("time-scale-unknown",
                      "the scale of time depends on velocities or momenta, but their rates cannot be written down",
                      given.place, "let it depend on positions and t alone");
  }
  expr_map<expr> by;
  for (std::size_t i = 0; i < velocities.size(); ++i) by.emplace(velocities[i], form->velocity[i]);
  scale = substitute(scale, by);
  expr rate = derivative(scale, time_symbol());
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    expr force = -derivative(form->energy, system.coordinates[i]);
    if (!system.forces.empty()) force = force + substitute(system.forces[i], by);
    rate = rate + derivative(scale, system.coordinates[i]) * form->velocity[i] + derivative(scale, momenta[i]) * force;
  }
  return {scale, rate};
}

}  // namespace actio
