// What code that is made of programs depends on, and the numbers that it reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/program/program.hpp"

namespace actio::machine_code {

// All that code depends on. It does not depend on the values of constants, which it reads.
std::string bytes_of(const program& p);
std::string bytes_of(const kernel::trajectory_code& code);

// By register: the constants, zero elsewhere; what `setup` computes goes there too.
std::vector<double> fixed_numbers(const program& p);
// With parameters, and what depends on them alone.
void set_fixed(const program& p, std::span<const double> parameters, std::vector<double>& fixed);
std::vector<double> fixed_with(const program& p, std::span<const double> parameters);

}  // namespace actio::machine_code
