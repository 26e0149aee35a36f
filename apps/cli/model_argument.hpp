// The MODEL of a command, with the assignments of --set applied.
#pragma once

#include "actio/mechanics/model.hpp"
#include "apps/cli/command_line.hpp"

namespace actio::cli {

model requested_model(const command_input& input);

}  // namespace actio::cli
