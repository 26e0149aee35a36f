// The constraints of a system that is made of elements. Internal to mechanics/: what is above asks constraint_map.
//
// Constraints that are written alike are one family: one program gives all of them. Rows of the outputs: g, ∂g/∂t, the
// curvature, the momentum rates where there are any, and behind them one row for each entry of a matrix. Entries of
// ∂²(λ·g)/∂q² are those of single constraints: several may belong to the same pair of coordinates.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/mechanics/constraint_map.hpp"
#include "actio/mechanics/element_sums.hpp"

namespace actio {

// Immutable; programs are made when they are first asked for.
template <class S>
class element_constraint_code {
 public:
  explicit element_constraint_code(const lagrangian_system& system);

  std::vector<constraint_entry> jacobian, hessian, hidden, momentum_rate;
  std::vector<std::uint32_t> bent;  // of each row of the Hessian: its constraint
  std::size_t size, coordinates, rows = 0, first_slope = 0, first_bend = 0, first_hidden = 0;
  std::uint32_t curvature = 0, rates = 0;  // first rows

  enum part : std::size_t { first, bends, motion, slopes };
  std::shared_ptr<const element_code<S>> code(part p) const { return compile_elements<S>(requests_[p], system_); }

 private:
  // A row for each element of a request, behind the rows so far: where `value` goes.
  void list(element_request& request, const expr& value);
  void request_bends(std::size_t family);
  void request_motion(std::size_t family);
  void request_momentum_rates();

  lagrangian_system system_;
  std::vector<element_family> families_, lagrangian_;
  std::vector<element_request> requests_[4];
};

template <class S>
class element_constraints {
 public:
  element_constraints(std::shared_ptr<const element_constraint_code<S>> code, std::size_t points,
                      shared_parameters<S> parameters)
      : code_(std::move(code)), points_(points), parameters_(std::move(parameters)) {}

  // g, ∂g/∂t, A;  the Hessian of λ·g;  the curvature and the momentum rates;  the slopes of the hidden constraints.
  void first(const S* in, S* out);
  void bends(const S* in, S* out);
  void motion(const S* in, S* out);
  void slopes(const S* in, S* out);

 private:
  using code_type = element_constraint_code<S>;
  void sum(typename code_type::part p, const S* in, S* out);
  void clear(std::size_t from, std::size_t to, S* out) const;

  std::shared_ptr<const code_type> code_;
  std::size_t points_;
  shared_parameters<S> parameters_;
  std::optional<element_sums<S>> sums_[4];
};

}  // namespace actio
