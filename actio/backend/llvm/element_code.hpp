// Programs as loops over elements, eight of them at a time in lanes.
#pragma once

#include <memory>

#include "actio/backend/element_kernel.hpp"

namespace actio::machine_code {

std::unique_ptr<element_kernel<double>> make_element_kernel(const std::shared_ptr<const program>& p);

}  // namespace actio::machine_code
