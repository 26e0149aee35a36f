#include "actio/discrete/embedded_action.hpp"

#include <algorithm>

namespace actio {

namespace {

// ψ where a constraint_map looks for constraints: it gives the values and derivatives of any functions of q.
lagrangian_system functions_of(const lagrangian_system& system, const embedding& space) {
  lagrangian_system surface;
  surface.coordinates = system.coordinates;
  surface.parameters = system.parameters;
  surface.lagrangian = expr(0);
  for (std::size_t a = 0; a < space.chart.size(); ++a) {
    surface.constraints.push_back({space.ambient.coordinates[a].name(), space.chart[a]});
  }
  return surface;
}

}  // namespace

template <class S>
embedded_action<S>::embedded_action(const galerkin_tableau<S>& tableau, const phase_space<S>& space,
                                    const embedding& surface, const S& step)
    : tableau_(&tableau),
      m_(space.size()),
      n_(surface.ambient.size()),
      step_(step),
      jet_(surface.ambient),
      action_(tableau, jet_, space.parameters(), step),
      chart_(functions_of(space.system(), surface)),
      surface_(chart_.at(tableau.degree + 1, space.parameters())),
      slopes_(tableau.degree + 1, matrix<S>(n_, m_)),
      bends_(tableau.degree + 1, matrix<S>(m_, m_)),
      q0_(m_, S(0)),
      q0_remainder_(q0_),
      p0_(q0_),
      ambient_q0_(n_, S(0)),
      zero_(ambient_q0_),
      z_(tableau.degree * n_, S(0)),
      R_(z_),
      T_(n_, S(0)),
      x_(tableau.degree * m_, S(0)),
      extent_(m_, S(0)),
      block_(tableau.degree * n_, tableau.degree * n_) {}

template <class S>
void embedded_action<S>::start(const S& time, std::span<const S> position, std::span<const S> position_remainder,
                               std::span<const S> momentum, std::span<const S> momentum_remainder) {
  for (std::size_t i = 0; i < m_; ++i) {
    q0_[i] = position[i];
    q0_remainder_[i] = position_remainder[i];
    p0_[i] = momentum[i] + momentum_remainder[i];
    for (std::size_t k = 0; k <= tableau_->degree; ++k) surface_.position(i)[k] = q0_[i];
  }
  surface_.evaluate_first();
  for (std::size_t a = 0; a < n_; ++a) ambient_q0_[a] = surface_.value(a)[0];
  action_.start(time, ambient_q0_, zero_, zero_, zero_);
}

template <class S>
void embedded_action<S>::evaluate(std::span<const S> x, bool with_jacobian) {
  using std::abs;
  const std::size_t s = tableau_->degree;
  std::ranges::copy(x, x_.begin());
  for (std::size_t i = 0; i < m_; ++i) {
    extent_[i] = S(0);
    for (std::size_t k = 1; k <= s; ++k) {
      const S& zeta = x[(k - 1) * m_ + i];
      surface_.position(i)[k] = q0_[i] + (q0_remainder_[i] + zeta);
      extent_[i] = std::max<S>(extent_[i], abs(zeta));
    }
  }
  surface_.evaluate_first();
  for (std::size_t k = 0; k <= s; ++k) {
    slopes_[k].set_zero();
    for (const constraint_entry& e : chart_.jacobian()) slopes_[k](e.row, e.column) = surface_.entry(e)[k];
    for (std::size_t a = 0; a < n_ && k > 0; ++a) z_[(k - 1) * n_ + a] = surface_.value(a)[k] - ambient_q0_[a];
  }
  action_.evaluate(z_, with_jacobian);
  action_.residual(R_);
  action_.momentum_increment(T_);
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n_; ++a) T_[a] -= R_[k * n_ + a];
  }
  if (!with_jacobian) return;
  for (std::size_t a = 0; a < n_; ++a) {
    for (std::size_t k = 0; k <= s; ++k) surface_.multiplier(a)[k] = k < s ? R_[k * n_ + a] : T_[a];
  }
  surface_.evaluate_second();
  for (std::size_t k = 0; k <= s; ++k) {
    bends_[k].set_zero();
    for (const constraint_entry& e : chart_.hessian()) bends_[k](e.row, e.column) += surface_.entry(e)[k];
  }
  action_.jacobian(block_);
}

template <class S>
void embedded_action<S>::residual(std::span<S> r) {
  for (std::size_t k = 0; k < tableau_->degree; ++k) {
    for (std::size_t i = 0; i < m_; ++i) {
      S sum = k == 0 ? p0_[i] : S(0);
      for (std::size_t a = 0; a < n_; ++a) sum += slopes_[k](a, i) * R_[k * n_ + a];
      r[k * m_ + i] = sum;
    }
  }
}

