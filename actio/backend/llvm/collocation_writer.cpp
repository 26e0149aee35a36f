#include "actio/backend/llvm/collocation_writer.hpp"

#include <vector>

#include "actio/backend/kernel/stage_text.hpp"
#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/node_builder.hpp"

namespace actio::machine_code {

namespace {

// The field written into the kernel, with the series of its sines around those of the reference.
class emitted_field {
 public:
  emitted_field(llvm::IRBuilder<>& builder, node_builder& nodes, const collocation_code& code, const dataflow& flow,
                const flow_emitter::surroundings& around)
      : b_(builder),
        emitter_(builder, flow, around),
        arguments_(2 * code.coordinates + 1),
        at_(nodes.local_rows(arguments_)),
        moves_(nodes.local_rows(arguments_)) {}

  node_builder::rows at() const { return at_; }
  node_builder::rows moves() const { return moves_; }
  machine_number output(const node_builder::index& k) const { return {b_, outputs_[k.known()]}; }
  bool is_written_out() const { return true; }
  bool has_sines() const { return emitter_.has_sines(); }
  void rough() { outputs_ = emitter_.emit(values(at_), {.how = sines_by::rough}); }
  void exact() { outputs_ = emitter_.emit(values(at_)); }
  void refer() { series_ = emitter_.series_of(emitter_.sines()); }
  void near() {
    const row_values moves = values(moves_);
    outputs_ = emitter_.emit(values(at_), {.how = sines_by::series, .moves = moves, .from = series_});
  }
  machine_truth too_large() { return {b_, emitter_.too_large()}; }
  machine_truth is_near() { return {b_, emitter_.is_near()}; }

 private:
  row_values values(const node_builder::rows& rows) const {
    row_values all;
    for (std::size_t k = 0; k < arguments_; ++k) all.push_back(rows[k].value());
    return all;
  }

  llvm::IRBuilder<>& b_;
  flow_emitter emitter_;
  std::size_t arguments_;
  node_builder::rows at_, moves_;
  row_values outputs_;
  std::vector<sine_series> series_;
};

// A field that is called, see field_call.
class called_field {
 public:
  called_field(llvm::IRBuilder<>& builder, node_builder& nodes, const collocation_code& code, llvm::Value* call)
      : b_(builder), call_(call), moves_(nodes.local_rows(2 * code.coordinates + 1)) {
    at_ = nodes.rows_at(member(2));
    outputs_ = nodes.rows_at(member(3));
  }

  node_builder::rows at() const { return at_; }
  node_builder::rows moves() const { return moves_; }
  machine_number output(const node_builder::index& k) const { return outputs_[k]; }
  bool is_written_out() const { return false; }
  bool has_sines() const { return false; }
  void rough() { exact(); }
  void exact() { evaluate(true); }
  void refer() {}
  void near() { evaluate(false); }
  machine_truth too_large() { return {b_, b_.getFalse()}; }
  machine_truth is_near() { return {b_, b_.getTrue()}; }

 private:
  llvm::Value* member(unsigned k) {
    llvm::Type* const pointer = b_.getPtrTy();
    return b_.CreateLoad(pointer, b_.CreateConstGEP1_64(pointer, call_, k));
  }
  void evaluate(bool with_slopes) {
    llvm::Type* const types[] = {b_.getPtrTy(), b_.getInt32Ty()};
    b_.CreateCall(llvm::FunctionType::get(b_.getVoidTy(), types, false), member(0),
                  {member(1), b_.getInt32(with_slopes)});
  }

  llvm::IRBuilder<>& b_;
  llvm::Value* call_;
  node_builder::rows at_, moves_, outputs_;
};

class collocation_writer : entry_writer {
 public:
  explicit collocation_writer(llvm::Module& module)
      : entry_writer(module, llvm::Type::getInt32Ty(module.getContext()),
                     {argument::pointer, argument::read_only, argument::alone, argument::read_only}) {}

  void write(const collocation_code& code, const collocation_rows& rows, collocation_form form, bool any_argument) {
    node_builder b(b_, rows.lanes, form != collocation_form::straight);
    if (form == collocation_form::calling) {
      called_field field(b_, b, code, function_->getArg(0));
      return write(b, field, code, rows, false);
    }
    const dataflow flow = analyse(code.with_all());
    emitted_field field(b_, b, code, flow, {function_->getArg(0), function_->getArg(3), rows.lanes, any_argument});
    write(b, field, code, rows, form == collocation_form::straight);
  }

 private:
  template <class Field>
  void write(node_builder& b, Field& field, const collocation_code& code, const collocation_rows& rows,
             bool written_out) {
    kernel::stage_text text(b, field, code, rows, b.numbers_at(function_->getArg(1)),
                            b.numbers_at(function_->getArg(2)), written_out);
    b_.CreateRet(b_.CreateFPToSI(text.solve().value(), b_.getInt32Ty()));
  }
};

}  // namespace

collocation_form form_for(const collocation_code& code) {
  // Rows of larger systems do not stay in registers anyway.
  return code.coordinates > most_coordinates_with_slopes ? collocation_form::looped : collocation_form::straight;
}

std::string make_collocation_object(const collocation_code& code, const collocation_rows& rows, collocation_form form,
                                    bool any_argument) {
  const auto order = form == collocation_form::straight ? instruction_order::by_need : instruction_order::as_written;
  return compile_module([&](llvm::Module& module) { collocation_writer(module).write(code, rows, form, any_argument); },
                        order);
}

}  // namespace actio::machine_code
