#include "actio/io/axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "actio/base/error.hpp"

namespace actio {

namespace {

constexpr double slack = 1e-9;  // for ends of the range that are ticks but for rounding
constexpr int most_decimals = 5;

int order_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)) + slack)); }

// Also right where 10^exponent alone would not be exact or not be a number.
double decimal(double mantissa, int exponent) {
  return std::strtod(fmt::format("{}e{}", mantissa, exponent).c_str(), nullptr);
}

std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

// The smallest of 1, 2 and 5 times a power of ten that is not below `gap`.
double round_gap(double gap) {
  const int order = order_of(gap);
  for (double m : {1.0, 2.0, 5.0}) {
    if (decimal(m, order) >= gap * (1 - slack)) return decimal(m, order);
  }
  return decimal(1, order + 1);
}

std::vector<double> multiples(double gap, double low, double high) {
  std::vector<double> result;
  const double first = std::ceil(low / gap - slack), last = std::floor(high / gap + slack);
  for (double k = first; k <= last; ++k) result.push_back(k == 0 ? 0 : k * gap);
  return result;
}

// Numbers `gap` apart, without the power of ten that they have in common.
void label_linearly(axis_ticks& ticks, double gap) {
  double offset = 0, size = 0;
  for (double v : ticks.values) size = std::max(size, std::abs(v));
  // Numbers that differ in late digits only are written as differences from what they begin with.
  if (order_of(size) - order_of(gap) > most_decimals) {
    const double coarse = decimal(1, order_of(ticks.values.back() - ticks.values.front()) + 1);
    offset = std::round(ticks.values[ticks.values.size() / 2] / coarse) * coarse;
    size = gap;
    for (double v : ticks.values) size = std::max(size, std::abs(v - offset));
  }
  const int order = order_of(size);
  const int exponent = order < -3 || order > 4 ? order : 0;
  const int decimals = std::max(0, exponent - order_of(gap));
  for (double v : ticks.values) {
    const double shown = exponent == 0 ? v - offset : (v - offset) / decimal(1, exponent);
    const std::string text = fmt::format("{:.{}f}", shown, decimals);
    ticks.labels.push_back({with_minus_sign(std::strtod(text.c_str(), nullptr) == 0 ? "0" : text), {}});
  }
  if (exponent != 0) ticks.factor = {"×10", exponent};
  if (offset != 0) ticks.added = fmt::format("{} {:.12g}", offset < 0 ? "−" : "+", std::abs(offset));
}

tick_label logarithmic_label(int mantissa, int exponent, bool is_plain) {
  if (is_plain) return {fmt::format("{:g}", decimal(mantissa, exponent)), {}};
  return {mantissa == 1 ? "10" : fmt::format("{}×10", mantissa), exponent};
}

// Whether numbers of these orders are best read without powers of ten.
bool are_plain(int low, int high) { return low >= -2 && high <= 3; }

}  // namespace

axis_ticks linear_ticks(double low, double high, std::size_t most) {
  ACTIO_ASSERT(low < high && most > 1);
  const double gap = round_gap(high / static_cast<double>(most) - low / static_cast<double>(most));
  axis_ticks ticks{.values = multiples(gap, low, high)};
  if (!ticks.values.empty()) label_linearly(ticks, gap);
  return ticks;
}

axis_ticks logarithmic_ticks(double low, double high, std::size_t most) {
  ACTIO_ASSERT(low > 0 && low < high && most > 1);
  const auto is_inside = [&](double v) { return v >= low * (1 - slack) && v <= high * (1 + slack); };
  const int first = static_cast<int>(std::ceil(std::log10(low) - slack)), last = order_of(high);
  axis_ticks ticks;
  if (last - first >= 2) {
    const int stride = std::max(1, (last - first + static_cast<int>(most) - 1) / static_cast<int>(most));
    for (int e = first; e <= last; ++e) {
      if (e % stride == 0) {
        ticks.values.push_back(decimal(1, e));
        ticks.labels.push_back(logarithmic_label(1, e, are_plain(first, last)));
      } else {
        ticks.minor.push_back(decimal(1, e));
      }
    }
  } else {
    for (int e = first - 1; e <= last; ++e) {
      for (int m : {1, 2, 5}) {
        if (!is_inside(decimal(m, e))) continue;
        ticks.values.push_back(decimal(m, e));
        ticks.labels.push_back(logarithmic_label(m, e, are_plain(first - 1, last)));
      }
    }
    if (ticks.values.size() < 2) return linear_ticks(low, high, most);
  }
  if (last - first > 2 * static_cast<int>(most)) return ticks;
  for (int e = first - 1; e <= last; ++e) {
    for (int m = 2; m <= 9; ++m) {
      const double value = decimal(m, e);
      if (is_inside(value) && std::ranges::find(ticks.values, value) == ticks.values.end())
        ticks.minor.push_back(value);
    }
  }
  return ticks;
}

}  // namespace actio
