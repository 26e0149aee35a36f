#include <algorithm>

#include "actio/base/guarded_newton.hpp"
#include "actio/base/newton.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/mechanics/element_mass.hpp"
#include "actio/mechanics/element_measure.hpp"
#include "actio/mechanics/held_groups.hpp"
#include "actio/mechanics/legendre_equations.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
struct phase_point<S>::bordered_solver {
  newton_solver<S, saddle_point_solver<S>> newton;
  saddle_point_solver<S> forces;
  explicit bordered_solver(const saddle_point_solver<S>& equations)
      : newton(equations.size(), equations), forces(equations) {}
};

template <class S>
struct phase_point<S>::solver {
  newton_solver<S> newton;
  matrix<S> mass;
  lu_factorisation<S> mass_lu;
  explicit solver(std::size_t n) : newton(n), mass(n, n), mass_lu(n) {}
};

template <class S>
struct phase_point<S>::branch_solver {
  residual_path<S> free;
  residual_path<S, saddle_point_solver<S>> bordered;
  std::vector<S> start, best, found, kicked;
  branch_solver(std::size_t n, const saddle_point_solver<S>& equations)
      : free(n),
        bordered(equations.size(), equations),
        start(n, S(0)),
        best(n, S(0)),
        found(n, S(0)),
        kicked(n, S(0)) {}
};

namespace {

template <class S>
saddle_point_solver<S> bordered_matrix(const phase_space<S>& space) {
  if (space.constraints() == nullptr) return saddle_point_solver<S>(0);
  return saddle_point_solver<S>(held_groups(space, 1));
}

}  // namespace

template <class S>
phase_point<S>::phase_point(const phase_space<S>& space) : space_(space), velocity_(space.size(), S(0)) {
  if (space.parts_->sums) {
    make_elements();
    return;
  }
  measure_.emplace(*space.parts_->measure, 1, space.parameters());
  if (space.parts_->hamiltonian != nullptr) {
    hamiltonian_.emplace(*space.parts_->hamiltonian, space.parameters());
  } else if (space.has_energy()) {
    jet_.emplace(space.jet().at(1, space.parameters()));
    if (!space.has_one_branch()) branches_ = std::make_unique<branch_solver>(space.size(), bordered_matrix(space));
    make_constraints();
  } else {
    const compiled_function<S>& equations = *space.parts_->equations;
    equations_.emplace(equations, 1, space.parameters());
    equation_inputs_.assign(equations.inputs() * equations_->stride(), S(0));
    equation_outputs_.assign(equations.outputs() * equations_->stride(), S(0));
  }
  if (space.parts_->measures_accelerations) acceleration_.assign(space.size(), S(0));
  if (const auto& solved = space.parts_->accelerations) {
    accelerations_.emplace(*solved, 1, space.parameters());
    equation_inputs_.assign(solved->inputs() * accelerations_->stride(), S(0));
    equation_outputs_.assign(solved->outputs() * accelerations_->stride(), S(0));
  }
  const compiled_function<S>& measure = *space.parts_->measure;
  inputs_.assign(measure.inputs() * measure_->stride(), S(0));
  outputs_.assign(measure.outputs() * measure_->stride(), S(0));
  measured_.assign(measure.outputs(), S(0));
}

template <class S>
void phase_point<S>::make_elements() {
  const auto& parts = *space_.parts_;
  sums_ = std::make_unique<element_measure<S>>(parts.sums, parts.sums_code, *space_.code(), space_.parameters());
  measured_.assign(parts.sums->places(), S(0));
  if (parts.constraints) jet_.emplace(space_.jet().at(1, space_.parameters()));
  else mass_ = std::make_unique<element_mass<S>>(*space_.code(), space_.parameters());
  make_constraints();
}

template <class S>
void phase_point<S>::make_constraints() {
  const constraint_map<S>* map = space_.constraints();
  if (map == nullptr) return;
  held_.emplace(map->at(1, space_.parameters()));
  bordered_solver_ = std::make_unique<bordered_solver>(bordered_matrix(space_));
  bordered_.assign(space_.size() + map->size(), S(0));
  forces_ = bordered_;
  normal_momentum_.assign(space_.size(), S(0));
  constraint_values_.assign(map->size(), S(0));
  multipliers_ = constraint_values_;
}

template <class S>
typename phase_point<S>::solver& phase_point<S>::legendre() {
  if (!solver_) solver_ = std::make_unique<solver>(space_.size());
  if (!jet_ && !hamiltonian_) jet_.emplace(space_.jet().at(1, space_.parameters()));
  return *solver_;
}

