#include "actio/backend/interpreter/interpreter.hpp"

#include <algorithm>
#include <new>

#include "actio/backend/blocks.hpp"
#include "actio/backend/interpreter/double_lanes.hpp"
#include "actio/backend/interpreter/number_lanes.hpp"
#include "actio/base/error.hpp"

namespace actio {

namespace {

using interpreter::run_lanes;

// Rows start at cache lines, so that no vector straddles two of them.
template <class S>
struct line_allocator {
  using value_type = S;
  static constexpr std::align_val_t line{64};

  line_allocator() = default;
  template <class T>
  explicit line_allocator(const line_allocator<T>&) {}
  S* allocate(std::size_t count) { return static_cast<S*>(::operator new(count * sizeof(S), line)); }
  void deallocate(S* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const line_allocator&) const = default;
};

// Doubles go in vectors, others all in one block.
template <class S>
std::vector<block> blocks_for(std::size_t points) {
  if constexpr (std::same_as<S, double>) return vector_blocks(points);
  return {{0, points, points}};
}

// Lengths that are known are moves, others a call.
template <class S>
void copy_row(const S* from, std::size_t length, S* to) {
  switch (length) {
    case 8: std::copy_n(from, 8, to); return;
    case 4: std::copy_n(from, 4, to); return;
    default: std::copy_n(from, length, to);
  }
}

// A program with the values of its constants, shared by all its evaluations.
template <class S>
struct loaded_program {
  struct constant {
    std::uint32_t target;
    S value;
  };
  program code;
  std::vector<constant> constants;
  std::vector<std::uint32_t> fixed;  // the registers that hold parameters, constants and results of `setup`
  std::size_t fixed_end = 0;         // beyond the largest of them
};

// Sine and cosine of the same value cost little more than one of them. The first of such two instructions also makes
// the other's value, in a register of its own, which those who read it are sent to.
void pair_sines_with_cosines(program& p) {
  const auto is_sine_or_cosine = [](const instruction& i) { return i.op == operation::sin || i.op == operation::cos; };
  for (std::size_t first = 0; first < p.body.size(); ++first) {
    const instruction one = p.body[first];
    if (!is_sine_or_cosine(one) || interpreter::makes_both(one) || one.target == one.left) continue;
    const auto is_other = [&](const instruction& i) {
      return is_sine_or_cosine(i) && i.op != one.op && i.left == one.left;
    };
    std::size_t other = first + 1;
    while (other < p.body.size() && !is_other(p.body[other]) && p.body[other].target != one.left) ++other;
    if (other == p.body.size() || !is_other(p.body[other])) continue;
    const std::uint32_t old = p.body[other].target, fresh = static_cast<std::uint32_t>(p.registers++);
    p.body[first].right = fresh;
    p.body.erase(p.body.begin() + static_cast<std::ptrdiff_t>(other));
    bool ends = false;
    for (std::size_t k = other; k < p.body.size() && !ends; ++k) {
      instruction& i = p.body[k];
      if (i.left == old) i.left = fresh;
      if (i.right == old) i.right = fresh;
      ends = i.target == old;
    }
    for (std::uint32_t& output : p.outputs) {
      if (!ends && output == old) output = fresh;
    }
  }
}

template <class S>
loaded_program<S> load(program p) {
  if constexpr (!std::same_as<S, double>) pair_sines_with_cosines(p);
  loaded_program<S> loaded;
  for (std::uint32_t k = 0; k < p.parameters; ++k) loaded.fixed.push_back(k);
  for (const program::constant& c : p.constants) loaded.constants.push_back({c.target, from_rational<S>(c.value)});
  for (const std::uint32_t r : p.pi_registers) loaded.constants.push_back({r, pi_value<S>()});
  for (const auto& c : loaded.constants) loaded.fixed.push_back(c.target);
  for (const instruction& i : p.setup) loaded.fixed.push_back(i.target);
  for (const std::uint32_t r : loaded.fixed) loaded.fixed_end = std::max<std::size_t>(loaded.fixed_end, r + 1);
  loaded.code = std::move(p);
  return loaded;
}

// Registers become offsets of rows that are `width` numbers apart.
std::vector<instruction> with_offsets(std::span<const instruction> code, std::size_t width) {
  const auto w = static_cast<std::uint32_t>(width);
  std::vector<instruction> scaled(code.begin(), code.end());
  for (instruction& i : scaled) {
    i.target *= w;
    i.left *= w;
    i.right *= w;
  }
  return scaled;
}

template <class S>
class interpreted_evaluation final : public evaluation<S> {
 public:
  interpreted_evaluation(std::shared_ptr<const loaded_program<S>> loaded, std::size_t points)
      : loaded_(std::move(loaded)), blocks_(blocks_for<S>(points)), width_(blocks_.front().lanes) {
    this->points_ = points;
    this->stride_ = blocks_.back().first + blocks_.back().lanes;
    const program& code = loaded_->code;
    ACTIO_ASSERT(code.registers * width_ <= UINT32_MAX);
    body_ = with_offsets(code.body, width_);
    rows_.assign(code.registers * width_, S(0));
    fixed_.assign(loaded_->fixed_end, S(0));
    for (const auto& c : loaded_->constants) fixed_[c.target] = c.value;
    if (code.parameters == 0) set_parameters({});
  }

