#include "actio/integrate/separable_parts.hpp"

#include <algorithm>

#include "actio/base/finite.hpp"
#include "actio/base/row_operations.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_forces.hpp"
#include "actio/mechanics/element_mass.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"

namespace actio {

namespace {

// ∂L/∂v = M v + A with numbers M and A.
bool has_constant_mass(const system_code& code) {
  std::vector<expr> others = code.system().coordinates;
  others.push_back(time_symbol());
  return code.system().is_quadratic_in_velocities() &&
         std::ranges::none_of(derivatives_of(code).by_velocity,
                              [&](const expr& p) { return depends_on_any(p, others); });
}

// A constant mass matrix is factorised once; otherwise ∂L/∂v = p is solved.
template <class S>
class lagrangian_parts final : public separable_parts<S> {
 public:
  explicit lagrangian_parts(const phase_space<S>& space)
      : entries_(space.jet().entries()),
        has_power_(space.jet().has_power()),
        legendre_(space),
        jet_(space.jet().at(1, space.parameters())),
        mass_(space.size(), space.size()),
        lu_(space.size()),
        offset_(space.size(), S(0)),
        rest_(offset_) {
    lagrangian_parts::parameters_changed();
  }

  bool has_power() const override { return has_power_; }
  bool has_constant_mass() const override { return constant_mass_; }

  void parameters_changed() override {
    constant_mass_ = actio::has_constant_mass(*legendre_.space().code()) && factorise(S(0), rest_, rest_);
    for (std::size_t i = 0; i < offset_.size() && constant_mass_; ++i) offset_[i] = *jet_.momentum(i);
  }

  bool force(const S& t, std::span<const S> q, std::span<S> result) override {
    place(t, q, rest_);  // it does not depend on velocities
    jet_.evaluate_first();
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = *jet_.force(i);
    return all_finite<S>(result);
  }

  bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
    if (!constant_mass_) return legendre_.velocity_at(t, q, p, v, v);
    if (diagonal_) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = (p[i] - offset_[i]) / mass_(i, i);
    } else {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = p[i] - offset_[i];
      lu_.solve_in_place(v);
    }
    return true;
  }
  bool branch_ended() const override { return legendre_.branch_ended(); }

  S power(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v) override {
    place(t, q, v);
    jet_.evaluate_first();
    return *jet_.power();
  }

  bool force_slopes(const S& t, std::span<const S> q, matrix<S>& result) override {
    place(t, q, rest_);
    jet_.evaluate_second();
    result.set_zero();
    for (const jet_entry& e : entries_) {
      if (e.block == jet_block::force_q) result(e.row, e.column) = *jet_.entry(e);
    }
    return true;
  }

  bool velocity_slopes(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v,
                       matrix<S>& result) override {
    if (!constant_mass_ && !factorise(t, q, v)) return false;
    std::vector<S> column(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) {
      std::ranges::fill(column, S(0));
      column[j] = S(1);
      lu_.solve_in_place(column);
      for (std::size_t i = 0; i < v.size(); ++i) result(i, j) = column[i];
    }
    return true;
  }

  S kick_action(const S& t, std::span<const S> q) override { return lagrangian_at(t, q, rest_); }
  S drift_action(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v) override {
    const S moving = lagrangian_at(t, q, v);
    return moving - lagrangian_at(t, q, rest_);
  }

 private:
  void place(const S& t, std::span<const S> q, std::span<const S> v) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      *jet_.position(i) = q[i];
      *jet_.velocity(i) = v[i];
    }
    *jet_.time() = t;
  }

  S lagrangian_at(const S& t, std::span<const S> q, std::span<const S> v) {
    place(t, q, v);
    jet_.evaluate_value();
    return *jet_.lagrangian();
  }

  bool factorise(const S& t, std::span<const S> q, std::span<const S> v) {
    place(t, q, v);
    jet_.evaluate_second();
    mass_.set_zero();
    diagonal_ = true;
    for (const jet_entry& e : entries_) {
      if (e.block != jet_block::momentum_v) continue;
      mass_(e.row, e.column) = *jet_.entry(e);
      diagonal_ = diagonal_ && e.row == e.column;
    }
    return lu_.factorise(mass_);
  }

  std::span<const jet_entry> entries_;
  bool has_power_, constant_mass_ = false, diagonal_ = true;
  phase_point<S> legendre_;
  jet_evaluation<S> jet_;
  matrix<S> mass_;
  lu_factorisation<S> lu_;
  std::vector<S> offset_, rest_;  // ∂L/∂v at rest; zeros
};

// Sums over elements; the mass matrix is constant.
template <class S>
class element_parts final : public separable_parts<S> {
 public:
  explicit element_parts(const phase_space<S>& space)
      : space_(space),
        forces_(*space.code(), space.parameters()),
        mass_(*space.code(), space.parameters()),
        offset_(space.size(), S(0)),
        rest_(offset_) {
    element_parts::parameters_changed();
  }

  bool has_power() const override { return forces_.has_power(); }
  bool has_constant_mass() const override { return mass_.is_constant(); }
  void parameters_changed() override {
    if (mass_.has_offset() && mass_.offset_is_constant()) mass_.momentum(S(0), rest_, rest_, offset_);
  }

