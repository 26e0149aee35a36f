#include "actio/backend/llvm/collocation_writer.hpp"

#include <optional>
#include <vector>

#include "actio/backend/kernel/stage_text.hpp"
#include "actio/backend/llvm/flow_writer.hpp"
#include "actio/backend/llvm/node_builder.hpp"

namespace actio::machine_code {

namespace {

// The field written into the kernel, with the series of its sines around those of the reference.
class emitted_field {
 public:
  // `lanes` writes numbers with the nodes in lanes.
  emitted_field(machine_builder& lanes, node_builder& nodes, const collocation_code& code, const kernel::dataflow& flow,
                llvm::Value* fixed, bool any_argument)
      : lanes_(lanes),
        text_(lanes, flow, fixed_at(lanes, fixed)),
        exact_(kernel::exact_sines(flow, lanes.together())),
        has_sines_(kernel::count_sines(flow, lanes.together()).vectors > 0),
        any_argument_(any_argument),
        arguments_(2 * code.coordinates + 1),
        at_(nodes.local_rows(arguments_)),
        moves_(nodes.local_rows(arguments_)) {}

  node_builder::rows at() const { return at_; }
  node_builder::rows moves() const { return moves_; }
  const machine_number& output(const node_builder::index& k) const { return outputs_[k.known()]; }
  bool is_written_out() const { return true; }
  bool has_sines() const { return has_sines_; }
  void rough() { compute(kernel::sine_code::rough); }
  void exact() { compute(exact_); }
  void refer() { series_.emplace(lanes_, found_); }
  void near() {
    const std::vector<machine_number> moves = values(moves_);
    series::moved_values source(lanes_, *series_, moves);
    outputs_ = text_.evaluate(values(at_), source);
    is_near_ = source.is_near();
  }
  machine_truth too_large() { return *too_large_; }
  machine_truth is_near() { return *is_near_; }

 private:
  using series = kernel::series_of_sines<machine_builder>;

  void compute(kernel::sine_code how) {
    kernel::computed_values<machine_builder> source(lanes_, how, any_argument_);
    outputs_ = text_.evaluate(values(at_), source);
    too_large_ = source.too_large();
    found_ = source.found();
  }
  std::vector<machine_number> values(const node_builder::rows& rows) const {
    std::vector<machine_number> all;
    for (std::size_t k = 0; k < arguments_; ++k) all.push_back(rows[k]);
    return all;
  }

  machine_builder& lanes_;
  kernel::flow_text<machine_builder> text_;
  kernel::sine_code exact_;
  bool has_sines_, any_argument_;
  std::size_t arguments_;
  node_builder::rows at_, moves_;
  std::vector<machine_number> outputs_;
  std::vector<kernel::known_sines<machine_number>> found_;
  std::optional<series> series_;
  std::optional<machine_truth> too_large_, is_near_;
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
    const kernel::dataflow flow = kernel::analyse(code.with_all());
    machine_builder lanes(b_, rows.lanes, function_->getArg(3), machine_builder::most_together(rows.lanes));
    emitted_field field(lanes, b, code, flow, function_->getArg(0), any_argument);
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
