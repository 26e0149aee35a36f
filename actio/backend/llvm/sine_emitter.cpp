#include "actio/backend/llvm/sine_emitter.hpp"

#include "actio/backend/elementary/sine.hpp"
#include "actio/backend/llvm/machine_number.hpp"

namespace actio::machine_code {

namespace {

sine_and_cosine values(const elementary::sine_and_cosine<machine_number>& both, const machine_number& x) {
  return {both.sine.value(), both.cosine.value(), elementary::too_large_for_sine(x).value()};
}

}  // namespace

sine_and_cosine emit_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x) {
  const machine_number argument(builder, x);
  return values(elementary::usual_sine_and_cosine(argument), argument);
}

sine_and_cosine emit_rough_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x) {
  const machine_number argument(builder, x);
  return values(elementary::rough_sine_and_cosine(argument), argument);
}

}  // namespace actio::machine_code
