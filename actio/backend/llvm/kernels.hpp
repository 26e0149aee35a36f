// Kernels of steps as machine code.
#pragma once

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/llvm/collocation_writer.hpp"
#include "actio/backend/newton_kernel.hpp"
#include "actio/backend/trajectory_kernel.hpp"

namespace actio::machine_code {

std::unique_ptr<collocation_kernel> make_kernel(const collocation_code& code, std::span<const double> parameters,
                                                collocation_form form);
std::unique_ptr<newton_kernel> make_kernel(const newton_code& code, std::span<const double> parameters, double step);
std::unique_ptr<trajectory_kernel> make_kernel(const kernel::trajectory_code& code, std::span<const double> parameters,
                                               std::size_t lanes);

}  // namespace actio::machine_code
