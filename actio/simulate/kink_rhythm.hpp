// How kinks follow one another along a run: where they crowd, steps go over them; where one is met again and again, the
// motion sticks there.
#pragma once

#include <cstddef>
#include <limits>

#include "actio/base/scalar.hpp"

namespace actio {

enum class kink_verdict {
  ends_step,
  crowded,  // too many within a step
  sticks,   // forces that jump with a velocity drive the motion back from both sides
};

template <class S>
class kink_rhythm {
 public:
  explicit kink_rhythm(const S& step) : step_(step) {}

  // A motion can be held only by a kink in what forces change at once: velocities, or coordinates of first order.
  kink_verdict meet(std::size_t kink, const S& time, bool may_hold) {
    using std::abs;
    const bool returns = may_hold && kink == last_ && abs(S(time - last_time_)) <= S(next_to_no_time) * abs(step_);
    returns_ = returns ? returns_ + 1 : 0;
    last_ = kink;
    last_time_ = time;
    if (returns_ >= most_returns) return kink_verdict::sticks;
    if (in_a_row_++ == 0 || abs(S(time - began_)) > abs(step_)) {
      began_ = time;
      in_a_row_ = 1;
    }
    return in_a_row_ > most_in_a_step ? kink_verdict::crowded : kink_verdict::ends_step;
  }

 private:
  static constexpr int most_returns = 3;
  static constexpr double next_to_no_time = 1e-6;  // of a step
  static constexpr std::size_t most_in_a_step = 4;

  S step_, began_{0}, last_time_{0};
  std::size_t in_a_row_ = 0, last_ = std::numeric_limits<std::size_t>::max();
  int returns_ = 0;
};

}  // namespace actio
