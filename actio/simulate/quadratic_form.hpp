// The quadratic form that a symplectic step conserves exactly on a linear system.
//
// Notation: z = (q, p), Φ the matrix of a step, z_1 = Φ z_0, and J the symplectic matrix. ΦᵀJΦ = J makes
//   φ(z) = ¼ (p·q_1 − q·p_1) = −¼ zᵀJΦz
// the same at z and at Φz: the symplectic product of a state with the next. For Newmark's and Simpson's schemes it is
// ½ p·ξp + ½ q·ζq with ξ = (X + Y)⁻¹ and ζ = (X⁻¹ + Y⁻¹)⁻¹. [rojas2024, eq. 42] A load moves the origin to the
// equilibrium, where there is one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

template <class S>
class quadratic_form {
 public:
  // Nothing where the system is not linear or has a load and no equilibrium, the method is not symplectic, or there are
  // more coordinates than make sense for dense matrices.
  static std::optional<quadratic_form> of(const integrator<S>& flow);

  std::size_t size() const { return origin_.size(); }
  // φ = ½ p·ξp + p·ηq + ½ q·ζq about the origin; η vanishes for methods that are symmetric.
  const matrix<S>& xi() const { return xi_; }
  const matrix<S>& eta() const { return eta_; }
  const matrix<S>& zeta() const { return zeta_; }
  const std::vector<S>& origin() const { return origin_; }

  // φ there, and the sum of the sizes of its terms.
  void evaluate(const compensated_vector<S>& position, const compensated_vector<S>& momentum);
  const S& value() const { return value_; }
  const S& scale() const { return scale_; }

 private:
  matrix<S> xi_, eta_, zeta_;
  std::vector<S> origin_, q_, p_;
  S value_{0}, scale_{0};
};

}  // namespace actio
