#include "actio/backend/llvm/code_generator.hpp"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <stdexcept>

#include "actio/backend/llvm/dataflow.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/sine_emitter.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

namespace {

struct host_processor {
  std::string name = llvm::sys::getHostCPUName().str();
  std::string features;  // "+avx2,-avx512f,..."
  bool has_fma = false, has_avx512 = false;

  host_processor() {
    const auto known = llvm::sys::getHostCPUFeatures();
    std::vector<std::string> list;
    for (const auto& entry : known) list.push_back((entry.getValue() ? "+" : "-") + entry.getKey().str());
    std::sort(list.begin(), list.end());
    features = fmt::format("{}", fmt::join(list, ","));
    has_fma = known.lookup("fma") && known.lookup("avx2");
    has_avx512 = known.lookup("avx512f") && known.lookup("avx512vl") && known.lookup("avx512dq");
  }
};

const host_processor& host() {
  static const host_processor processor;
  return processor;
}

// Writes one function.
class function_emitter {
 public:
  function_emitter(llvm::Module& module, const dataflow& flow, const code_shape& shape)
      : flow_(flow), shape_(shape), b_(module.getContext()), values_(flow.values.size(), nullptr) {
    real_ = b_.getDoubleTy();
    row_ = vector_of(shape.lanes);
    widest_call_ = host().has_avx512 ? 8 : 4;
    inlines_sines_ = has_few_sines();
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type =
        llvm::FunctionType::get(b_.getInt1Ty(), {pointer, pointer, pointer, b_.getInt64Ty(), pointer}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    set_attributes(*function_);
    function_->addRetAttr(llvm::Attribute::ZExt);
    for (const unsigned argument : {0U, 1U, 2U, 4U}) function_->addParamAttr(argument, llvm::Attribute::NoAlias);
    for (const unsigned argument : {0U, 1U, 4U}) function_->addParamAttr(argument, llvm::Attribute::ReadOnly);
  }

  void emit() {
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "body", function_));
    too_large_ = b_.getFalse();
    for (const stage& s : flow_.stages) {
      for (const value_id v : s.before) values_[v] = compute(flow_.values[v]);
      for (const call_group& group : s.calls) emit_group(group);
    }
    for (std::size_t k = 0; k < flow_.outputs.size(); ++k) {
      b_.CreateAlignedStore(values_[flow_.outputs[k]], row_address(2, k), llvm::Align(alignof(double)));
    }
    b_.CreateRet(b_.CreateNot(too_large_));
  }

 private:
  static void set_attributes(llvm::Function& f) {
    f.setDoesNotThrow();
    if (host().has_avx512) {  // otherwise LLVM splits 512-bit vectors on processors that once slowed down with them
      f.addFnAttr("prefer-vector-width", "512");
      f.addFnAttr("min-legal-vector-width", "512");
    }
  }

  // The inlined code of a sine is long, and registers take LLVM more than proportional time.
  bool has_few_sines() const {
    constexpr std::size_t most_inlined = 16;
    const std::size_t at_once = std::max<std::size_t>(1, widest_call_ / shape_.lanes);
    std::size_t vectors = 0;
    for (const stage& s : flow_.stages) {
      for (const call_group& group : s.calls) {
        if (group.op == operation::sin) vectors += (group.members.size() + at_once - 1) / at_once;
      }
    }
    return vectors <= most_inlined;
  }

  llvm::Type* vector_of(std::size_t lanes) const {
    if (lanes == 1) return real_;
    return llvm::FixedVectorType::get(real_, static_cast<unsigned>(lanes));
  }

  llvm::Value* argument(unsigned k) const { return function_->getArg(k); }

  // Row k of the array that is argument `array`.
  llvm::Value* row_address(unsigned array, std::size_t k) {
    return b_.CreateGEP(real_, argument(array), b_.CreateMul(argument(3), b_.getInt64(k)));
  }

  llvm::Value* compute(const value& v) {
    const auto at = [&](value_id id) { return values_[id]; };
    switch (v.kind) {
      case value_kind::variable: return read_variable(v.a);
      case value_kind::fixed: return read_fixed(v.a);
      case value_kind::operation: return apply(v.op, at(v.a), v.b == nowhere ? nullptr : at(v.b));
      case value_kind::product_plus: return fma(at(v.a), at(v.b), at(v.c));
      case value_kind::product_minus: return fma(at(v.a), at(v.b), b_.CreateFNeg(at(v.c)));
      case value_kind::minus_product: return fma(b_.CreateFNeg(at(v.a)), at(v.b), at(v.c));
      case value_kind::call: break;
    }
    ACTIO_ASSERT(false);
    return nullptr;
  }