template <class S>
phase_point<S>::~phase_point() = default;
template <class S>
phase_point<S>::phase_point(phase_point&&) noexcept = default;

template <class S>
void phase_point<S>::load(const S& t, std::span<const S> q, std::span<const S> v) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    *jet_->position(i) = q[i];
    *jet_->velocity(i) = v[i];
  }
  *jet_->time() = t;
  if (!held_) return;
  for (std::size_t i = 0; i < q.size(); ++i) {
    *held_->position(i) = q[i];
    *held_->velocity(i) = v[i];
  }
  *held_->time() = t;
}

template <class S>
bool phase_point<S>::evaluate_equations(const S& t, std::span<const S> q, std::span<S> v) {
  const std::size_t n = q.size(), stride = equations_->stride();
  for (std::size_t i = 0; i < n; ++i) equation_inputs_[i * stride] = q[i];
  equation_inputs_[n * stride] = t;
  (*equations_)(equation_inputs_.data(), equation_outputs_.data());
  bool finite = true;
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = equation_outputs_[i * stride];
    finite = finite && is_finite(v[i]);
  }
  return finite;
}

template <class S>
bool phase_point<S>::invert_velocity(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) {
  solver& newton = legendre();
  velocity_equations<S> equations{*hamiltonian_, space_.hamiltonian(), t, q, v};
  std::fill(p.begin(), p.end(), S(0));
  if (newton.newton.solve(equations, p).outcome == newton_outcome::converged) return true;
  std::fill(p.begin(), p.end(), S(0));
  return newton.newton.solve_damped(equations, p).outcome == newton_outcome::converged;
}

template <class S>
bool phase_point<S>::momentum_of(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) {
  if (hamiltonian_) return invert_velocity(t, q, v, p);
  if (mass_) return mass_->momentum(t, q, v, p);
  load(t, q, v);
  jet_->evaluate_momentum();
  bool finite = true;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = *jet_->momentum(i);
    finite = finite && is_finite(p[i]);
  }
  return finite;
}

// By Newton's method from the contents of v, wherever that leads.
template <class S>
bool phase_point<S>::newton_from(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) {
  load(t, q, v);
  if (held_) return constrained_velocity(p, v, false);
  legendre_equations<S> equations(*jet_, space_.jet().entries(), p);
  return legendre().newton.solve(equations, v).outcome == newton_outcome::converged;
}

// On the branch of the contents of v.
template <class S>
bool phase_point<S>::follow(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) {
  load(t, q, v);
  if (held_) return constrained_velocity(p, v, true);
  legendre_equations<S> equations(*jet_, space_.jet().entries(), p);
  return branches_->free.follow(equations, v) &&
         legendre().newton.solve(equations, v).outcome == newton_outcome::converged;
}

template <class S>
bool phase_point<S>::constrained_velocity(std::span<const S> p, std::span<S> v, bool follows) {
  const std::size_t n = v.size();
  const constraint_map<S>& map = *space_.constraints();
  held_->evaluate_first();
  bordered_equations<S> equations(*jet_, space_.jet().entries(), *held_, map, p, space_.has_one_branch());
  std::fill(bordered_.begin(), bordered_.end(), S(0));
  std::copy(v.begin(), v.end(), bordered_.begin());
  if (follows && !branches_->bordered.follow(equations, std::span<S>(bordered_))) return false;
  if (bordered_solver_->newton.solve(equations, bordered_).outcome != newton_outcome::converged) return false;
  std::copy_n(bordered_.begin(), n, v.begin());
  std::fill(normal_momentum_.begin(), normal_momentum_.end(), S(0));
  for (const constraint_entry& e : map.jacobian())
    normal_momentum_[e.column] += *held_->entry(e) * bordered_[n + e.row];
  return true;
}

// From velocities of many sizes along the momentum and against it: that with the smallest speed of those that are
// found.
template <class S>
bool phase_point<S>::velocity_from_afar(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) {
  using std::abs;
  const auto speed = [](std::span<const S> of) {
    S largest(0);
    for (const S& x : of) largest = std::max<S>(largest, abs(x));
    return largest;
  };
  const S size = speed(p);
  if (!(size > S(0))) return false;
  std::optional<S> least;
  for (int exponent = -20; exponent <= 20; ++exponent) {
    for (const int sign : {1, -1}) {
      for (std::size_t i = 0; i < v.size(); ++i)
        branches_->found[i] = S(sign * std::ldexp(1.0, exponent)) * p[i] / size;
      if (!newton_from(t, q, p, branches_->found)) continue;
      if (least && !(speed(branches_->found) < *least)) continue;
      least = speed(branches_->found);
      branches_->best = branches_->found;
    }
  }
  if (!least) return false;
  std::copy(branches_->best.begin(), branches_->best.end(), v.begin());
  return newton_from(t, q, p, v);  // what is told of the last velocity is told of this one
}

