// Arithmetic that writes its result into a number that is there already: with MPFR every temporary is an allocation and
// a rounding of its own size, and inside a step there are to be none. For double and quad these are plain operators.
//
// A target may be one of the operands. `scratch` is a number of the caller's whose value does not matter.
#pragma once

#include <climits>
#include <cmath>
#include <utility>

#include "actio/base/compensated.hpp"
#include "actio/base/scalar.hpp"

namespace actio::in_place {

// A number to work with: the caller's own with MPFR, otherwise a local copy, which can stay in a register.
template <class S>
using working = std::conditional_t<is_mpfr<S>, S&, S>;

#ifndef ACTIO_NO_MPFR
inline constexpr mpfr_rnd_t to_nearest = MPFR_RNDN;
inline mpfr_ptr raw(multi& x) { return x.backend().data(); }
inline mpfr_srcptr raw(const multi& x) { return x.backend().data(); }
#else
inline constexpr int to_nearest = 0;
#endif

template <class S>
void add(S& target, const S& a, const S& b) {
  if constexpr (is_mpfr<S>) mpfr_add(raw(target), raw(a), raw(b), to_nearest);
  else target = a + b;
}

template <class S>
void subtract(S& target, const S& a, const S& b) {
  if constexpr (is_mpfr<S>) mpfr_sub(raw(target), raw(a), raw(b), to_nearest);
  else target = a - b;
}

template <class S>
void multiply(S& target, const S& a, const S& b) {
  if constexpr (is_mpfr<S>) mpfr_mul(raw(target), raw(a), raw(b), to_nearest);
  else target = a * b;
}

template <class S>
void divide(S& target, const S& a, const S& b) {
  if constexpr (is_mpfr<S>) mpfr_div(raw(target), raw(a), raw(b), to_nearest);
  else target = a / b;
}

template <class S>
void set_zero(S& target) {
  if constexpr (is_mpfr<S>) mpfr_set_zero(raw(target), 1);
  else target = S(0);
}

// sum += a b, rounded twice as the operators would.
template <class S>
void add_product(S& sum, const S& a, const S& b, [[maybe_unused]] S& scratch) {
  if constexpr (is_mpfr<S>) {
    in_place::multiply(scratch, a, b);
    in_place::add(sum, sum, scratch);
  } else {
    sum += a * b;
  }
}

// target = max(target, |x|)
template <class S>
void raise_to_size(S& target, const S& x) {
  if constexpr (is_mpfr<S>) {
    if (mpfr_cmpabs(raw(x), raw(target)) > 0) mpfr_abs(raw(target), raw(x), to_nearest);
  } else {
    using std::abs;
    const S size = abs(x);
    if (target < size) target = size;
  }
}

// compensated_vector::add with the same roundings.
template <class S>
void add(compensated_vector<S>& sums, std::size_t i, const S& increment, S (&scratch)[4]) {
  if constexpr (is_mpfr<S>) {
    S &y = scratch[0], &sum = scratch[1], &part = scratch[2], &lost = scratch[3];
    S &value = sums.value[i], &remainder = sums.remainder[i];
    in_place::add(y, increment, remainder);
    in_place::add(sum, value, y);
    in_place::subtract(part, sum, value);
    in_place::subtract(lost, sum, part);
    in_place::subtract(lost, value, lost);
    in_place::subtract(y, y, part);
    in_place::add(remainder, lost, y);
    swap(value, sum);
  } else {
    sums.add(i, increment);
  }
}

// The exponent e of a finite x ≠ 0 with ½ ≤ |x|/2^e < 1; LONG_MIN for zero, LONG_MAX for what is not finite.
template <class S>
long exponent(const S& x) {
  if (!is_finite(x)) return LONG_MAX;
  if constexpr (is_mpfr<S>) {
    return mpfr_zero_p(raw(x)) ? LONG_MIN : static_cast<long>(mpfr_get_exp(raw(x)));
  } else {
    if (x == S(0)) return LONG_MIN;
    int e = 0;
    using std::frexp;
    frexp(x, &e);
    return e;
  }
}

// x / 2^e as a double; x finite.
template <class S>
double scaled_to_double(const S& x, long e) {
  if constexpr (is_mpfr<S>) {
    long own = 0;
    const double mantissa = mpfr_get_d_2exp(&own, raw(x), to_nearest);
    return mantissa == 0 || own - e < -2000 ? 0.0 : std::ldexp(mantissa, static_cast<int>(std::min(own - e, 2000L)));
  } else {
    using std::ldexp;
    return static_cast<double>(S(ldexp(x, static_cast<int>(-e))));
  }
}

// target -= x 2^e
template <class S>
void subtract_scaled(S& target, double x, long e, S& scratch) {
  if constexpr (is_mpfr<S>) {
    mpfr_set_d(raw(scratch), x, to_nearest);
    mpfr_mul_2si(raw(scratch), raw(scratch), e, to_nearest);
    mpfr_sub(raw(target), raw(target), raw(scratch), to_nearest);
  } else {
    using std::ldexp;
    target -= S(ldexp(S(x), static_cast<int>(e)));
  }
}

}  // namespace actio::in_place
