#include "actio/backend/llvm/host_functions.hpp"

#include "actio/backend/elementary/functions.hpp"

namespace actio::machine_code {

#define ACTIO_CASE_OF_ONE(op, function) \
  case operation::op: return elementary::function(x);
double value_of(operation op, double x) {
  switch (op) {
    ACTIO_FUNCTIONS_OF_ONE(ACTIO_CASE_OF_ONE)
    default: return elementary::not_a_number;
  }
}

#define ACTIO_CASE_OF_TWO(op, function) \
  case operation::op: return elementary::function(x, y);
double value_of(operation op, double x, double y) {
  switch (op) {
    ACTIO_FUNCTIONS_OF_TWO(ACTIO_CASE_OF_TWO)
    default: return elementary::not_a_number;
  }
}

void sine_and_cosine_of(double x, double& sine, double& cosine) {
  const auto both = elementary::any_sine_and_cosine(x);
  sine = both.sine;
  cosine = both.cosine;
}

}  // namespace actio::machine_code
