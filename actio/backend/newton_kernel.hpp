// One Newton iteration of a Galerkin step in one piece of machine code: prediction of the unknowns from those of
// earlier steps, the Lagrangian's derivatives with the nodes in lanes, elimination, and where the step leads.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/program/program.hpp"

namespace actio {

struct newton_code {
  std::size_t coordinates, degree, points;
  // At a node, from (q, v, p, remainder of p, t) to all that the update needs; its parameters are the system's.
  program at_nodes = {};
  // From these values, one node after the other, to the outputs of newton_layout; its parameter is the step.
  program update = {};

  std::size_t unknowns() const { return degree * coordinates; }
  std::size_t position(std::size_t a) const { return a; }
  std::size_t velocity(std::size_t a) const { return coordinates + a; }
  std::size_t momentum(std::size_t a) const { return 2 * coordinates + a; }
  std::size_t momentum_remainder(std::size_t a) const { return 3 * coordinates + a; }
  std::size_t time() const { return 4 * coordinates; }
  std::size_t node_variables() const { return 4 * coordinates + 1; }
};

// Numbers of a step; a kernel owns them.
struct newton_rows {
  std::size_t coordinates, degree, lanes;  // lanes: those of the nodes
  static constexpr std::size_t depth = 8;  // steps that are remembered

  std::size_t unknowns() const { return degree * coordinates; }
  // Unknowns in vectors of four.
  std::size_t padded() const { return (unknowns() + 3) / 4 * 4; }

  // Constant rows of lanes: φ_k and φ'_k / h at the nodes for k = 1 … s, with their remainders, and the nodes' times.
  std::size_t value(std::size_t k) const { return (k - 1) * lanes; }
  std::size_t value_remainder(std::size_t k) const { return (degree + k - 1) * lanes; }
  std::size_t slope(std::size_t k) const { return (2 * degree + k - 1) * lanes; }
  std::size_t slope_remainder(std::size_t k) const { return (3 * degree + k - 1) * lanes; }
  std::size_t node() const { return 4 * degree * lanes; }
  std::size_t table_size() const { return node() + lanes; }

  // The state at the left end, sums with their remainders; then what it becomes.
  std::size_t position(std::size_t a) const { return a; }
  std::size_t position_remainder(std::size_t a) const { return coordinates + a; }
  std::size_t momentum(std::size_t a) const { return 2 * coordinates + a; }
  std::size_t momentum_remainder(std::size_t a) const { return 3 * coordinates + a; }
  std::size_t time() const { return 4 * coordinates; }
  std::size_t next(std::size_t k) const { return 4 * coordinates + 1 + k; }  // in the order of the state
  // The unknowns z before, the new ones after; the update; its size relative to the unknowns.
  std::size_t unknown() const { return next(4 * coordinates); }
  std::size_t update() const { return unknown() + padded(); }
  std::size_t size() const { return update() + padded(); }
  std::size_t weight(std::size_t a) const { return size() + 1 + a; }
  // Momentum increment at z, with its change to first order by the update, and the work.
  std::size_t increment(std::size_t a) const { return weight(coordinates) + a; }
  std::size_t expected(std::size_t a) const { return increment(coordinates) + a; }
  std::size_t work() const { return expected(coordinates); }
  // The unknowns of earlier steps, and their factors in the prediction.
  std::size_t past(std::size_t k) const { return work() + 1 + k * padded(); }
  std::size_t factor(std::size_t k) const { return past(depth) + k; }
  std::size_t work_size() const { return factor(depth); }
};

class newton_kernel {
 public:
  virtual ~newton_kernel() = default;
  // With a prediction of the unknowns, or from what stands there.
  virtual void iterate(bool predict) = 0;

  const newton_rows& rows() const { return rows_; }
  std::span<double> table() { return table_; }
  std::span<double> numbers() { return numbers_; }
  std::span<const double> numbers() const { return numbers_; }

 protected:
  explicit newton_kernel(const newton_rows& rows)
      : rows_(rows), table_(rows.table_size(), 0.0), numbers_(rows.work_size(), 0.0) {}
  newton_rows rows_;
  std::vector<double> table_, numbers_;
};

// Nothing where there is no machine code.
std::unique_ptr<newton_kernel> make_newton_kernel(const newton_code& code, std::span<const double> parameters,
                                                  double step);

}  // namespace actio
