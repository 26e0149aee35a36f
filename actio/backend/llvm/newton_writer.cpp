#include "actio/backend/llvm/newton_writer.hpp"

#include <array>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/ir_writer.hpp"

namespace actio::machine_code {

namespace {

// Values are numbers of a program, rows with the nodes in lanes, and vectors of coordinates or of all unknowns.
class newton_kernel_writer : entry_writer {
 public:
  newton_kernel_writer(llvm::Module& module, const newton_code& code, const newton_rows& rows)
      : entry_writer(module, llvm::Type::getInt32Ty(module.getContext()),
                     {argument::read_only, argument::read_only, argument::integer, argument::pointer}),
        code_(code),
        rows_(rows),
        n_(code.coordinates),
        s_(code.degree),
        row_(vector_of(real_, rows.lanes)) {}

  void write() {
    read_arguments();
    llvm::Value* const z = unknowns();
    const sum left = read(position_);
    llvm::BasicBlock *const look = block("look"), *const update = block("update");
    b_.CreateCondBr(task_is(newton_task::look_ahead), look, update);

    const dataflow node_flow = analyse(code_.at_nodes);
    flow_emitter at_nodes(b_, node_flow, {node_fixed_, functions_, rows_.lanes, false});
    b_.SetInsertPoint(look);
    look_up(at_nodes, {left.value, z, time_});
    b_.CreateRet(outcome(update_outcome::accepted));
    b_.SetInsertPoint(update);
    write_update(at_nodes, z, left);
  }

 private:
  struct sum {
    llvm::Value *value, *remainder;
  };

  // Of a step: q and t at its left end, z.
  struct place {
    llvm::Value *position, *z, *time;
  };

  void read_arguments() {
    const auto field = [&](unsigned argument, std::size_t k) {
      return b_.CreateConstGEP1_64(b_.getPtrTy(), function_->getArg(argument), k);
    };
    const auto pointer = [&](unsigned argument, std::size_t k) {
      return b_.CreateLoad(b_.getPtrTy(), field(argument, k));
    };
    node_fixed_ = pointer(0, 0);
    update_fixed_ = pointer(0, 1);
    table_ = pointer(0, 2);
    numbers_ = pointer(0, 3);
    functions_ = pointer(0, 4);
    sines_ = pointer(0, 5);
    sines_ahead_ = pointer(0, 6);
    position_ = {pointer(1, 0), pointer(1, 1)};
    momentum_ = {pointer(1, 2), pointer(1, 3)};
    time_ = b_.CreateLoad(real_, field(1, 4));
    solution_ = function_->getArg(3);
  }

  llvm::Value* task_is(newton_task task) {
    return b_.CreateICmpEQ(function_->getArg(2), b_.getInt32(static_cast<std::uint32_t>(task)));
  }

  // Those that are given, or predicted.
  llvm::Value* unknowns() {
    llvm::BasicBlock *const predict = block("predict"), *const take = block("take"), *const body = block("body");
    b_.CreateCondBr(task_is(newton_task::iterate_predicted), predict, take);
    b_.SetInsertPoint(predict);
    llvm::Value* const guess = predicted(kept(1), load(vector_of_numbers(rows_.unknowns()), number(rows_.foreseen())));
    b_.CreateBr(body);
    b_.SetInsertPoint(take);
    llvm::Value* const given = load(vector_of_numbers(rows_.unknowns()), number(rows_.unknown()));
    b_.CreateBr(body);
    b_.SetInsertPoint(body);
    return merged(guess, predict, given, take);
  }

  // z = Σ factor_k z^(k) over the last steps: from the last of them and from what the others contribute.
  llvm::Value* predicted(llvm::Value* last, llvm::Value* others) {
    return fma(factor(newton_rows::depth - 1), last, others);
  }
  // What the steps before this one contribute to the prediction of the next. They are known early, and there are many
  // of them, so that the sum is made of independent parts.
  llvm::Value* foreseen() {
    std::array<llvm::Value*, 4> parts = {};
    for (std::size_t k = 0; k + 1 < newton_rows::depth; ++k) {
      llvm::Value* const past = kept(newton_rows::depth - 1 - k);
      llvm::Value*& part = parts[k % parts.size()];
      part = part ? fma(factor(k), past, part) : b_.CreateFMul(factor(k), past);
    }
    return b_.CreateFAdd(b_.CreateFAdd(parts[0], parts[1]), b_.CreateFAdd(parts[2], parts[3]));
  }
  llvm::Value* kept(std::size_t back) {
    const auto distance = static_cast<std::int64_t>(back * rows_.stride());
    return load(vector_of_numbers(rows_.unknowns()), b_.CreateGEP(real_, solution_, b_.getInt64(-distance)));
  }
  llvm::Value* factor(std::size_t k) {
    return b_.CreateVectorSplat(static_cast<unsigned>(rows_.unknowns()), number_at(rows_.factor(k)));
  }

