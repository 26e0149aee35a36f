#include "actio/mechanics/vector_field.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "actio/base/finite.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/accelerations.hpp"
#include "actio/mechanics/recursive_jet.hpp"

namespace actio {

namespace {

template <class S>
class hamilton final : public vector_field<S> {
 public:
  explicit hamilton(const phase_space<S>& space)
      : entries_(space.jet().entries()),
        has_power_(space.jet().has_power()),
        n_(space.size()),
        legendre_(space),
        jet_(space.jet().at(1, space.parameters())),
        velocity_(n_, S(0)) {}

  std::size_t size() const override { return 2 * n_; }

  void set_branch(std::span<const S> velocity) override { std::ranges::copy(velocity, velocity_.begin()); }
  bool branch_ended() const override { return legendre_.branch_ended(); }

  bool evaluate(const S& t, std::span<const S> y, std::span<S> rate, S& power) override {
    if (!load(t, y)) return false;
    jet_.evaluate_first();
    for (std::size_t i = 0; i < n_; ++i) {
      rate[i] = velocity_[i];
      rate[n_ + i] = *jet_.force(i);
    }
    power = has_power_ ? *jet_.power() : S(0);
    return all_finite<S>(rate);
  }

  // dv = P_v⁻¹ (dp − P_q dq), dp' = G_q dq + G_v dv.
  bool jacobian(const S& t, std::span<const S> y, matrix<S>& A) override {
    if (!load(t, y)) return false;
    jet_.evaluate_second();
    matrix<S> G_q(n_, n_), G_v(n_, n_), P_q(n_, n_), P_v(n_, n_);
    matrix<S>* const blocks[] = {&G_q, &G_v, &P_q, &P_v};
    for (const jet_entry& e : entries_) (*blocks[static_cast<int>(e.block)])(e.row, e.column) = *jet_.entry(e);
    if (const recursive_jet<S>* jet = jet_.recursive()) {
      auto along = jet->motion();
      for (std::size_t column = 0; column < 2 * n_; ++column) {
        S& moved = column < n_ ? along.position[column] : along.velocity[column - n_];
        moved = S(1);
        jet->product(along);
        moved = S(0);
        for (std::size_t i = 0; i < n_; ++i) {
          (column < n_ ? G_q : G_v)(i, column % n_) = along.force[i];
          (column < n_ ? P_q : P_v)(i, column % n_) = along.momentum[i];
        }
      }
    }
    lu_factorisation<S> lu(n_);
    if (!lu.factorise(P_v)) return false;
    std::vector<S> dv(n_);
    for (std::size_t column = 0; column < 2 * n_; ++column) {
      for (std::size_t i = 0; i < n_; ++i) {
        dv[i] = column < n_ ? S(-P_q(i, column)) : S(i == column - n_ ? 1 : 0);
      }
      lu.solve_in_place(dv);
      for (std::size_t i = 0; i < n_; ++i) {
        S dp = column < n_ ? G_q(i, column) : S(0);
        for (std::size_t j = 0; j < n_; ++j) dp += G_v(i, j) * dv[j];
        A(i, column) = dv[i];
        A(n_ + i, column) = dp;
      }
    }
    return true;
  }

 private:
  bool load(const S& t, std::span<const S> y) {
    if (!legendre_.velocity_at(t, y.first(n_), y.subspan(n_), velocity_, velocity_)) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      *jet_.position(i) = y[i];
      *jet_.velocity(i) = velocity_[i];
    }
    *jet_.time() = t;
    return true;
  }

