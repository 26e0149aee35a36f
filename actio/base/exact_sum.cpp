#include "actio/base/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace actio {

void exact_sum::add(double x) {
  constexpr std::uint32_t most_additions = 1U << 30U;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = bits >> 52U & 0x7FFU, normal = exponent > 0 ? 1 : 0;
  const std::uint64_t size = (bits & 0xFFFFFFFFFFFFFU) | normal << 52U;
  const int place = static_cast<int>(exponent - normal) - 1074 - lowest;  // of its last digit, positive
  const std::int64_t sign = bits >> 63U != 0 ? -1 : 1;
  const std::size_t digit = static_cast<std::size_t>(place) / 32;
  const unsigned shift = static_cast<unsigned>(place) % 32;
  const std::uint64_t low = (size & 0xFFFFFFFFU) << shift, high = (size >> 32U) << shift;  // below 2⁶³
  const std::uint64_t middle = (low >> 32U) + (high & 0xFFFFFFFFU);
  digits_[digit] += sign * static_cast<std::int64_t>(low & 0xFFFFFFFFU);
  digits_[digit + 1] += sign * static_cast<std::int64_t>(middle & 0xFFFFFFFFU);
  digits_[digit + 2] += sign * static_cast<std::int64_t>((high >> 32U) + (middle >> 32U));
  if (++additions_ >= most_additions) carry();
}

void exact_sum::add(const exact_sum& other) {
  exact_sum more = other;
  more.carry();
  carry();
  for (std::size_t d = 0; d < digits; ++d) digits_[d] += more.digits_[d];
  additions_ = 1;
}

// All digits but the last one from 0 to 2³² − 1.
void exact_sum::carry() {
  for (std::size_t d = 0; d + 1 < digits; ++d) {
    const std::int64_t over = digits_[d] >> 32;
    digits_[d] -= over * (std::int64_t{1} << 32);
    digits_[d + 1] += over;
  }
  additions_ = 0;
}

exact_sum::parts exact_sum::rounded() const {
  exact_sum sum = *this;
  sum.carry();
  const bool negative = sum.digits_[digits - 1] < 0;
  if (negative) {
    for (std::int64_t& d : sum.digits_) d = -d;
    sum.carry();
  }
  // From the largest digit on: what is added is less than a unit of what stands there, so that two sums hold all.
  double value = 0, remainder = 0;
  for (std::size_t d = digits; d-- > 0;) {
    const double more = std::ldexp(static_cast<double>(sum.digits_[d]), lowest + 32 * static_cast<int>(d));
    const double next = value + more, lost = more - (next - value);
    if (std::isinf(next)) return {negative ? -next : next, 0};
    value = next;
    remainder += lost;
  }
  const double total = value + remainder, rest = remainder - (total - value);
  return negative ? parts{-total, -rest} : parts{total, rest};
}

}  // namespace actio
