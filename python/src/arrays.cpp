#include "arrays.hpp"

#include <fmt/format.h>
#include <gmp.h>
#include <quadmath.h>

#include <cstdlib>
#include <string>

namespace actio::python {

namespace {

// |value| < 2^113 and whole.
std::string hexadecimal(__float128 value) {
  const __float128 size = fabsq(value), high = floorq(ldexpq(size, -64));
  const std::string digits =
      fmt::format("{:x}{:016x}", static_cast<std::uint64_t>(high), static_cast<std::uint64_t>(size - ldexpq(high, 64)));
  return value < 0 ? "-" + digits : digits;
}

py::tuple parts_of(const quad& number) {
  const __float128 value = number.backend().value();
  if (finiteq(value) == 0) return py::make_tuple(py::none(), to_digits(number));
  int exponent = 0;
  const __float128 fraction = frexpq(value, &exponent);
  return py::make_tuple(hexadecimal(ldexpq(fraction, 113)), exponent - 113);
}

py::tuple parts_of(const multi& number) {
  const auto* value = number.backend().data();
  if (mpfr_number_p(value) == 0) return py::make_tuple(py::none(), to_digits(number));
  if (mpfr_zero_p(value) != 0) return py::make_tuple("0", 0);
  mpz_t mantissa;
  mpz_init(mantissa);
  const long exponent = mpfr_get_z_2exp(mantissa, value);
  char* const digits = mpz_get_str(nullptr, 16, mantissa);
  py::tuple parts = py::make_tuple(std::string(digits), exponent);
  std::free(digits);
  mpz_clear(mantissa);
  return parts;
}

template <class S>
py::list list_of(const std::vector<S>& numbers) {
  py::list parts(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) parts[k] = parts_of(numbers[k]);
  return parts;
}

}  // namespace

py::list exact_parts(const std::vector<quad>& numbers) { return list_of(numbers); }
py::list exact_parts(const std::vector<multi>& numbers) { return list_of(numbers); }

}  // namespace actio::python
