#include "actio/backend/llvm/newton_writer.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

namespace {

class newton_kernel_writer {
 public:
  newton_kernel_writer(llvm::Module& module, const newton_code& code, const newton_rows& rows, bool any_argument)
      : code_(code),
        rows_(rows),
        n_(code.coordinates),
        s_(code.degree),
        any_argument_(any_argument),
        b_(module.getContext()),
        real_(b_.getDoubleTy()),
        row_(vector_of(rows.lanes)) {
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type =
        llvm::FunctionType::get(b_.getInt1Ty(), {pointer, pointer, pointer, pointer, pointer, b_.getInt1Ty()}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    prepare(*function_);
    function_->addRetAttr(llvm::Attribute::ZExt);
    function_->addParamAttr(5, llvm::Attribute::ZExt);
    for (const unsigned argument : {0U, 1U, 2U, 4U}) {
      function_->addParamAttr(argument, llvm::Attribute::NoAlias);
      function_->addParamAttr(argument, llvm::Attribute::ReadOnly);
    }
    function_->addParamAttr(3, llvm::Attribute::NoAlias);
  }

  void write() {
    llvm::BasicBlock *const begin = block("begin"), *const predict = block("predict"), *const body = block("body");
    b_.SetInsertPoint(begin);
    b_.CreateCondBr(function_->getArg(5), predict, body);
    b_.SetInsertPoint(predict);
    write_prediction();
    b_.CreateBr(body);
    b_.SetInsertPoint(body);
    weigh();
    const dataflow node_flow = analyse(code_.at_nodes), update_flow = analyse(code_.update);
    flow_emitter at_nodes(b_, node_flow, {function_->getArg(0), function_->getArg(4), rows_.lanes, any_argument_});
    flow_emitter update(b_, update_flow, {function_->getArg(1), function_->getArg(4), 1, any_argument_});
    std::vector<llvm::Value*> values;
    for (llvm::Value* const row : at_nodes.emit(node_variables())) {
      for (std::size_t i = 0; i < code_.points; ++i) {
        values.push_back(row->getType()->isVectorTy() ? b_.CreateExtractElement(row, i) : row);
      }
    }
    finish(update.emit(values));
    b_.CreateRet(b_.CreateNot(at_nodes.too_large()));
  }

 private:
  // z = Σ factor_k z^(k). The last step's unknowns come last: the others wait for nobody.
  void write_prediction() {
    llvm::Type* const four = llvm::FixedVectorType::get(real_, 4);
    for (std::size_t chunk = 0; chunk < rows_.padded(); chunk += 4) {
      llvm::Value* sums[2] = {llvm::ConstantFP::get(four, 0), llvm::ConstantFP::get(four, 0)};
      for (std::size_t k = 0; k < newton_rows::depth; ++k) {
        llvm::Value* const past =
            b_.CreateAlignedLoad(four, number(rows_.past(k) + chunk), llvm::Align(alignof(double)));
        llvm::Value* const factor = b_.CreateVectorSplat(4, load(number(rows_.factor(k))));
        sums[k % 2] = fma(factor, past, sums[k % 2]);
      }
      b_.CreateAlignedStore(b_.CreateFAdd(sums[0], sums[1]), number(rows_.unknown() + chunk),
                            llvm::Align(alignof(double)));
    }
  }

  // weight_a = max_k |z_ka| + |q_a|.
  void weigh() {
    for (std::size_t a = 0; a < n_; ++a) {
      llvm::Value* extent = nullptr;
      for (std::size_t k = 0; k < s_; ++k) {
        llvm::Value* const z = absolute(load(number(rows_.unknown() + k * n_ + a)));
        extent = extent ? larger(extent, z) : z;
      }
      llvm::Value* const place = absolute(load(number(rows_.position(a))));
      weights_.push_back(b_.CreateFAdd(place, extent));
    }
  }

  std::vector<llvm::Value*> node_variables() {
    std::vector<llvm::Value*> variables(code_.node_variables());
    for (std::size_t a = 0; a < n_; ++a) {
      llvm::Value* dq = spread(load(number(rows_.position_remainder(a))));
      llvm::Value* v = nullptr;
      const auto z = [&](std::size_t k) { return spread(load(number(rows_.unknown() + (k - 1) * n_ + a))); };
      for (std::size_t k = 1; k <= s_; ++k) {
        dq = fma(constant(rows_.value_remainder(k)), z(k), dq);
        llvm::Value* const column = constant(rows_.slope_remainder(k));
        v = v ? fma(column, z(k), v) : b_.CreateFMul(column, z(k));
      }
      for (std::size_t k = 1; k <= s_; ++k) {
        dq = fma(constant(rows_.value(k)), z(k), dq);
        v = fma(constant(rows_.slope(k)), z(k), v);
      }
      variables[code_.position(a)] = b_.CreateFAdd(spread(load(number(rows_.position(a)))), dq);
      variables[code_.velocity(a)] = v;
      variables[code_.momentum(a)] = spread(load(number(rows_.momentum(a))));
      variables[code_.momentum_remainder(a)] = spread(load(number(rows_.momentum_remainder(a))));
    }
    variables[code_.time()] = b_.CreateFAdd(spread(load(number(rows_.time()))), constant(rows_.node()));
    return variables;
  }

  // The new unknowns, the size of the update, and the state at the right end.
  void finish(const std::vector<llvm::Value*>& outputs) {
    llvm::Value* size = nullptr;
    std::vector<llvm::Value*> z;
    for (std::size_t j = 0; j < s_ * n_; ++j) {
      llvm::Value* const place = number(rows_.unknown() + j);
      z.push_back(b_.CreateFSub(load(place), outputs[j]));
      b_.CreateStore(z.back(), place);
      b_.CreateStore(outputs[j], number(rows_.update() + j));
      llvm::Value* const part = b_.CreateFDiv(absolute(outputs[j]), weights_[j % n_]);
      size = size ? larger(size, part) : part;
    }
    b_.CreateStore(size, number(rows_.size()));
    for (std::size_t a = 0; a < n_; ++a) {
      llvm::Value* const increment = outputs[s_ * n_ + a];
      llvm::Value* const expected = b_.CreateFAdd(increment, outputs[s_ * n_ + n_ + a]);
      b_.CreateStore(weights_[a], number(rows_.weight(a)));
      b_.CreateStore(increment, number(rows_.increment(a)));
      b_.CreateStore(expected, number(rows_.expected(a)));
      add(rows_.position(a), rows_.position_remainder(a), z[(s_ - 1) * n_ + a]);
      add(rows_.momentum(a), rows_.momentum_remainder(a), expected);
    }
    b_.CreateStore(outputs.back(), number(rows_.work()));
  }

  // A compensated sum, as compensated<S>::add.
  void add(std::size_t value_at, std::size_t remainder_at, llvm::Value* increment) {
    llvm::Value* const value = load(number(value_at));
    llvm::Value* const y = b_.CreateFAdd(increment, load(number(remainder_at)));
    llvm::Value* const sum = b_.CreateFAdd(value, y);
    llvm::Value* const part = b_.CreateFSub(sum, value);
    llvm::Value* const lost = b_.CreateFAdd(b_.CreateFSub(value, b_.CreateFSub(sum, part)), b_.CreateFSub(y, part));
    b_.CreateStore(sum, number(rows_.next(value_at)));
    b_.CreateStore(lost, number(rows_.next(remainder_at)));
  }

  llvm::Value* absolute(llvm::Value* x) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  // The first where it is not smaller; NaN where one is.
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) {
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, a, b);
  }
  llvm::Type* vector_of(std::size_t lanes) const {
    if (lanes == 1) return real_;
    return llvm::FixedVectorType::get(real_, static_cast<unsigned>(lanes));
  }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  llvm::Value* number(std::size_t k) { return b_.CreateConstGEP1_64(real_, function_->getArg(3), k); }
  llvm::Value* constant(std::size_t k) {
    llvm::Value* const place = b_.CreateConstGEP1_64(real_, function_->getArg(2), k);
    return b_.CreateAlignedLoad(row_, place, llvm::Align(alignof(double)));
  }
  llvm::Value* load(llvm::Value* from) { return b_.CreateLoad(real_, from); }
  llvm::Value* spread(llvm::Value* x) {
    return rows_.lanes == 1 ? x : b_.CreateVectorSplat(static_cast<unsigned>(rows_.lanes), x);
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  const newton_code& code_;
  const newton_rows& rows_;
  std::size_t n_, s_;
  bool any_argument_;
  llvm::IRBuilder<> b_;
  llvm::Type *real_, *row_;
  llvm::Function* function_;
  std::vector<llvm::Value*> weights_;
};

}  // namespace

std::string make_newton_object(const newton_code& code, const newton_rows& rows, bool any_argument) {
  return compile_module([&](llvm::Module& module) { newton_kernel_writer(module, code, rows, any_argument).write(); });
}

}  // namespace actio::machine_code
