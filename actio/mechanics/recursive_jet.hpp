// The jet of a system whose recursive definitions are kept (recursions.hpp), in a time that grows like their number.
//
// With x = X(q, t) and x' its rate L(q, v) = ℓ(q, x, v, x'). One sweep forward gives x and x'; with A = ∂X/∂(q, x),
// whose columns of x are lower triangular, one sweep back gives the momentum, and another the force:
//   μ = ℓ_x' + A_xᵀ μ,  P = ℓ_v + A_qᵀ μ;   λ = ℓ_x + ∂(μ·X')/∂x + A_xᵀ λ,  G = ℓ_q + ∂(μ·X')/∂q + A_qᵀ λ + F.
// The Hessian of ℓ + λ·X + μ·X' in (q, x; v, x') is sparse; with the slopes A and A' it is what recursive_equations
// take. Internal to mechanics/ but for what lagrangian_jet hands on.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/base/aligned.hpp"
#include "actio/base/recursive_equations.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

// Immutable; its parts are made when they are first asked for. The code must outlive it.
template <class S>
class recursive_jet_code {
 public:
  explicit recursive_jet_code(const system_code& code) : code_(&code) {}

  const system_code& code() const { return *code_; }
  const recursion_families& recursions() const { return recursion_families_of(*code_); }
  // Entries of the Hessian, between places of q and x.
  std::span<const jet_entry> entries() const;
  // Of equations with the whole Hessian, and with what stands between velocities alone.
  std::shared_ptr<const recursion_layout> layout() const;
  std::shared_ptr<const recursion_layout> mass_layout() const;

  struct sums {  // of places, of L and of what bends, of the Hessian
    std::vector<std::shared_ptr<const element_code<S>>> stages;
    std::shared_ptr<const element_code<S>> behind, value, first, bend, turn, second, mass;
  };
  const sums& compiled() const;

 private:
  const system_code* code_;
};

// Mutable. Arrays are rows of `points` numbers.
template <class S>
class recursive_jet {
 public:
  recursive_jet(const system_code& code, std::size_t points, shared_parameters<S> parameters);

  // Rows of q, v and t, and of G, P and the power, as jet_evaluation has them.
  void value(const S* in, S* out);
  void first(const S* in, S* out);
  void second(const S* in, S* out);  // and the entries
  // x and x', and the slopes A, at (q, v, t) where L is not asked for.
  void place(const S* in);
  void mass(const S* in);  // these, and the entries between velocities

  std::size_t points() const { return points_; }
  const recursive_jet_code<S>& code() const { return code_; }
  std::size_t places() const { return size_ + count_; }
  // Of q, then of x.
  const S* positions() const { return positions_.data(); }
  const S* velocities() const { return velocities_.data(); }

  // The form of second derivatives, after second() or mass().
  const S* form() const { return entries_.data(); }
  const S* slopes() const { return slopes_.data(); }
  const S* slope_rates() const { return slope_rates_.data(); }

  // What second() knows of the derivatives of G and P: their changes where q and v move. Rows of places; those of q
  // are read and mean something.
  struct linear_motion {
    std::vector<S> position, velocity, force, momentum;
  };
  linear_motion motion() const {
    const std::vector<S> rows(places() * points_, S(0));
    return {rows, rows, rows, rows};
  }
  // With `of_sizes` of nothing but sizes: what changes add up to where none cancels another.
  void product(linear_motion& along, bool of_sizes = false) const;

 private:
  void add(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code,
           std::span<S* const> arrays);
  const S* slope(std::size_t e) const { return &slopes_[e * points_]; }
  const S* slope_rate(std::size_t e) const { return &slope_rates_[e * points_]; }
  template <class Use>
  void with_points(Use&& use) const;
  template <std::size_t W>
  void sweep_back(S* rows) const;

  recursive_jet_code<S> code_;
  const recursion_families* recursions_;
  std::size_t size_, count_, points_;
  shared_parameters<S> parameters_;
  aligned_vector<S> positions_, velocities_, force_, momentum_;  // of q, x, and adjoint variables
  aligned_vector<S> time_, slopes_, slope_rates_, rate_, entries_;
  std::vector<std::optional<element_sums<S>>> stages_;
  std::optional<element_sums<S>> behind_, value_, first_, bend_, turn_, second_, mass_;
};

}  // namespace actio
