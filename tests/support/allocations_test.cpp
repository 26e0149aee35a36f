// The allocation counter: malloc itself is interposed, so that operator new and Eigen's aligned memory count alike.
#include "tests/support/allocations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ACTIO_COUNTS_ALLOCATIONS 0  // sanitizers own malloc
#else
#define ACTIO_COUNTS_ALLOCATIONS 1
#endif

namespace actio::testing {

std::atomic<std::size_t>& allocation_counter() {
  static constinit std::atomic<std::size_t> counter{0};
  return counter;
}

}  // namespace actio::testing

#if ACTIO_COUNTS_ALLOCATIONS
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++actio::testing::allocation_counter();
  return __libc_malloc(size);
}

TEST(allocation_count, sees_operator_new_and_malloc) {
  const actio::testing::allocation_count count;
  const auto kept = std::make_unique<std::vector<int>>(100);
  std::free(std::malloc(10));
  EXPECT_GE(count.since_start(), 2u);
}
#endif
