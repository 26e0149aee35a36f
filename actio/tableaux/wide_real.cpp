#include "actio/tableaux/wide_real.hpp"

namespace actio {

namespace {

constexpr mpfr_prec_t guard_bits = 64;

template <class S>
mpfr_prec_t bits_of() {
  if constexpr (std::same_as<S, multi>) {
    return mpfr_get_prec(S().backend().data());
  } else {
    return std::numeric_limits<S>::digits;
  }
}

}  // namespace

template <class S>
wide_scope<S>::wide_scope() {
  wide_real::bits() = 2 * bits_of<S>() + guard_bits;
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

// Rounded once to the bits of quad; what remains is then the exact sum of three doubles.
template <>
quad rounded<quad>(const wide_real& value) {
  wide_real rest = value;
  mpfr_prec_round(rest.data(), bits_of<quad>(), MPFR_RNDN);
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
wide_real widened<multi>(const multi& value) {
  wide_real result;
  mpfr_set(result.data(), value.backend().data(), MPFR_RNDN);
  return result;
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
