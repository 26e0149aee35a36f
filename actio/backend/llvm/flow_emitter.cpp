#include "actio/backend/llvm/flow_emitter.hpp"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/target.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

flow_emitter::flow_emitter(llvm::IRBuilder<>& builder, const dataflow& flow, const surroundings& around)
    : ir_writer(builder), flow_(flow), around_(around), row_(vector_of(real_, around.lanes)) {
  constexpr std::size_t most_inlined = 16;  // the code of a sine is long, and registers take LLVM more than their share
  inlines_sines_ = sine_vectors(flow, around.lanes).first <= most_inlined;
}

std::vector<sine_series> flow_emitter::series_of(std::span<const known_sines> sines, std::size_t terms) {
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

// Vectors of sines, and the lanes of all of them together.
std::pair<std::size_t, std::size_t> flow_emitter::sine_vectors(const dataflow& flow, std::size_t lanes) {
  const std::size_t at_once = std::max<std::size_t>(1, widest_vector() / lanes);
  std::size_t vectors = 0, together = 0;
  for (const stage& s : flow.stages) {
    for (const call_group& group : s.calls) {
      for (std::size_t first = 0; group.op == operation::sin && first < group.members.size(); first += at_once) {
        ++vectors;
        together += lanes * std::bit_ceil(std::min(at_once, group.members.size() - first));
      }
    }
  }
  return {vectors, together};
}

row_values flow_emitter::emit(std::span<llvm::Value* const> variables, const sine_source& source) {
  source_ = source;
  cached_ = 0;
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
  return splat(load(real_, b_.CreateGEP(real_, around_.fixed, b_.getInt64(r))), around_.lanes);
}

llvm::Value* flow_emitter::apply(operation op, llvm::Value* left, llvm::Value* right) {
  switch (op) {
    case operation::add: return b_.CreateFAdd(left, right);
    case operation::subtract: return b_.CreateFSub(left, right);
    case operation::multiply: return b_.CreateFMul(left, right);
    case operation::divide: return b_.CreateFDiv(left, right);
    case operation::negate: return b_.CreateFNeg(left);
    case operation::sqrt: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, left);
    case operation::abs: return absolute(left);
    case operation::sign: return sign_of(left);
    case operation::step: return step_of(left);
    case operation::floor: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, left);
    case operation::where: return chosen(left, right);
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

// 1 for x ≥ 0, otherwise 0; NaN stays.
llvm::Value* flow_emitter::step_of(llvm::Value* x) {
  llvm::Type* const type = x->getType();
  llvm::Value* const zero = llvm::ConstantFP::get(type, 0);
  llvm::Value* const below = b_.CreateSelect(b_.CreateFCmpUNO(x, x), x, zero);
  return b_.CreateSelect(b_.CreateFCmpOGE(x, zero), llvm::ConstantFP::get(type, 1), below);
}

// x where the condition is not 0, otherwise 0, whatever x is; a condition that is NaN stays.
llvm::Value* flow_emitter::chosen(llvm::Value* condition, llvm::Value* x) {
  llvm::Value* const zero = llvm::ConstantFP::get(x->getType(), 0);
  llvm::Value* const otherwise = b_.CreateSelect(b_.CreateFCmpUNO(condition, condition), condition, zero);
  return b_.CreateSelect(b_.CreateFCmpONE(condition, zero), x, otherwise);
}

// As many members at once as fit into one vector.
void flow_emitter::emit_group(const call_group& group) {
  const std::size_t at_once = std::max<std::size_t>(1, widest_vector() / around_.lanes);
  for (std::size_t first = 0; first < group.members.size(); first += at_once) {
    const std::span members = std::span(group.members).subspan(first, std::min(at_once, group.members.size() - first));
    row_values arguments, seconds;
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
  const auto put = [&](const sine_and_cosine& both) {
    distribute(both.sine, members, &call_group::member::result);
    distribute(both.cosine, members, &call_group::member::cosine);
  };
  const sines_by how = source_.how;
  if (how == sines_by::cache || how == sines_by::turning) return put(kept(x));
  const bool in_series = !source_.from.empty();  // none where nothing was known
  sine_and_cosine both = in_series                ? near(source_.from[sines_.size()], members, x)
                         : how == sines_by::rough ? emit_rough_sine_and_cosine(b_, x)
                         : inlines_sines_         ? emit_sine_and_cosine(b_, x)
                                                  : call_sine_and_cosine(x);
  if (in_series && how == sines_by::mixed) {
    const sine_and_cosine exact = of_any_size(call_sine_and_cosine(x), x);
    both.sine = b_.CreateSelect(both.too_large, exact.sine, both.sine);
    both.cosine = b_.CreateSelect(both.too_large, exact.cosine, both.cosine);
  } else if (in_series) {
    note_far(both.too_large);
  } else if (around_.any_argument) {
    both = of_any_size(both, x);
  } else {
    too_large_ = b_.CreateOr(too_large_, any(both.too_large));
  }
  sines_.push_back({x, both.sine, both.cosine});
  put(both);
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

// Each argument decides for itself: which of them share a vector depends on the number of lanes, and bits must not.
llvm::Value* flow_emitter::moved(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x) {
  const std::size_t w = around_.lanes, count = std::bit_ceil(members.size());
  row_values moves;
  std::vector<int> choice;  // lanes of the moves, or behind them those of the differences
  std::size_t known = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& m = members[std::min(k, members.size() - 1)];
    const value& argument = flow_.values[m.argument];
    const bool is_variable = argument.kind == value_kind::variable;
    if (k < members.size()) moves.push_back(is_variable ? source_.moves[argument.a] : values_[m.argument]);
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
  llvm::Value* const size = absolute(d);
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
  llvm::Value* const size = absolute(d);
  return {b_.CreateFAdd(from.sine, change), b_.CreateFSub(from.cosine, loss), b_.CreateFCmpUGT(size, number(0x1p-10))};
}

sine_and_cosine flow_emitter::kept(llvm::Value* x) {
  llvm::Type* const type = x->getType();
  llvm::Value* places[3];
  for (llvm::Value*& place : places) {
    place = element(source_.cache, cached_);
    cached_ += lanes_of(x);
  }
  const known_sines before{load(type, places[0]), load(type, places[1]), load(type, places[2])};
  const sine_and_cosine near = turned(before, x);
  if (source_.how == sines_by::turning) {
    note_far(near.too_large);
    return near;
  }
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
  llvm::PHINode* const result = merged(near.sine, turns, mixed_sine, keeps);
  return {result, merged(near.cosine, turns, mixed_cosine, keeps), near.too_large};
}

// Arguments that are too large, which are rare, by calls; each lane by itself.
sine_and_cosine flow_emitter::of_any_size(const sine_and_cosine& usual, llvm::Value* x) {
  llvm::BasicBlock *const before = b_.GetInsertBlock(), *const large = block("large"), *const after = block("after");
  llvm::Value* const truths = usual.too_large;
  b_.CreateCondBr(any(truths), large, after);
  b_.SetInsertPoint(large);
  llvm::Value* const both = call_own(large_sine_function(*large->getModule(), x->getType()), {x});
  llvm::Value* const any_sine = b_.CreateSelect(truths, b_.CreateExtractValue(both, 0), usual.sine);
  llvm::Value* const any_cosine = b_.CreateSelect(truths, b_.CreateExtractValue(both, 1), usual.cosine);
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  llvm::PHINode* const sine = merged(usual.sine, before, any_sine, large);
  return {sine, merged(usual.cosine, before, any_cosine, large), usual.too_large};
}

sine_and_cosine flow_emitter::call_sine_and_cosine(llvm::Value* x) {
  llvm::Value* const both = call_own(usual_sine_function(*b_.GetInsertBlock()->getModule(), x->getType()), {x});
  return {b_.CreateExtractValue(both, 0), b_.CreateExtractValue(both, 1), b_.CreateExtractValue(both, 2)};
}

// A function of this module, which passes everything in registers.
llvm::Value* flow_emitter::call_own(llvm::Function& f, const row_values& arguments) {
  llvm::CallInst* const result = b_.CreateCall(&f, arguments);
  result->setCallingConv(f.getCallingConv());
  return result;
}

// Rows one behind the other in a vector whose size is a power of two; the last row fills what is left.
llvm::Value* flow_emitter::joined(const row_values& rows) {
  const std::size_t count = std::bit_ceil(rows.size());
  if (count == 1) return rows.front();
  const std::size_t w = around_.lanes;
  if (w == 1) {
    llvm::Value* result = llvm::PoisonValue::get(vector_of(real_, count));
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
llvm::Value* flow_emitter::call(operation op, row_values arguments) {
  llvm::Type* const type = arguments.front()->getType();
  const std::size_t lanes = lanes_of(arguments.front());
  if (lanes > widest_vector()) {
    std::vector<llvm::Value*> low, high;
    for (llvm::Value* const a : arguments) {
      low.push_back(b_.CreateShuffleVector(a, consecutive(0, lanes / 2)));
      high.push_back(b_.CreateShuffleVector(a, consecutive(lanes / 2, lanes / 2)));
    }
    llvm::Value* const first = call(op, low);
    return b_.CreateShuffleVector(first, call(op, high), consecutive(0, lanes));
  }
  if (!is_outside(op)) return call_own(elementary_function(*b_.GetInsertBlock()->getModule(), op, type), arguments);
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
