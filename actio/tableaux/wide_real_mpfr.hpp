// `wide_real` made of MPFR's numbers. Their precision belongs to the thread and not to the process: a tableau can be
// made while other threads compute with `multi` at the precision of the run.
#pragma once

#include <mpfr.h>

namespace actio {

class wide_real {
 public:
  wide_real() : wide_real(0L) {}
  wide_real(long value) {  // NOLINT(google-explicit-constructor): formulas hold small integers
    mpfr_init2(value_, bits());
    mpfr_set_si(value_, value, MPFR_RNDN);
  }
  wide_real(int value) : wide_real(static_cast<long>(value)) {}  // NOLINT(google-explicit-constructor)
  explicit wide_real(double value) : wide_real(0L) { mpfr_set_d(value_, value, MPFR_RNDN); }
  wide_real(const wide_real& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  wide_real& operator=(const wide_real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~wide_real() { mpfr_clear(value_); }

  wide_real& operator+=(const wide_real& b) { return mpfr_add(value_, value_, b.value_, MPFR_RNDN), *this; }
  wide_real& operator-=(const wide_real& b) { return mpfr_sub(value_, value_, b.value_, MPFR_RNDN), *this; }
  wide_real& operator*=(const wide_real& b) { return mpfr_mul(value_, value_, b.value_, MPFR_RNDN), *this; }
  wide_real& operator/=(const wide_real& b) { return mpfr_div(value_, value_, b.value_, MPFR_RNDN), *this; }
  friend wide_real operator+(wide_real a, const wide_real& b) { return a += b; }
  friend wide_real operator-(wide_real a, const wide_real& b) { return a -= b; }
  friend wide_real operator*(wide_real a, const wide_real& b) { return a *= b; }
  friend wide_real operator/(wide_real a, const wide_real& b) { return a /= b; }
  friend bool operator==(const wide_real& a, const wide_real& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }

  friend bool smaller(const wide_real& a, const wide_real& b) {
    return mpfr_cmpabs(a.value_, b.value_) < 0;
  }  // in size
  friend wide_real root(wide_real a, unsigned long degree) {
    mpfr_rootn_ui(a.value_, a.value_, degree, MPFR_RNDN);
    return a;
  }
  friend wide_real times_power_of_two(wide_real a, long exponent) {
    mpfr_mul_2si(a.value_, a.value_, exponent, MPFR_RNDN);
    return a;
  }

  // |value| < 2^exponent.
  bool below_power_of_two(long exponent) const { return mpfr_zero_p(value_) != 0 || mpfr_get_exp(value_) <= exponent; }

  mpfr_srcptr data() const { return value_; }
  mpfr_ptr data() { return value_; }

  // The precision of numbers made in this thread.
  static mpfr_prec_t& bits() {
    static thread_local mpfr_prec_t bits = 256;
    return bits;
  }

 private:
  mpfr_t value_;
};

// While it lives, wide numbers of this thread carry more than twice the bits of S.
template <class S>
class wide_scope {
 public:
  wide_scope();
  ~wide_scope() { wide_real::bits() = previous_; }
  wide_scope(const wide_scope&) = delete;
  wide_scope& operator=(const wide_scope&) = delete;

 private:
  mpfr_prec_t previous_ = wide_real::bits();
};

}  // namespace actio