  // Sines near those of the step; remainders do not matter.
  void look_up(flow_emitter& at_nodes, const place& where) {
    std::vector<llvm::Value*> variables(code_.node_variables(), llvm::ConstantFP::get(row_, 0));
    for (std::size_t a = 0; a < n_; ++a) {
      llvm::Value *q = spread(where.position, a), *v = nullptr;
      for (std::size_t k = 1; k <= s_; ++k) {
        llvm::Value* const z = spread(where.z, (k - 1) * n_ + a);
        q = fma(constant(rows_.value(k)), z, q);
        v = v ? fma(constant(rows_.slope(k)), z, v) : b_.CreateFMul(constant(rows_.slope(k)), z);
      }
      variables[code_.position(a)] = q;
      variables[code_.velocity(a)] = v;
    }
    variables[code_.time()] = b_.CreateFAdd(spread(where.time), constant(rows_.node()));
    at_nodes.emit(variables);
    std::size_t at = 0;
    for (const flow_emitter::known_sines& s : at_nodes.sines()) {
      llvm::Value* const nothing = llvm::ConstantFP::get(s.argument->getType(), flow_emitter::kept_nothing);
      for (llvm::Value* const x : {b_.CreateSelect(at_nodes.too_large(), nothing, s.argument), s.sine, s.cosine}) {
        store(x, element(sines_ahead_, at));
        at += lanes_of(x);
      }
    }
    store(where.position, number(rows_.place_position(0)));
    store(where.time, number(rows_.place_time()));
    store(where.z, number(rows_.place_unknown(0)));
  }

  std::vector<llvm::Value*> node_by_node(std::span<llvm::Value* const> rows) {
    std::vector<llvm::Value*> values;
    for (llvm::Value* const row : rows) {
      for (std::size_t i = 0; i < code_.points; ++i) {
        values.push_back(row->getType()->isVectorTy() ? b_.CreateExtractElement(row, i) : row);
      }
    }
    return values;
  }

  std::vector<llvm::Value*> node_variables(llvm::Value* unknowns) {
    std::vector<llvm::Value*> variables(code_.node_variables());
    for (std::size_t a = 0; a < n_; ++a) {
      llvm::Value* dq = spread(load(real_, element(position_.remainder, a)));
      llvm::Value* v = nullptr;
      const auto z = [&](std::size_t k) { return spread(unknowns, (k - 1) * n_ + a); };
      for (std::size_t k = 1; k <= s_; ++k) {
        if (!code_.values_are_exact) dq = fma(constant(rows_.value_remainder(k)), z(k), dq);
        llvm::Value* const column = constant(rows_.slope_remainder(k));
        v = v ? fma(column, z(k), v) : b_.CreateFMul(column, z(k));
      }
      for (std::size_t k = 1; k <= s_; ++k) {
        dq = fma(constant(rows_.value(k)), z(k), dq);
        v = fma(constant(rows_.slope(k)), z(k), v);
      }
      variables[code_.position(a)] = b_.CreateFAdd(spread(load(real_, element(position_.value, a))), dq);
      variables[code_.velocity(a)] = v;
      variables[code_.momentum(a)] = spread(load(real_, element(momentum_.value, a)));
      variables[code_.momentum_remainder(a)] = spread(load(real_, element(momentum_.remainder, a)));
    }
    variables[code_.time()] = b_.CreateFAdd(spread(time_), constant(rows_.node()));
    return variables;
  }

  // The new unknowns, the size of the update, and the state at the right end.
  void write_update(flow_emitter& at_nodes, llvm::Value* z0, const sum& left) {
    // Early, where the processor would otherwise wait for what the update needs.
    llvm::Value* const others = foreseen();
    store(others, number(rows_.foreseen()));
    look_up(at_nodes, {b_.CreateFAdd(left.value, slot(z0, s_ - 1)), predicted(z0, others),
                       b_.CreateFAdd(time_, number_at(rows_.step()))});
    const std::vector<llvm::Value*> rows = at_nodes.emit(node_variables(z0), {.how = sines_by::cache, .cache = sines_});
    const dataflow flow = analyse(code_.update);
    flow_emitter update_flow(b_, flow, {update_fixed_, functions_, 1, true});
    const std::vector<llvm::Value*> outputs = update_flow.emit(node_by_node(rows));

    const std::span all(outputs);
    llvm::Value* const update = joined(all.first(s_ * n_));
    llvm::Value* const increment = joined(all.subspan(s_ * n_, n_));
    llvm::Value* const expected = b_.CreateFAdd(increment, joined(all.subspan((s_ + 1) * n_, n_)));
    llvm::Value* const z = b_.CreateFSub(z0, update);
    llvm::Value* const weight = b_.CreateFAdd(absolute(left.value), extent(z0));
    llvm::Value* const size = largest(b_.CreateFDiv(extent(update), weight));
    const sum right = added(left, slot(z, s_ - 1)), p1 = added(read(momentum_), expected);
    llvm::Value* const is_small = b_.CreateFCmpOLE(size, number_at(rows_.acceptable()));

    store(z, solution_);
    store(size, number(rows_.size()));
    store(weight, number(rows_.weight(0)));
    store(increment, number(rows_.increment(0)));
    store(expected, number(rows_.expected(0)));
    store(outputs.back(), number(rows_.work()));
    store(left.value, number(rows_.left(0)));

    llvm::BasicBlock *const accept = block("accept"), *const leave = block("leave");
    b_.CreateCondBr(is_small, accept, leave);
    b_.SetInsertPoint(accept);
    write(right, position_);
    write(p1, momentum_);
    b_.CreateRet(outcome(update_outcome::accepted));
    b_.SetInsertPoint(leave);
    write(right, {number(rows_.position(0)), number(rows_.position_remainder(0))});
    write(p1, {number(rows_.momentum(0)), number(rows_.momentum_remainder(0))});
    b_.CreateRet(outcome(update_outcome::unsettled));
  }

