#include "actio/backend/llvm/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "actio/backend/blocks.hpp"
#include "actio/backend/llvm/code_generator.hpp"
#include "actio/backend/llvm/code_library.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/loaded_code.hpp"
#include "actio/base/error.hpp"

namespace actio {

namespace machine_code {

bool runs_here() {
  static const bool runs = processor_suffices() && memory_can_become_executable();
  return runs;
}

namespace {

class machine_evaluation final : public evaluation<double> {
 public:
  machine_evaluation(std::shared_ptr<const program_code> code, compile_when when, std::size_t points)
      : code_(std::move(code)), when_(when), workspace_(code_->runner().workspace_size()) {
    for (const block& b : vector_blocks(points)) blocks_.push_back({b});
    points_ = points;
    stride_ = blocks_.back().where.first + blocks_.back().where.lanes;
    fixed_ = code_->initial_fixed();
    if (code_->source().parameters == 0) set_parameters({});
  }

  void set_parameters(std::span<const double> values) override {
    ACTIO_ASSERT(values.size() == code_->source().parameters);
    set_fixed(code_->source(), values, fixed_);
  }

  void operator()(const double* in, double* out) override {
    for (block_code& b : blocks_) {
      const double* const from = in + b.where.first;
      double* const to = out + b.where.first;
      if (!call(b, b.usual, false, from, to)) call(b, b.any_argument, true, from, to);
    }
  }

 private:
  struct lazy_entry {
    entry_point entry = nullptr;
    bool looked_for = false;
  };
  struct block_code {
    block where;
    lazy_entry usual = {}, any_argument = {};
  };

  // Whether `out` is right then.
  bool call(const block_code& b, lazy_entry& code, bool any_argument, const double* in, double* out) {
    if (!code.entry && !obtain(b, code, any_argument)) {
      for (std::size_t l = 0; l < b.where.points; ++l) {
        code_->runner().run(fixed_.data(), in + l, out + l, stride_, workspace_.data());
      }
      return true;
    }
    return code.entry(fixed_.data(), in, out, stride_, function_table());
  }

  bool obtain(const block_code& b, lazy_entry& code, bool any_argument) {
    const code_shape shape{b.where.lanes, b.where.points, any_argument};
    if (when_ == compile_when::called || code_->compiling_pays(shape)) {
      code.entry = code_->make(shape);
    } else if (!std::exchange(code.looked_for, true)) {
      code.entry = code_->find(shape);
    }
    return code.entry != nullptr;
  }

  std::shared_ptr<const program_code> code_;
  compile_when when_;
  std::vector<block_code> blocks_;
  std::vector<double> fixed_;  // by register: parameters, constants and results of `setup`
  std::vector<double> workspace_;
};

class machine_function final : public compiled_function<double> {
 public:
  machine_function(program p, compile_when when) : code_(std::make_shared<program_code>(std::move(p))), when_(when) {}

  std::size_t parameters() const override { return code_->source().parameters; }
  std::size_t inputs() const override { return code_->source().variables; }
  std::size_t outputs() const override { return code_->source().outputs.size(); }
  std::unique_ptr<evaluation<double>> evaluate_at(std::size_t points) const override {
    ACTIO_ASSERT(points >= 1);
    return std::make_unique<machine_evaluation>(code_, when_, points);
  }

 private:
  std::shared_ptr<const program_code> code_;
  compile_when when_;
};

}  // namespace
}  // namespace machine_code

std::shared_ptr<const compiled_function<double>> compile_to_machine_code(program p, compile_when when) {
  return std::make_shared<machine_code::machine_function>(std::move(p), when);
}

}  // namespace actio
