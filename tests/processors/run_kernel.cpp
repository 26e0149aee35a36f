// Runs a kernel that is linked to it, on data of write_kernels, and compares all bits: run_kernel DATA LANES.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/processors/kernel_data.hpp"

extern "C" void entry(const double* fixed, const double* certificate_fixed, double* numbers,
                      const void* const* functions, std::size_t first, std::size_t end, std::size_t stride);

int main(int count, char** words) {
  actio::testing::kernel_data data;
  if (count != 3 || !data.read(words[1])) return 2;
  const std::size_t lanes = std::strtoul(words[2], nullptr, 10), rows = data.rows;
  std::size_t differing = 0, compared = 0;
  for (std::size_t first = 0; first < data.trajectories(); first += lanes) {
    std::vector<double> numbers(rows * lanes);
    const auto which = [&](std::size_t l) {
      return first + l < data.trajectories() ? first + l : data.trajectories() - 1;
    };
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t l = 0; l < lanes; ++l) numbers[r * lanes + l] = data.starts[which(l) * rows + r];
    }
    // In two stretches, as ensembles do.
    entry(data.fixed.data(), data.certificate_fixed.data(), numbers.data(), nullptr, 0, 10, lanes);
    entry(data.fixed.data(), data.certificate_fixed.data(), numbers.data(), nullptr, 10, data.steps, lanes);
    for (std::size_t r = 0; r < rows; ++r) {
      if (r >= data.first_rate && r < data.last_rate) continue;
      for (std::size_t l = 0; l < lanes; ++l, ++compared) {
        const bool same = std::memcmp(&numbers[r * lanes + l], &data.ends[which(l) * rows + r], sizeof(double)) == 0;
        if (!same && differing++ == 0) std::printf("row %zu of trajectory %zu differs\n", r, which(l));
      }
    }
  }
  std::printf("%zu numbers compared, %zu differ\n", compared, differing);
  return differing == 0 && compared > 0 ? 0 : 1;
}
