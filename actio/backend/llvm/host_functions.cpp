#include "actio/backend/llvm/host_functions.hpp"

#include "actio/backend/elementary/functions.hpp"

namespace actio::machine_code {

double value_of(operation op, double x) { return elementary::value_of(op, x); }
double value_of(operation op, double x, double y) { return elementary::value_of(op, x, y); }

void sine_and_cosine_of(double x, double& sine, double& cosine) {
  const auto both = elementary::any_sine_and_cosine(x);
  sine = both.sine;
  cosine = both.cosine;
}

}  // namespace actio::machine_code
