// Newmark's and Simpson's schemes for linear systems in the matrix forms of rojas2024, with η = (p, q).
//
// Notation: X and Y are the symmetric blocks in which the schemes differ,
//   A η_1 = B η_0 + c,   A = (1 −X; 1 Y),   B = (−1 −X; 1 −Y),   Φ = A⁻¹B,
// and c holds the load, which the paper leaves out. [rojas2024, eqs. 10-12, 30-32]
// These forms are for study and for tests; runs use the increments of integrate/linear_step.hpp.
#pragma once

#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/linear_system.hpp"

namespace actio {

enum class linear_scheme { newmark, simpson };

template <class S>
struct scheme_blocks {
  matrix<S> X, Y;
  std::vector<S> load;  // the second half of c; the first is zero
};

// X = (2/h) M, Y = (h/2) K. [rojas2024, eq. 11]
template <class S>
scheme_blocks<S> newmark_blocks(const linear_system<S>& system, const S& step);
// X = (2/h) M − (h/6) K, Y = (h/3) (K L⁻¹ + K/2) with L = 1 − (h²/8) M⁻¹K. [rojas2024, eq. 31]
// L is singular where a frequency is ω = √8/h: such a step has no middle value, and an empty matrix says so.
template <class S>
scheme_blocks<S> simpson_blocks(const linear_system<S>& system, const S& step);

template <class S>
struct matrix_scheme {
  matrix<S> A, B;
  std::vector<S> c;
};

template <class S>
matrix_scheme<S> scheme_of(const scheme_blocks<S>& blocks);
// Simpson's first variant: A (q_m, η_1) = B η_0 + c, 3n × 3n and 3n × 2n. [rojas2024, eqs. 27-29]
template <class S>
matrix_scheme<S> simpson_scheme_with_middle(const linear_system<S>& system, const S& step);

// A⁻¹B, and A⁻¹(B η + c). Empty where A is singular.
template <class S>
matrix<S> step_matrix(const matrix_scheme<S>& scheme);
template <class S>
std::vector<S> advanced(const matrix_scheme<S>& scheme, std::span<const S> eta);

// φ(p, q) = ½ p·ξp + ½ q·ζq, which the scheme with these blocks conserves where there is no load:
// ξ = (X + Y)⁻¹, ζ = (X⁻¹ + Y⁻¹)⁻¹ = X ξ Y, the latter also where the stiffness is singular. [rojas2024, Proposition 7]
template <class S>
class conserved_form {
 public:
  explicit conserved_form(const scheme_blocks<S>& blocks);
  S operator()(std::span<const S> p, std::span<const S> q) const;
  const matrix<S>& xi() const { return xi_; }
  const matrix<S>& zeta() const { return zeta_; }

 private:
  matrix<S> xi_, zeta_;
};

}  // namespace actio
