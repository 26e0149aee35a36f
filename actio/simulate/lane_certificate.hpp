// What the certificate of a lane says, from its rows.
#pragma once

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

inline void fill_certificate(const kernel::trajectory_rows& r, const kernel::number_builder::rows& rows,
                             trajectory_result& result) {
  const double error = rows[r.energy_error()], kinetic = rows[r.kinetic()];
  result.energy_error = error / rows[r.reference()];
  result.scaled_energy_error = kinetic > 0 ? error / kinetic : 0;
  result.momentum_errors.clear();
  for (std::size_t k = 0; k < r.momenta; ++k) result.momentum_errors.push_back(rows[r.momentum_error(k)]);
}

}  // namespace actio
