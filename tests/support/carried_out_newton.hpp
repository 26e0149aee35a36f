// The kernel of a Newton step whose text is carried out with numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/kernel/newton_text.hpp"
#include "actio/backend/kernel/node_numbers.hpp"
#include "actio/backend/program_bytes.hpp"
#include "tests/support/kernel_bench.hpp"

namespace actio::testing {

// Coordinates or unknowns side by side.
struct number_vector {
  std::vector<double> x;

  template <class F>
  static number_vector each(const number_vector& a, const number_vector& b, F&& f) {
    number_vector r = a;
    for (std::size_t k = 0; k < r.x.size(); ++k) r.x[k] = f(a.x[k], b.x[k]);
    return r;
  }
  friend number_vector operator+(const number_vector& a, const number_vector& b) {
    return each(a, b, [](double p, double q) { return p + q; });
  }
  friend number_vector operator-(const number_vector& a, const number_vector& b) {
    return each(a, b, [](double p, double q) { return p - q; });
  }
  friend number_vector operator*(const number_vector& a, const number_vector& b) {
    return each(a, b, [](double p, double q) { return p * q; });
  }
  friend number_vector operator/(const number_vector& a, const number_vector& b) {
    return each(a, b, [](double p, double q) { return p / q; });
  }
  friend number_vector absolute(const number_vector& a) {
    return each(a, a, [](double p, double) { return std::abs(p); });
  }
  friend number_vector fma(const number_vector& a, const number_vector& b, const number_vector& c) {
    number_vector r = c;
    for (std::size_t k = 0; k < r.x.size(); ++k) r.x[k] = std::fma(a.x[k], b.x[k], c.x[k]);
    return r;
  }
};

inline constexpr std::size_t nodes_of_numbers = 4;

class newton_numbers : public kernel::node_numbers<nodes_of_numbers> {
 public:
  using vector = number_vector;
  using outcome = update_outcome;

  outcome of(update_outcome o) { return o; }
  vector vector_at(const rows& numbers, std::size_t k, std::size_t count) {
    return {{numbers.place(k), numbers.place(k) + count}};
  }
  void put_vector(const rows& numbers, std::size_t k, const vector& x) {
    std::copy(x.x.begin(), x.x.end(), numbers.place(k));
  }
  vector all_of(double x, std::size_t count) { return {std::vector<double>(count, x)}; }
  vector part_of(const vector& x, std::size_t first, std::size_t count) {
    const auto from = x.x.begin() + static_cast<std::ptrdiff_t>(first);
    return {{from, from + static_cast<std::ptrdiff_t>(count)}};
  }
  vector vector_of(std::span<const double> numbers) { return {{numbers.begin(), numbers.end()}}; }
  using node_numbers::larger_size;
  vector larger_size(const vector& a, const vector& b) {
    return vector::each(a, b, [](double p, double q) { return q > p || std::isnan(q) ? q : p; });
  }
  double largest_of(const vector& sizes) {
    double largest = 0;
    for (const double x : sizes.x) largest = x > largest || std::isnan(x) ? x : largest;
    return largest;
  }
  using node_numbers::spread;
  row spread(const vector& x, std::size_t k) { return spread(x.x[k]); }
  double node_of(const row& x, std::size_t i) { return x.x[i]; }
};

class carried_out_newton final : public newton_kernel {
 public:
  carried_out_newton(const newton_code& code, std::span<const double> parameters, double step)
      : newton_kernel({code.coordinates, code.degree, nodes_of_numbers, 0}),
        code_(code),
        at_nodes_(kernel::analyse(code.at_nodes)),
        update_(kernel::analyse(code.update)),
        sines_(nodes_of_numbers * kept()),
        sines_ahead_(sines_) {
    EXPECT_LE(code.points, nodes_of_numbers);
    around_.functions = &self_;
    entry_ = [](const newton_surroundings* around, const newton_state* state, newton_task task, double* solution) {
      return static_cast<carried_out_newton*>(const_cast<void*>(around->functions[0]))->run(*state, task, solution);
    };
    around_.sines = sines_.data();
    around_.sines_ahead = sines_ahead_.data();
    numbers()[rows_.step()] = step;
    set_parameters(parameters, step);
    forget_sines();
  }