  std::span<const jet_entry> entries_;
  bool has_power_;
  std::size_t n_;
  phase_point<S> legendre_;
  jet_evaluation<S> jet_;
  std::vector<S> velocity_;
};

// The Euler–Lagrange residual r(q, v, a, t) is linear in a: r = r|_{a=0} + L_vv a.
template <class S>
class euler_lagrange final : public vector_field<S> {
 public:
  explicit euler_lagrange(const phase_space<S>& space) : n_(space.size()), lu_(n_), mass_(n_, n_) {
    const lagrangian_system& system = space.system();
    const std::vector<expr> r = euler_lagrange_equations(system);
    std::vector<expr> state(system.coordinates), outputs = acceleration_equations(system);
    append(state, system.velocities());
    outputs.push_back(expressions_of(*space.code()).power);
    std::vector<expr> variables(state);
    variables.push_back(time_symbol());
    for (const expr& q : system.coordinates) variables.push_back(acceleration_symbol(q));
    const std::vector<expr> parameters = system.parameter_symbols();
    const auto field = compile<S>(lower(outputs, parameters, variables));
    std::vector<expr> slopes;
    for (const expr& row : r) append(slopes, gradient(row, state));
    const auto derivative = compile<S>(lower(slopes, parameters, variables));
    field_.emplace(*field, 1, space.parameters());
    derivative_.emplace(*derivative, 1, space.parameters());
    stride_ = field_->stride();
    ACTIO_ASSERT(derivative_->stride() == stride_);
    in_.assign(variables.size() * stride_, S(0));
    out_.assign(std::max(outputs.size(), slopes.size()) * stride_, S(0));
    acceleration_.assign(n_, S(0));
    slope_ = acceleration_;
    if (system.applied_force) applied_.emplace(*system.applied_force, n_);
  }

  std::size_t size() const override { return 2 * n_; }

  bool evaluate(const S& t, std::span<const S> y, std::span<S> rate, S& power) override {
    if (!accelerate(t, y)) return false;
    power = out_[(n_ + n_ * n_) * stride_];
    if (applied_) power += applied_->power(y.subspan(n_));
    for (std::size_t i = 0; i < n_; ++i) {
      rate[i] = y[n_ + i];
      rate[n_ + i] = acceleration_[i];
    }
    return all_finite<S>(rate);
  }

  // r(q, v, a) = 0 along the motion: da = −L_vv⁻¹ (r_q dq + r_v dv).
  bool jacobian(const S& t, std::span<const S> y, matrix<S>& A) override {
    if (!accelerate(t, y)) return false;
    for (std::size_t i = 0; i < n_; ++i) in_[(2 * n_ + 1 + i) * stride_] = acceleration_[i];
    (*derivative_)(in_.data(), out_.data());
    if (applied_) applied_->slopes_at(t, y.first(n_), y.subspan(n_));
    for (std::size_t column = 0; column < 2 * n_; ++column) {
      for (std::size_t i = 0; i < n_; ++i) {
        slope_[i] = -out_[(i * 2 * n_ + column) * stride_];
        if (applied_)
          slope_[i] += column < n_ ? applied_->by_position(i, column) : applied_->by_velocity(i, column - n_);
      }
      lu_.solve_in_place(slope_);
      for (std::size_t i = 0; i < n_; ++i) {
        A(i, column) = S(column == n_ + i ? 1 : 0);
        A(n_ + i, column) = slope_[i];
      }
    }
    return true;
  }

 private:
  static void append(std::vector<expr>& list, const std::vector<expr>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  bool accelerate(const S& t, std::span<const S> y) {
    for (std::size_t i = 0; i < 2 * n_; ++i) in_[i * stride_] = y[i];
    in_[2 * n_ * stride_] = t;
    (*field_)(in_.data(), out_.data());
    if (applied_) applied_->at(t, y.first(n_), y.subspan(n_));
    for (std::size_t i = 0; i < n_; ++i) {
      acceleration_[i] = -out_[i * stride_];
      if (applied_) acceleration_[i] += applied_->force(i);
      for (std::size_t j = 0; j < n_; ++j) mass_(i, j) = out_[(n_ + i * n_ + j) * stride_];
    }
    if (!lu_.factorise(mass_)) return false;
    lu_.solve_in_place(acceleration_);
    return true;
  }

  std::size_t n_, stride_ = 1;
  lu_factorisation<S> lu_;
  matrix<S> mass_;
  std::optional<bound_evaluation<S>> field_, derivative_;
  std::optional<force_evaluation<S>> applied_;
  std::vector<S> in_, out_, acceleration_, slope_;
};

// Hamilton's equations of a given H.
template <class S>
class given_hamiltonian final : public vector_field<S> {
 public:
  explicit given_hamiltonian(const phase_space<S>& space)
      : space_(space), n_(space.size()), at_(space.hamiltonian(), space.parameters()) {}

