#include "actio/backend/llvm/flow_emitter.hpp"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/target.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

namespace {

llvm::SmallVector<int, 8> consecutive(std::size_t first, std::size_t count) {
  llvm::SmallVector<int, 8> lanes;
  for (std::size_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
  return lanes;
}

}  // namespace

llvm::Value* larger_number(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  const llvm::IRBuilder<>::FastMathFlagGuard guard(builder);
  llvm::FastMathFlags flags;
  flags.setNoNaNs();
  flags.setNoSignedZeros();
  builder.setFastMathFlags(flags);
  return builder.CreateMaxNum(a, b);
}

flow_emitter::flow_emitter(llvm::IRBuilder<>& builder, const dataflow& flow, const surroundings& around)
    : b_(builder), flow_(flow), around_(around), real_(builder.getDoubleTy()), row_(vector_of(around.lanes)) {
  constexpr std::size_t most_inlined = 16;  // the code of a sine is long, and registers take LLVM more than their share
  inlines_sines_ = vectors_of_sines() <= most_inlined;
}

std::vector<llvm::Value*> flow_emitter::emit(std::span<llvm::Value* const> variables) {
  from_ = {};
  return write(variables);
}

std::vector<llvm::Value*> flow_emitter::emit_rough(std::span<llvm::Value* const> variables) {
  from_ = {};
  is_rough_ = true;
  std::vector<llvm::Value*> outputs = write(variables);
  is_rough_ = false;
  return outputs;
}

std::vector<llvm::Value*> flow_emitter::emit_near(std::span<llvm::Value* const> variables,
                                                  std::span<llvm::Value* const> moves,
                                                  std::span<const sine_series> from) {
  from_ = from;
  moves_ = moves;
  return write(variables);
}

std::vector<llvm::Value*> flow_emitter::emit_mixed(std::span<llvm::Value* const> variables,
                                                   std::span<llvm::Value* const> moves,
                                                   std::span<const sine_series> from) {
  mixes_ = true;
  std::vector<llvm::Value*> outputs = emit_near(variables, moves, from);
  mixes_ = false;
  return outputs;
}

std::vector<flow_emitter::sine_series> flow_emitter::series_of(std::span<const known_sines> sines, std::size_t terms) {
  ACTIO_ASSERT(terms == 5 || terms == 6);
  std::vector<sine_series> series;
  for (const auto& [x, s, c] : sines) {
    const auto times = [&](llvm::Value* y, double factor) {
      return b_.CreateFMul(y, llvm::ConstantFP::get(y->getType(), factor));
    };
    sine_series at{x,
                   {s, c, times(s, -1.0 / 2), times(c, -1.0 / 6), times(s, 1.0 / 24)},
                   {c, b_.CreateFNeg(s), times(c, -1.0 / 2), times(s, 1.0 / 6), times(c, 1.0 / 24)}};
    if (terms == 6) {
      at.sine.push_back(times(c, 1.0 / 120));
      at.cosine.push_back(times(s, -1.0 / 120));
    }
    series.push_back(std::move(at));
  }
  return series;
}

std::vector<llvm::Value*> flow_emitter::emit_cached(std::span<llvm::Value* const> variables, llvm::Value* cache) {
  from_ = {};
  cache_ = cache;
  cached_ = 0;
  std::vector<llvm::Value*> outputs = write(variables);
  cache_ = nullptr;
  return outputs;
}

std::vector<llvm::Value*> flow_emitter::emit_turned(std::span<llvm::Value* const> variables, llvm::Value* cache) {
  only_turns_ = true;
  std::vector<llvm::Value*> outputs = emit_cached(variables, cache);
  only_turns_ = false;
  return outputs;
}

std::size_t flow_emitter::cached_numbers(const dataflow& flow, std::size_t lanes) {
  std::size_t numbers = 0;
  const std::size_t at_once = std::max<std::size_t>(1, widest_vector() / lanes);
  for (const stage& s : flow.stages) {
    for (const call_group& group : s.calls) {
      if (group.op != operation::sin) continue;
      for (std::size_t first = 0; first < group.members.size(); first += at_once) {
        numbers += 3 * lanes * std::bit_ceil(std::min(at_once, group.members.size() - first));
      }
    }
  }
  return numbers;
}

std::vector<llvm::Value*> flow_emitter::write(std::span<llvm::Value* const> variables) {
  values_.assign(flow_.values.size(), nullptr);
  sines_.clear();
  too_large_ = b_.getFalse();
  for (const stage& s : flow_.stages) {
    for (const value_id v : s.before) values_[v] = compute(flow_.values[v], variables);
    for (const call_group& group : s.calls) emit_group(group);
  }
  std::vector<llvm::Value*> outputs;
  for (const value_id v : flow_.outputs) outputs.push_back(values_[v]);
  return outputs;
}

bool flow_emitter::has_sines() const { return vectors_of_sines() > 0; }

std::size_t flow_emitter::vectors_of_sines() const {
  const std::size_t at_once = std::max<std::size_t>(1, widest_vector() / around_.lanes);
  std::size_t vectors = 0;
  for (const stage& s : flow_.stages) {
    for (const call_group& group : s.calls) {
      if (group.op == operation::sin) vectors += (group.members.size() + at_once - 1) / at_once;
    }
  }
  return vectors;
}

llvm::Type* flow_emitter::vector_of(std::size_t lanes) const {
  if (lanes == 1) return real_;
  return llvm::FixedVectorType::get(real_, static_cast<unsigned>(lanes));
}

llvm::Value* flow_emitter::compute(const value& v, std::span<llvm::Value* const> variables) {
  const auto at = [&](value_id id) { return values_[id]; };
  switch (v.kind) {
    case value_kind::variable: return variables[v.a];
    case value_kind::fixed: return read_fixed(v.a);
    case value_kind::operation: return apply(v.op, at(v.a), v.b == nowhere ? nullptr : at(v.b));
    case value_kind::reciprocal: return b_.CreateFDiv(llvm::ConstantFP::get(at(v.a)->getType(), 1), at(v.a));
    case value_kind::product_plus: return fma(at(v.a), at(v.b), at(v.c));
    case value_kind::product_minus: return fma(at(v.a), at(v.b), b_.CreateFNeg(at(v.c)));
    case value_kind::minus_product: return fma(b_.CreateFNeg(at(v.a)), at(v.b), at(v.c));
    case value_kind::call: break;
  }
  ACTIO_ASSERT(false);
  return nullptr;
}

llvm::Value* flow_emitter::read_fixed(std::size_t r) {
  llvm::Value* const number = b_.CreateLoad(real_, b_.CreateGEP(real_, around_.fixed, b_.getInt64(r)));
  if (around_.lanes == 1) return number;
  return b_.CreateVectorSplat(static_cast<unsigned>(around_.lanes), number);
}

llvm::Value* flow_emitter::fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

llvm::Value* flow_emitter::apply(operation op, llvm::Value* left, llvm::Value* right) {
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
llvm::Value* flow_emitter::sign_of(llvm::Value* x) {
  llvm::Type* const type = x->getType();
  llvm::Value* const zero = llvm::ConstantFP::get(type, 0);
  llvm::Value* const one = llvm::ConstantFP::get(type, 1);
  llvm::Value* const signed_one = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, one, x);
  return b_.CreateSelect(b_.CreateFCmpONE(x, zero), signed_one, x);
}

// As many members at once as fit into one vector.
void flow_emitter::emit_group(const call_group& group) {
  const std::size_t at_once = std::max<std::size_t>(1, widest_vector() / around_.lanes);
  for (std::size_t first = 0; first < group.members.size(); first += at_once) {
    const std::span members = std::span(group.members).subspan(first, std::min(at_once, group.members.size() - first));
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

void flow_emitter::emit_sines(std::span<const call_group::member> members, llvm::Value* x) {
  if (cache_) {
    const sine_and_cosine both = kept(x);
    distribute(both.sine, members, &call_group::member::result);
    distribute(both.cosine, members, &call_group::member::cosine);
    return;
  }
  sine_and_cosine both = !from_.empty()   ? near(from_[sines_.size()], members, x)
                         : is_rough_      ? emit_rough_sine_and_cosine(b_, x)
                         : inlines_sines_ ? emit_sine_and_cosine(b_, x)
                                          : call_sine_and_cosine(x);
  if (!from_.empty() && mixes_) {
    const sine_and_cosine exact = of_any_size(call_sine_and_cosine(x), x);
    both.sine = b_.CreateSelect(both.too_large, exact.sine, both.sine);
    both.cosine = b_.CreateSelect(both.too_large, exact.cosine, both.cosine);
  } else if (!from_.empty()) {
    note_far(both.too_large);
  } else if (around_.any_argument) {
    both = of_any_size(both, x);
  } else {
    too_large_ = b_.CreateOr(too_large_, any(both.too_large));
  }
  sines_.push_back({x, both.sine, both.cosine});
  distribute(both.sine, members, &call_group::member::result);
  distribute(both.cosine, members, &call_group::member::cosine);
}

void flow_emitter::note_far(llvm::Value* lanes) {
  llvm::Value*& all = far_[lanes->getType()];
  all = all ? b_.CreateOr(all, lanes) : lanes;
}

llvm::Value* flow_emitter::is_near() {
  llvm::Value* is_far = b_.getFalse();
  for (const auto& [type, lanes] : far_) is_far = b_.CreateOr(is_far, any(lanes));
  far_.clear();
  return b_.CreateNot(is_far);
}

llvm::Value* flow_emitter::any(llvm::Value* truths) {
  return truths->getType()->isVectorTy() ? b_.CreateOrReduce(truths) : truths;
}

// Each argument decides for itself: which of them share a vector depends on the number of lanes, and bits must not.
llvm::Value* flow_emitter::moved(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x) {
  const std::size_t w = around_.lanes, count = std::bit_ceil(members.size());
  std::vector<llvm::Value*> moves;
  std::vector<int> choice;  // lanes of the moves, or behind them those of the differences
  std::size_t known = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& m = members[std::min(k, members.size() - 1)];
    const value& argument = flow_.values[m.argument];
    const bool is_variable = argument.kind == value_kind::variable;
    if (k < members.size()) moves.push_back(is_variable ? moves_[argument.a] : values_[m.argument]);
    known += is_variable ? 1 : 0;
    for (std::size_t l = 0; l < w; ++l) choice.push_back(static_cast<int>(k * w + l + (is_variable ? 0 : count * w)));
  }
  if (known == count) return joined(moves);
  llvm::Value* const difference = b_.CreateFSub(x, from.argument);
  return known == 0 ? difference : b_.CreateShuffleVector(joined(moves), difference, choice);
}

// The next terms are below 2⁻⁵⁶.
sine_and_cosine flow_emitter::near(const sine_series& from, std::span<const call_group::member> members,
                                   llvm::Value* x) {
  llvm::Value* const d = moved(from, members, x);
  llvm::Value* const dd = b_.CreateFMul(d, d);
  llvm::Value* const size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, d);
  return {taylor_sum(from.sine, d, dd), taylor_sum(from.cosine, d, dd),
          b_.CreateFCmpUGT(size, llvm::ConstantFP::get(x->getType(), from.sine.size() == 5 ? 0x1p-10 : 0x1p-8))};
}

// By pairs, so that the sum is known soon after d; one rounding at the end.
llvm::Value* flow_emitter::taylor_sum(std::span<llvm::Value* const> c, llvm::Value* d, llvm::Value* dd) {
  if (c.size() == 5) return fma(d, fma(dd, fma(d, c[4], c[3]), fma(d, c[2], c[1])), c[0]);
  return fma(d, fma(dd, fma(dd, c[5], fma(d, c[4], c[3])), fma(d, c[2], c[1])), c[0]);
}

// sin and cos of argument + d for |d| up to 2⁻¹⁰, by their series, whose next terms are below 2⁻⁵⁶.
sine_and_cosine flow_emitter::turned(const known_sines& from, llvm::Value* x) {
  const auto number = [&](double value) { return llvm::ConstantFP::get(x->getType(), value); };
  llvm::Value* const d = b_.CreateFSub(x, from.argument);
  llvm::Value* const dd = b_.CreateFMul(d, d);
  llvm::Value* const sine = fma(b_.CreateFMul(d, dd), number(-1.0 / 6), d);
  llvm::Value* const versed = b_.CreateFMul(dd, fma(dd, number(-1.0 / 24), number(0.5)));  // 1 − cos d
  llvm::Value* const change = fma(from.cosine, sine, b_.CreateFNeg(b_.CreateFMul(from.sine, versed)));
  llvm::Value* const loss = fma(from.sine, sine, b_.CreateFMul(from.cosine, versed));
  llvm::Value* const size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, d);
  return {b_.CreateFAdd(from.sine, change), b_.CreateFSub(from.cosine, loss), b_.CreateFCmpUGT(size, number(0x1p-10))};
}

