#pragma once

#include "common/write.hpp"

namespace actio::bench {

// Simpson's integrator for the double pendulum at 64 digits, by actio and by mpmath: one step each.
many_digits_result double_pendulum_64_digits(bool quick);

}  // namespace actio::bench
