// A dataflow evaluated with the numbers of a builder: carried out at once, or written as instructions.
//
// Reciprocals and sines may be kept and corrected at places nearby. With r a reciprocal kept and e = 1 − a r,
// 1/a = r (1 + e + e²)(1 + f + f²) where f = e³ is what the first correction leaves: six products instead of a
// division. Sines are turned by the series of sin d and cos d. A lane that has moved too far for that computes them
// anew.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/llvm/dataflow.hpp"
#include "actio/base/error.hpp"

namespace actio::kernel {

// What is done with reciprocals and sines: nothing is kept; they are; those kept are corrected.
enum class known_values { none, kept, corrected };

template <class B>
class flow_text {
 public:
  using N = typename B::number;
  using R = typename B::rows;
  using T = typename B::truth;
  using dataflow = machine_code::dataflow;

  // `fixed` gives the fixed registers.
  template <class Fixed>
  flow_text(B& b, const dataflow& flow, Fixed&& fixed) : b_(b), flow_(flow), values_(flow.values.size()) {
    for (std::size_t v = 0; v < flow.values.size(); ++v) {
      if (flow.values[v].kind == value_kind::fixed) values_[v] = fixed(flow.values[v].a);
    }
  }

  // Rows that keeping takes.
  static std::size_t rows_to_keep(const dataflow& flow) {
    std::size_t rows = 0;
    for (const auto& v : flow.values) rows += divides(v) ? 1 : 0;
    for (const auto& s : flow.stages) {
      for (const auto& group : s.calls) rows += group.op == operation::sin ? 3 * group.members.size() : 0;
    }
    return rows;
  }

  // The outputs for these variables; values are kept in every `distance`-th row. Lanes that stray join `strayed`.
  std::vector<N> evaluate(const std::vector<N>& variables, known_values how = known_values::none, const R& kept = {},
                          std::size_t distance = 1, T* strayed = nullptr) {
    strayed_ = strayed;
    variables_ = &variables;
    how_ = how;
    kept_ = kept;
    distance_ = distance;
    at_ = 0;
    for (const auto& s : flow_.stages) {
      for (const auto v : s.before) {
        if (flow_.values[v].kind != value_kind::fixed) values_[v] = compute(flow_.values[v]);
      }
      for (const auto& group : s.calls) {
        for (const auto& m : group.members) call(group.op, m);
      }
    }
    std::vector<N> outputs;
    for (const auto v : flow_.outputs) outputs.push_back(values_[v]);
    return outputs;
  }

 private:
  using value_kind = machine_code::value_kind;

  static bool divides(const machine_code::value& v) {
    return v.kind == value_kind::reciprocal || (v.kind == value_kind::operation && v.op == operation::divide);
  }

  N compute(const machine_code::value& v) {
    const auto at = [&](auto id) -> const N& { return values_[id]; };
    switch (v.kind) {
      case value_kind::variable: return (*variables_)[v.a];
      case value_kind::operation: return apply(v.op, at(v.a), v.b == machine_code::nowhere ? at(v.a) : at(v.b));
      case value_kind::reciprocal: return reciprocal(at(v.a));
      case value_kind::product_plus: return fma(at(v.a), at(v.b), at(v.c));
      case value_kind::product_minus: return fma(at(v.a), at(v.b), -at(v.c));
      case value_kind::minus_product: return fma(-at(v.a), at(v.b), at(v.c));
      default: break;
    }
    ACTIO_ASSERT(false);
    return at(v.a);
  }

  N apply(operation op, const N& x, const N& y) {
    switch (op) {
      case operation::add: return x + y;
      case operation::subtract: return x - y;
      case operation::multiply: return x * y;
      case operation::divide: return quotient(x, y);
      case operation::negate: return -x;
      case operation::sqrt: return sqrt(x);
      case operation::abs: return absolute(x);
      case operation::floor: return floor(x);
      // Zero (with its sign) and NaN are their own signs.
      case operation::sign: return select(x > 0.0, N(1.0), select(x < 0.0, N(-1.0), x));
      // 1 for x ≥ 0, otherwise 0; NaN stays.
      case operation::step: return select(x >= 0.0, N(1.0), select(x < 0.0, N(0.0), x));
      // y where the condition is not 0, otherwise 0, whatever y is; a condition that is NaN stays.
      case operation::where: return select((x < 0.0) | (x > 0.0), y, select(x == 0.0, N(0.0), x));
      default: break;
    }
    ACTIO_ASSERT(false);
    return x;
  }

  N reciprocal(const N& a) {
    const std::size_t place = distance_ * at_++;
    if (how_ == known_values::corrected) return corrected(kept_[place], a);
    const N r = N(1.0) / a;
    if (how_ == known_values::kept) kept_.put(place, r);
    return r;
  }
  // Terms of the next order are below 2⁻⁵⁴.
  N corrected(const N& r, const N& a) {
    constexpr double farthest = 0x1p-6;
    const N e = fma(-a, r, N(1.0)), better = fma(r, fma(e, e, e), r);
    const N f = fma(-a, better, N(1.0)), best = fma(better, fma(f, f, f), better);
    *strayed_ = *strayed_ | !(absolute(e) <= farthest);
    return best;
  }
  N quotient(const N& a, const N& b) {
    if (how_ == known_values::none) return a / b;
    const N r = reciprocal(b), q = a * r;
    return fma(fma(-b, q, a), r, q);
  }

  void call(operation op, const machine_code::call_group::member& m) {
    const N& x = values_[m.argument];
    if (op != operation::sin) {
      values_[m.result] = b_.function(op, x, values_[m.second]);
      return;
    }
    const std::size_t place = distance_ * at_;
    at_ += 3;
    const auto both = how_ == known_values::corrected ? turned(x, place) : b_.sine_and_cosine(x);
    if (how_ == known_values::kept) {
      kept_.put(place, x);
      kept_.put(place + distance_, both.sine);
      kept_.put(place + 2 * distance_, both.cosine);
    }
    if (m.result != machine_code::nowhere) values_[m.result] = both.sine;
    if (m.cosine != machine_code::nowhere) values_[m.cosine] = both.cosine;
  }

  // Terms of the next order are below 2⁻⁵⁷.
  typename B::sines turned(const N& x, std::size_t place) {
    constexpr double farthest = 0x1p-7;
    const N d = x - kept_[place], s = kept_[place + distance_], c = kept_[place + 2 * distance_], dd = d * d;
    const N sine = fma(d * dd, fma(dd, N(1.0 / 120), N(-1.0 / 6)), d);
    const N less = dd * fma(dd, fma(dd, N(-1.0 / 720), N(1.0 / 24)), N(-0.5));  // cos d − 1
    *strayed_ = *strayed_ | !(absolute(d) <= farthest);
    return {s + fma(c, sine, s * less), c + fma(-s, sine, c * less)};
  }

  B& b_;
  const dataflow& flow_;
  std::vector<N> values_;
  const std::vector<N>* variables_ = nullptr;
  known_values how_ = known_values::none;
  R kept_;
  T* strayed_ = nullptr;
  std::size_t distance_ = 1, at_ = 0;
};

}  // namespace actio::kernel