sine_and_cosine flow_emitter::kept(llvm::Value* x) {
  llvm::Type* const type = x->getType();
  const std::size_t lanes = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
  llvm::Value* places[3];
  for (llvm::Value*& place : places) {
    place = b_.CreateConstGEP1_64(real_, cache_, cached_);
    cached_ += lanes;
  }
  const auto load = [&](llvm::Value* from) { return b_.CreateAlignedLoad(type, from, llvm::Align(alignof(double))); };
  const auto store = [&](llvm::Value* row, llvm::Value* to) {
    b_.CreateAlignedStore(row, to, llvm::Align(alignof(double)));
  };
  const known_sines before{load(places[0]), load(places[1]), load(places[2])};
  const sine_and_cosine near = turned(before, x);
  if (only_turns_) {
    note_far(near.too_large);
    return near;
  }
  llvm::Function* const function = b_.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function); };
  llvm::BasicBlock *const turns = b_.GetInsertBlock(), *const computes = block("computes"),
                          *const goes_on = block("goes_on");
  b_.CreateCondBr(any(near.too_large), computes, goes_on);
  b_.SetInsertPoint(computes);
  const auto [sine, cosine, too_large] = of_any_size(call_sine_and_cosine(x), x);
  llvm::BasicBlock* const keeps = b_.GetInsertBlock();
  store(b_.CreateSelect(near.too_large, x, before.argument), places[0]);
  store(b_.CreateSelect(near.too_large, sine, before.sine), places[1]);
  store(b_.CreateSelect(near.too_large, cosine, before.cosine), places[2]);
  llvm::Value* const mixed_sine = b_.CreateSelect(near.too_large, sine, near.sine);
  llvm::Value* const mixed_cosine = b_.CreateSelect(near.too_large, cosine, near.cosine);
  b_.CreateBr(goes_on);
  b_.SetInsertPoint(goes_on);
  llvm::PHINode *const result = b_.CreatePHI(type, 2), *const other = b_.CreatePHI(type, 2);
  result->addIncoming(near.sine, turns);
  result->addIncoming(mixed_sine, keeps);
  other->addIncoming(near.cosine, turns);
  other->addIncoming(mixed_cosine, keeps);
  return {result, other, near.too_large};
}

