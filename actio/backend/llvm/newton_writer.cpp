#include "actio/backend/llvm/newton_writer.hpp"

#include "actio/backend/kernel/newton_text.hpp"
#include "actio/backend/llvm/flow_writer.hpp"
#include "actio/backend/llvm/node_builder.hpp"

namespace actio::machine_code {

namespace {

// Vectors of coordinates and of unknowns beside rows of nodes.
class newton_builder : public node_builder {
 public:
  using vector = machine_number;
  using outcome = machine_whole;

  newton_builder(llvm::IRBuilder<>& builder, std::size_t lanes) : node_builder(builder, lanes, false) {}

  outcome of(update_outcome o) { return {b_, b_.getInt32(static_cast<std::uint32_t>(o))}; }
  vector vector_at(const rows& numbers, std::size_t k, std::size_t count) {
    return {b_, load(vector_of_numbers(count), address(numbers.from(k)))};
  }
  void put_vector(const rows& numbers, std::size_t k, const vector& x) { store(x.value(), address(numbers.from(k))); }
  vector all_of(const number& x, std::size_t count) {
    return {b_, b_.CreateVectorSplat(static_cast<unsigned>(count), x.value())};
  }
  vector part_of(const vector& x, std::size_t first, std::size_t count) {
    return {b_, b_.CreateShuffleVector(x.value(), consecutive(first, count))};
  }
  vector vector_of(std::span<const number> numbers) {
    llvm::Value* all = llvm::PoisonValue::get(vector_of_numbers(numbers.size()));
    for (std::size_t k = 0; k < numbers.size(); ++k) all = b_.CreateInsertElement(all, numbers[k].as(real_), k);
    return {b_, all};
  }
  number largest_of(const vector& sizes) { return {b_, as_real(b_.CreateIntMaxReduce(as_bits(sizes.value())))}; }

  using node_builder::spread;
  row spread(const vector& x, std::size_t k) {
    if (nodes_in_lanes() == 1) return {b_, b_.CreateExtractElement(x.value(), k)};
    const llvm::SmallVector<int, 8> lanes(nodes_in_lanes(), static_cast<int>(k));
    return {b_, b_.CreateShuffleVector(x.value(), lanes)};
  }
  number node_of(const row& x, std::size_t i) {
    return x.value()->getType()->isVectorTy() ? number(b_, b_.CreateExtractElement(x.value(), i)) : x;
  }

 private:
  // Also of one.
  llvm::Type* vector_of_numbers(std::size_t count) {
    return llvm::FixedVectorType::get(real_, static_cast<unsigned>(count));
  }
};

// The program at the nodes, with the sines that were looked up ahead.
class written_nodes : ir_writer {
 public:
  written_nodes(llvm::IRBuilder<>& builder, machine_builder& lanes, const kernel::dataflow& flow, llvm::Value* fixed,
                llvm::Value* sines, llvm::Value* sines_ahead)
      : ir_writer(builder),
        lanes_(lanes),
        flow_(flow),
        fixed_(fixed),
        sines_(lanes.memory(sines, b_.getInt64(1))),
        sines_ahead_(sines_ahead) {}

  void look_up(const std::vector<machine_number>& variables) {
    kernel::flow_text text(lanes_, flow_, fixed_at(lanes_, fixed_));
    kernel::computed_values<machine_builder> source(lanes_, kernel::exact_sines(flow_, lanes_.together()), false);
    text.evaluate(variables, source);
    std::size_t at = 0;
    for (const auto& [argument, sine, cosine] : source.found()) {
      llvm::Value* const nothing = llvm::ConstantFP::get(argument.value()->getType(), kernel::kept_nothing);
      llvm::Value* const known = b_.CreateSelect(source.too_large().value(), nothing, argument.value());
      for (llvm::Value* const x : {known, sine.value(), cosine.value()}) {
        store(x, element(sines_ahead_, at));
        at += lanes_of(x);
      }
    }
  }
  std::vector<machine_number> evaluate(const std::vector<machine_number>& variables) {
    kernel::flow_text text(lanes_, flow_, fixed_at(lanes_, fixed_));
    return text.evaluate(variables, kernel::sines_in_memory<machine_builder>(lanes_, sines_));
  }

 private:
  machine_builder& lanes_;
  const kernel::dataflow& flow_;
  llvm::Value* fixed_;
  machine_builder::rows sines_;
  llvm::Value* sines_ahead_;
};

// Writes the function of a newton_entry.
class newton_writer : entry_writer {
 public:
  explicit newton_writer(llvm::Module& module)
      : entry_writer(module, llvm::Type::getInt32Ty(module.getContext()),
                     {argument::read_only, argument::read_only, argument::integer, argument::pointer}) {}

  void write(const newton_code& code, const newton_rows& rows) {
    llvm::Value *const node_fixed = pointer(0, 0), *const update_fixed = pointer(0, 1),
                       *const functions = pointer(0, 4);
    newton_builder b(b_, rows.lanes);
    const auto numbers = [&](llvm::Value* first) { return b.numbers_at(first); };
    machine_builder lanes(b_, rows.lanes, functions, machine_builder::most_together(rows.lanes));
    machine_builder one(b_, 1, functions, machine_builder::most_together(1));
    const kernel::dataflow at_nodes = kernel::analyse(code.at_nodes), of_update = kernel::analyse(code.update);
    written_nodes nodes(b_, lanes, at_nodes, node_fixed, pointer(0, 5), pointer(0, 6));
    const auto update = [&](const std::vector<machine_number>& values) {
      return write_flow(one, of_update, update_fixed, values, true).outputs;
    };
    using text = kernel::newton_text<newton_builder, written_nodes, decltype(update)>;
    const auto back = -static_cast<std::int64_t>(newton_rows::depth * rows.stride());
    const typename text::surroundings around{numbers(pointer(0, 2)),
                                             numbers(pointer(0, 3)),
                                             numbers(b_.CreateGEP(real_, function_->getArg(3), b_.getInt64(back))),
                                             {numbers(pointer(1, 0)), numbers(pointer(1, 1))},
                                             {numbers(pointer(1, 2)), numbers(pointer(1, 3))},
                                             {b_, b_.CreateLoad(real_, field(1, 4))}};
    text of_step(b, code, rows, around, nodes, update);
    b_.CreateRet(of_step.carry_out(task_is(newton_task::look_ahead), task_is(newton_task::iterate_predicted)).value());
  }

 private:
  llvm::Value* field(unsigned argument, std::size_t k) {
    return b_.CreateConstGEP1_64(b_.getPtrTy(), function_->getArg(argument), k);
  }
  llvm::Value* pointer(unsigned argument, std::size_t k) { return b_.CreateLoad(b_.getPtrTy(), field(argument, k)); }
  machine_truth task_is(newton_task task) {
    return {b_, b_.CreateICmpEQ(function_->getArg(2), b_.getInt32(static_cast<std::uint32_t>(task)))};
  }
};

}  // namespace

std::string make_newton_object(const newton_code& code, const newton_rows& rows) {
  return compile_module([&](llvm::Module& module) { newton_writer(module).write(code, rows); },
                        instruction_order::by_need);
}

}  // namespace actio::machine_code
