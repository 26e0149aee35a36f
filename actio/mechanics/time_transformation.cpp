#include "actio/mechanics/time_transformation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/hamiltonian_of.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

constexpr std::size_t most_curved = 6;  // coordinates whose second derivatives are all looked at

[[noreturn]] void throw_unknown(const model& m, const std::string& why) {
  throw input_error("time-scale-unknown", "no scale of time follows from the model: " + why,
                    m.system.time_scale ? m.system.time_scale->place : m.system.lagrangian_place,
                    "write it as an expression, as in scale = \"r^(3/2)\"");
}

// Factors and bases of powers in what stands under a fraction line, down to what is neither: x² + y² of √(x² + y²)³.
void add_bases(const expr& argument, std::span<const expr> coordinates, std::vector<expr>& found) {
  std::vector<expr> pending{argument};
  while (!pending.empty()) {
    const expr u = std::move(pending.back());
    pending.pop_back();
    if (!depends_on_any(u, coordinates)) continue;
    const auto parts = u.operands();
    const bool is_power = u.op() == operation::power && parts[1].is_number();
    if (is_power || u.op() == operation::sqrt || u.op() == operation::negate) pending.push_back(parts[0]);
    else if (u.op() == operation::multiply) pending.insert(pending.end(), parts.begin(), parts.end());
    else if (std::ranges::find(found, u) == found.end()) found.push_back(u);
  }
}

// What a term divides by: where one of these vanishes the term grows without bound.
std::vector<expr> singular_bases(const expr& term, std::span<const expr> coordinates) {
  std::vector<expr> found;
  for (const expr& node : topological_order(std::span(&term, 1))) {
    const auto parts = node.operands();
    const bool divides = node.op() == operation::divide;
    const bool inverts = node.op() == operation::power && parts[1].is_number() && parts[1].number() < 0;
    if (divides || inverts) add_bases(parts[divides ? 1 : 0], coordinates, found);
  }
  return found;
}

// A term of a sum, and what it is multiplied by there, which is the same everywhere.
struct scaled_term {
  expr term, factor;
};

// The terms of e = a ± b ± c (d + …) ± …
std::vector<scaled_term> terms_of(const expr& e, std::span<const expr> coordinates) {
  std::vector<scaled_term> terms;
  std::vector<scaled_term> pending{{e, expr(1)}};
  while (!pending.empty()) {
    const auto [part, factor] = std::move(pending.back());
    pending.pop_back();
    const auto operands = part.operands();
    const auto is_constant = [&](std::size_t k) { return !depends_on_any(operands[k], coordinates); };
    switch (part.op()) {
      case operation::negate: pending.push_back({operands[0], -factor}); continue;
      case operation::add:
      case operation::subtract:
        pending.push_back({operands[1], part.op() == operation::add ? factor : -factor});
        pending.push_back({operands[0], factor});
        continue;
      case operation::multiply:
        if (is_constant(0) || is_constant(1)) {
          const std::size_t constant = is_constant(0) ? 0 : 1;
          if (!is_constant(1 - constant)) pending.push_back({operands[1 - constant], factor * operands[constant]});
          continue;
        }
        break;
      case operation::divide:
        if (is_constant(1)) {
          if (!is_constant(0)) pending.push_back({operands[0], factor / operands[1]});
          continue;
        }
        break;
      default: break;
    }
    if (depends_on_any(part, coordinates)) terms.push_back({part, factor});
  }
  return terms;
}

// x ↦ M⁻¹ x, from v = M⁻¹ (p − c).
class inverse_mass {
 public:
  inverse_mass(std::vector<expr> velocity, const std::vector<expr>& momenta)
      : velocity_(std::move(velocity)), momenta_(momenta) {
    expr_map<expr> none;
    for (const expr& p : momenta_) none.emplace(p, expr(0));
    at_rest_ = substitute(velocity_, none);
  }
  std::vector<expr> times(const std::vector<expr>& x) const {
    expr_map<expr> by;
    for (std::size_t i = 0; i < x.size(); ++i) by.emplace(momenta_[i], x[i]);
    std::vector<expr> result = substitute(velocity_, by);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] - at_rest_[i];
    return result;
  }

 private:
  std::vector<expr> velocity_;
  const std::vector<expr>& momenta_;
  std::vector<expr> at_rest_;
};

