// Linear systems: constant mass, stiffness and load, L = ½ v·Mv − ½ q·Kq + f·q.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
class linear_system {
 public:
  // Throws input_error: matrix-not-square, matrix-sizes-differ, matrix-not-finite, matrix-not-symmetric,
  // mass-not-positive, mass-singular, stiffness-negative. Free structures, whose stiffness is singular, are welcome.
  linear_system(matrix<S> mass, matrix<S> stiffness, std::vector<S> load = {});

  std::size_t size() const { return mass_.rows(); }
  const matrix<S>& mass() const { return mass_; }
  const matrix<S>& stiffness() const { return stiffness_; }
  const std::vector<S>& load() const { return load_; }
  bool has_load() const;
  // What rounding took away from the entries of the stiffness, where they were computed with more digits; empty
  // otherwise. A free structure whose rounded rows no longer add up to zero would be held by a spurious spring.
  const matrix<S>& stiffness_remainder() const { return remainder_; }

  // ω² of the modes, ascending; those of rigid motions are exactly zero.
  std::vector<S> squared_frequencies() const;

 private:
  template <class T>
  friend std::optional<linear_system<T>> linear_system_of(const phase_space<T>& space);
  linear_system() = default;
  matrix<S> mass_, stiffness_, remainder_;
  std::vector<S> load_;
};

// The linear system that a Lagrangian describes, or nothing: it must be written as a polynomial of degree two in
// coordinates and velocities, without time. Systems that are forced, gyroscopic or unstable (an indefinite stiffness)
// have none.
template <class S>
std::optional<linear_system<S>> linear_system_of(const phase_space<S>& space);

// The same of one that was linear with other values of its parameters. Throws parameters-unsuited where it is no more.
template <class S>
linear_system<S> still_linear(const phase_space<S>& space);

// M q'' + C q' + K q = f(t): the part of a system whose steps must not be too long.
struct oscillation_matrices {
  matrix<double> mass, damping, stiffness;  // the latter two need not be symmetric
  bool has_all_forces = true;               // else the forces are not linear in q and v, and C and K are without them
};

// The matrices of a Lagrangian whose second derivatives by q and v are constant, with the forces beside it; loads may
// depend on time. Nothing where L is not so, is gyroscopic or constrained, where its mass is not positive, or where an
// applied force acts.
std::optional<oscillation_matrices> oscillation_matrices_of(const system_code& code,
                                                            std::span<const double> parameters);

// ω² below this much of the largest is rounding: the mode is a rigid motion.
template <class S>
S rigid_threshold(std::size_t size, const S& largest_squared_frequency);

// Where an entry of "mass", "stiffness" or "load" stands, for messages; indices count from 0.
using entry_place = std::function<source_place(std::string_view which, std::size_t row, std::size_t column)>;

// What the constructor of linear_system checks, with places.
template <class S>
void check_matrices(const matrix<S>& mass, const matrix<S>& stiffness, const std::vector<S>& load,
                    const entry_place& place);

// The same for the values that the matrices of a model file have now. Nothing where there are none.
void check_linear_form(const lagrangian_system& system);

}  // namespace actio