  // A compensated sum, as compensated<S>::add.
  sum added(const sum& to, llvm::Value* increment) {
    const auto [total, rest] = exact_sum(to.value, b_.CreateFAdd(increment, to.remainder));
    return {total, rest};
  }

  // max_k |x_ka| for unknowns x.
  llvm::Value* extent(llvm::Value* x) {
    llvm::Value* const sizes = absolute(x);
    llvm::Value* top = slot(sizes, 0);
    for (std::size_t k = 1; k < s_; ++k) top = larger(top, slot(sizes, k));
    return top;
  }

  // Sizes are ordered as their bits are, and NaN is above all.
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) {
    return as_real(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, as_bits(a), as_bits(b)));
  }
  llvm::Value* largest(llvm::Value* sizes) { return as_real(b_.CreateIntMaxReduce(as_bits(sizes))); }

  // Also of one.
  llvm::Type* vector_of_numbers(std::size_t count) const {
    return llvm::FixedVectorType::get(real_, static_cast<unsigned>(count));
  }
  llvm::Value* outcome(update_outcome o) { return b_.getInt32(static_cast<std::uint32_t>(o)); }
  llvm::Value* number(std::size_t k) { return element(numbers_, k); }
  llvm::Value* number_at(std::size_t k) { return load(real_, number(k)); }
  llvm::Value* constant(std::size_t k) { return load(row_, element(table_, k)); }
  sum read(const sum& places) {
    return {load(vector_of_numbers(n_), places.value), load(vector_of_numbers(n_), places.remainder)};
  }
  void write(const sum& values, const sum& places) {
    store(values.value, places.value);
    store(values.remainder, places.remainder);
  }

  llvm::Value* spread(llvm::Value* x) { return splat(x, rows_.lanes); }
  // One of a vector in all lanes.
  llvm::Value* spread(llvm::Value* vector, std::size_t k) {
    if (rows_.lanes == 1) return b_.CreateExtractElement(vector, k);
    return b_.CreateShuffleVector(vector, llvm::SmallVector<int, 8>(rows_.lanes, static_cast<int>(k)));
  }
  // The coordinates of slot k among unknowns.
  llvm::Value* slot(llvm::Value* unknowns, std::size_t k) {
    llvm::SmallVector<int, 16> which;
    for (std::size_t a = 0; a < n_; ++a) which.push_back(static_cast<int>(k * n_ + a));
    return b_.CreateShuffleVector(unknowns, which);
  }
  llvm::Value* joined(std::span<llvm::Value* const> numbers) {
    llvm::Value* vector = llvm::PoisonValue::get(vector_of_numbers(numbers.size()));
    for (std::size_t k = 0; k < numbers.size(); ++k) vector = b_.CreateInsertElement(vector, numbers[k], k);
    return vector;
  }
  const newton_code& code_;
  const newton_rows& rows_;
  std::size_t n_, s_;
  llvm::Type* row_;
  llvm::Value *node_fixed_ = nullptr, *update_fixed_ = nullptr, *table_ = nullptr, *numbers_ = nullptr,
              *functions_ = nullptr, *sines_ = nullptr, *sines_ahead_ = nullptr, *time_ = nullptr, *solution_ = nullptr;
  sum position_ = {}, momentum_ = {};  // places
};

}  // namespace

std::string make_newton_object(const newton_code& code, const newton_rows& rows) {
  return compile_module([&](llvm::Module& module) { newton_kernel_writer(module, code, rows).write(); },
                        instruction_order::by_need);
}

}  // namespace actio::machine_code
