// Arrays whose first element starts a cache line, so that no vector of eight doubles in them crosses two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace actio {

template <class T>
struct aligned_allocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  aligned_allocator() = default;
  template <class U>
  explicit aligned_allocator(const aligned_allocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, alignment); }
  bool operator==(const aligned_allocator&) const { return true; }
};

template <class T>
using aligned_vector = std::vector<T, aligned_allocator<T>>;

}  // namespace actio
