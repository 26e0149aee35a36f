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
// parameters at their own values. The sequence is the same at every run.
class random_points {
 public:
  random_points(const lagrangian_system& system, std::span<const expr> outputs);

  // Moves to the next point at which all outputs are finite. False when none was found among many.
  bool draw();
  // Adds to the positions. False when an output is not finite there.
  bool move(std::span<const quad> change);
  std::span<const quad> values() const { return values_; }
  // "x = 0.71, x' = -1.2, t = 0.4": the point for a message, with at most a dozen variables.
  std::string description() const;

 private:
  quad number_of_order_one();
  bool evaluate();

  std::vector<expr> variables_;
  std::unique_ptr<evaluation<quad>> evaluation_;
  std::mt19937_64 bits_{20240229};
  std::vector<quad> in_, out_, values_;
};

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
// same points, which costs little more than one where they have parts in common.
std::vector<std::optional<nonzero_point>> find_nonzero_sums(const lagrangian_system& system,
                                                            std::span<const vanishing_sum> sums);
std::optional<nonzero_point> find_nonzero_sum(const lagrangian_system& system, std::span<const expr> terms,
                                              std::span<const expr> references = {});

// The same at points that satisfy the constraints of the system, which must have some. Where no such point is found the
// sums are looked at everywhere.
std::vector<std::optional<nonzero_point>> find_nonzero_sums_on_constraints(const lagrangian_system& system,
                                                                           std::span<const vanishing_sum> sums);

}  // namespace actio
