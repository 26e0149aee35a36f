#include "actio/backend/llvm/elementary_functions.hpp"

#include <bit>
#include <iterator>

#include "actio/base/error.hpp"

// clang-format off
#define ACTIO_CALLED_FUNCTIONS(X) \
  X(exp, exp) X(log, log) X(sin, sin) X(cos, cos) X(tan, tan) X(asin, asin) X(acos, acos) X(atan, atan) \
  X(sinh, sinh) X(cosh, cosh) X(tanh, tanh) X(power, pow) X(atan2, atan2)
// clang-format on

// Only their addresses are taken, so that their vector types are of no concern here.
#define ACTIO_DECLARE(operation, name)                 \
  extern "C" void Sleef_finz_##name##d1_u10purecfma(); \
  extern "C" void Sleef_finz_##name##d2_u10avx2128();  \
  extern "C" void Sleef_finz_##name##d4_u10avx2();     \
  extern "C" void Sleef_finz_##name##d8_u10avx512f();
ACTIO_CALLED_FUNCTIONS(ACTIO_DECLARE)

namespace actio::machine_code {

namespace {

constexpr std::size_t widths = 4;

#define ACTIO_OPERATION(op, name) operation::op,
constexpr operation operations[] = {ACTIO_CALLED_FUNCTIONS(ACTIO_OPERATION)};

#define ACTIO_ADDRESSES(op, name)                                       \
  reinterpret_cast<const void*>(&Sleef_finz_##name##d1_u10purecfma),    \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d2_u10avx2128), \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d4_u10avx2),    \
      reinterpret_cast<const void*>(&Sleef_finz_##name##d8_u10avx512f),
const void* const addresses[] = {ACTIO_CALLED_FUNCTIONS(ACTIO_ADDRESSES)};

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