// [M Aᵀ; A 0] (dv, dμ) = (dp − P_q dq − H dq, −∂(A v + g_t)/∂q dq) with H = ∂²(μ·g)/∂q², and then dp − H dq − Aᵀ dμ.
template <class S>
matrix<S> phase_point<S>::projection_jacobian() {
  const std::size_t n = space_.size(), m = space_.constraint_count();
  const constraint_map<S>& map = *space_.constraints();
  for (std::size_t i = 0; i < n; ++i) *jet_->velocity(i) = *held_->velocity(i) = bordered_[i];
  for (std::size_t c = 0; c < m; ++c) *held_->multiplier(c) = bordered_[n + c];
  matrix<S> bend(n, n), right(n + m, 2 * n);
  held_->evaluate_second();
  for (const constraint_entry& e : map.hessian()) bend(e.row, e.column) += *held_->entry(e);
  held_->evaluate_slopes();
  jet_->evaluate_mass();
  for (std::size_t i = 0; i < n; ++i) {
    right(i, n + i) = S(1);
    for (std::size_t j = 0; j < n; ++j) right(i, j) = -bend(i, j);
  }
  for (const jet_entry& e : space_.jet().entries()) {
    if (e.block == jet_block::momentum_q) right(e.row, e.column) -= *jet_->entry(e);
  }
  for (const constraint_entry& e : map.hidden_slope()) right(n + e.row, e.column) = -*held_->entry(e);
  saddle_point_solver<S>& bordered = bordered_solver_->forces;
  bordered_equations<S>::fill(*jet_, space_.jet().entries(), *held_, map, S(1), bordered);
  if (!bordered.factorise()) return {};
  matrix<S> result = matrix<S>::identity(2 * n);
  std::vector<S> column(n + m);
  for (std::size_t j = 0; j < 2 * n; ++j) {
    for (std::size_t i = 0; i < n + m; ++i) column[i] = right(i, j);
    bordered.solve_in_place(column);
    for (std::size_t i = 0; i < n && j < n; ++i) result(n + i, j) -= bend(i, j);
    for (const constraint_entry& e : map.jacobian()) result(n + e.column, j) -= *held_->entry(e) * column[n + e.row];
  }
  return result;
}

template <class S>
bool phase_point<S>::velocity_at(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v,
                                 std::span<const S> near) {
  if (equations_) return evaluate_equations(t, q, v);
  branch_ended_ = false;
  if (hamiltonian_) {
    const bool defined = hamiltonian_->evaluate(t, q, p);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = hamiltonian_->velocity(i);
    return defined;
  }
  if (mass_) return mass_->velocity(t, q, p, v);
  if (!branches_) {
    if (held_ && !near.empty()) {
      if (near.data() != v.data()) std::copy(near.begin(), near.end(), v.begin());
      if (newton_from(t, q, p, v)) return true;
    }
    std::fill(v.begin(), v.end(), S(0));  // without constraints what is found depends on nothing but the state
    return newton_from(t, q, p, v);
  }
  if (near.empty()) std::fill(v.begin(), v.end(), S(0));
  else if (near.data() != v.data()) std::copy(near.begin(), near.end(), v.begin());
  if (follow(t, q, p, v)) return true;
  if (near.empty()) return velocity_from_afar(t, q, p, v);
  branch_ended_ = true;
  return false;
}

template <class S>
bool phase_point<S>::is_on_branch(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                                  std::span<const S> near) {
  using std::abs;
  using std::sqrt;
  if (!branches_) return true;
  if (!velocity_at(t, q, p, branches_->start, near)) return false;
  S speed(0);
  for (std::size_t i = 0; i < v.size(); ++i) speed = std::max<S>({speed, abs(v[i]), abs(near[i])});
  for (std::size_t i = 0; i < v.size(); ++i) {
    const S off = abs(branches_->start[i] - v[i]);
    if (!(off <= sqrt(epsilon<S>()) * (abs(v[i]) + S(1e-3) * speed))) branch_ended_ = true;
  }
  return !branch_ended_;
}

