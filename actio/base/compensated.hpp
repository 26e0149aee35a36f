// Sums that remember what rounding took away, so that millions of small increments add up without drift.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actio {

// value + remainder is the sum; |remainder| stays below one ulp of value.
template <class S>
struct compensated {
  S value{0};
  S remainder{0};

  compensated() = default;
  explicit compensated(const S& start) : value(start) {}

  // Fast two-sum of the larger accumulated value with the increment (branch-free Knuth form: exact for any order).
  void add(const S& increment) {
    const S y = increment + remainder;
    const S sum = value + y;
    const S part = sum - value;
    remainder = (value - (sum - part)) + (y - part);
    value = sum;
  }
};

// A vector of compensated sums, stored as two plain arrays so that the values can be handed on as a span.
template <class S>
struct compensated_vector {
  std::vector<S> value;
  std::vector<S> remainder;

  compensated_vector() = default;
  explicit compensated_vector(std::vector<S> start) : value(std::move(start)), remainder(value.size(), S(0)) {}

  std::size_t size() const { return value.size(); }
  const S& operator[](std::size_t i) const { return value[i]; }

  void add(std::size_t i, const S& increment) {
    const S y = increment + remainder[i];
    const S sum = value[i] + y;
    const S part = sum - value[i];
    remainder[i] = (value[i] - (sum - part)) + (y - part);
    value[i] = sum;
  }

  // By how much component i is more than that of `other`, remainders included.
  S beyond(const compensated_vector& other, std::size_t i) const {
    return (value[i] - other.value[i]) + (remainder[i] - other.remainder[i]);
  }
};

}  // namespace actio
