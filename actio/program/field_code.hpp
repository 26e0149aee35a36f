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

  bool has_slopes() const { return !with_slopes.outputs.empty(); }
  void leave_out_slopes() {
    with_slopes = {};
    slopes.clear();
  }
  const program& with_all() const { return has_slopes() ? with_slopes : field; }
};

}  // namespace actio
