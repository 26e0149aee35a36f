// Counts calls of operator new, for tests that promise none. The operators are replaced in allocations_test.cpp.
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

}  // namespace actio::testing