// ∂(D_kᵀR_k)/∂ζ_l = D_kᵀ ∂R_k/∂z_l D_l, and the bend of the surface under R_k where l = k.
template <class S>
void embedded_action<S>::jacobian(matrix<S>& J) {
  const std::size_t s = tableau_->degree;
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t l = 1; l <= s; ++l) {
      for (std::size_t i = 0; i < m_; ++i) {
        for (std::size_t j = 0; j < m_; ++j) {
          S sum = k == l ? bends_[k](i, j) : S(0);
          for (std::size_t a = 0; a < n_; ++a) {
            S row(0);
            for (std::size_t b = 0; b < n_; ++b) row += block_(k * n_ + a, (l - 1) * n_ + b) * slopes_[l](b, j);
            sum += slopes_[k](a, i) * row;
          }
          J(k * m_ + i, (l - 1) * m_ + j) = sum;
        }
      }
    }
  }
}

template <class S>
S embedded_action<S>::weight(std::size_t j) {
  using std::abs;
  const S largest = *std::ranges::max_element(extent_), size = extent_[j % m_] + S(1e-3) * largest;
  return size > S(0) ? size : S(abs(step_));
}

template <class S>
void embedded_action<S>::right_momentum(std::span<S> p) const {
  for (std::size_t i = 0; i < m_; ++i) {
    p[i] = S(0);
    for (std::size_t a = 0; a < n_; ++a) p[i] += slopes_.back()(a, i) * T_[a];
  }
}

// With q_0 the ambient points move by D_0 and D_k: R and T change by Q_0 and by z_k = Q_k − Q_0.
template <class S>
matrix<S> embedded_action<S>::tangent() {
  const std::size_t s = tableau_->degree, size = s * m_, wide = s * n_;
  matrix<S> R_left(wide, n_), T_left(n_, n_), T_z(n_, wide), J(size, size);
  action_.left_jacobian(R_left);
  action_.momentum_jacobian(T_left, T_z);
  jacobian(J);
  lu_factorisation<S> lu(size);
  if (!lu.factorise(J)) return {};
  matrix<S> result(2 * m_, 2 * m_);
  std::vector<S> dx(size), dQ0(n_), dz(wide), dR(wide), dq(m_);
  // dR and dT for a motion of q_0 by dq and of ζ by dx.
  const auto move = [&](std::span<const S> shift, std::span<const S> increments) {
    for (std::size_t a = 0; a < n_; ++a) {
      dQ0[a] = S(0);
      for (std::size_t i = 0; i < m_; ++i) dQ0[a] += slopes_[0](a, i) * shift[i];
      for (std::size_t k = 1; k <= s; ++k) {
        S sum = -dQ0[a];
        for (std::size_t i = 0; i < m_; ++i) sum += slopes_[k](a, i) * (shift[i] + increments[(k - 1) * m_ + i]);
        dz[(k - 1) * n_ + a] = sum;
      }
    }
    for (std::size_t row = 0; row < wide; ++row) {
      dR[row] = S(0);
      for (std::size_t a = 0; a < n_; ++a) dR[row] += R_left(row, a) * dQ0[a];
      for (std::size_t b = 0; b < wide; ++b) dR[row] += block_(row, b) * dz[b];
    }
  };
  const std::vector<S> still(size, S(0));
  for (std::size_t column = 0; column < 2 * m_; ++column) {
    for (std::size_t i = 0; i < m_; ++i) dq[i] = S(column == i ? 1 : 0);
    move(dq, still);
    for (std::size_t k = 0; k < s; ++k) {
      for (std::size_t i = 0; i < m_; ++i) {
        S sum = S(k == 0 && column == m_ + i ? 1 : 0);
        for (std::size_t a = 0; a < n_; ++a) sum += slopes_[k](a, i) * dR[k * n_ + a];
        for (std::size_t j = 0; j < m_; ++j) sum += bends_[k](i, j) * dq[j];
        dx[k * m_ + i] = -sum;
      }
    }
    lu.solve_in_place(dx);
    move(dq, dx);
    for (std::size_t i = 0; i < m_; ++i) {
      result(i, column) = dq[i] + dx[(s - 1) * m_ + i];
      S sum(0);
      for (std::size_t a = 0; a < n_; ++a) {
        S dT(0);
        for (std::size_t b = 0; b < n_; ++b) dT += T_left(a, b) * dQ0[b];
        for (std::size_t b = 0; b < wide; ++b) dT += T_z(a, b) * dz[b];
        for (std::size_t k = 0; k < s; ++k) dT -= dR[k * n_ + a];
        sum += slopes_[s](a, i) * dT;
      }
      for (std::size_t j = 0; j < m_; ++j) sum += bends_[s](i, j) * (dq[j] + dx[(s - 1) * m_ + j]);
      result(m_ + i, column) = sum;
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template class embedded_action<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
