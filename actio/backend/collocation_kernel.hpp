// The stages of one Gauss step solved in one piece of machine code, with all nodes in the lanes of vectors.
//
// Notation: y = (q, p) at the left end, Z_i = h Σ_j a_ij K_j, K_i = f(t + τ_i h, y + Z_i). An iteration takes p' at all
// nodes, from it new momenta, with these new velocities q' = v + M⁻¹ δp, and from those new positions: twice as fast as
// taking all rates at once, for the price of a product. Once the stages are known to some digits, sums are taken in
// twice the precision there, and what follows only adds small differences to them. Sines are turned from there, too.
// Once squares of changes are nothing, the field is not evaluated any more: its slopes say how rates change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/base/aligned.hpp"
#include "actio/program/field_code.hpp"

namespace actio {

// Without M⁻¹ q' waits for the next iteration.
struct collocation_code : field_code {
  std::size_t points = 1;
};

// Numbers of a step, in rows of `lanes` or one a component; a kernel owns them.
struct collocation_rows {
  std::size_t components, points, lanes;

  // Constant rows.
  std::size_t continued_stage(std::size_t j) const { return j * lanes; }   // of the last step's polynomial continued
  std::size_t stage(std::size_t j) const { return (points + j) * lanes; }  // h a_ij
  std::size_t stage_remainder(std::size_t j) const { return (2 * points + j) * lanes; }
  std::size_t node() const { return 3 * points * lanes; }  // h τ_i
  std::size_t weight() const { return node() + lanes; }    // h b_i, zero beyond the points
  std::size_t weight_remainder() const { return weight() + lanes; }
  std::size_t table_size() const { return weight_remainder() + lanes; }

  // Rates K: those of the last step before, those of this one after; behind the components the power.
  std::size_t rate(std::size_t c) const { return c * lanes; }
  std::size_t start(std::size_t c) const { return (components + 1) * lanes + c; }
  std::size_t remainder(std::size_t c) const { return start(components) + c; }
  std::size_t time() const { return remainder(components); }
  // h Σ b_i K_i as a sum of two numbers.
  std::size_t increment(std::size_t c) const { return time() + 1 + c; }
  std::size_t increment_remainder(std::size_t c) const { return increment(components) + c; }
  std::size_t iterations() const { return increment_remainder(components); }
  std::size_t change() const { return iterations() + 1; }
  std::size_t missed() const { return change() + 1; }  // the first change of the last step: how good its guess was
  std::size_t work_size() const { return missed() + 1; }
};

// When an iteration ends (kernel/contraction_text.hpp). Changes are relative to the size |y| + max |Z| of their
// component.
namespace stage_rules {
inline constexpr double roughly_known = 0x1p-6;  // nine digits of sines suffice up to the second iteration from here
inline constexpr double nearly_known = 0x1p-12;  // from here on differences are added up
inline constexpr double linear = 0x1p-38;        // where slopes are known: squares of such changes are nothing
inline constexpr double usual_rate = 0x1p-6;     // of contraction, before one is known
inline constexpr double clean = 0x1p-46;         // changes below may be rounding
inline constexpr double floor_of_missing = 0x1p-65;
inline constexpr double stall_limit = 5e-12;      // a change that suddenly no longer shrinks is rounding below it
inline constexpr double fast = 0.25, slow = 0.5;  // contractions
inline constexpr double sudden = 8;               // times the contraction before: no contraction any more
inline constexpr double lost = 1e10, tiny = 1e-300;
inline constexpr double smallest_measured = 0x1p-900;  // components below have too few digits for a relative change
inline constexpr int most_iterations = 50;
inline constexpr int patience = 12;  // iterations before a growing change means that there is no contraction
}  // namespace stage_rules

enum class stage_outcome : int { converged, slow, not_finite, argument_too_large };

class collocation_kernel {
 public:
  virtual ~collocation_kernel() = default;
  virtual stage_outcome solve() = 0;
  virtual void set_parameters(std::span<const double> values) = 0;

  const collocation_rows& rows() const { return rows_; }
  std::span<double> table() { return table_; }
  std::span<double> work() { return work_; }
  std::span<const double> work() const { return work_; }

 protected:
  explicit collocation_kernel(const collocation_rows& rows)
      : rows_(rows), table_(rows.table_size(), 0.0), work_(rows.work_size(), 0.0) {}
  collocation_rows rows_;
  aligned_vector<double> table_, work_;
};

// How long it takes to make a kernel that has the field in it.
enum class kernel_effort {
  none,   // there is no machine code
  small,  // some tens of milliseconds, with 1500 operations some more
  large,  // some tenths of a second, which long runs repay
  huge,   // never repaid
};
kernel_effort effort_of(const program& equations);

// Machine code with the field in it, or calling it; carried out with numbers where there is no machine code.
std::unique_ptr<collocation_kernel> make_collocation_kernel(const collocation_code& code,
                                                            std::span<const double> parameters, bool calls_field);

}  // namespace actio
