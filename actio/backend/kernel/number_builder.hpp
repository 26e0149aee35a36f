// The builder that carries a kernel's text out at once, with doubles: what machine code must give, bit by bit.
//
// A builder has: number, with the operations of backend/elementary/arithmetic.hpp; truth, with & | !; index; rows of
// numbers in memory; variable and truth_variable, which change in loops; constants, known while a text is written; and
// the members below. Loops and branches are asked for with functions: `each` for so many times, `repeat` while any lane
// goes on, `count` for steps, `when_any` where any lane wants it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "actio/backend/elementary/sine.hpp"
#include "actio/expr/expr.hpp"

namespace actio::kernel {

class number_builder {
 public:
  using number = double;
  using truth = bool;
  using index = std::size_t;
  using counter = std::size_t;

  class rows {
   public:
    double operator[](std::size_t k) const { return first_[k * stride_]; }
    void put(std::size_t k, double x) const { first_[k * stride_] = x; }
    rows from(std::size_t k) const { return rows(first_ + k * stride_, stride_); }
    double* place(std::size_t k) const { return first_ + k * stride_; }
    rows() = default;
    rows(double* first, std::size_t stride) : first_(first), stride_(stride) {}

   private:
    double* first_ = nullptr;
    std::size_t stride_ = 1;
  };
  template <class X>
  class place {
   public:
    explicit place(X first) : value_(first) {}
    place(const place&) = delete;
    place& operator=(const place&) = delete;
    X get() const { return value_; }
    void set(const X& x) const { value_ = x; }

   private:
    mutable X value_;
  };
  using variable = place<double>;
  using truth_variable = place<bool>;
  class constants {
   public:
    explicit constants(std::span<const double> values) : values_(values.begin(), values.end()) {}
    double operator[](std::size_t k) const { return values_[k]; }

   private:
    std::vector<double> values_;
  };

  // `call` computes elementary functions of one or two arguments.
  using caller = double (*)(operation op, double x, double y);
  explicit number_builder(caller call) : call_(call) {}

  bool is_alone() const { return true; }
  double one_number(double x) { return x; }
  bool never() { return false; }
  double of_whole(std::size_t k) { return static_cast<double>(k); }
  rows local(std::size_t count) { return {memory_.emplace_back(new double[count]()).get(), 1}; }
  // Rows for which a thread of a GPU has no registers to spare.
  rows local_memory(std::size_t count) { return local(count); }
  variable make(double first) { return variable(first); }
  truth_variable make(bool first) { return truth_variable(first); }
  constants table(std::span<const double> values) { return constants(values); }

  template <class F>
  void each(std::size_t count, bool, F&& f) {
    for (std::size_t k = 0; k < count; ++k) f(k);
  }
  template <class F>
  void repeat(F&& body) {
    while (body()) {
    }
  }
  template <class F>
  void count(std::size_t first, std::size_t end, F&& body) {
    for (std::size_t k = first; k < end; ++k) body(k);
  }
  template <class F>
  void when_any(bool condition, F&& body) {
    if (condition) body();
  }
  template <class F>
  void when_rarely(bool condition, F&& body) {
    if (condition) body();
  }
  template <class F>
  void when(bool condition, F&& body) {
    if (condition) body();
  }
  template <class F, class G>
  auto either(bool condition, F&& f, G&& g) {
    return condition ? f() : g();
  }
  bool is_zero(std::size_t k) { return k == 0; }

  // Calls that go together, with their numbers in one; how many doubles that has.
  std::size_t together() const { return 1; }
  double joined(std::span<const double> numbers) { return numbers[0]; }
  double part(double all, std::size_t) { return all; }
  std::size_t width(double) { return 1; }
  bool anywhere(bool x) { return x; }
  bool nowhere() { return false; }
  double read(const rows& from, std::size_t k, double) { return from[k]; }
  void write(const rows& to, std::size_t k, double x) { to.put(k, x); }

  struct called {
    double sine, cosine;
    bool too_large;
  };
  called called_sines(double x) {
    const auto both = elementary::usual_sine_and_cosine(x);
    return {both.sine, both.cosine, elementary::too_large_for_sine(x)};
  }
  elementary::sine_and_cosine<double> large_sines(double x) { return elementary::large_sine_and_cosine(x); }
  double function(operation op, double x, double y) { return call_(op, x, y); }
  // The power of two of the leading bit.
  double leading_power(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & (std::uint64_t{0x7ff} << 52));
  }

 private:
  caller call_;
  std::vector<std::unique_ptr<double[]>> memory_;
};

}  // namespace actio::kernel
