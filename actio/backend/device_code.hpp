// Kernels of trajectories for GPUs: the text of trajectory_kernel as PTX, one trajectory a thread.
#pragma once

#include <optional>
#include <string>

#include "actio/backend/kernel/trajectory_code.hpp"

namespace actio {

// The name of the kernel. Its arguments: the rows of numbers, the number of trajectories, the first step, the step
// behind the last, and the length of a row.
inline constexpr const char* device_kernel_name = "entry";
// Where it looks for the fixed numbers of the field, and for those of the certificate.
inline constexpr const char* device_field_numbers = "field_numbers";
inline constexpr const char* device_certificate_numbers = "certificate_numbers";

// What PTX is written for so that a GPU of this compute capability runs it.
std::string device_architecture(int capability);
// All that device_architecture gives.
inline constexpr const char* device_architectures[] = {"sm_70", "sm_90"};

// Whether this build writes PTX; others run what the code cache holds.
bool writes_device_code();
// Functions that a GPU does not have: Bessel functions and signals with samples.
bool suits_devices(const kernel::trajectory_code& code);
// PTX from the code cache, or else written now and kept there. Nothing where it is neither there nor can be written.
std::optional<std::string> make_device_code(const kernel::trajectory_code& code, const std::string& architecture);
// The same for what brings neighbours back (see llvm/neighbour_writer.hpp).
std::optional<std::string> make_neighbour_code(const kernel::trajectory_rows& rows, const std::string& architecture);
// The folder of the code cache, "" where there is none.
std::string device_code_folder();

}  // namespace actio
