// The rates of positions and momenta as straight-line programs, at points (q, p, t) and parameters where each point has
// its own. Velocities are q' = M⁻¹ (p − c), affine in the momenta.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/program/program.hpp"

namespace actio {

struct matrix_entry {
  std::size_t row, column;
};

// Beyond, loops over components save more than linear iterations with slopes do.
inline constexpr std::size_t most_coordinates_with_slopes = 3;

struct field_code {
  std::size_t coordinates = 0;
  program field = {};                           // → (q', p', power, entries of M⁻¹)
  std::vector<matrix_entry> inverse_mass = {};  // lower triangle; none where there would be too many
  // The same outputs, and behind them the derivatives that are not zero of outputs q', p' and power (rows) by q and p
  // (columns), without those of q' by p, which are M⁻¹. None where they would be too long or the system is large.
  program with_slopes = {};
  std::vector<matrix_entry> slopes = {};
  // Whether the field is that of a motion in τ with dt = σ(q) dτ, t being the last coordinate. There are then no such
  // derivatives, and with_slopes has c = ∂log σ/∂q behind the outputs of the field: q' moves by q' (c·δq) with the
  // positions and p' by −c (q'·δp) with the momenta, beside what M⁻¹ says and what is small.
  bool is_scaled = false;
  bool has_cyclic_time = false;  // nothing depends on t, and its momentum is constant

  bool has_slopes() const { return !slopes.empty(); }
  void leave_out_slopes() {
    with_slopes = {};
    slopes.clear();
  }
  const program& with_all() const { return with_slopes.outputs.empty() ? field : with_slopes; }
  // The first output behind those of the field.
  std::size_t first_slope() const { return 2 * coordinates + 1 + inverse_mass.size(); }
};

}  // namespace actio
