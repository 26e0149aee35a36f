// A dataflow evaluated with the numbers of a builder: carried out at once, or written as instructions.
//
// Calls of one function that do not depend on each other go together, as many as the builder has places in a vector.
// What reciprocals, sines and cosines are, a source says (known_values.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "actio/backend/kernel/dataflow.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/kernel/trajectory_method.hpp"
#include "actio/base/error.hpp"

namespace actio::kernel {

// Sines and cosines that go together: of `all`, in which these arguments stand one behind the other. Where an argument
// is a variable it has a number.
template <class N>
struct sine_call {
  N all;
  std::span<const N> arguments;
  std::vector<value_id> variables = {};  // or nowhere
};

template <class N>
struct sines_of {
  N sine, cosine;
};

// What is neither a division nor a call.
template <class N>
ACTIO_ALWAYS_INLINE N apply(operation op, const N& x, const N& y) {
  switch (op) {
    case operation::add: return x + y;
    case operation::subtract: return x - y;
    case operation::multiply: return x * y;
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

template <class B>
class flow_text {
 public:
  using N = typename B::number;

  flow_text(B& b, const dataflow& flow, fixed_numbers<N> fixed)
      : b_(b), flow_(flow), fixed_(std::move(fixed)), values_(flow.values.size()) {}

  // The outputs for these variables.
  template <class Source>
  std::vector<N> evaluate(const std::vector<N>& variables, Source&& source) {
    for (const auto& s : flow_.stages) {
      for (const auto v : s.before) values_[v] = compute(flow_.values[v], variables, source);
      for (const auto& group : s.calls) call(group, source);
    }
    std::vector<N> outputs;
    for (const auto v : flow_.outputs) outputs.push_back(values_[v]);
    return outputs;
  }

 private:
  template <class Source>
  N compute(const value& v, const std::vector<N>& variables, Source& source) {
    const auto at = [&](auto id) -> const N& { return values_[id]; };
    switch (v.kind) {
      case value_kind::variable: return variables[v.a];
      case value_kind::fixed: return fixed_(v.a);
      case value_kind::operation:
        if (v.op == operation::divide) return source.quotient(at(v.a), at(v.b));
        return apply(v.op, at(v.a), v.b == nowhere ? at(v.a) : at(v.b));
      case value_kind::reciprocal: return source.reciprocal(at(v.a));
      case value_kind::product_plus: return fma(at(v.a), at(v.b), at(v.c));
      case value_kind::product_minus: return fma(at(v.a), at(v.b), -at(v.c));
      case value_kind::minus_product: return fma(-at(v.a), at(v.b), at(v.c));
      case value_kind::call: break;
    }
    ACTIO_ASSERT(false);
    return at(v.a);
  }

  template <class Source>
  void call(const call_group& group, Source& source) {
    using member = call_group::member;
    for (std::size_t first = 0; first < group.members.size(); first += b_.together()) {
      const std::span members =
          std::span(group.members).subspan(first, std::min(b_.together(), group.members.size() - first));
      const auto put = [&](const N& all, value_id member::* which) {
        for (std::size_t k = 0; k < members.size(); ++k) {
          if (members[k].*which != nowhere) values_[members[k].*which] = b_.part(all, k);
        }
      };
      std::vector<N> arguments, seconds;
      for (const member& m : members) {
        arguments.push_back(values_[m.argument]);
        seconds.push_back(values_[m.second]);
      }
      const N all = b_.joined(arguments);
      if (group.op != operation::sin) {
        put(b_.function(group.op, all, operand_count(group.op) == 1 ? all : b_.joined(seconds)), &member::result);
        continue;
      }
      sine_call<N> sines{all, arguments};
      for (const member& m : members) {
        const value& argument = flow_.values[m.argument];
        sines.variables.push_back(argument.kind == value_kind::variable ? argument.a : nowhere);
      }
      const sines_of<N> both = source.sines(sines);
      put(both.sine, &member::result);
      put(both.cosine, &member::cosine);
    }
  }

  B& b_;
  const dataflow& flow_;
  fixed_numbers<N> fixed_;
  std::vector<N> values_;
};

// The same numbers, had now.
template <class N>
fixed_numbers<N> had_before(const dataflow& flow, const fixed_numbers<N>& fixed) {
  std::vector<N> numbers;
  for (const auto& v : flow.values) {
    if (v.kind != value_kind::fixed) continue;
    numbers.resize(std::max<std::size_t>(numbers.size(), v.a + 1));
    numbers[v.a] = fixed(v.a);
  }
  return [numbers = std::move(numbers)](std::size_t k) { return numbers[k]; };
}

// Vectors of sines of a dataflow, where so many calls go together, and the rows that all of them have.
struct sine_count {
  std::size_t vectors = 0, rows = 0;
};
inline sine_count count_sines(const dataflow& flow, std::size_t together) {
  sine_count count;
  for (const auto& s : flow.stages) {
    for (const auto& group : s.calls) {
      for (std::size_t first = 0; group.op == operation::sin && first < group.members.size(); first += together) {
        ++count.vectors;
        count.rows += std::bit_ceil(std::min(together, group.members.size() - first));
      }
    }
  }
  return count;
}

}  // namespace actio::kernel
