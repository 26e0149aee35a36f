// Sums of doubles without rounding: numbers of fixed point as long as the range of doubles. The order of what is added
// does not matter.
#pragma once

#include <array>
#include <cstdint>

namespace actio {

class exact_sum {
 public:
  void add(double x);  // finite
  void add(const exact_sum& other);

  // value + remainder is the sum, to twice the digits of a double; infinite where it is too large.
  struct parts {
    double value = 0, remainder = 0;
  };
  parts rounded() const;

 private:
  void carry();
  // Digits to the base 2³², the last one first, each with the carries of some additions; the lowest stands for
  // 2^lowest.
  static constexpr int lowest = -1152;
  static constexpr std::size_t digits = 72;
  std::array<std::int64_t, digits> digits_{};
  std::uint32_t additions_ = 0;  // since the last carry
};

}  // namespace actio