template <class S>
bool phase_point<S>::branch_ends_within(const S& h, const S& t, std::span<const S> q, std::span<const S> p,
                                        std::span<const S> v) {
  if (!branches_) return false;
  load(t, q, v);
  jet_->evaluate_first();
  for (std::size_t i = 0; i < p.size(); ++i) branches_->kicked[i] = p[i] + h * *jet_->force(i);
  return !velocity_at(t, q, branches_->kicked, branches_->start, v);
}

template <class S>
S phase_point<S>::mass_pivot_ratio(const S& t, std::span<const S> q, std::span<const S> v) {
  if (hamiltonian_) return S(1);  // no mass matrix is needed
  if (mass_) return mass_->factorise(t, q) ? mass_->pivot_ratio() : S(0);
  load(t, q, v);
  jet_->evaluate_mass();
  if (held_) {
    held_->evaluate_first();
    saddle_point_solver<S>& bordered = bordered_solver_->forces;
    bordered_equations<S>::fill(*jet_, space_.jet().entries(), *held_, *space_.constraints(), S(1), bordered);
    return bordered.factorise() ? bordered.pivot_ratio() : S(0);
  }
  solver& newton = legendre();
  legendre_equations<S>::fill_mass(*jet_, space_.jet().entries(), newton.mass);
  return newton.mass_lu.factorise(newton.mass) ? newton.mass_lu.pivot_ratio() : S(0);
}

// p = P(q, v): ∂p/∂q = P_q, ∂p/∂v = P_v.
template <class S>
bool phase_point<S>::momentum_jacobian(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result) {
  const std::size_t n = q.size();
  if (!jet_) jet_.emplace(space_.jet().at(1, space_.parameters()));
  load(t, q, v);
  jet_->evaluate_mass();
  result = matrix<S>::identity(2 * n);
  for (std::size_t i = 0; i < n; ++i) result(n + i, n + i) = S(0);
  bool finite = true;
  for (const jet_entry& e : space_.jet().entries()) {
    if (e.block != jet_block::momentum_q && e.block != jet_block::momentum_v) continue;
    const S& entry = *jet_->entry(e);
    result(n + e.row, (e.block == jet_block::momentum_v ? n : 0) + e.column) = entry;
    finite = finite && is_finite(entry);
  }
  return finite;
}

// The inverse of the above: v = v(q, p), ∂v/∂q = −P_v⁻¹ P_q, ∂v/∂p = P_v⁻¹.
template <class S>
bool phase_point<S>::velocity_jacobian(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result) {
  const std::size_t n = q.size();
  matrix<S> forward(2 * n, 2 * n);
  if (!momentum_jacobian(t, q, v, forward)) return false;
  lu_factorisation<S> lu(2 * n);
  if (!lu.factorise(forward)) return false;
  result = matrix<S>::identity(2 * n);
  std::vector<S> column(2 * n);
  for (std::size_t j = 0; j < 2 * n; ++j) {
    for (std::size_t i = 0; i < 2 * n; ++i) column[i] = result(i, j);
    lu.solve_in_place(column);
    for (std::size_t i = 0; i < 2 * n; ++i) result(i, j) = column[i];
  }
  return true;
}

// g, and (a, λ) from P_v a − Aᵀλ = G − P_q v − P_t, A a = −c, at the point that velocity_at was asked for.
template <class S>
bool phase_point<S>::measure_constraints() {
  using std::abs;
  const std::size_t n = velocity_.size();
  const constraint_map<S>& map = *space_.constraints();
  for (std::size_t i = 0; i < n; ++i) *jet_->velocity(i) = *held_->velocity(i) = velocity_[i];
  jet_->evaluate_second();
  held_->evaluate_rates();
  constraint_violation_ = hidden_violation_ = S(0);
  for (std::size_t c = 0; c < map.size(); ++c) {
    constraint_values_[c] = *held_->value(c);
    if (!is_finite(constraint_values_[c])) return false;
    constraint_violation_ = std::max<S>(constraint_violation_, abs(constraint_values_[c]));
    forces_[n + c] = -*held_->curvature(c);
  }
  for (std::size_t i = 0; i < n; ++i) {
    hidden_violation_ = std::max<S>(hidden_violation_, abs(normal_momentum_[i]));
    forces_[i] = *jet_->force(i);
  }
  for (const jet_entry& e : space_.jet().entries()) {
    if (e.block == jet_block::momentum_q) forces_[e.row] -= *jet_->entry(e) * velocity_[e.column];
  }
  for (const constraint_entry& e : map.momentum_rate()) forces_[e.row] -= *held_->entry(e);
  if (space_.has_one_branch()) {  // the equations that the velocity was found with, for (a, −λ)
    bordered_solver_->newton.equations().solve_in_place(forces_);
    for (std::size_t c = 0; c < map.size(); ++c) multipliers_[c] = -forces_[n + c];
  } else {
    saddle_point_solver<S>& bordered = bordered_solver_->forces;
    bordered_equations<S>::fill(*jet_, space_.jet().entries(), *held_, map, S(-1), bordered);
    if (!bordered.factorise()) return false;
    bordered.solve_in_place(forces_);
    std::copy_n(forces_.begin() + static_cast<std::ptrdiff_t>(n), map.size(), multipliers_.begin());
  }
  return std::ranges::all_of(multipliers_, [](const S& x) { return is_finite(x); });
}

