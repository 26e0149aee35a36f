// The times at which a step has to end: the end of a run, samples of controls, kinks of what is known in advance.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
class milestones {
 public:
  // From `start` forward, or back where `step` is negative.
  milestones(const S& start, const S& step, std::optional<S> until)
      : start_(start), step_(step), until_(std::move(until)) {}

  // One more after every `every` of time.
  void add_rhythm(const S& every) { rhythms_.push_back(step_ > S(0) ? every : S(-every)); }
  void add_times(std::vector<S> times) {
    times_.insert(times_.end(), times.begin(), times.end());
    std::ranges::sort(times_);
  }

  const std::optional<S>& until() const { return until_; }
  bool any() const { return until_ || !rhythms_.empty() || !times_.empty(); }

  // Whether `a` is not before `b` in the direction of the run, within rounding.
  bool reaches(const S& a, const S& b) const { return S(is_forward() ? a - b : b - a) >= -slack(a, b); }
  bool meets(const S& a, const S& b) const {
    using std::abs;
    return S(abs(S(a - b))) <= slack(a, b);
  }
  bool is_sample(std::size_t rhythm, const S& now) const { return meets(now, nearest(rhythms_[rhythm], now)); }

  // The next one after `now`; nothing where there is none.
  std::optional<S> after(const S& now) const {
    std::optional<S> next;
    const auto consider = [&](const S& time) {
      if (reaches(now, time)) return;
      if (!next || (is_forward() ? time < *next : time > *next)) next = time;
    };
    if (until_) consider(*until_);
    for (const S& every : rhythms_) {
      const S near = nearest(every, now);
      consider(near);
      consider(S(near + every));
    }
    const auto near = std::ranges::lower_bound(times_, now);  // one of its neighbours may be now, within rounding
    for (auto time = near - std::min<std::ptrdiff_t>(2, near - times_.begin()); time != times_.end(); ++time) {
      consider(*time);
      if (time - near >= 2) break;
    }
    return next;
  }

 private:
  bool is_forward() const { return step_ > S(0); }
  // Of times that are sums and products of numbers of this size. Steps are no larger than what they lead to.
  S slack(const S& a, const S& b) const {
    using std::abs;
    return S(64) * epsilon<S>() * std::max<S>({S(abs(a)), S(abs(b)), S(abs(start_))});
  }
  S nearest(const S& every, const S& now) const {
    using std::floor;
    return start_ + floor(S((now - start_) / every + S(0.5))) * every;
  }

  S start_, step_;
  std::optional<S> until_;
  std::vector<S> rhythms_, times_;  // rhythms: signed
};

}  // namespace actio
