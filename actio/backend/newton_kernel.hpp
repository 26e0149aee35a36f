// One Newton iteration of a Galerkin step in one piece of machine code: prediction of the unknowns from those of
// earlier steps, the Lagrangian's derivatives with the nodes in lanes, elimination, and where the step leads.
#pragma once

#include <algorithm>
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

  // Constant rows of lanes: φ_k and φ'_k / h at the nodes for k = 1 … s, with their remainders, and the nodes' times.
  std::size_t value(std::size_t k) const { return (k - 1) * lanes; }
  std::size_t value_remainder(std::size_t k) const { return (degree + k - 1) * lanes; }
  std::size_t slope(std::size_t k) const { return (2 * degree + k - 1) * lanes; }
  std::size_t slope_remainder(std::size_t k) const { return (3 * degree + k - 1) * lanes; }
  std::size_t node() const { return 4 * degree * lanes; }
  std::size_t table_size() const { return node() + lanes; }

  // Given: the unknowns z where they are not predicted, the largest update that ends a step, and the factors of
  // earlier steps in the prediction, from the oldest to the last.
  std::size_t unknown() const { return 0; }
  std::size_t acceptable() const { return unknown() + unknowns(); }
  std::size_t factor(std::size_t k) const { return acceptable() + 1 + k; }
  // Found: the size of the update relative to the unknowns, the latter's weights, the momentum increment at z, the same
  // with its change to first order by the update, the work, the position at the left end, and where the step leads:
  // sums with their remainders.
  std::size_t size() const { return factor(depth); }
  std::size_t weight(std::size_t a) const { return size() + 1 + a; }
  std::size_t increment(std::size_t a) const { return weight(coordinates) + a; }
  std::size_t expected(std::size_t a) const { return increment(coordinates) + a; }
  std::size_t work() const { return expected(coordinates); }
  std::size_t left(std::size_t a) const { return work() + 1 + a; }
  std::size_t position(std::size_t a) const { return left(coordinates) + a; }
  std::size_t position_remainder(std::size_t a) const { return position(coordinates) + a; }
  std::size_t momentum(std::size_t a) const { return position_remainder(coordinates) + a; }
  std::size_t momentum_remainder(std::size_t a) const { return momentum(coordinates) + a; }
  std::size_t work_size() const { return momentum_remainder(coordinates); }
};

// The state at the left end: sums with their remainders.
struct newton_state {
  double *position, *position_remainder, *momentum, *momentum_remainder;
  double time;
};

enum class update_outcome : int {
  argument_too_large,  // of a sine; code for any argument knows better
  unsettled,           // the update is larger than acceptable; the state is as it was
  accepted             // the state is that of the right end
};

class newton_kernel {
 public:
  virtual ~newton_kernel() = default;
  // With a prediction of the unknowns, or from those among the numbers. The new ones become solution().
  virtual update_outcome iterate(const newton_state& state, bool predict) = 0;

  const newton_rows& rows() const { return rows_; }
  std::span<double> table() { return table_; }
  std::span<double> numbers() { return numbers_; }
  std::span<const double> numbers() const { return numbers_; }

  std::span<double> solution() { return {unknowns_.data() + at_, rows_.unknowns()}; }
  // The solution that was kept k steps ago, 1 being the last.
  std::span<const double> kept(std::size_t k) const {
    return {unknowns_.data() + at_ - k * rows_.unknowns(), rows_.unknowns()};
  }
  // Puts the solution among the kept ones. They stand one behind the other, so that nothing is moved in most steps.
  void keep() {
    at_ += rows_.unknowns();
    if (at_ == unknowns_.size()) {
      const std::size_t remembered = newton_rows::depth * rows_.unknowns();
      std::copy(unknowns_.end() - static_cast<std::ptrdiff_t>(remembered), unknowns_.end(), unknowns_.begin());
      at_ = remembered;
    }
  }

 protected:
  explicit newton_kernel(const newton_rows& rows)
      : rows_(rows),
        table_(rows.table_size(), 0.0),
        numbers_(rows.work_size(), 0.0),
        unknowns_(8 * newton_rows::depth * rows.unknowns(), 0.0),
        at_(newton_rows::depth * rows.unknowns()) {}
  newton_rows rows_;
  std::vector<double> table_, numbers_;
  std::vector<double> unknowns_;  // kept ones, then the solution at at_, then space for more
  std::size_t at_;
};

// Nothing where there is no machine code.
std::unique_ptr<newton_kernel> make_newton_kernel(const newton_code& code, std::span<const double> parameters,
                                                  double step);

}  // namespace actio