// Σ_ij (M⁻¹ ∂²V/∂q²)_ij² with a constant M, relative to what it is at the start: products of second derivatives, each
// with one constant in front of it.
expr relative_curvature(const expr& potential, std::span<const expr> coordinates, const inverse_mass& inverse,
                        const expr_map<expr>& start) {
  const std::size_t n = coordinates.size();
  std::vector<std::vector<expr>> columns, square(n, std::vector<expr>(n, expr(0)));  // of M⁻¹; (M⁻¹)ᵀ M⁻¹
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<expr> unit(n, expr(0));
    unit[k] = 1;
    columns.push_back(inverse.times(unit));
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      for (std::size_t i = 0; i < n; ++i) square[a][b] = square[a][b] + columns[a][i] * columns[b][i];
    }
  }
  struct term {
    expr factor, product;
  };
  std::vector<term> terms;
  expr at_start = 0;
  for (const expr& slope : gradient(potential, coordinates)) {
    const std::vector<expr> row = gradient(slope, coordinates);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a; b < n; ++b) {
        const expr product = a == b ? pow(row[a], 2) : row[a] * row[b];
        if (product.is_zero() || square[a][b].is_zero()) continue;
        terms.push_back({a == b ? square[a][a] : 2 * square[a][b], product});
        at_start = at_start + terms.back().factor * substitute(product, start);
      }
    }
  }
  expr sum = 0;
  for (const term& t : terms) sum = sum + t.factor / at_start * t.product;
  return sum;
}

// ∂²V/∂u² of a part u of V, everything else held.
expr curvature_by(const expr& potential, const expr& part) {
  const expr stand_in = expr::symbol("u of the time scale");
  expr_map<expr> to, back;
  to.emplace(part, stand_in);
  back.emplace(stand_in, part);
  return substitute(derivative(derivative(substitute(potential, to), stand_in), stand_in), back);
}

// ∂²V/∂w² ∇w·M⁻¹∇w of a term of V and a base w that it divides by: a frequency squared.
struct curvature {
  expr base, term, value;
  // Where value or term are c base^exponent, with the same c everywhere.
  std::optional<rational> value_exponent = {}, term_exponent = {};
};

std::vector<curvature> curvatures_of(const expr& potential, std::span<const expr> coordinates,
                                     const inverse_mass& inverse) {
  std::vector<curvature> all;
  for (const auto& [term, factor] : terms_of(potential, coordinates)) {
    for (const expr& base : singular_bases(term, coordinates)) {
      const std::vector<expr> slope = gradient(base, coordinates), moved = inverse.times(slope);
      expr square = 0;
      for (std::size_t i = 0; i < slope.size(); ++i) square = square + slope[i] * moved[i];
      all.push_back({base, term, factor * curvature_by(term, base) * square});
    }
  }
  return all;
}

// The exponent of a power law through points (x, c x^e); nothing where they are not on one.
std::optional<rational> exponent_through(std::span<const std::pair<quad, quad>> points) {
  constexpr int denominator = 12, largest = 64;
  constexpr double nothing = 1e-20;
  using std::abs, std::floor, std::log;
  std::optional<long long> parts;
  for (const auto& [x, y] : points.subspan(1)) {
    const quad slope = denominator * log(quad(y / points[0].second)) / log(quad(x / points[0].first));
    if (!is_finite(slope) || !(abs(slope) < denominator * largest)) return std::nullopt;
    if (!parts) parts = static_cast<long long>(floor(quad(slope + 0.5)));
    if (!(abs(quad(slope - quad(*parts))) < nothing)) return std::nullopt;
  }
  return rational(*parts, denominator);
}

// Exponents are looked for at random points. A scale may be any positive function: nothing hangs on their being right
// for other parameters than those of the model.
void find_exponents(const lagrangian_system& system, std::vector<curvature>& all) {
  constexpr int draws = 5;
  std::vector<expr> outputs;
  for (const curvature& c : all) outputs.insert(outputs.end(), {c.base, c.value, c.term});
  random_points<> at(system, outputs);
  std::vector<std::vector<std::pair<quad, quad>>> values(all.size()), terms(all.size());
  for (int k = 0; k < draws; ++k) {
    if (!at.draw()) return;
    for (std::size_t c = 0; c < all.size(); ++c) {
      values[c].emplace_back(at.values()[3 * c], at.values()[3 * c + 1]);
      terms[c].emplace_back(at.values()[3 * c], at.values()[3 * c + 2]);
    }
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].value_exponent = exponent_through(values[c]);
    all[c].term_exponent = exponent_through(terms[c]);
  }
}

// base^exponent by roots where it can be.
expr power_of(const expr& base, const rational& exponent) {
  const rational doubled = 2 * exponent;
  if (denominator(exponent) == 1 || denominator(doubled) > 2) return pow(base, expr(exponent));
  const expr root = sqrt(base);
  return exponent < 0 ? pow(1 / root, expr(rational(-doubled))) : pow(root, expr(doubled));
}

// |value| as a power of a part of the potential, whose derivative is then an addition to one that the potential needs:
// of the term, where that gives an integer power, or else of the base.
expr size_as_power(const curvature& c, const expr_map<expr>& start) {
  const bool has_ratio = c.term_exponent && !c.term_exponent->is_zero();
  const rational ratio = has_ratio ? rational(*c.value_exponent / *c.term_exponent) : rational(0);
  const bool is_whole = denominator(ratio) == 1 && ratio > 0;
  const expr power = is_whole ? pow(c.term, expr(ratio)) : power_of(c.base, *c.value_exponent);
  const expr first = substitute(power, start), size = abs(substitute(c.value, start));
  return where(is_less(0, abs(first)), size / first) * power;  // a charge may be zero
}

