// One Newton iteration of a Galerkin step in one piece of machine code: prediction of the unknowns from those of
// earlier steps, the Lagrangian's derivatives with the nodes in lanes, elimination, and where the step leads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/aligned.hpp"
#include "actio/program/program.hpp"

namespace actio {

struct newton_code {
  std::size_t coordinates, degree, points;
  bool values_are_exact = false;  // φ_k at the nodes have no remainders
  // At a node, from (q, v, p, remainder of p, t) to all that the update needs; its parameters are the system's.
  program at_nodes = {};
  // From these values, one node after the other, to the outputs of newton_layout; its parameters are the system's and
  // the step.
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
  std::size_t sine_numbers;
  static constexpr std::size_t depth = 16;  // steps that are remembered

  std::size_t unknowns() const { return degree * coordinates; }
  // From one step's unknowns to the next one's. What is loaded as a vector soon after it was stored must not lie across
  // lines of the cache, or it has to go through memory.
  std::size_t stride() const { return std::min(std::bit_ceil(unknowns()), whole_lines(unknowns())); }
  static std::size_t whole_lines(std::size_t count) { return (count + 7) / 8 * 8; }

  // Constant rows of lanes: φ_k and φ'_k / h at the nodes for k = 1 … s, with their remainders, and the nodes' times.
  std::size_t value(std::size_t k) const { return (k - 1) * lanes; }
  std::size_t value_remainder(std::size_t k) const { return (degree + k - 1) * lanes; }
  std::size_t slope(std::size_t k) const { return (2 * degree + k - 1) * lanes; }
  std::size_t slope_remainder(std::size_t k) const { return (3 * degree + k - 1) * lanes; }
  std::size_t node() const { return 4 * degree * lanes; }
  std::size_t table_size() const { return node() + lanes; }

  // Given: the unknowns z where they are not predicted, the largest update that ends a step, the step, the factors of
  // earlier steps in the prediction, from the oldest to the last, and what all but the last contribute. An iteration
  // leaves there what they will contribute to the next step.
  std::size_t unknown() const { return 0; }
  std::size_t acceptable() const { return unknown() + unknowns(); }
  std::size_t step() const { return acceptable() + 1; }
  std::size_t factor(std::size_t k) const { return step() + 1 + k; }
  // Found: the size of the update relative to the unknowns, the latter's weights, the momentum increment at z, the same
  // with its change to first order by the update, the work, the position at the left end, and where the step leads:
  // sums with their remainders.
  std::size_t foreseen() const { return whole_lines(factor(depth)); }
  std::size_t size() const { return foreseen() + unknowns(); }
  std::size_t weight(std::size_t a) const { return size() + 1 + a; }
  std::size_t increment(std::size_t a) const { return weight(coordinates) + a; }
  std::size_t expected(std::size_t a) const { return increment(coordinates) + a; }
  std::size_t work() const { return expected(coordinates); }
  std::size_t left(std::size_t a) const { return work() + 1 + a; }
  std::size_t position(std::size_t a) const { return left(coordinates) + a; }
  std::size_t position_remainder(std::size_t a) const { return position(coordinates) + a; }
  std::size_t momentum(std::size_t a) const { return position_remainder(coordinates) + a; }
  std::size_t momentum_remainder(std::size_t a) const { return momentum(coordinates) + a; }
  // Where sines were looked up ahead: q and t at the left end of a step, z. Sines and cosines with their arguments, for
  // this step and for the next one in turn.
  std::size_t place_position(std::size_t a) const { return momentum_remainder(coordinates) + a; }
  std::size_t place_time() const { return place_position(coordinates); }
  std::size_t place_unknown(std::size_t j) const { return place_time() + 1 + j; }
  std::size_t sines(std::size_t k) const {
    return whole_lines(place_unknown(unknowns())) + k * whole_lines(sine_numbers);
  }
  std::size_t work_size() const { return sines(2); }
};

// The state at the left end: sums with their remainders.
struct newton_state {
  double *position, *position_remainder, *momentum, *momentum_remainder;
  double time;
};

enum class update_outcome : int {
  unsettled,  // the update is larger than acceptable; the state is as it was
  accepted    // the state is that of the right end
};

// What does not change from step to step: fixed numbers of the programs, `table` and `numbers` as newton_rows says.
struct newton_surroundings {
  const double *node_fixed, *update_fixed, *table;
  double* numbers;
  const void* const* functions;
  double *sines = nullptr, *sines_ahead = nullptr;  // they change places
};

// Unknowns are given or predicted.
enum class newton_task : int { look_ahead, iterate_given, iterate_predicted };

// The last argument is the place of the solution, behind the unknowns of earlier steps.
using newton_entry = update_outcome (*)(const newton_surroundings*, const newton_state*, newton_task, double* solution);

class newton_kernel {
 public:
  virtual ~newton_kernel() = default;
  // One iteration, with a prediction of the unknowns or from those among the numbers. The new ones become solution().
  // Sines and cosines are looked up for the next step as well, at the place where the prediction goes on from these
  // unknowns: they need not wait for the update, and the next step has only to turn them a little.
  update_outcome iterate(const newton_state& state, bool predict) {
    return call(state, predict ? newton_task::iterate_predicted : newton_task::iterate_given);
  }
  // Sines for the step from `state` with the unknowns among the numbers.
  void look_ahead(const newton_state& state) { call(state, newton_task::look_ahead); }
  // The next step has begun: those looked up ahead are its sines.
  void take_sines() { std::swap(around_.sines, around_.sines_ahead); }
  virtual void forget_sines() = 0;
  virtual void set_parameters(std::span<const double> values, double step) = 0;

  const newton_rows& rows() const { return rows_; }
  std::span<double> table() { return table_; }
  std::span<double> numbers() { return numbers_; }
  std::span<const double> numbers() const { return numbers_; }

  std::span<double> solution() { return {unknowns_.data() + at_, rows_.unknowns()}; }
  // The solution that was kept k steps ago, 1 being the last.
  std::span<const double> kept(std::size_t k) const { return {unknowns_.data() + at_ - k * stride_, rows_.unknowns()}; }
  // Puts the solution among the kept ones. They stand one behind the other, so that nothing is moved in most steps.
  void keep() {
    at_ += stride_;
    if (at_ < unknowns_.size()) return;
    const std::size_t remembered = newton_rows::depth * stride_;
    std::copy(unknowns_.end() - static_cast<std::ptrdiff_t>(remembered), unknowns_.end(), unknowns_.begin());
    at_ = remembered;
  }

 protected:
  explicit newton_kernel(const newton_rows& rows)
      : rows_(rows),
        stride_(rows.stride()),
        table_(rows.table_size(), 0.0),
        numbers_(rows.work_size(), 0.0),
        unknowns_(8 * newton_rows::depth * stride_, 0.0),
        at_(newton_rows::depth * stride_) {}

  newton_rows rows_;
  std::size_t stride_;
  std::vector<double> table_;
  aligned_vector<double> numbers_;
  aligned_vector<double> unknowns_;  // kept ones, then the solution at at_, then space for more
  std::size_t at_;
  newton_surroundings around_ = {};
  newton_entry entry_ = nullptr;

 private:
  update_outcome call(const newton_state& state, newton_task task) {
    return entry_(&around_, &state, task, unknowns_.data() + at_);
  }
};

// Nothing where there is no machine code.
std::unique_ptr<newton_kernel> make_newton_kernel(const newton_code& code, std::span<const double> parameters,
                                                  double step);

}  // namespace actio