  void set_parameters(std::span<const S> values) override {
    ACTIO_ASSERT(values.size() == loaded_->code.parameters);
    std::copy(values.begin(), values.end(), fixed_.begin());
    run_lanes(1, loaded_->code.setup, fixed_.data());
    for (const std::uint32_t r : loaded_->fixed) std::fill_n(&rows_[r * width_], width_, fixed_[r]);
  }

  void operator()(const S* in, S* out) override {
    for (const block& b : blocks_) {
      read_variables(b, in + b.first);
      run_lanes(b.lanes, body_, rows_.data());
      write_outputs(b, out + b.first);
    }
  }

 private:
  void read_variables(const block& b, const S* in) {
    const program& code = loaded_->code;
    S* row = rows_.data() + code.parameters * width_;
    for (std::size_t k = 0; k < code.variables; ++k, row += width_, in += this->stride_) {
      copy_row(in, b.points, row);
      std::fill(row + b.points, row + b.lanes, in[b.points - 1]);
    }
  }

  void write_outputs(const block& b, S* out) {
    for (const std::uint32_t r : loaded_->code.outputs) {
      copy_row(&rows_[r * width_], b.points, out);
      out += this->stride_;
    }
  }

  std::shared_ptr<const loaded_program<S>> loaded_;
  std::vector<block> blocks_;
  std::size_t width_;  // lanes of the widest block: the distance between rows
  std::vector<instruction> body_;
  std::vector<S, line_allocator<S>> rows_;
  std::vector<S> fixed_;  // one lane of the fixed registers
};

template <class S>
class interpreted_function final : public compiled_function<S> {
 public:
  explicit interpreted_function(program p) : loaded_(std::make_shared<loaded_program<S>>(load<S>(std::move(p)))) {}

  std::size_t parameters() const override { return loaded_->code.parameters; }
  std::size_t inputs() const override { return loaded_->code.variables; }
  std::size_t outputs() const override { return loaded_->code.outputs.size(); }
  std::unique_ptr<evaluation<S>> evaluate_at(std::size_t points) const override {
    ACTIO_ASSERT(points >= 1);
    return std::make_unique<interpreted_evaluation<S>>(loaded_, points);
  }

 private:
  std::shared_ptr<const loaded_program<S>> loaded_;
};

}  // namespace

template <class S>
std::shared_ptr<const compiled_function<S>> interpret(program p) {
  return std::make_shared<interpreted_function<S>>(std::move(p));
}

#define ACTIO_INSTANTIATE(S) template std::shared_ptr<const compiled_function<S>> interpret<S>(program p);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
