#include "actio/backend/llvm/sine_constants.hpp"

#include <cmath>
#include <vector>

#include "actio/tableaux/wide_real.hpp"

namespace actio::machine_code {

namespace {

wide_real pi() {
  wide_real result;
  mpfr_const_pi(result.data(), MPFR_RNDN);
  return result;
}

wide_real sine(const wide_real& x) {
  wide_real result;
  mpfr_sin(result.data(), x.data(), MPFR_RNDN);
  return result;
}

wide_real cosine(const wide_real& x) {
  wide_real result;
  mpfr_cos(result.data(), x.data(), MPFR_RNDN);
  return result;
}

wide_real root(const wide_real& x) {
  wide_real result;
  mpfr_sqrt(result.data(), x.data(), MPFR_RNDN);
  return result;
}

// x rounded to `bits` bits.
double shortened(const wide_real& x, mpfr_prec_t bits) {
  wide_real copy = x;
  mpfr_prec_round(copy.data(), bits, MPFR_RNDN);
  return mpfr_get_d(copy.data(), MPFR_RNDN);
}

// The polynomial that agrees with f(z) at the Chebyshev points of [0, end], which is within a small factor of the best;
// ascending powers.
template <std::size_t Count, class F>
std::array<double, Count> interpolate(F f, const wide_real& end) {
  std::vector<wide_real> nodes, differences;
  for (std::size_t k = 0; k < Count; ++k) {
    const wide_real angle = pi() * wide_real(static_cast<long>(2 * k + 1)) / wide_real(static_cast<long>(2 * Count));
    nodes.push_back(end * (wide_real(1) - cosine(angle)) / wide_real(2));
    differences.push_back(f(nodes.back()));
  }
  for (std::size_t order = 1; order < Count; ++order) {
    for (std::size_t k = Count - 1; k >= order; --k) {
      differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order]);
    }
  }
  std::vector<wide_real> powers(Count);  // Newton's form multiplied out, from its innermost factor
  for (std::size_t k = Count; k-- > 0;) {
    for (std::size_t j = Count - 1; j > 0; --j) powers[j] = powers[j - 1] - nodes[k] * powers[j];
    powers[0] = differences[k] - nodes[k] * powers[0];
  }
  std::array<double, Count> result;
  for (std::size_t k = 0; k < Count; ++k) result[k] = rounded<double>(powers[k]);
  return result;
}

sine_constants computed() {
  const wide_scope<quad> scope;  // π/2 in three pieces takes 140 bits
  sine_constants c{};
  c.two_over_pi = rounded<double>(wide_real(2) / pi());
  constexpr int bits_of_n = 20;
  wide_real rest = pi() / wide_real(2);
  c.half_pi[0] = rounded<double>(rest);
  rest -= wide_real(c.half_pi[0]);
  c.half_pi[1] = shortened(rest, 32);
  rest -= wide_real(c.half_pi[1]);
  c.half_pi[2] = rounded<double>(rest);
  c.largest_argument = std::ldexp(1.5, bits_of_n);  // n < 2^20

  const wide_real quarter = pi() / wide_real(4);
  const wide_real end = quarter * quarter;
  c.sine = interpolate<7>(
      [](const wide_real& z) {
        const wide_real r = root(z);
        return (sine(r) - r) / (r * z);
      },
      end);
  c.cosine = interpolate<6>(
      [](const wide_real& z) { return (cosine(root(z)) - wide_real(1) + z / wide_real(2)) / (z * z); }, end);
  return c;
}

}  // namespace

const sine_constants& constants_of_sine() {
  static const sine_constants constants = computed();
  return constants;
}

}  // namespace actio::machine_code
