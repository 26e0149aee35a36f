#include "actio/backend/llvm/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "actio/backend/compiled_function.hpp"
#include "actio/backend/llvm/code_library.hpp"
#include "actio/backend/llvm/collocation_writer.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/flow_writer.hpp"
#include "actio/backend/llvm/newton_writer.hpp"
#include "actio/backend/llvm/trajectory_writer.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/base/aligned.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

namespace {

std::string describe(const collocation_code& code) {
  std::string text = fmt::format("collocation {} {}", code.coordinates, code.points);
  for (const auto* entries : {&code.inverse_mass, &code.slopes}) {
    text += '|';
    for (const auto& [row, column] : *entries) text += fmt::format(" {},{}", row, column);
  }
  return text + (code.is_scaled ? code.has_cyclic_time ? " cyclic" : " scaled" : "") + "\n";
}

class machine_collocation final : public collocation_kernel {
 public:
  machine_collocation(const collocation_code& code, const collocation_rows& rows, std::span<const double> parameters,
                      collocation_form form)
      : collocation_kernel(rows), source_(code), form_(form) {
    if (form == collocation_form::looped && source_.has_slopes()) source_.leave_out_slopes();
    fixed_ = fixed_with(source_.with_all(), parameters);
    make(false);
  }

  stage_outcome solve() override {
    const auto call = [&](collocation_entry entry) {
      return static_cast<stage_outcome>(entry(fixed_.data(), table_.data(), work_.data(), function_table()));
    };
    const stage_outcome found = call(codes_.usual());
    if (found != stage_outcome::argument_too_large) return found;
    if (!codes_.any_argument()) make(true);
    return call(codes_.any_argument());
  }
  void set_parameters(std::span<const double> values) override { set_fixed(source_.with_all(), values, fixed_); }

 private:
  void make(bool any_argument) {
    const std::string looped = form_ == collocation_form::looped ? "looped " : "";
    codes_.use(looped + describe(source_) + bytes_of(source_.with_all()), any_argument,
               [&] { return make_collocation_object(source_, rows_, form_, any_argument); });
  }

  collocation_code source_;
  collocation_form form_;
  std::vector<double> fixed_;
  two_codes<collocation_entry> codes_;
};

// The kernel of a field that is evaluated by a compiled function, which decides when machine code of it pays.
class calling_collocation final : public collocation_kernel {
 public:
  calling_collocation(const collocation_code& code, const collocation_rows& rows, std::span<const double> parameters)
      : collocation_kernel(rows), field_(evaluation_of(code.field)) {
    if (code.is_scaled) with_scale_ = evaluation_of(code.with_slopes);
    set_parameters(parameters);
    const std::size_t outputs = code.is_scaled ? code.with_slopes.outputs.size() : code.field.outputs.size();
    at_.assign((rows.components + 1) * rows.lanes, 0.0);
    outputs_.assign(outputs * rows.lanes, 0.0);
    collocation_code without = code;
    if (!code.is_scaled) without.leave_out_slopes();
    code_ = shared_code("calling " + describe(without),
                        [&] { return make_collocation_object(without, rows_, collocation_form::calling, false); });
  }

  stage_outcome solve() override {
    const field_call call{
        [](void* kernel, int with_slopes) { static_cast<calling_collocation*>(kernel)->evaluate(with_slopes != 0); },
        this, at_.data(), outputs_.data()};
    return static_cast<stage_outcome>(
        code_->entry_as<collocation_entry>()(&call, table_.data(), work_.data(), function_table()));
  }
  void set_parameters(std::span<const double> values) override {
    field_->set_parameters(values);
    if (with_scale_) with_scale_->set_parameters(values);
  }

 private:
  std::unique_ptr<evaluation<double>> evaluation_of(const program& p) const {
    auto made = compile<double>(p)->evaluate_at(rows_.lanes);
    ACTIO_ASSERT(made->stride() == rows_.lanes);
    return made;
  }
  void evaluate(bool with_scale) { (with_scale && with_scale_ ? *with_scale_ : *field_)(at_.data(), outputs_.data()); }

