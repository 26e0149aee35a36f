// When an iteration near its end is done, by the rules of stage_rules, as a text of kernels.
//
// What an iteration leaves undone is a geometric series. It always errs to the same side, so that it must stay far
// below rounding, or energy drifts over millions of steps; but changes below some size are rounding themselves, so that
// from there on the series goes on as it was. The slower one of the last two contractions r counts, and the series r +
// r² + … with it (r + 2r² is above it up to r = 1/2, beyond which none counts): rates of single iterations vary, and
// slow parts of an error are the last to be left.
#pragma once

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/sums.hpp"

namespace actio::kernel {

// `rounding` says how much coarser than doubles numbers are rounded.

// Whether it is not worth going on: numbers are not finite; changes do not shrink after a while, or iterations are too
// many.
template <class N>
elementary::truth_of<N> is_lost(const N& change) {
  return !(change <= stage_rules::lost);
}
template <class N>
elementary::truth_of<N> is_slow(const N& change, const N& previous, const N& count, double rounding = 1) {
  using namespace stage_rules;
  const elementary::truth_of<N> shrinks = (change < previous) | (change <= stall_limit * rounding);
  return ((count > double(patience)) & !shrinks) | (count >= double(most_iterations));
}

template <class B>
class contraction_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  explicit contraction_text(B& b, double rounding = 1)
      : b_(b),
        clean_(stage_rules::clean * rounding),
        stall_limit_(stage_rules::stall_limit * rounding),
        is_first_(b.make(!b.never())),
        settled_(b.make(b.never())),
        was_fast_(b.make(b.never())),
        rate_(b.make(b.one_number(0))),
        missing_(b.make(b.one_number(1))),
        last_rate_(b.make(b.one_number(0))),
        last_series_(b.make(b.one_number(0))) {}

  struct end {
    T is_here, is_next;  // nothing is left undone, or will be after the next iteration
  };
  // After an iteration with this change; `previous` is that of the one before, where it follows one. So much may be
  // left undone.
  end after(const N& change, const N& previous, const T& follows, const N& floor) {
    using namespace stage_rules;
    const N nothing = b_.one_number(0), old_rate = rate_.get();
    const T unsettled = !settled_.get(), is_clean = ((change > clean_) | is_first_.get()) & unsettled;
    const N rate = select(follows, change / larger(previous, b_.one_number(tiny)), nothing);
    const N series = rate * fma(rate, N(2.0), b_.one_number(1));
    const N slower = select(is_clean, larger(last_rate_.get(), rate), old_rate);
    const N missing = select(is_clean, change * larger(last_series_.get(), series), missing_.get() * old_rate);
    const T was_fast = was_fast_.get() | (unsettled & follows & (rate < fast)), contracts = follows & (slower < slow);
    const T stalls = is_clean & was_fast & (rate >= slow) & (change <= stall_limit_);
    is_first_.set(b_.never());
    settled_.set(settled_.get() | ((!is_clean) & (slower < slow)));
    was_fast_.set(was_fast);
    rate_.set(slower);
    missing_.set(missing);
    last_rate_.set(select(unsettled, rate, last_rate_.get()));
    last_series_.set(select(unsettled, series, last_series_.get()));
    const T is_here = (change == 0.0) | stalls | (contracts & (missing <= floor));
    const T is_next = contracts & (missing * slower <= floor);
    return {is_here, is_next};
  }

 private:
  B& b_;
  double clean_, stall_limit_;
  typename B::truth_variable is_first_, settled_, was_fast_;
  typename B::variable rate_, missing_, last_rate_, last_series_;
};

}  // namespace actio::kernel
