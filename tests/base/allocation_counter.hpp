// Counts calls of operator new. Include it in one source file of a test program: it replaces the global operators.
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

// noinline: otherwise the optimiser sees malloc meet operator delete and warns of a mismatch.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++actio::testing_support::allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void* operator new(std::size_t size, std::align_val_t alignment) {
  ++actio::testing_support::allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
