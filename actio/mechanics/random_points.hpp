// Identities tested at random points: what holds at twenty of them in quad precision holds everywhere.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Values of expressions in q, q', t and the parameters at random positions, velocities and times of order one, the
// parameters at their own values, signals as functions that are known everywhere (branches.hpp). The sequence is the
// same at every run. Symbols among `signs` are 1 or -1. In MPFR it has the digits that are in use where it is made.
template <class S = quad>
class random_points {
 public:
  random_points(const lagrangian_system& system, std::span<const expr> outputs, std::span<const expr> signs = {});

  // Moves to the next point at which all outputs are finite. False when none was found among `tries`.
  bool draw(int tries = 400);
  // Positions and velocities that are drawn from now on are this many times as large.
  void set_size(const S& position, const S& velocity) { size_ = position, speed_ = velocity; }
  void set_parameters(std::span<const S> values) { evaluation_->set_parameters(values); }
  // Adds to the positions. False when an output is not finite there.
  bool move(std::span<const S> change);
  // Goes where another one is that has the same variables. False when an output is not finite there.
  template <class T>
  bool go_to(const random_points<T>& other) {
    ACTIO_ASSERT(variables_.size() == other.variables());
    for (std::size_t k = 0; k < variables_.size(); ++k) in_[k * evaluation_->stride()] = S(other.variable(k));
    return evaluate();
  }
  std::span<const S> values() const { return values_; }
  std::size_t variables() const { return variables_.size(); }
  // q, q', t, signs.
  const S& variable(std::size_t k) const { return in_[k * evaluation_->stride()]; }
  // "x = 0.71, x' = -1.2, t = 0.4": the point for a message, with at most a dozen variables.
  std::string description() const;

 private:
  S number_of_order_one();
  bool evaluate();

  std::vector<expr> variables_;
  std::size_t signs_;
  S size_ = 1, speed_ = 1;
  std::unique_ptr<evaluation<S>> evaluation_;
  std::mt19937_64 bits_{20240229};
  std::vector<S> in_, out_, values_;
};

// Moves a point to the constraints of a system by Newton's method, each time the shortest way: δ = −Aᵀ (A Aᵀ)⁻¹ g. The
// first outputs are g, then A = ∂g/∂q by rows. False where that does not lead there.
template <class S>
bool reach_constraints(random_points<S>& at, std::size_t constraints, std::size_t coordinates);

struct nonzero_point {
  quad value;
  std::string description;
};

// A sum that should vanish. It counts as zero where it is rounding beside its terms, or beside the references: larger
// quantities that may have cancelled inside a term.
struct vanishing_sum {
  std::vector<expr> terms, references;
};

// For each sum a point at which it is not zero; nothing where it vanishes identically. Several sums are tested at the
// same points, which costs little more than one where they have parts in common. Those `far` away are looked at as
// well, with so many digits that nothing is lost there: (x/1e4)^40 is no zero.
std::vector<std::optional<nonzero_point>> find_nonzero_sums(const lagrangian_system& system,
                                                            std::span<const vanishing_sum> sums, bool far = false);
std::optional<nonzero_point> find_nonzero_sum(const lagrangian_system& system, std::span<const expr> terms,
                                              std::span<const expr> references = {});

// The same at points that satisfy the constraints of the system, which must have some. Where no such point is found the
// sums are looked at everywhere.
std::vector<std::optional<nonzero_point>> find_nonzero_sums_on_constraints(const lagrangian_system& system,
                                                                           std::span<const vanishing_sum> sums);

}  // namespace actio
