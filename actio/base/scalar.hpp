// The numbers that a run may be made of: double, quad (113-bit significand) and MPFR with any number of digits.
//
// Everything numerical is a template on `Scalar` and is instantiated for exactly these three (ACTIO_FOR_EVERY_SCALAR).
// MPFR's working precision is a property of the process: `precision_scope` sets it, and all numbers made inside the
// scope have it. Two different MPFR precisions must not be in use at the same time.
//
// Builds without libquadmath (ACTIO_NO_QUADMATH) or MPFR (ACTIO_NO_MPFR) have Boost's own numbers in their place. The
// digits of `multi` are then fixed: it serves what the library measures and proves, and runs are refused in it.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#if defined(ACTIO_NO_QUADMATH) || defined(ACTIO_NO_MPFR)
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif
#ifndef ACTIO_NO_QUADMATH
#include <boost/multiprecision/float128.hpp>
#endif
#ifndef ACTIO_NO_MPFR
#include <boost/multiprecision/mpfr.hpp>
#endif
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace actio {

namespace mp = boost::multiprecision;

using rational = mp::cpp_rational;
#ifdef ACTIO_NO_QUADMATH
using quad = mp::cpp_bin_float_quad;
#else
using quad = mp::float128;
#endif
// `proof_real` is what identities are tested in, with hundreds of digits.
#ifdef ACTIO_NO_MPFR
inline constexpr bool has_mpfr = false;
using multi = mp::number<mp::cpp_bin_float<100>, mp::et_off>;
using proof_real = mp::number<mp::cpp_bin_float<300>, mp::et_off>;
#else
inline constexpr bool has_mpfr = true;
using multi = mp::number<mp::mpfr_float_backend<0>, mp::et_off>;
using proof_real = multi;
#endif

template <class S>
concept Scalar = std::same_as<S, double> || std::same_as<S, quad> || std::same_as<S, multi>;

// MPFR's functions write into a number that is there.
template <class S>
inline constexpr bool is_mpfr = has_mpfr && std::same_as<S, multi>;

// Expands `macro(S)` for every scalar; used for explicit instantiation at the end of a source file.
#define ACTIO_FOR_EVERY_SCALAR(macro) macro(double) macro(::actio::quad) macro(::actio::multi)
// The same for what identities are tested with.
#ifdef ACTIO_NO_MPFR
#define ACTIO_FOR_EVERY_NUMBER(macro) ACTIO_FOR_EVERY_SCALAR(macro) macro(::actio::proof_real)
#else
#define ACTIO_FOR_EVERY_NUMBER(macro) ACTIO_FOR_EVERY_SCALAR(macro)
#endif

// double: 17 digits suffice to print; quad: 36; MPFR: any number of decimal digits from 20 to 100000.
struct precision {
  enum class kind { in_double, in_quad, in_digits };
  kind type = kind::in_double;
  unsigned digits = 16;  // decimal digits that a number carries

  static precision of_double() { return {kind::in_double, 16}; }
  static precision of_quad() { return {kind::in_quad, 34}; }
  static precision of_digits(unsigned digits) { return {kind::in_digits, digits}; }
  bool operator==(const precision&) const = default;
};

std::string to_text(const precision& p);  // "double", "quad" or the number of digits

// The decimal digits of `multi`.
inline unsigned digits_in_use() {
#ifdef ACTIO_NO_MPFR
  return std::numeric_limits<multi>::digits10;
#else
  return multi::default_precision();
#endif
}
inline void use_digits([[maybe_unused]] unsigned digits) {
#ifndef ACTIO_NO_MPFR
  multi::default_precision(digits);
#endif
}

// Sets the digits of `multi` while it lives; restores the previous ones at its end. Without MPFR they stay as they are.
class precision_scope {
 public:
  explicit precision_scope(unsigned digits) : previous_(digits_in_use()) { use_digits(digits); }
  ~precision_scope() { use_digits(previous_); }
  precision_scope(const precision_scope&) = delete;
  precision_scope& operator=(const precision_scope&) = delete;

 private:
  unsigned previous_;
};

// Runs `action.template operator()<S>()` with the scalar of `p`, and MPFR set to its digits.
template <class Action>
auto with_scalar(const precision& p, Action&& action) {
  switch (p.type) {
    case precision::kind::in_double: return action.template operator()<double>();
    case precision::kind::in_quad: return action.template operator()<quad>();
    case precision::kind::in_digits: break;
  }
  precision_scope scope(p.digits);
  return action.template operator()<multi>();
}

template <class S>
long significand_bits() {
  if constexpr (is_mpfr<S>) return mpfr_get_prec(S(1).backend().data());
  else return std::numeric_limits<S>::digits;
}

template <class S>
S epsilon() {  // the distance from 1 to the next number
  if constexpr (is_mpfr<S>) {
    const long bits = mpfr_get_prec(S(1).backend().data());
    return ldexp(S(1), static_cast<int>(1 - bits));
  } else {
    return std::numeric_limits<S>::epsilon();
  }
}

template <class S>
S from_rational(const rational& value);  // correctly rounded
#ifndef ACTIO_NO_MPFR
template <>
multi from_rational<multi>(const rational& value);
#endif

template <class S>
S pi_value();

// All digits of `value`: reading them back gives the same number. "inf" and "nan" are spelled so.
template <class S>
std::string to_digits(const S& value);

// `digits` significant digits, for people.
template <class S>
std::string to_brief(const S& value, int digits = 3);

// Reads what to_digits wrote. Throws std::invalid_argument for anything that is not a number.
template <class S>
S from_digits(std::string_view text);

template <class S>
bool is_finite(const S& x) {
  using std::isfinite;
  using mp::isfinite;
  return isfinite(x);
}

template <class S>
double to_double(const S& x) {
  return static_cast<double>(x);
}

}  // namespace actio
