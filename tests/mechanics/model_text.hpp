// Short model texts that several tests start from.
#pragma once

#include <string>

namespace actio::testing {

// A harmonic oscillator with the given lines in [parameters].
inline std::string oscillator_with(const std::string& parameters) {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[parameters]\n" + parameters +
         "\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n";
}

}  // namespace actio::testing
