// When an iteration near its end is done, by the rules of stage_rules, as a text of kernels.
//
// What an iteration leaves undone is a geometric series. It always errs to the same side, so that it must stay far
// below rounding, or energy drifts over millions of steps; but changes below some size, or small ones that suddenly
// shrink less, are rounding themselves, so that from there on the series goes on as it was. Rates of single iterations
// vary, a slow one before a fast one: what counts is the last contraction r or the mean of the last two, √(r r'),
// whichever is slower, and the series r + r² + … with it.
#pragma once

#include <cmath>

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
        settled_(b.make(b.never())),
        rate_(b.make(b.one_number(0))),
        missing_(b.make(b.one_number(1))),
        fastest_(b.make(b.one_number(1))),
        last_rate_(b.make(b.one_number(0))) {}

  // After an iteration with this change, when that of the one before was `previous`.
  T is_done(const N& change, const N& previous) {
    using namespace stage_rules;
    using std::sqrt;
    const N rate = change / previous, mean = sqrt(rate * last_rate_.get());
    const T is_noisy = (change <= clean) | ((change <= stall_limit) & (rate > rate_.get() * sudden));
    settled_.set((settled_.get() | is_noisy) & !is_first_.get());
    const T is_clean = !settled_.get();
    const N slower = select(is_clean, larger(mean, rate), rate_.get()), rest = b_.one_number(1) - slower;
    const N missing = select(is_clean, change / larger(rest, b_.one_number(tiny)), missing_.get()) * slower;
    const N fastest = select(rate < fastest_.get(), rate, fastest_.get());
    is_first_.set(b_.never());
    rate_.set(slower);
    missing_.set(missing);
    fastest_.set(fastest);
    last_rate_.set(rate);
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
  typename B::truth_variable is_first_, settled_;  // settled: changes are rounding
  typename B::variable rate_, missing_, fastest_, last_rate_;
};

}  // namespace actio::kernel
