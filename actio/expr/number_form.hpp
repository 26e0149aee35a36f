// How a rational is best written: 1/2, 9.81, 6.02e23. Internal to expr/.
#pragma once

#include <string>

#include "actio/base/scalar.hpp"

namespace actio {

// ±digits * 10^exponent / denominator; exponent and denominator are seldom needed both, and never given both.
struct number_form {
  bool negative = false;
  std::string digits;       // with a point where it is a decimal
  int exponent = 0;         // 0: none is written
  std::string denominator;  // empty: none is written
};

number_form form_of(const rational& value);

}  // namespace actio
