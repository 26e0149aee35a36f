// Samples of a signal and what is interpolated between them: the function behind NAME(t) of a model.
//
// Times and values are exact decimals; a signal has the precision of the run. `linear` joins the samples by straight
// lines. `cubic` is the not-a-knot spline: two continuous derivatives, and one polynomial over the first two and over
// the last two intervals; three samples give a parabola, two a line. At a sample the piece behind it counts.
// Outside the samples a signal has no value: NaN, beyond a rounding of the ends.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

enum class interpolation { linear, cubic };
std::string_view name_of(interpolation kind);  // "linear", "cubic"

class sample_table {
 public:
  // Times must increase, and be at least two. Tables of equal name and content are one object.
  static std::shared_ptr<const sample_table> make(std::string name, std::vector<rational> times,
                                                  std::vector<rational> values, interpolation kind);
  ~sample_table();
  sample_table(const sample_table&) = delete;
  sample_table& operator=(const sample_table&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<rational>& times() const { return times_; }
  const std::vector<rational>& values() const { return values_; }
  interpolation kind() const { return kind_; }
  unsigned degree() const { return kind_ == interpolation::linear ? 1 : 3; }

  // The derivative of this order at x.
  template <class S>
  S value(unsigned order, const S& x) const;

  // The number by which programs know the table and the order of a derivative, as long as it lives.
  long long code(unsigned order) const { return static_cast<long long>(4 * place_ + order); }

 private:
  // Of the interval that begins at time i: values, and the coefficients of (x − time)^k.
  template <class S>
  struct pieces {
    std::vector<S> times;
    std::vector<std::array<S, 4>> coefficients;
    S first, last;      // where it is known, with a margin for rounding
    unsigned digits{};  // of MPFR numbers
  };

  sample_table(std::string name, std::vector<rational> times, std::vector<rational> values, interpolation kind);
  template <class S>
  pieces<S> made() const;
  template <class S>
  static S value_in(const pieces<S>& p, unsigned order, const S& x);
  template <class S>
  auto& kept() const {
    if constexpr (std::same_as<S, multi>) return in_multi_;
    else return in_proof_;
  }

  std::string name_;
  std::vector<rational> times_, values_;
  interpolation kind_;
  std::size_t place_ = 0;
  pieces<double> in_double_;
  mutable std::atomic<std::shared_ptr<const pieces<quad>>> in_quad_;
  mutable std::atomic<std::shared_ptr<const pieces<multi>>> in_multi_;
  mutable std::atomic<std::shared_ptr<const pieces<proof_real>>> in_proof_;  // not in use where it is the same
};

// The value behind lookup(code, x): how all backends evaluate signals.
template <class S>
S looked_up(const S& code, const S& x);

}  // namespace actio
