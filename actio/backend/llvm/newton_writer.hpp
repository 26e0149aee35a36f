// Writes the machine code of a Newton kernel.
#pragma once

#include <string>

#include "actio/backend/newton_kernel.hpp"

namespace actio::machine_code {

// The object code of a newton_entry.
std::string make_newton_object(const newton_code& code, const newton_rows& rows);

}  // namespace actio::machine_code