  void set_parameters(std::span<const double> values, double step) override {
    node_fixed_ = machine_code::fixed_with(code_.at_nodes, values);
    std::vector<double> with_step(values.begin(), values.end());
    with_step.push_back(step);
    update_fixed_ = machine_code::fixed_with(code_.update, with_step);
  }
  void forget_sines() override { std::fill_n(around_.sines, sines_.size(), kernel::kept_nothing); }

 private:
  using scalars = kernel::number_builder;

  std::size_t kept() const { return kernel::numbers_to_keep(at_nodes_, 1, 1); }
  scalars::rows numbers_at(const double* first) { return {const_cast<double*>(first), 1}; }
  static std::vector<double> of_node(const std::vector<newton_numbers::row>& rows, std::size_t i) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row.x[i]);
    return values;
  }

  // The program at the nodes, one after the other.
  struct nodes {
    carried_out_newton& of;
    scalars b{called};

    auto text() {
      return kernel::flow_text(b, of.at_nodes_, [this](std::size_t k) { return of.node_fixed_[k]; });
    }
    void look_up(const std::vector<newton_numbers::row>& variables) {
      auto flow = text();
      bool too_large = false;
      for (std::size_t i = 0; i < nodes_of_numbers; ++i) {
        kernel::computed_values<scalars> source(b, kernel::sine_code::inlined, false);
        flow.evaluate(of_node(variables, i), source);
        too_large = too_large || source.too_large();
        double* to = of.around_.sines_ahead + i * of.kept();
        for (const auto& [x, s, c] : source.found()) {
          for (const double y : {x, s, c}) *to++ = y;
        }
      }
      if (too_large) std::fill_n(of.around_.sines_ahead, of.sines_.size(), kernel::kept_nothing);
    }
    std::vector<newton_numbers::row> evaluate(const std::vector<newton_numbers::row>& variables) {
      auto flow = text();
      std::vector<newton_numbers::row> rows(of.at_nodes_.outputs.size());
      for (std::size_t i = 0; i < nodes_of_numbers; ++i) {
        kernel::sines_in_memory<scalars> source(b, of.numbers_at(of.around_.sines + i * of.kept()));
        const std::vector<double> outputs = flow.evaluate(of_node(variables, i), source);
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k].x[i] = outputs[k];
      }
      return rows;
    }
  };

  update_outcome run(const newton_state& state, newton_task task, double* solution) {
    newton_numbers b;
    scalars one(called);
    nodes at_nodes{*this};
    const auto update = [&](const std::vector<double>& values) {
      kernel::flow_text flow(one, update_, [this](std::size_t k) { return update_fixed_[k]; });
      return flow.evaluate(values, kernel::computed_values<scalars>(one, kernel::sine_code::inlined, true));
    };
    using text = kernel::newton_text<newton_numbers, nodes, decltype(update)>;
    const typename text::surroundings around{numbers_at(table().data()),
                                             numbers_at(numbers().data()),
                                             numbers_at(solution - newton_rows::depth * rows_.stride()),
                                             {numbers_at(state.position), numbers_at(state.position_remainder)},
                                             {numbers_at(state.momentum), numbers_at(state.momentum_remainder)},
                                             state.time};
    text of_step(b, code_, rows_, around, at_nodes, update);
    return of_step.carry_out(task == newton_task::look_ahead, task == newton_task::iterate_predicted);
  }

  newton_code code_;
  kernel::dataflow at_nodes_, update_;
  std::vector<double> node_fixed_, update_fixed_, sines_, sines_ahead_;
  const void* self_ = this;
};

}  // namespace actio::testing
