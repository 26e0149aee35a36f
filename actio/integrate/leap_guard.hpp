// What a step leaps over: rates that are small at its ends and on the average, and large somewhere in between.
//
// Errors are measured from the places that a step looks at. A wall narrower than the distance between two of them
// leaves no trace there, but the equations show it: over the box of a path, interval arithmetic bounds the rates. Where
// a bound is far above what the step saw, the path is divided until the bounds fall or a place with such rates is met.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "actio/backend/interval_bounds.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

// Of the components of a step: what each may be off by, and its swing so far, which rates are relative to.
struct step_scales {
  std::span<const double> allowed, swings;
};

template <class S>
class leap_guard {
 public:
  // Of Hamilton's equations, or those of a system of first order; sees nothing where they are no program.
  explicit leap_guard(const phase_space<S>& space);

  static constexpr double most_looks = 600;

  // The part of a step from `left` at time t by `increment` in `length` behind which it would leap over something: 1
  // where it does not, as far as `looks`, which become fewer, show.
  double clear_part(const S& t, std::span<const S> left, std::span<const S> increment, const S& length,
                    const step_scales& scales, double& looks);

 private:
  struct stretch {  // of the path, from and to parts of the step
    double from, to;
    double excess;  // what bounds say beyond what was seen, beside what is allowed
  };
  void look_at(double part, std::span<double> place, std::span<double> rate);
  double excess_in(double from, double to);
  double excess_in_box(double part);
  bool is_far_above(std::span<const double> rate) const;
  void note(std::span<const double> rate);
  bool is_clear_at_once();

  std::optional<interval_bounds> bounds_;
  shared_parameters<S> parameters_;
  std::uint64_t revision_ = 0;
  std::size_t size_ = 0;
  double time_ = 0, length_ = 0;
  double pace_ = 0;  // the largest rate that was seen, beside the swing of its component
  std::span<const double> allowed_, swings_;
  std::vector<double> begin_, change_, first_, last_, place_, rate_;
  std::vector<interval> box_, values_;
  std::vector<stretch> waiting_;
};

}  // namespace actio
