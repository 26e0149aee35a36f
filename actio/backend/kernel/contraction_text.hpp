// When an iteration near its end is done, by the rules of stage_rules, as a text of kernels.
//
// What an iteration leaves undone is a geometric series. It always errs to the same side, so that it must stay far
// below rounding, or energy drifts over millions of steps; but changes below some size are rounding themselves, so that
// from there on the series goes on as it was. The slower one of the last two contractions r counts, and the series r +
// r² + … with it: rates of single iterations vary, and slow parts of an error are the last to be left.
#pragma once

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/sums.hpp"

namespace actio::kernel {

template <class B>
class contraction_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  explicit contraction_text(B& b)
      : b_(b),
        is_first_(b.make(b.always())),
        rate_(b.make(b.one_number(0))),
        series_(b.make(b.one_number(0))),
        missing_(b.make(b.one_number(1))),
        fastest_(b.make(b.one_number(1))),
        last_rate_(b.make(b.one_number(0))),
        last_series_(b.make(b.one_number(0))) {}

  // After an iteration with this change, when that of the one before was `previous`.
  T is_done(const N& change, const N& previous) {
    using namespace stage_rules;
    const N rate = change / previous, series = change / larger(previous - change, b_.one_number(tiny));
    const T is_clean = (change > clean) | is_first_.get();
    const N slower = select(is_clean, larger(last_rate_.get(), rate), rate_.get());
    const N sum = select(is_clean, larger(last_series_.get(), series), series_.get());
    const N missing = select(is_clean, change, missing_.get()) * select(is_clean, sum, slower);
    const N fastest = select(rate < fastest_.get(), rate, fastest_.get());
    is_first_.set(b_.never());
    rate_.set(slower);
    series_.set(sum);
    missing_.set(missing);
    fastest_.set(fastest);
    last_rate_.set(rate);
    last_series_.set(series);
    const T stalls = is_clean & (rate >= slow) & (fastest < fast) & (change <= stall_limit);
    return (change == 0.0) | reaches_floor(slower, missing) | stalls;
  }
  // Whether the next iteration leaves nothing undone.
  T ends_next() { return reaches_floor(rate_.get(), missing_.get() * rate_.get()); }

 private:
  T reaches_floor(const N& rate, const N& missing) {
    return (rate < stage_rules::slow) & (missing <= stage_rules::floor_of_missing);
  }

  B& b_;
  typename B::truth_variable is_first_;
  typename B::variable rate_, series_, missing_, fastest_, last_rate_, last_series_;
};

}  // namespace actio::kernel
