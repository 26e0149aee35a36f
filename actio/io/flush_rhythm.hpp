// When rows are brought to the disk: about once a second, however fast they come, and so seldom that it takes a small
// part of the time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace actio {

class flush_rhythm {
 public:
  // Whether it is time. To be asked after every row; looks at the clock a few times a second where rows come fast.
  bool is_due() {
    if (++asked_ < stride_) return false;
    asked_ = 0;
    const auto now = clock::now();
    stride_ = now - looked_ < soon ? std::min(2 * stride_, longest_stride) : std::max<std::size_t>(stride_ / 2, 1);
    looked_ = now;
    return now - flushed_ >= std::max<clock::duration>(shortest_pause, pause_per_cost * cost_);
  }

  // Whether it would still take a small part of the time only: for moments after which nothing may come for long.
  bool is_affordable() const { return clock::now() - flushed_ >= pause_per_cost * cost_; }

  // Calls `flush` and takes its time into account.
  template <class Flush>
  void carry_out(Flush&& flush) {
    const auto start = clock::now();
    flush();
    flushed_ = clock::now();
    cost_ = flushed_ - start;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds shortest_pause{1000}, soon{50};
  static constexpr int pause_per_cost = 20;
  static constexpr std::size_t longest_stride = 64;
  std::size_t asked_ = 0, stride_ = 1;
  clock::time_point looked_ = clock::now(), flushed_ = looked_;
  clock::duration cost_{};  // of the last one
};

}  // namespace actio
