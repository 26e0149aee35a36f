#include "actio/mechanics/force_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace actio {

namespace {

template <class S>
S largest_in(std::span<const S> values) {
  using std::abs;
  S largest(0);
  for (const S& x : values) largest = std::max<S>(largest, abs(x));
  return largest;
}

}  // namespace

void refuse_force_size(std::size_t given, std::size_t wanted) {
  throw input_error("force-size",
                    fmt::format("the force function gives {} forces, but there are {} coordinates", given, wanted), {},
                    "give one force a coordinate, in their order");
}

template <class S>
force_evaluation<S>::force_evaluation(const force_function& function, std::size_t size)
    : function_(&function),
      q_(size, S(0)),
      v_(q_),
      force_(q_),
      ahead_(q_),
      behind_(q_),
      by_position_(size, size),
      by_velocity_(size, size) {
  if (function.values<S>()) return;
  throw input_error(
      "force-lacks-precision",
      fmt::format("the force function does not compute {}", std::same_as<S, double> ? "in double"
                                                            : std::same_as<S, quad> ? "in quad precision"
                                                                                    : "with the digits of the run"),
      {}, "give one for these numbers too, by force_from, or choose another @precision");
}

template <class S>
void force_evaluation<S>::at(const S& t, std::span<const S> q, std::span<const S> v) {
  std::ranges::fill(force_, S(0));
  function_->values<S>()(t, q, v, force_);
}

template <class S>
S force_evaluation<S>::power(std::span<const S> v) const {
  S sum(0);
  for (std::size_t i = 0; i < v.size(); ++i) sum += force_[i] * v[i];
  return sum;
}

template <class S>
void force_evaluation<S>::slopes_at(const S& t, std::span<const S> q, std::span<const S> v) {
  by_position_.set_zero();
  by_velocity_.set_zero();
  if (const force_slopes<S>& given = function_->slopes<S>()) {
    given(t, q, v, by_position_, by_velocity_);
    return;
  }
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(v, v_.begin());
  differentiate(t, q_, by_position_);
  differentiate(t, v_, by_velocity_);
}

// `varied` is q_ or v_. A number that is zero is varied by a part of the largest beside it.
template <class S>
void force_evaluation<S>::differentiate(const S& t, std::vector<S>& varied, matrix<S>& slopes) {
  using std::abs;
  using std::cbrt;
  const force_values<S>& values = function_->values<S>();
  const S part = cbrt(epsilon<S>());
  S scale = S(1e-3) * largest_in<S>(varied);
  if (!(scale > S(0))) scale = S(1);
  for (std::size_t j = 0; j < varied.size(); ++j) {
    const S here = varied[j], length = part * std::max<S>(abs(here), scale);
    for (auto* values_there : {&ahead_, &behind_}) {
      varied[j] = values_there == &ahead_ ? S(here + length) : S(here - length);
      std::ranges::fill(*values_there, S(0));
      values(t, q_, v_, *values_there);
    }
    varied[j] = here;
    const S between = S(here + length) - S(here - length);  // what rounding left of two lengths
    for (std::size_t i = 0; i < varied.size(); ++i) slopes(i, j) = (ahead_[i] - behind_[i]) / between;
  }
}

#define ACTIO_INSTANTIATE(S) template class force_evaluation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