  std::size_t size() const override { return 2 * n_; }

  bool evaluate(const S& t, std::span<const S> y, std::span<S> rate, S& power) override {
    if (!at_.evaluate(t, y.first(n_), y.subspan(n_))) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      rate[i] = at_.velocity(i);
      rate[n_ + i] = at_.force(i);
    }
    power = at_.power();
    return true;
  }

  bool jacobian(const S& t, std::span<const S> y, matrix<S>& A) override {
    const bool defined = at_.evaluate_slopes(t, y.first(n_), y.subspan(n_));
    A.set_zero();
    const std::span<const matrix_entry> entries = space_.hamiltonian().slopes();
    for (std::size_t k = 0; k < entries.size(); ++k) A(entries[k].row, entries[k].column) = at_.slope(k);
    return defined;
  }

 private:
  phase_space<S> space_;
  std::size_t n_;
  hamiltonian_evaluation<S> at_;
};

// What a model's own equations say. The Jacobian is made when it is first asked for: runs do not need it.
template <class S>
class given_equations final : public vector_field<S> {
 public:
  explicit given_equations(const phase_space<S>& space) : space_(space), point_(space) {}

  std::size_t size() const override { return space_.size(); }

  bool evaluate(const S& t, std::span<const S> y, std::span<S> rate, S& power) override {
    power = S(0);
    return point_.velocity_at(t, y, {}, rate);
  }

  bool jacobian(const S& t, std::span<const S> y, matrix<S>& A) override {
    if (!derivative_) compile_jacobian();
    const std::size_t n = size(), stride = derivative_->stride();
    for (std::size_t i = 0; i < n; ++i) in_[i * stride] = y[i];
    in_[n * stride] = t;
    (*derivative_)(in_.data(), out_.data());
    A.set_zero();
    for (std::size_t k = 0; k < entries_.size(); ++k) A(entries_[k].first, entries_[k].second) = out_[k * stride];
    return all_finite<S>(A.data());
  }

 private:
  void compile_jacobian() {
    const lagrangian_system& system = space_.system();
    std::vector<expr> slopes;
    for (std::size_t i = 0; i < size(); ++i) {
      const std::vector<expr> row = gradient(system.equations[i], system.coordinates);
      for (std::size_t j = 0; j < size(); ++j) {
        if (row[j].is_zero()) continue;
        entries_.emplace_back(i, j);
        slopes.push_back(row[j]);
      }
    }
    std::vector<expr> variables(system.coordinates);
    variables.push_back(time_symbol());
    derivative_.emplace(*compile<S>(lower(slopes, system.parameter_symbols(), variables)), 1, space_.parameters());
    in_.assign(variables.size() * derivative_->stride(), S(0));
    out_.assign(std::max<std::size_t>(1, slopes.size()) * derivative_->stride(), S(0));
  }

  phase_space<S> space_;
  phase_point<S> point_;
  std::vector<std::pair<std::size_t, std::size_t>> entries_;  // (row, column) of the slopes that are not zero
  std::optional<bound_evaluation<S>> derivative_;
  std::vector<S> in_, out_;
};

}  // namespace

template <class S>
std::unique_ptr<vector_field<S>> hamilton_field(const phase_space<S>& space) {
  if (!space.has_jet()) return std::make_unique<given_hamiltonian<S>>(space);
  return std::make_unique<hamilton<S>>(space);
}

template <class S>
std::unique_ptr<vector_field<S>> velocity_field(const phase_space<S>& space) {
  return std::make_unique<euler_lagrange<S>>(space);
}

template <class S>
std::unique_ptr<vector_field<S>> equation_field(const phase_space<S>& space) {
  return std::make_unique<given_equations<S>>(space);
}

#define ACTIO_INSTANTIATE(S)                                                                \
  template std::unique_ptr<vector_field<S>> equation_field<S>(const phase_space<S>& space); \
  template std::unique_ptr<vector_field<S>> hamilton_field<S>(const phase_space<S>& space); \
  template std::unique_ptr<vector_field<S>> velocity_field<S>(const phase_space<S>& space);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