  std::unique_ptr<evaluation<double>> field_, with_scale_;
  aligned_vector<double> at_, outputs_;
  std::shared_ptr<const loaded_code> code_;
};

class machine_newton final : public newton_kernel {
 public:
  machine_newton(const newton_code& code, const newton_rows& rows, std::span<const double> parameters, double step)
      : newton_kernel(rows),
        at_nodes_(code.at_nodes),
        update_(code.update),
        node_fixed_(fixed_numbers(at_nodes_)),
        update_fixed_(fixed_numbers(update_)),
        code_(shared_code(
            fmt::format("newton {} {} {} {}\n", code.coordinates, code.degree, code.points, code.values_are_exact) +
                bytes_of(code.at_nodes) + bytes_of(code.update),
            [&] { return make_newton_object(code, rows); })) {
    around_ = {
        node_fixed_.data(),           update_fixed_.data(),        table_.data(), numbers_.data(), function_table(),
        &numbers_[0] + rows.sines(0), &numbers_[0] + rows.sines(1)};
    entry_ = code_->entry_as<newton_entry>();
    numbers_[rows.step()] = step;
    set_parameters(parameters, step);
    forget_sines();
  }

  void set_parameters(std::span<const double> values, double step) override {
    set_fixed(at_nodes_, values, node_fixed_);
    with_step_.assign(values.begin(), values.end());
    with_step_.push_back(step);
    set_fixed(update_, with_step_, update_fixed_);
  }

  void forget_sines() override { std::fill_n(around_.sines, rows_.sine_numbers, kernel::kept_nothing); }

 private:
  program at_nodes_, update_;
  std::vector<double> node_fixed_, update_fixed_, with_step_;
  std::shared_ptr<const loaded_code> code_;
};

// A row may be longer than a vector: it is then moved in parts, one after the other.
class machine_trajectories final : public trajectory_kernel {
 public:
  machine_trajectories(const kernel::trajectory_code& code, std::span<const double> parameters, std::size_t lanes)
      : trajectory_kernel(code.rows, lanes),
        vector_(std::min(lanes, widest_vector())),
        fixed_(fixed_with(code.step.equations, parameters)),
        certificate_fixed_(fixed_with(code.certificate, parameters)),
        code_(shared_code(fmt::format("{} ", vector_) + bytes_of(code),
                          [&] { return make_trajectory_object(code, vector_); })),
        entry_(code_->entry_as<trajectory_entry>()),
        memory_(code.rows.count() * lanes, 0.0) {
    numbers_ = memory_.data();
  }

  void clear(std::size_t) override { std::ranges::fill(memory_, 0.0); }
  void run(std::size_t first, std::size_t end) override {
    for (std::size_t l = 0; l < lanes_; l += vector_) {
      entry_(fixed_.data(), certificate_fixed_.data(), numbers_ + l, function_table(), first, end, lanes_);
    }
  }

 private:
  std::size_t vector_;
  std::vector<double> fixed_, certificate_fixed_;
  std::shared_ptr<const loaded_code> code_;
  trajectory_entry entry_;
  aligned_vector<double> memory_;
};

}  // namespace

std::unique_ptr<trajectory_kernel> make_kernel(const kernel::trajectory_code& code, std::span<const double> parameters,
                                               std::size_t lanes) {
  return std::make_unique<machine_trajectories>(code, parameters, lanes);
}

std::unique_ptr<collocation_kernel> make_kernel(const collocation_code& code, std::span<const double> parameters,
                                                collocation_form form) {
  const collocation_rows rows{2 * code.coordinates, code.points, std::bit_ceil(code.points)};
  if (form == collocation_form::calling) return std::make_unique<calling_collocation>(code, rows, parameters);
  return std::make_unique<machine_collocation>(code, rows, parameters, form);
}

std::unique_ptr<newton_kernel> make_kernel(const newton_code& code, std::span<const double> parameters, double step) {
  const std::size_t lanes = std::bit_ceil(code.points);
  const std::size_t sines =
      kernel::numbers_to_keep(kernel::analyse(code.at_nodes), machine_builder::most_together(lanes), lanes);
  const newton_rows rows{code.coordinates, code.degree, lanes, sines};
  return std::make_unique<machine_newton>(code, rows, parameters, step);
}

}  // namespace actio::machine_code
