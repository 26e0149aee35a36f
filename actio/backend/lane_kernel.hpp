// Steps of a Gauss method with trajectories in lanes, in one piece of machine code: prediction, iteration to the end by
// the rules of `stage_rules`, and the sums that end a step.
//
// Notation as in collocation_kernel.hpp. Every lane keeps y + Z = base + small, and an iteration adds
//   h Σ_j a_ij (K_j − last_j)
// to small, where last are the rates of the iteration before, at first the predicted ones. At first base is y. Once its
// stages are nearly known, a lane moves base there with sums in twice the precision, and small is small indeed: what it
// rounds no longer matters. The rates of a lane that is done are put aside while others iterate.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/base/aligned.hpp"

namespace actio {

// Rows of numbers, one number a lane, and tables of coefficients that all lanes share.
struct lane_rows {
  std::size_t components, points, lanes, outputs, varied;  // 2n, s, W, those of the field, parameters of its own

  // A row a component.
  std::size_t state(std::size_t c) const { return c; }
  std::size_t remainder(std::size_t c) const { return components + c; }
  std::size_t inverse_size(std::size_t c) const { return 2 * components + c; }
  std::size_t grid(std::size_t c) const { return 3 * components + c; }  // see lane_writer.cpp
  std::size_t parameter(std::size_t k) const { return 4 * components + k; }
  std::size_t time(std::size_t i) const { return parameter(varied) + i; }
  // What polynomials continued give at node i, a row each because every lane has its own: j counts the nodes of the
  // last step but one, then those of the last one.
  std::size_t continuation(std::size_t i, std::size_t j) const { return time(points) + i * 2 * points + j; }
  // The stages Z_i that these rates lead to, likewise.
  std::size_t continued_stage(std::size_t i, std::size_t j) const { return continuation(points + i, j); }
  // 1 or 0: whether a lane is to be moved; whether it holds a trajectory. A lane that cannot be solved no longer lives.
  std::size_t wanted() const { return continued_stage(points, 0); }
  std::size_t lives() const { return wanted() + 1; }
  std::size_t work() const { return wanted() + 2; }    // what forces did in the step
  std::size_t chosen() const { return wanted() + 3; }  // for the kernel's own use
  // Components by nodes; of the changes only momenta.
  std::size_t base(std::size_t c, std::size_t i) const { return wanted() + 4 + c * points + i; }
  std::size_t small(std::size_t c, std::size_t i) const { return base(components + c, i); }
  std::size_t change(std::size_t c, std::size_t i) const { return small(components + c, i); }
  std::size_t count() const { return change(components, 0); }

  // Of the arrays of rates: outputs of the field by nodes.
  std::size_t rate(std::size_t c, std::size_t i) const { return c * points + i; }

  // Of the table, single numbers.
  std::size_t stage(std::size_t i, std::size_t j) const { return i * points + j; }  // h a_ij
  std::size_t stage_remainder(std::size_t i, std::size_t j) const { return stage(points + i, j); }
  std::size_t weight(std::size_t i) const { return stage(2 * points, i); }  // h b_i
  std::size_t weight_remainder(std::size_t i) const { return weight(points + i); }
  std::size_t table_size() const { return weight(2 * points); }
};

// Rates, in arrays that change places from one iteration or one step to the next.
struct lane_rates {
  double *now, *last;                  // of iterations
  double *solved, *recent, *previous;  // of this step, the last one and the last but one
};

class lane_stage_kernel {
 public:
  virtual ~lane_stage_kernel() = default;

  // Moves the lanes that are wanted by a step.
  virtual void solve() = 0;
  // The rates at their states.
  virtual void find_rates() = 0;
  // Forgets all sines: what follows does not depend on what was before.
  virtual void forget() = 0;

  const lane_rows& rows() const { return rows_; }
  std::span<double> table() { return table_; }
  double* row(std::size_t k) { return &numbers_[k * rows_.lanes]; }
  lane_rates& rates() { return rates_; }

 protected:
  explicit lane_stage_kernel(const lane_rows& rows)
      : rows_(rows), table_(rows.table_size(), 0.0), numbers_(rows.count() * rows.lanes, 0.0) {
    const std::size_t size = rows.rate(rows.outputs, 0) * rows.lanes;
    all_rates_.assign(5 * size, 0.0);
    double* const first = all_rates_.data();
    rates_ = {first, first + size, first + 2 * size, first + 3 * size, first + 4 * size};
  }
  lane_rows rows_;
  aligned_vector<double> table_, numbers_, all_rates_;
  lane_rates rates_{};
};

// Sines near those of an earlier iteration are turned from these; whether they are is decided for each lane by itself.
// Nothing where there is no machine code.
std::unique_ptr<lane_stage_kernel> make_lane_stage_kernel(const collocation_code& code,
                                                          std::span<const double> parameters, std::size_t lanes);

}  // namespace actio