// Arguments that are too large, which are rare, by calls; each lane by itself.
sine_and_cosine flow_emitter::of_any_size(const sine_and_cosine& usual, llvm::Value* x) {
  llvm::Function* const function = b_.GetInsertBlock()->getParent();
  llvm::BasicBlock *const before = b_.GetInsertBlock(),
                          *const large = llvm::BasicBlock::Create(b_.getContext(), "large", function),
                          *const after = llvm::BasicBlock::Create(b_.getContext(), "after", function);
  llvm::Value* const truths = usual.too_large;
  b_.CreateCondBr(any(truths), large, after);
  b_.SetInsertPoint(large);
  llvm::Value* const any_sine = b_.CreateSelect(truths, call(operation::sin, {x}), usual.sine);
  llvm::Value* const any_cosine = b_.CreateSelect(truths, call(operation::cos, {x}), usual.cosine);
  llvm::BasicBlock* const computed = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  llvm::PHINode *const sine = b_.CreatePHI(x->getType(), 2), *const cosine = b_.CreatePHI(x->getType(), 2);
  sine->addIncoming(usual.sine, before);
  sine->addIncoming(any_sine, computed);
  cosine->addIncoming(usual.cosine, before);
  cosine->addIncoming(any_cosine, computed);
  return {sine, cosine, usual.too_large};
}

