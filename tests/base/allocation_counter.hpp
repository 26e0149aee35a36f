// Counts calls of operator new: including this file replaces the global operators of a test program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace actio::testing_support {
inline std::atomic<long> allocations{0};

// The allocations that `action` makes.
template <class Action>
long allocations_in(Action&& action) {
  const long before = allocations.load();
  action();
  return allocations.load() - before;
}
}  // namespace actio::testing_support

// Weak: several source files of one program may include this. Not inlined: otherwise the optimiser sees malloc meet
// operator delete and warns of a mismatch.
#define ACTIO_REPLACED_OPERATOR __attribute__((weak, noinline))

ACTIO_REPLACED_OPERATOR void* operator new(std::size_t size) {
  ++actio::testing_support::allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
ACTIO_REPLACED_OPERATOR void* operator new(std::size_t size, std::align_val_t alignment) {
  ++actio::testing_support::allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
ACTIO_REPLACED_OPERATOR void operator delete(void* memory) noexcept { std::free(memory); }
ACTIO_REPLACED_OPERATOR void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
ACTIO_REPLACED_OPERATOR void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
ACTIO_REPLACED_OPERATOR void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
