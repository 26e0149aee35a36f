// Measures the elementary functions at many arguments: functions [COUNT [SEED]] prints the largest error of each, in
// units of the last place, for arguments of the usual range and for any.
#include <fmt/format.h>

#include <cstdlib>

#include "tests/backend/elementary/accuracy.hpp"

int main(int count, char** words) {
  using namespace actio;
  const long arguments = count > 1 ? std::atol(words[1]) : 10'000'000;
  std::mt19937_64 random(count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
  testing::accuracy accuracy;
  double largest = 0;
  for (const auto& range : testing::function_ranges()) {
    for (const bool any_bits : {false, true}) {
      double worst = 0;
      testing::arguments at{0, 0};
      for (long k = 0; k < arguments / 2; ++k) {
        const auto here = testing::random_arguments(range, random, any_bits);
        const double error = accuracy.error_of(range.op, here.x, here.y, testing::host_value(range.op, here));
        if (error <= worst) continue;
        worst = error;
        at = here;
      }
      fmt::print("{:6} {:22} {:.4f} at {} {}\n", name_of(range.op),
                 any_bits ? "any" : fmt::format("{} … {}", range.low, range.high), worst, at.x, at.y);
      std::fflush(stdout);
      largest = std::max(largest, worst);
    }
  }
  return largest < 1 ? 0 : 1;
}
