#include "actio/backend/llvm/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "actio/backend/blocks.hpp"
#include "actio/backend/interpreter/double_lanes.hpp"
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
  machine_evaluation(std::shared_ptr<const program_code> code, std::size_t points) : code_(std::move(code)) {
    for (const block& b : vector_blocks(points)) blocks_.push_back({b});
    points_ = points;
    stride_ = blocks_.back().where.first + blocks_.back().where.lanes;
    fixed_ = code_->initial_fixed();
    if (code_->source().parameters == 0) set_parameters({});
  }

  void set_parameters(std::span<const double> values) override {
    ACTIO_ASSERT(values.size() == code_->source().parameters);
    std::copy(values.begin(), values.end(), fixed_.begin());
    interpreter::run_lanes(1, code_->source().setup, fixed_.data());
  }

  void operator()(const double* in, double* out) override {
    for (block_code& b : blocks_) {
      if (!b.entry) b.entry = code_->entry({b.where.lanes, b.where.points, false});
      if (b.entry(fixed_.data(), in + b.where.first, out + b.where.first, stride_, function_table())) continue;
      if (!b.any_argument) b.any_argument = code_->entry({b.where.lanes, b.where.points, true});
      b.any_argument(fixed_.data(), in + b.where.first, out + b.where.first, stride_, function_table());
    }
  }

 private:
  struct block_code {
    block where;
    entry_point entry = nullptr, any_argument = nullptr;
  };

  std::shared_ptr<const program_code> code_;
  std::vector<block_code> blocks_;
  std::vector<double> fixed_;  // by register: parameters, constants and results of `setup`
};

class machine_function final : public compiled_function<double> {
 public:
  explicit machine_function(program p) : code_(std::make_shared<program_code>(std::move(p))) {}

  std::size_t parameters() const override { return code_->source().parameters; }
  std::size_t inputs() const override { return code_->source().variables; }
  std::size_t outputs() const override { return code_->source().outputs.size(); }
  std::unique_ptr<evaluation<double>> evaluate_at(std::size_t points) const override {
    ACTIO_ASSERT(points >= 1);
    return std::make_unique<machine_evaluation>(code_, points);
  }

 private:
  std::shared_ptr<const program_code> code_;
};

}  // namespace
}  // namespace machine_code

std::shared_ptr<const compiled_function<double>> compile_to_machine_code(program p) {
  return std::make_shared<machine_code::machine_function>(std::move(p));
}

}  // namespace actio
