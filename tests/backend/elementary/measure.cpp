// Measures the elementary functions at many arguments: measure_functions [COUNT [SEED [NAME…]]] prints the largest
// error of each, or of those named, in units of the last place, for arguments of a usual range and for any.
#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <string_view>

#include "tests/backend/elementary/accuracy.hpp"

int main(int count, char** words) {
  using namespace actio;
  const long arguments = count > 1 ? std::atol(words[1]) : 10'000'000;
  std::mt19937_64 random(count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
  const std::set<std::string_view> names(words + std::min(count, 3), words + count);
  std::set<operation> seen;
  testing::accuracy accuracy;
  double largest = 0;
  for (const auto& range : testing::function_ranges()) {
    if (!names.empty() && !names.contains(name_of(range.op))) continue;
    for (const bool any_bits : {false, true}) {
      if (any_bits && !seen.insert(range.op).second) continue;
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