  bool force(const S& t, std::span<const S> q, std::span<S> result) override {
    forces_(t, q.data(), rest_.data(), result.data());
    return is_finite_row<S>(result.size(), result.data());
  }
  bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
    if (!mass_.is_constant() || !mass_.offset_is_constant()) return mass_.velocity(t, q, p, v);
    if (!mass_.factorise(t, q)) return false;
    if (!mass_.has_offset() && mass_.is_diagonal()) {
      multiply_rows<S>(v.size(), mass_.inverse_diagonal().data(), p.data(), v.data());
      return true;
    }
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = p[i] - offset_[i];
    mass_.solve_in_place(v);
    return true;
  }
  std::span<const S> inverse_masses() override {
    const bool is_plain = mass_.is_constant() && mass_.is_diagonal() && !mass_.has_offset() && !has_power();
    return is_plain && mass_.factorise(S(0), rest_) ? mass_.inverse_diagonal() : std::span<const S>();
  }
  bool sweep(const S& t, std::span<const S> q, std::span<S> result, sweep_visitor& visitor) override {
    return forces_.sweep(t, q.data(), rest_.data(), result.data(), visitor);
  }
  S power(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v) override {
    return forces_.power(t, q.data(), v.data());
  }
  bool force_slopes(const S& t, std::span<const S> q, matrix<S>& result) override {
    if (!dense_) dense_ = std::make_unique<lagrangian_parts<S>>(space_);
    return dense_->force_slopes(t, q, result);
  }
  bool velocity_slopes(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                       matrix<S>& result) override {
    if (!dense_) dense_ = std::make_unique<lagrangian_parts<S>>(space_);
    return dense_->velocity_slopes(t, q, p, v, result);
  }
  bool knows_slopes_along() const override { return mass_.is_constant(); }
  bool force_slope_along(const S& t, std::span<const S> q, std::span<const S> dq, std::span<S> change) override {
    forces_.slope_along(t, q.data(), dq.data(), change.data());
    return is_finite_row<S>(change.size(), change.data());
  }
  bool velocity_slope_along(const S& t, std::span<const S> q, std::span<const S> dp, std::span<S> change) override {
    if (!mass_.factorise(t, q)) return false;
    std::ranges::copy(dp, change.begin());
    mass_.solve_in_place(change);
    return true;
  }
  S kick_action(const S& t, std::span<const S> q) override { return forces_.lagrangian(t, q.data(), rest_.data()); }
  S drift_action(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v) override {
    const S moving = forces_.lagrangian(t, q.data(), v.data());
    return moving - forces_.lagrangian(t, q.data(), rest_.data());
  }

 private:
  phase_space<S> space_;
  element_forces<S> forces_;
  element_mass<S> mass_;
  std::vector<S> offset_, rest_;
  std::unique_ptr<lagrangian_parts<S>> dense_;  // for tangent maps
};

// T and V are what H has beside its value at p = 0.
template <class S>
class hamiltonian_parts final : public separable_parts<S> {
 public:
  explicit hamiltonian_parts(const phase_space<S>& space)
      : map_(&space.hamiltonian()),
        is_quadratic_(is_polynomial(*space.system().hamiltonian, space.system().momenta(), 2)),
        at_(*map_, space.parameters()),
        rest_(space.size(), S(0)) {}

  bool has_power() const override { return map_->has_power(); }
  bool has_constant_mass() const override { return is_quadratic_; }

  bool force(const S& t, std::span<const S> q, std::span<S> result) override {
    const bool defined = at_.evaluate(t, q, rest_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = at_.force(i);
    return defined || all_finite<S>(result);  // q' need not exist at p = 0
  }
  bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
    at_.evaluate(t, q, p);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = at_.velocity(i);
    return all_finite<S>(v);
  }
  S power(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>) override {
    at_.evaluate(t, q, p);
    return at_.power();
  }
  bool force_slopes(const S& t, std::span<const S> q, matrix<S>& result) override {
    return slopes(t, q, rest_, map_->size(), 0, result);
  }
  bool velocity_slopes(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>,
                       matrix<S>& result) override {
    return slopes(t, q, p, 0, map_->size(), result);
  }
  S kick_action(const S& t, std::span<const S> q) override {
    at_.evaluate(t, q, rest_);
    return -at_.value();
  }
  S drift_action(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v) override {
    S pv(0);
    for (std::size_t i = 0; i < p.size(); ++i) pv += p[i] * v[i];
    at_.evaluate(t, q, p);
    const S moving = at_.value();
    return pv - moving - kick_action(t, q);
  }

 private:
  bool slopes(const S& t, std::span<const S> q, std::span<const S> p, std::size_t row, std::size_t column,
              matrix<S>& result) {
    at_.evaluate_slopes(t, q, p);
    result.set_zero();
    const std::size_t n = map_->size();
    for (std::size_t k = 0; k < map_->slopes().size(); ++k) {
      const matrix_entry& e = map_->slopes()[k];
      if (e.row / n * n == row && e.column / n * n == column) result(e.row - row, e.column - column) = at_.slope(k);
    }
    return all_finite<S>(result.data());
  }

  const hamiltonian_map<S>* map_;
  bool is_quadratic_;
  hamiltonian_evaluation<S> at_;
  std::vector<S> rest_;  // zeros
};

}  // namespace

template <class S>
std::unique_ptr<separable_parts<S>> separable_parts_of(const phase_space<S>& space) {
  if (space.system().is_hamiltonian()) return std::make_unique<hamiltonian_parts<S>>(space);
  if (is_made_of_elements(space.system())) return std::make_unique<element_parts<S>>(space);
  return std::make_unique<lagrangian_parts<S>>(space);
}

#define ACTIO_INSTANTIATE(S) \
  template std::unique_ptr<separable_parts<S>> separable_parts_of<S>(const phase_space<S>& space);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