// By a function of this module, which passes everything in registers.
sine_and_cosine flow_emitter::call_sine_and_cosine(llvm::Value* x) {
  llvm::Function*& called = sine_functions_[x->getType()];
  if (!called) {
    llvm::Type* const truth = x->getType()->getWithNewType(b_.getInt1Ty());
    auto* const results = llvm::StructType::get(x->getType(), x->getType(), truth);
    called =
        llvm::Function::Create(llvm::FunctionType::get(results, {x->getType()}, false), llvm::Function::InternalLinkage,
                               "sine_and_cosine", *b_.GetInsertBlock()->getModule());
    called->setCallingConv(llvm::CallingConv::Fast);
    prepare(*called);
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
llvm::Value* flow_emitter::joined(const std::vector<llvm::Value*>& rows) {
  const std::size_t count = std::bit_ceil(rows.size());
  if (count == 1) return rows.front();
  const std::size_t w = around_.lanes;
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
void flow_emitter::distribute(llvm::Value* all, std::span<const call_group::member> members,
                              value_id call_group::member::* which) {
  const std::size_t w = around_.lanes;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const value_id target = members[k].*which;
    if (target == nowhere) continue;
    values_[target] = all->getType() == row_ ? all
                      : w == 1               ? b_.CreateExtractElement(all, k)
                                             : b_.CreateShuffleVector(all, consecutive(k * w, w));
  }
}

// Vectors that the processor does not have are computed by halves.
llvm::Value* flow_emitter::call(operation op, std::vector<llvm::Value*> arguments) {
  llvm::Type* const type = arguments.front()->getType();
  const std::size_t lanes = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
  if (lanes > widest_vector()) {
    std::vector<llvm::Value*> low, high;
    for (llvm::Value* const a : arguments) {
      low.push_back(b_.CreateShuffleVector(a, consecutive(0, lanes / 2)));
      high.push_back(b_.CreateShuffleVector(a, consecutive(lanes / 2, lanes / 2)));
    }
    llvm::Value* const first = call(op, low);
    return b_.CreateShuffleVector(first, call(op, high), consecutive(0, lanes));
  }
  llvm::Type* const pointer = b_.getPtrTy();
  llvm::Value* const place = b_.CreateGEP(pointer, around_.functions, b_.getInt64(function_index(op, lanes)));
  const std::vector<llvm::Type*> types(arguments.size(), type);
  llvm::CallInst* const result =
      b_.CreateCall(llvm::FunctionType::get(type, types, false), b_.CreateLoad(pointer, place), arguments);
  result->setDoesNotThrow();
  result->setDoesNotAccessMemory();
  result->addFnAttr(llvm::Attribute::WillReturn);  // so that one whose result is not needed can be left out
  return result;
}

}  // namespace actio::machine_code
