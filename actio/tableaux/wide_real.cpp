#include "actio/tableaux/wide_real.hpp"

namespace actio {

#ifdef ACTIO_NO_MPFR

namespace {

wide_real with_bits_of_quad(const wide_real& value) {
  return wide_real(wide_real::number(mp::cpp_bin_float_quad(value.data())));
}

}  // namespace

template <>
double rounded<double>(const wide_real& value) {
  return static_cast<double>(value.data());
}

template <>
multi rounded<multi>(const wide_real& value) {
  return multi(value.data());
}

template <>
wide_real widened<multi>(const multi& value) {
  return wide_real(wide_real::number(value));
}

#else

namespace {

constexpr mpfr_prec_t guard_bits = 64;

wide_real with_bits_of_quad(wide_real value) {
  mpfr_prec_round(value.data(), significand_bits<quad>(), MPFR_RNDN);
  return value;
}

}  // namespace

template <class S>
wide_scope<S>::wide_scope() {
  wide_real::bits() = 2 * significand_bits<S>() + guard_bits;
}

template <>
double rounded<double>(const wide_real& value) {
  return mpfr_get_d(value.data(), MPFR_RNDN);
}

template <>
multi rounded<multi>(const wide_real& value) {
  multi result;
  mpfr_set(result.backend().data(), value.data(), MPFR_RNDN);
  return result;
}

template <>
wide_real widened<multi>(const multi& value) {
  wide_real result;
  mpfr_set(result.data(), value.backend().data(), MPFR_RNDN);
  return result;
}

#endif

// Rounded once to the bits of quad; what remains is then the exact sum of three doubles.
template <>
quad rounded<quad>(const wide_real& value) {
  wide_real rest = with_bits_of_quad(value);
  quad result = 0;
  for (int part = 0; part < 3; ++part) {
    const double head = rounded<double>(rest);
    result += head;
    rest -= wide_real(head);
  }
  return result;
}

template <>
wide_real widened<double>(const double& value) {
  return wide_real(value);
}

template <>
wide_real widened<quad>(const quad& value) {
  quad rest = value;
  wide_real result;
  for (int part = 0; part < 3; ++part) {
    const auto head = static_cast<double>(rest);
    result += wide_real(head);
    rest -= head;
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template class wide_scope<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