// q'' into acceleration_, after the velocity and the constraints; not finite where the equations are singular.
template <class S>
bool phase_point<S>::measure_accelerations(const S& t, std::span<const S> q) {
  const std::size_t n = q.size();
  if (held_) {
    std::copy_n(forces_.begin(), n, acceleration_.begin());
    return true;
  }
  solver& newton = legendre();
  const std::size_t stride = accelerations_->stride();
  for (std::size_t i = 0; i < n; ++i) {
    equation_inputs_[i * stride] = q[i];
    equation_inputs_[(n + i) * stride] = velocity_[i];
  }
  equation_inputs_[2 * n * stride] = t;
  (*accelerations_)(equation_inputs_.data(), equation_outputs_.data());
  for (std::size_t i = 0; i < n; ++i) {
    acceleration_[i] = -equation_outputs_[i * stride];
    for (std::size_t j = 0; j < n; ++j) newton.mass(i, j) = equation_outputs_[(n + i * n + j) * stride];
  }
  if (!newton.mass_lu.factorise(newton.mass)) return false;
  newton.mass_lu.solve_in_place(acceleration_);
  return true;
}

// What `measure` computes at a point whose velocity is known; false where accelerations are singular.
template <class S>
bool phase_point<S>::measure_all(const S& t, std::span<const S> q, std::span<const S> p) {
  const std::size_t n = q.size(), stride = measure_->stride();
  for (std::size_t i = 0; i < n; ++i) {
    inputs_[i * stride] = q[i];
    inputs_[(n + i) * stride] = velocity_[i];
  }
  for (std::size_t i = 0; i < p.size(); ++i) inputs_[(2 * n + 1 + i) * stride] = p[i];
  inputs_[2 * n * stride] = t;
  if (!acceleration_.empty()) {
    if (!measure_accelerations(t, q)) return false;
    for (std::size_t i = 0; i < n; ++i) inputs_[(2 * n + 1 + p.size() + i) * stride] = acceleration_[i];
  }
  (*measure_)(inputs_.data(), outputs_.data());
  for (std::size_t k = 0; k < measured_.size(); ++k) measured_[k] = outputs_[k * stride];
  return true;
}

template <class S>
bool phase_point<S>::measure(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> near) {
  using std::abs;
  if (!velocity_at(t, q, p, velocity_, near)) return false;
  if (held_ && !measure_constraints()) return false;
  if (sums_) (*sums_)(t, q, velocity_, p, measured_);
  else if (!measure_all(t, q, p)) return false;
  kinetic_energy_ = abs(measured_[space_.kinetic_place]);
  if (hamiltonian_) {
    energy_change_ = measured_[space_.lagrangian_place];
    energy_ = energy_change_ + measured_[space_.constant_place];
    energy_scale_ = measured_[space_.size_place];
    energy_rounding_ = measured_[space_.rounding_place];
    return is_finite(energy_);
  }
  S pv(0);
  for (std::size_t i = 0; i < p.size(); ++i) pv += p[i] * velocity_[i];
  energy_change_ = pv - measured_[space_.lagrangian_place];
  energy_ = energy_change_ - measured_[space_.constant_place];
  energy_scale_ = abs(pv) + abs(measured_[space_.lagrangian_place]);
  energy_rounding_ = abs(pv) + measured_[space_.rounding_place];
  return is_finite(energy_);
}

#define ACTIO_INSTANTIATE(S) template class phase_point<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