  llvm::Value* read_variable(std::size_t k) {
    llvm::Value* const row = b_.CreateAlignedLoad(row_, row_address(1, k), llvm::Align(alignof(double)));
    if (shape_.points == shape_.lanes) return row;
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < shape_.lanes; ++l) {
      lanes.push_back(static_cast<int>(std::min(l, shape_.points - 1)));
    }
    return b_.CreateShuffleVector(row, lanes);
  }

  llvm::Value* read_fixed(std::size_t r) {
    llvm::Value* const number = b_.CreateLoad(real_, b_.CreateGEP(real_, argument(0), b_.getInt64(r)));
    if (shape_.lanes == 1) return number;
    return b_.CreateVectorSplat(static_cast<unsigned>(shape_.lanes), number);
  }

  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  llvm::Value* apply(operation op, llvm::Value* left, llvm::Value* right) {
    switch (op) {
      case operation::add: return b_.CreateFAdd(left, right);
      case operation::subtract: return b_.CreateFSub(left, right);
      case operation::multiply: return b_.CreateFMul(left, right);
      case operation::divide: return b_.CreateFDiv(left, right);
      case operation::negate: return b_.CreateFNeg(left);
      case operation::sqrt: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, left);
      case operation::abs: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, left);
      case operation::sign: return sign_of(left);
      default: break;
    }
    ACTIO_ASSERT(false);
    return nullptr;
  }

  // Zero (with its sign) and NaN are their own signs.
  llvm::Value* sign_of(llvm::Value* x) {
    llvm::Type* const type = x->getType();
    llvm::Value* const zero = llvm::ConstantFP::get(type, 0);
    llvm::Value* const one = llvm::ConstantFP::get(type, 1);
    llvm::Value* const signed_one = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, one, x);
    return b_.CreateSelect(b_.CreateFCmpONE(x, zero), signed_one, x);
  }

  // As many members at once as fit into one vector.
  void emit_group(const call_group& group) {
    const std::size_t at_once = std::max<std::size_t>(1, widest_call_ / shape_.lanes);
    for (std::size_t first = 0; first < group.members.size(); first += at_once) {
      const std::span members =
          std::span(group.members).subspan(first, std::min(at_once, group.members.size() - first));
      std::vector<llvm::Value*> arguments, seconds;
      for (const auto& m : members) {
        arguments.push_back(values_[m.argument]);
        seconds.push_back(values_[m.second]);
      }
      if (group.op == operation::sin) {
        emit_sines(members, joined(arguments));
      } else if (operand_count(group.op) == 1) {
        distribute(call(group.op, {joined(arguments)}), members, &call_group::member::result);
      } else {
        distribute(call(group.op, {joined(arguments), joined(seconds)}), members, &call_group::member::result);
      }
    }
  }

  void emit_sines(std::span<const call_group::member> members, llvm::Value* x) {
    sine_and_cosine both = inlines_sines_ ? emit_sine_and_cosine(b_, x) : call_sine_and_cosine(x);
    if (shape_.any_argument) {
      both.sine = b_.CreateSelect(both.too_large, call(operation::sin, {x}), both.sine);
      both.cosine = b_.CreateSelect(both.too_large, call(operation::cos, {x}), both.cosine);
    } else {
      llvm::Value* const any = x->getType()->isVectorTy() ? b_.CreateOrReduce(both.too_large) : both.too_large;
      too_large_ = b_.CreateOr(too_large_, any);
    }
    distribute(both.sine, members, &call_group::member::result);
    distribute(both.cosine, members, &call_group::member::cosine);
  }

  // By a function of this module, which passes everything in registers.
  sine_and_cosine call_sine_and_cosine(llvm::Value* x) {
    llvm::Function*& called = sine_functions_[x->getType()];
    if (!called) {
      llvm::Type* const truth = x->getType()->getWithNewType(b_.getInt1Ty());
      auto* const results = llvm::StructType::get(x->getType(), x->getType(), truth);
      called = llvm::Function::Create(llvm::FunctionType::get(results, {x->getType()}, false),
                                      llvm::Function::InternalLinkage, "sine_and_cosine", *function_->getParent());
      called->setCallingConv(llvm::CallingConv::Fast);
      set_attributes(*called);
      llvm::IRBuilder<> inside(llvm::BasicBlock::Create(b_.getContext(), "body", called));
      const sine_and_cosine both = emit_sine_and_cosine(inside, called->getArg(0));
      llvm::Value* const parts[] = {both.sine, both.cosine, both.too_large};
      inside.CreateAggregateRet(parts, 3);
    }
    llvm::CallInst* const both = b_.CreateCall(called, {x});
    both->setCallingConv(llvm::CallingConv::Fast);
    return {b_.CreateExtractValue(both, 0), b_.CreateExtractValue(both, 1), b_.CreateExtractValue(both, 2)};
  }

  // Rows one behind the other in a vector whose size is a power of two; the last row fills what is left.
  llvm::Value* joined(const std::vector<llvm::Value*>& rows) {
    const std::size_t count = std::bit_ceil(rows.size());
    if (count == 1) return rows.front();
    const std::size_t w = shape_.lanes;
    if (w == 1) {
      llvm::Value* result = llvm::PoisonValue::get(vector_of(count));
      for (std::size_t k = 0; k < count; ++k) {
        result = b_.CreateInsertElement(result, rows[std::min(k, rows.size() - 1)], k);
      }
      return result;
    }
    std::vector<llvm::Value*> parts(count);
    for (std::size_t k = 0; k < count; ++k) parts[k] = rows[std::min(k, rows.size() - 1)];
    for (std::size_t lanes = 2 * w; parts.size() > 1; lanes *= 2) {
      std::vector<llvm::Value*> pairs;
      for (std::size_t k = 0; k < parts.size(); k += 2) {
        pairs.push_back(b_.CreateShuffleVector(parts[k], parts[k + 1], consecutive(0, lanes)));
      }
      parts = std::move(pairs);
    }
    return parts.front();
  }

  // The inverse of `joined`.
  void distribute(llvm::Value* all, std::span<const call_group::member> members, value_id call_group::member::* which) {
    const std::size_t w = shape_.lanes;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const value_id target = members[k].*which;
      if (target == nowhere) continue;
      values_[target] = all->getType() == row_ ? all
                        : w == 1               ? b_.CreateExtractElement(all, k)
                                               : b_.CreateShuffleVector(all, consecutive(k * w, w));
    }
  }

  static llvm::SmallVector<int, 8> consecutive(std::size_t first, std::size_t count) {
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
    return lanes;
  }

  // Vectors that the processor does not have are computed by halves.
  llvm::Value* call(operation op, std::vector<llvm::Value*> arguments) {
    llvm::Type* const type = arguments.front()->getType();
    const std::size_t lanes = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
    if (lanes > widest_call_) {
      std::vector<llvm::Value*> low, high;
      for (llvm::Value* const a : arguments) {
        low.push_back(b_.CreateShuffleVector(a, consecutive(0, lanes / 2)));
        high.push_back(b_.CreateShuffleVector(a, consecutive(lanes / 2, lanes / 2)));
      }
      llvm::Value* const first = call(op, low);
      return b_.CreateShuffleVector(first, call(op, high), consecutive(0, lanes));
    }
    llvm::Type* const pointer = b_.getPtrTy();
    llvm::Value* const place = b_.CreateGEP(pointer, argument(4), b_.getInt64(function_index(op, lanes)));
    const std::vector<llvm::Type*> types(arguments.size(), type);
    llvm::CallInst* const result =
        b_.CreateCall(llvm::FunctionType::get(type, types, false), b_.CreateLoad(pointer, place), arguments);
    result->setDoesNotThrow();
    result->setDoesNotAccessMemory();
    return result;
  }

  const dataflow& flow_;
  const code_shape& shape_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_;
  llvm::Type* real_;
  llvm::Type* row_;
  std::size_t widest_call_;
  bool inlines_sines_;
  std::map<llvm::Type*, llvm::Function*> sine_functions_;
  std::vector<llvm::Value*> values_;
  llvm::Value* too_large_ = nullptr;
};

std::unique_ptr<llvm::TargetMachine> make_target_machine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  const std::string triple = llvm::sys::getProcessTriple();
  std::string problem;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) throw std::runtime_error("LLVM: " + problem);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // products are fused where the dataflow says, nowhere else
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(triple, host().name, host().features, options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                          llvm::CodeGenOptLevel::Default, true));
}

}  // namespace

const std::string& target_description() {
  static const std::string text = fmt::format("{} {} LLVM {} generator {}", host().name, host().features,
                                              LLVM_VERSION_STRING, ACTIO_CODE_GENERATOR);
  return text;
}

bool processor_suffices() { return host().has_fma; }

std::string make_object(const program& p, const code_shape& shape) {
  const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine();
  llvm::LLVMContext context;
  llvm::Module module("actio", context);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  function_emitter(module, analyse(p), shape).emit();

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    throw std::runtime_error("LLVM: this target has no object files");
  }
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace actio::machine_code
