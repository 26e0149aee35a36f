#include "actio/backend/llvm/elementary_functions.hpp"

#include <immintrin.h>
#include <llvm/IR/Module.h>

#include <bit>
#include <string>
#include <vector>

#include "actio/backend/elementary/functions.hpp"
#include "actio/backend/interpreter/execute.hpp"
#include "actio/backend/llvm/machine_number.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

namespace {

constexpr std::size_t widths = 4;

// Outside functions have two arguments and go lane by lane: the same bits at every width.
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

double jn(double n, double x) { return interpreter::bessel(n, x); }
double lookup(double code, double x) { return looked_up(code, x); }

#define ACTIO_ADDRESSES(f)                                                                   \
  reinterpret_cast<const void*>(&one_lane<f>), reinterpret_cast<const void*>(&two_lanes<f>), \
      reinterpret_cast<const void*>(&four_lanes<f>), reinterpret_cast<const void*>(&eight_lanes<f>)
const void* const addresses[] = {ACTIO_ADDRESSES(jn), ACTIO_ADDRESSES(lookup)};

// The internal function of this name, whose body `write` makes of a builder and the arguments; it returns in registers.
template <class Write>
llvm::Function& function_of_module(llvm::Module& module, const std::string& name, llvm::Type* result, llvm::Type* type,
                                   std::size_t arguments, Write write) {
  auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const std::string full_name = name + "." + std::to_string(vector ? vector->getNumElements() : 1);
  if (llvm::Function* const known = module.getFunction(full_name)) return *known;
  const std::vector<llvm::Type*> types(arguments, type);
  llvm::Function& f = *llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                              llvm::Function::InternalLinkage, full_name, module);
  f.setCallingConv(llvm::CallingConv::Fast);
  f.setDoesNotAccessMemory();
  f.addFnAttr(llvm::Attribute::WillReturn);  // so that one whose result is not needed can be left out
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "body", &f));
  write(builder, f);
  return f;
}

}  // namespace

std::size_t function_index(operation op, std::size_t lanes) {
  ACTIO_ASSERT(is_outside(op));
  return (op == operation::jn ? 0 : widths) + static_cast<std::size_t>(std::countr_zero(lanes));
}

const void* const* function_table() { return addresses; }

double outside_value(operation op, double x, double y) { return op == operation::jn ? jn(x, y) : lookup(x, y); }

llvm::Function& elementary_function(llvm::Module& module, operation op, llvm::Type* type) {
  const std::size_t arguments = operand_count(op) == 1 ? 1 : 2;
  const std::string name = "elementary_" + std::to_string(static_cast<int>(op));
  return function_of_module(module, name, type, type, arguments, [&](llvm::IRBuilder<>& b, llvm::Function& f) {
    const machine_number x(b, f.getArg(0));
    const machine_number result =
        arguments == 1 ? elementary::value_of(op, x) : elementary::value_of(op, x, machine_number(b, f.getArg(1)));
    ACTIO_ASSERT(!result.is_constant());
    b.CreateRet(result.value());
  });
}

// A vector goes lane by lane: the code is long, and rarely runs.
llvm::Function& large_sine_function(llvm::Module& module, llvm::Type* type) {
  auto* const results = llvm::StructType::get(type, type);
  return function_of_module(module, "large_sine", results, type, 1, [&](llvm::IRBuilder<>& b, llvm::Function& f) {
    llvm::Value* parts[] = {llvm::PoisonValue::get(type), llvm::PoisonValue::get(type)};
    if (auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      llvm::Function& one = large_sine_function(module, b.getDoubleTy());
      for (unsigned l = 0; l < vector->getNumElements(); ++l) {
        llvm::CallInst* const both = b.CreateCall(&one, {b.CreateExtractElement(f.getArg(0), l)});
        both->setCallingConv(one.getCallingConv());
        for (unsigned k = 0; k < 2; ++k) {
          parts[k] = b.CreateInsertElement(parts[k], b.CreateExtractValue(both, k), l);
        }
      }
    } else {
      const auto both = elementary::large_sine_and_cosine(machine_number(b, f.getArg(0)));
      parts[0] = both.sine.value();
      parts[1] = both.cosine.value();
    }
    b.CreateAggregateRet(parts, 2);
  });
}

llvm::Function& usual_sine_function(llvm::Module& module, llvm::Type* type) {
  auto* const results =
      llvm::StructType::get(type, type, type->getWithNewType(llvm::Type::getInt1Ty(type->getContext())));
  return function_of_module(module, "usual_sine", results, type, 1, [](llvm::IRBuilder<>& b, llvm::Function& f) {
    const machine_number x(b, f.getArg(0));
    const auto both = elementary::usual_sine_and_cosine(x);
    llvm::Value* const parts[] = {both.sine.value(), both.cosine.value(), elementary::too_large_for_sine(x).value()};
    b.CreateAggregateRet(parts, 3);
  });
}

}  // namespace actio::machine_code
