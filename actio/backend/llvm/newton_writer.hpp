// Writes the machine code of a Newton kernel.
#pragma once

#include <string>

#include "actio/backend/newton_kernel.hpp"

namespace actio::machine_code {

// What does not change from step to step: fixed numbers of both programs, `table` and `numbers` as newton_rows says.
struct newton_surroundings {
  const double *node_fixed, *update_fixed, *table;
  double* numbers;
  const void* const* functions;
};

// The last argument is the place of the solution, behind the unknowns of earlier steps. Code for any argument never
// finds one too large.
using newton_entry = int (*)(const newton_surroundings*, const newton_state*, bool predict, double* solution);

std::string make_newton_object(const newton_code& code, const newton_rows& rows, bool any_argument);

}  // namespace actio::machine_code