// (Σ |f|)^(−1/2) with the f that are powers of one base, of which there may be a single one, beside √(Σ f²) of the
// others, which may vanish.
expr scale_by(const std::vector<curvature>& all, const expr_map<expr>& start) {
  if (all.size() == 1 && all[0].value_exponent) {
    const rational half = *all[0].value_exponent / 2;
    return substitute(power_of(all[0].base, half), start) * power_of(all[0].base, -half);
  }
  expr powers = 0, squares = 0;
  for (const curvature& c : all) {
    if (c.value_exponent) powers = powers + size_as_power(c, start);
    else squares = squares + pow(c.value, 2);
  }
  if (powers.is_zero()) return pow(squares / substitute(squares, start), expr(rational(-1, 4)));
  const expr sum = squares.is_zero() ? powers : sqrt(pow(powers, 2) + squares);
  return sqrt(substitute(sum, start) / sum);
}

bool is_product(const expr& e) {
  return e.op() == operation::multiply || e.op() == operation::divide || e.op() == operation::power;
}

// No model can give a coordinate this name.
expr extended_time() { return expr::symbol("t of tau"); }

}  // namespace

expr automatic_time_scale(const model& m) {
  lagrangian_system system = m.system;
  write_out_recursions(system);
  const std::optional<hamiltonian_form> form = hamiltonian_of(system);
  if (!form) throw_unknown(m, "its kinetic energy is not a form in the velocities of a few coordinates");
  const std::vector<expr> momenta = system.momenta();
  expr_map<expr> rest, start;
  for (const expr& v : system.velocities()) rest.emplace(v, expr(0));
  for (std::size_t i = 0; i < system.size(); ++i) start.emplace(system.coordinates[i], m.initial.position[i].value);
  start.emplace(time_symbol(), expr(0));
  const expr potential = -substitute(system.lagrangian, rest);
  if (!depends_on_any(potential, system.coordinates)) throw_unknown(m, "its potential is the same everywhere");
  std::vector<curvature> poles = curvatures_of(potential, system.coordinates, inverse_mass(form->velocity, momenta));
  if (!poles.empty()) {
    find_exponents(system, poles);
    return scale_by(poles, start);
  }
  if (system.size() > most_curved) throw_unknown(m, "its potential has no poles, and too many coordinates");
  const expr sum = relative_curvature(potential, system.coordinates,
                                      inverse_mass(substitute(form->velocity, start), momenta), start);
  return pow((sum + 1) / 2, expr(rational(-1, 4)));
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

std::vector<expr> logarithmic_gradient(const expr& e, std::span<const expr> symbols) {
  std::vector<expr> sum(symbols.size(), expr(0));
  std::vector<std::pair<expr, rational>> factors{{e, rational(1)}};
  while (!factors.empty()) {
    const auto [u, exponent] = factors.back();
    factors.pop_back();
    if (!depends_on_any(u, symbols)) continue;
    const auto parts = u.operands();
    const bool is_root = u.op() == operation::sqrt && is_product(parts[0]);
    if (u.op() == operation::multiply || u.op() == operation::divide) {
      factors.emplace_back(parts[0], exponent);
      factors.emplace_back(parts[1], u.op() == operation::multiply ? exponent : rational(-exponent));
    } else if (is_root || (u.op() == operation::power && parts[1].is_number())) {
      factors.emplace_back(parts[0], is_root ? rational(exponent / 2) : rational(exponent * parts[1].number()));
    } else {
      const std::vector<expr> slopes = gradient(u, symbols);
      const expr by = expr(exponent) / u;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        if (!slopes[i].is_zero()) sum[i] = sum[i] + by * slopes[i];
      }
    }
  }
  return sum;
}

lagrangian_system extended_system(const lagrangian_system& system) {
  const expr time = extended_time();
  expr_map<expr> by;
  by.emplace(time_symbol(), time);
  lagrangian_system extended;
  extended.name = system.name;
  extended.coordinates = system.coordinates;
  extended.coordinates.push_back(time);
  extended.parameters = system.parameters;
  extended.hamiltonian =
      substitute(time_scale_of(system).scale * (hamiltonian_of(system)->energy + momentum_symbol(time)), by);
  extended.lagrangian_place = system.time_scale->place;
  extended.found.emplace();  // nobody asks for symmetries
  return extended;
}

bool is_extended(const lagrangian_system& system) {
  return !system.coordinates.empty() && system.coordinates.back() == extended_time();
}

}  // namespace actio
