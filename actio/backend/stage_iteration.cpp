#include "actio/backend/stage_iteration.hpp"

#include <algorithm>
#include <type_traits>

#include "actio/backend/kernel/node_numbers.hpp"
#include "actio/backend/kernel/stage_text.hpp"
#include "actio/base/error.hpp"

namespace actio {

struct stage_iteration::carried_out {
  virtual ~carried_out() = default;
  virtual stage_outcome solve() = 0;
};

namespace {

// A compiled function as the field of a text. Lanes beyond the points repeat the last of them.
template <std::size_t W>
class evaluated_field {
 public:
  using rows = typename kernel::node_numbers<W>::rows_in_memory;

  evaluated_field(kernel::node_numbers<W>& b, const collocation_code& code, evaluation<double>& field,
                  evaluation<double>* with_scale)
      : field_(field),
        with_scale_(with_scale),
        arguments_(2 * code.coordinates + 1),
        at_(b.local_rows(arguments_)),
        moves_(b.local_rows(arguments_)),
        outputs_(b.local_rows(std::max(code.field.outputs.size(), code.with_slopes.outputs.size()))),
        near_count_(code.field.outputs.size()),
        exact_count_(with_scale ? code.with_slopes.outputs.size() : near_count_),
        in_(arguments_ * field.stride() + W),
        out_(exact_count_ * field.stride() + W) {}

  rows at() const { return at_; }
  rows moves() const { return moves_; }
  const kernel::number_row<W>& output(std::size_t k) const { return outputs_[k]; }
  bool is_written_out() const { return false; }
  bool has_sines() const { return false; }
  void rough() { exact(); }
  void exact() { evaluate(with_scale_ ? *with_scale_ : field_, exact_count_); }
  void refer() {}
  void near() { evaluate(field_, near_count_); }
  bool too_large() const { return false; }
  bool is_near() const { return true; }

 private:
  void evaluate(evaluation<double>& f, std::size_t outputs) {
    const std::size_t stride = f.stride(), points = f.points();
    for (std::size_t k = 0; k < arguments_; ++k) put(&in_[k * stride], at_[k].x);
    f(in_.data(), out_.data());
    for (std::size_t k = 0; k < outputs; ++k) {
      kernel::number_row<W> row{actio::row<W>(&out_[k * stride])};
      for (std::size_t l = points; l < W; ++l) row.x[l] = row.x[points - 1];
      outputs_.put(k, row);
    }
  }

  evaluation<double>& field_;
  evaluation<double>* with_scale_;
  std::size_t arguments_;
  rows at_, moves_, outputs_;
  std::size_t near_count_, exact_count_;
  std::vector<double> in_, out_;
};

template <std::size_t W>
using text_with = kernel::stage_text<kernel::node_numbers<W>, evaluated_field<W>>;

// Compiled for the processor at hand, with all of the text inside.
#define ACTIO_SOLVE(W) \
  ACTIO_FUSED_CLONES [[gnu::flatten]] double carry_out(text_with<W>& text) { return text.solve(); }
ACTIO_SOLVE(4)
ACTIO_SOLVE(8)
ACTIO_SOLVE(16)
#undef ACTIO_SOLVE

template <std::size_t W>
class text_of final : public stage_iteration::carried_out {
 public:
  text_of(const collocation_code& code, const collocation_rows& rows, std::span<double> table, std::span<double> work,
          evaluation<double>& field, evaluation<double>* with_scale)
      : code_(code.is_scaled ? code : without_slopes(code)),
        rows_(rows),
        field_(b_, code_, field, with_scale),
        text_(b_, field_, code_, rows_, {table.data(), 1}, {work.data(), 1}, true) {}

  stage_outcome solve() override { return static_cast<stage_outcome>(static_cast<int>(carry_out(text_))); }

 private:
  static collocation_code without_slopes(collocation_code code) {
    code.leave_out_slopes();
    return code;
  }

  kernel::node_numbers<W> b_;
  collocation_code code_;
  collocation_rows rows_;
  evaluated_field<W> field_;
  text_with<W> text_;
};

constexpr std::size_t most_lanes = 16;
std::size_t lanes_of(std::size_t points) {
  ACTIO_ASSERT(points <= most_lanes);
  return points <= 4 ? 4 : points <= 8 ? 8 : most_lanes;
}

std::unique_ptr<evaluation<double>> evaluation_of(const program& p, std::size_t points) {
  return compile<double>(p)->evaluate_at(points);
}

}  // namespace

stage_iteration::stage_iteration(const collocation_code& code, std::span<const double> parameters)
    : collocation_kernel({2 * code.coordinates, code.points, lanes_of(code.points)}),
      field_(evaluation_of(code.field, code.points)),
      with_scale_(code.is_scaled ? evaluation_of(code.with_slopes, code.points) : nullptr) {
  set_parameters(parameters);
  const auto make = [&]<std::size_t W>(std::integral_constant<std::size_t, W>) {
    text_ = std::make_unique<text_of<W>>(code, rows_, table(), work(), *field_, with_scale_.get());
  };
  if (rows_.lanes == 4) make(std::integral_constant<std::size_t, 4>());
  else if (rows_.lanes == 8) make(std::integral_constant<std::size_t, 8>());
  else make(std::integral_constant<std::size_t, most_lanes>());
}

stage_iteration::~stage_iteration() = default;

stage_outcome stage_iteration::solve() { return text_->solve(); }

void stage_iteration::set_parameters(std::span<const double> values) {
  field_->set_parameters(values);
  if (with_scale_) with_scale_->set_parameters(values);
}

}  // namespace actio
