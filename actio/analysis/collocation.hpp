// Gauss collocation for y' = f(t, y): the reference of high order for systems that no Lagrangian gives.
#pragma once

#include <vector>

#include "actio/base/compensated.hpp"
#include "actio/base/dense.hpp"
#include "actio/mechanics/vector_field.hpp"

namespace actio {

// Steps of one length, of order 2 · stages. The stages are found by fixed-point iteration, which needs steps that are
// short beside 1/‖∂f/∂y‖; whoever wants a reference shortens them until they are.
template <class S>
class collocation_flow {
 public:
  collocation_flow(vector_field<S>& field, std::size_t stages, const S& step);

  // Moves y from t to t + step. False where the stages cannot be found or f is not defined; y is then as before.
  bool advance(const S& t, compensated_vector<S>& y);

 private:
  bool find_stages(const S& t, const std::vector<S>& y);

  vector_field<S>& field_;
  S step_;
  matrix<S> a_;
  std::vector<S> b_, c_;
  std::vector<std::vector<S>> k_;
  std::vector<S> argument_, rate_;
};

}  // namespace actio
