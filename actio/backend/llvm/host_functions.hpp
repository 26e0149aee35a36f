// The elementary functions of one double, with the bits that machine code gives them. They use fused operations of the
// processor: to be called where processor_suffices().
#pragma once

#include "actio/expr/expr.hpp"

namespace actio::machine_code {

double value_of(operation op, double x);
double value_of(operation op, double x, double y);
void sine_and_cosine_of(double x, double& sine, double& cosine);

}  // namespace actio::machine_code
