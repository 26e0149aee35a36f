// Counts allocations, for tests that promise none. malloc is interposed in allocations_test.cpp.
#pragma once

#include <atomic>
#include <cstddef>

namespace actio::testing {

std::atomic<std::size_t>& allocation_counter();

class allocation_count {
 public:
  allocation_count() : start_(allocation_counter()) {}
  std::size_t since_start() const { return allocation_counter() - start_; }

 private:
  std::size_t start_;
};

// The allocations that `action` makes.
template <class Action>
std::size_t allocations_in(Action&& action) {
  const allocation_count count;
  action();
  return count.since_start();
}

}  // namespace actio::testing
