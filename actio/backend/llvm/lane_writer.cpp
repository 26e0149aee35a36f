#include "actio/backend/llvm/lane_writer.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

namespace {

class lane_stage_writer {
 public:
  lane_stage_writer(llvm::Module& module, const collocation_code& code, std::size_t lanes, std::size_t stride)
      : code_(code),
        n_(code.coordinates),
        lanes_(lanes),
        stride_(stride),
        b_(module.getContext()),
        flow_(analyse(code.field)),
        real_(b_.getDoubleTy()) {
    row_ =
        lanes == 1 ? real_ : static_cast<llvm::Type*>(llvm::FixedVectorType::get(real_, static_cast<unsigned>(lanes)));
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, pointer, pointer, pointer}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    prepare(*function_);
  }

  void write() {
    b_.SetInsertPoint(block("begin"));
    in_ = array(0);
    rates_ = array(1);
    increments_ = array(2);
    next_ = array(3);
    weights_ = array(4);
    stages_ = array(5);
    squares_ = array(6);
    const std::size_t kept = flow_emitter::cached_numbers(flow_, lanes_);
    loop(0, code_.points, nullptr, [&](llvm::Value* i, llvm::Value*) {
      flow_emitter field(b_, flow_, {function_->getArg(0), function_->getArg(3), lanes_, false});
      std::vector<llvm::Value*> variables;
      for (std::size_t k = 0; k < code_.field.variables; ++k) variables.push_back(load(node(in_, k, i)));
      llvm::Value* const cache = b_.CreateGEP(real_, function_->getArg(2), b_.CreateMul(i, b_.getInt64(kept)));
      const std::vector<llvm::Value*> outputs = field.emit_cached(variables, cache);
      for (std::size_t k = 0; k < outputs.size(); ++k) store(outputs[k], node(rates_, k, i));
      return nullptr;
    });
    llvm::Value* squares = sums(n_, 2 * n_, llvm::ConstantFP::get(row_, 0));
    if (!code_.inverse_mass.empty()) {
      loop(0, code_.points, nullptr, [&](llvm::Value* i, llvm::Value*) {
        move_velocities(i);
        return nullptr;
      });
    }
    squares = sums(0, n_, squares);
    store(squares, squares_);
    b_.CreateRetVoid();
  }

 private:
  // `body` of i and the value that it passes on from one turn to the next, if there is one.
  template <class Body>
  llvm::Value* loop(std::size_t first, std::size_t last, llvm::Value* passed, Body&& body) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const turn = block("turn"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* const i = b_.CreatePHI(b_.getInt64Ty(), 2);
    llvm::PHINode* const value = passed ? b_.CreatePHI(passed->getType(), 2) : nullptr;
    llvm::Value* const next_value = body(i, value);
    llvm::Value* const next = b_.CreateAdd(i, b_.getInt64(1));
    i->addIncoming(b_.getInt64(first), before);
    i->addIncoming(next, b_.GetInsertBlock());
    if (value) {
      value->addIncoming(passed, before);
      value->addIncoming(next_value, b_.GetInsertBlock());
    }
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(last)), turn, after);
    b_.SetInsertPoint(after);
    return next_value;
  }

  // Z of components first … last − 1 and the squares of their changes, added to those known.
  llvm::Value* sums(std::size_t first, std::size_t last, llvm::Value* squares) {
    return loop(first, last, squares, [&](llvm::Value* c, llvm::Value* known) {
      llvm::Value* const offset = b_.CreateMul(c, b_.getInt64(stride_));
      llvm::Value* const weight = load(b_.CreateGEP(real_, weights_, b_.CreateMul(c, b_.getInt64(lanes_))));
      std::vector<llvm::Value*> rates;
      const auto at = [&](llvm::Value* array, std::size_t i) {
        return b_.CreateGEP(real_, array, b_.CreateAdd(offset, b_.getInt64(i * lanes_)));
      };
      for (std::size_t j = 0; j < code_.points; ++j) rates.push_back(load(at(rates_, j)));
      for (std::size_t i = 0; i < code_.points; ++i) {
        llvm::Value* chains[2] = {nullptr, nullptr};
        for (std::size_t j = 0; j < code_.points; ++j) {
          llvm::Value* const a =
              spread(b_.CreateLoad(real_, b_.CreateConstGEP1_64(real_, stages_, i * code_.points + j)));
          llvm::Value*& chain = chains[j % 2];
          chain = chain ? fma(a, rates[j], chain) : b_.CreateFMul(a, rates[j]);
        }
        llvm::Value* const Z = chains[1] ? b_.CreateFAdd(chains[0], chains[1]) : chains[0];
        llvm::Value* const change = b_.CreateFMul(b_.CreateFSub(Z, load(at(increments_, i))), weight);
        known = fma(change, change, known);
        store(Z, at(next_, i));
      }
      return known;
    });
  }

  // q' + M⁻¹ δp at node i.
  void move_velocities(llvm::Value* i) {
    std::vector<llvm::Value*> moved(n_), velocity(n_);
    for (std::size_t a = 0; a < n_; ++a) {
      moved[a] = b_.CreateFSub(load(node(next_, n_ + a, i)), load(node(increments_, n_ + a, i)));
      velocity[a] = load(node(rates_, a, i));
    }
    for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
      const auto [row, column] = code_.inverse_mass[k];
      llvm::Value* const entry = load(node(rates_, 2 * n_ + 1 + k, i));
      velocity[row] = fma(entry, moved[column], velocity[row]);
      if (row != column) velocity[column] = fma(entry, moved[row], velocity[column]);
    }
    for (std::size_t a = 0; a < n_; ++a) store(velocity[a], node(rates_, a, i));
  }

  llvm::Value* array(std::size_t k) {
    llvm::Type* const pointer = b_.getPtrTy();
    return b_.CreateLoad(pointer, b_.CreateConstGEP1_64(pointer, function_->getArg(1), k));
  }
  llvm::Value* node(llvm::Value* array, std::size_t component, llvm::Value* i) {
    llvm::Value* const offset = b_.CreateMul(i, b_.getInt64(lanes_));
    return b_.CreateGEP(real_, array, b_.CreateAdd(offset, b_.getInt64(component * stride_)));
  }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  llvm::Value* load(llvm::Value* from) { return b_.CreateAlignedLoad(row_, from, llvm::Align(alignof(double))); }
  void store(llvm::Value* row, llvm::Value* to) { b_.CreateAlignedStore(row, to, llvm::Align(alignof(double))); }
  llvm::Value* spread(llvm::Value* x) {
    return lanes_ == 1 ? x : b_.CreateVectorSplat(static_cast<unsigned>(lanes_), x);
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  const collocation_code& code_;
  std::size_t n_, lanes_, stride_;
  llvm::IRBuilder<> b_;
  dataflow flow_;
  llvm::Type *real_, *row_ = nullptr;
  llvm::Function* function_;
  llvm::Value *in_ = nullptr, *rates_ = nullptr, *increments_ = nullptr, *next_ = nullptr, *weights_ = nullptr,
              *stages_ = nullptr, *squares_ = nullptr;
};

}  // namespace

std::size_t sine_storage(const collocation_code& code, std::size_t lanes) {
  return code.points * flow_emitter::cached_numbers(analyse(code.field), lanes);
}

std::string make_lane_stage_object(const collocation_code& code, std::size_t lanes, std::size_t stride) {
  return compile_module([&](llvm::Module& module) { lane_stage_writer(module, code, lanes, stride).write(); });
}

}  // namespace actio::machine_code
