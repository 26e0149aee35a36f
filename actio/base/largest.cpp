#include "actio/base/largest.hpp"

#include "actio/base/cpu_clones.hpp"

namespace actio {

namespace {

// In eight columns, so that comparisons do not wait for one another; NaN is counted beside them.
ACTIO_CPU_CLONES double largest_ratio_of_doubles(std::size_t count, const double* values, const double* sizes) {
  constexpr std::size_t width = 8;
  double largest[width] = {}, odd[width] = {};
  std::size_t j = 0;
  for (; j + width <= count; j += width) {
    for (std::size_t l = 0; l < width; ++l) {
      const double part = std::abs(values[j + l]) / sizes[j + l];
      largest[l] = part > largest[l] ? part : largest[l];
      odd[l] += part - part;  // NaN where part is none, or infinite
    }
  }
  double result = 0;
  for (std::size_t l = 0; l < width; ++l) {
    raise_to(result, largest[l]);
    if (odd[l] != 0) raise_to(result, odd[l]);
  }
  for (; j < count; ++j) raise_to(result, std::abs(values[j]) / sizes[j]);
  return result;
}

}  // namespace

template <>
double largest_ratio<double>(std::span<const double> values, std::span<const double> sizes) {
  return largest_ratio_of_doubles(values.size(), values.data(), sizes.data());
}

}  // namespace actio
