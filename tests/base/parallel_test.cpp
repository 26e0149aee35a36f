#include "actio/base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace actio {
namespace {

TEST(parallel, leaves_no_threads_to_tasks_that_others_are_beside) {
  limit_threads(3);
#ifndef ACTIO_NO_THREADS
  EXPECT_EQ(threads_at_hand(), 3U);
#endif
  std::atomic<unsigned> most{0}, done{0};
  in_parallel(8, 2, [&](std::size_t) {
    most = std::max(most.load(), threads_at_hand());
    ++done;
  });
  EXPECT_EQ(most, 1U);
  EXPECT_EQ(done, 8U);
  limit_threads(0);
  EXPECT_EQ(threads_at_hand(), available_threads());
}

}  // namespace
}  // namespace actio
