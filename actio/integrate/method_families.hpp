// The methods of the catalogue, a family a file.
#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> galerkin_methods();
std::vector<method> partitioned_methods();
std::vector<method> linear_methods();
std::vector<method> splitting_methods();
std::vector<method> energy_methods();
std::vector<method> newmark_methods();
std::vector<method> runge_kutta_methods();
std::vector<method> extrapolation_methods();

}  // namespace actio
