#include "actio/backend/llvm/elementary_functions.hpp"

#include <immintrin.h>

#include <bit>
#include <iterator>

#include "actio/backend/interpreter/execute.hpp"
#include "actio/base/error.hpp"

// clang-format off
#define ACTIO_CALLED_FUNCTIONS(X) \
  X(exp, exp, u10) X(log, log, u10) X(sin, sin, u10) X(cos, cos, u10) X(tan, tan, u10) X(asin, asin, u10) \
  X(acos, acos, u10) X(atan, atan, u10) X(sinh, sinh, u10) X(cosh, cosh, u10) X(tanh, tanh, u10) \
  X(power, pow, u10) X(atan2, atan2, u10) X(log1p, log1p, u10) X(expm1, expm1, u10) X(erf, erf, u10) \
  X(hypot, hypot, u05)
#define ACTIO_OWN_FUNCTIONS(X) X(jn) X(lookup)
// clang-format on

// Only their addresses are taken, so that their vector types are of no concern here.
#define ACTIO_DECLARE(operation, name, accuracy)                \
  extern "C" void Sleef_finz_##name##d1_##accuracy##purecfma(); \
  extern "C" void Sleef_finz_##name##d2_##accuracy##avx2128();  \
  extern "C" void Sleef_finz_##name##d4_##accuracy##avx2();     \
  extern "C" void Sleef_finz_##name##d8_##accuracy##avx512f();
ACTIO_CALLED_FUNCTIONS(ACTIO_DECLARE)

namespace actio::machine_code {

namespace {

constexpr std::size_t widths = 4;

// Functions of two numbers that SLEEF does not have, lane by lane: the same bits at every width.
using function_of_two = double (*)(double, double);
template <function_of_two F>
double one_lane(double a, double b) {
  return F(a, b);
}
#define ACTIO_LANES(name, target_name, vector, lanes)                    \
  template <function_of_two F>                                           \
  __attribute__((target(target_name))) vector name(vector a, vector b) { \
    for (int i = 0; i < (lanes); ++i) a[i] = F(a[i], b[i]);              \
    return a;                                                            \
  }
ACTIO_LANES(two_lanes, "avx2", __m128d, 2)
ACTIO_LANES(four_lanes, "avx2", __m256d, 4)
ACTIO_LANES(eight_lanes, "avx512f", __m512d, 8)

#define ACTIO_OPERATION(op, ...) operation::op,
constexpr operation operations[] = {ACTIO_CALLED_FUNCTIONS(ACTIO_OPERATION) ACTIO_OWN_FUNCTIONS(ACTIO_OPERATION)};

#define ACTIO_ADDRESSES(op, name, accuracy)                                      \
  reinterpret_cast<const void*>(&Sleef_finz_##name##d1_##accuracy##purecfma),    \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d2_##accuracy##avx2128), \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d4_##accuracy##avx2),    \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d8_##accuracy##avx512f),
double own_jn(double n, double x) { return interpreter::bessel(n, x); }
double own_lookup(double code, double x) { return looked_up(code, x); }
#define ACTIO_OWN_ADDRESSES(op)                                                                            \
  reinterpret_cast<const void*>(&one_lane<own_##op>), reinterpret_cast<const void*>(&two_lanes<own_##op>), \
      reinterpret_cast<const void*>(&four_lanes<own_##op>), reinterpret_cast<const void*>(&eight_lanes<own_##op>),
const void* const addresses[] = {ACTIO_CALLED_FUNCTIONS(ACTIO_ADDRESSES) ACTIO_OWN_FUNCTIONS(ACTIO_OWN_ADDRESSES)};

}  // namespace

std::size_t function_index(operation op, std::size_t lanes) {
  for (std::size_t i = 0; i < std::size(operations); ++i) {
    if (operations[i] == op) return i * widths + static_cast<std::size_t>(std::countr_zero(lanes));
  }
  ACTIO_ASSERT(false);
  return 0;
}

const void* const* function_table() { return addresses; }

}  // namespace actio::machine_code
