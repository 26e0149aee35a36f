// Simpson's scheme for linear systems as one solution of the matrix forms of discrete/linear_schemes.hpp.
//
// Notation: η = (p, q), A ξ_1 = B η_0 + c with ξ = η, or ξ = (q_m, p, q) where the middle value is an unknown. What is
// solved for is the increment, A δ = C η_0 + c with C = B − A E, E η_0 what ξ_1 is if nothing moves: C η is
// (h²/8 M⁻¹K q, −2p, −h K q) with the middle value, and (−2p, −2Y q) without.
// As in linear_step the same matrices are used millions of times: in double they are made in quad, kept with the eleven
// bits more of long double, and each solution is refined against them.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/step.hpp"
#include "actio/mechanics/linear_system.hpp"

namespace actio {

enum class simpson_form { with_middle, reduced };

template <class S>
class matrix_scheme_step final : public step_workspace<S> {
 public:
  matrix_scheme_step(simpson_form form, const linear_system<S>& system, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { make_matrices(still_linear(this->space())); }

 private:
  using W = std::conditional_t<std::same_as<S, double>, long double, S>;

  void make_matrices(const linear_system<S>& system);
  // δ_ = A⁻¹ right_, refined.
  void solve();
  // right_ = C η for η in eta_.
  void apply_change();

  simpson_form form_;
  std::size_t n_, rows_;
  S step_;
  bool solvable_ = false;
  std::vector<W> A_, C_, c_;  // row by row
  lu_factorisation<S> lu_;
  std::vector<W> eta_, right_, delta_;
  std::vector<S> correction_;
  cubic_output<S> output_;
};

}  // namespace actio
