#include "actio/base/parallel.hpp"

#include <algorithm>

#ifndef ACTIO_NO_THREADS
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "actio/base/scalar.hpp"
#endif

namespace actio {

#ifdef ACTIO_NO_THREADS

unsigned available_threads() { return 1; }
unsigned threads_at_hand() { return 1; }
void limit_threads(unsigned) {}

void in_parallel(std::size_t count, unsigned, const std::function<void(std::size_t)>& task,
                 const std::function<void(std::size_t done, std::size_t all)>& progress) {
  for (std::size_t k = 0; k < count; ++k) {
    task(k);
    if (progress) progress(k + 1, count);
  }
}

#else

unsigned available_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

namespace {

std::atomic<unsigned> most_threads{0};
thread_local bool is_inside = false;

// MPFR keeps constants for every thread.
void end_thread() {
#ifndef ACTIO_NO_MPFR
  mpfr_free_cache();
#endif
}

}  // namespace

void limit_threads(unsigned most) { most_threads = most; }

unsigned threads_at_hand() {
  if (is_inside) return 1;
  const unsigned all = available_threads(), most = most_threads;
  return most > 0 ? most : all;
}

void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
                 const std::function<void(std::size_t done, std::size_t all)>& progress) {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    const bool was_inside = std::exchange(is_inside, true);
    for (std::size_t k; (k = next++) < count;) {
      try {
        task(k);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
        break;
      }
      const std::scoped_lock lock(mutex);
      ++done;
      if (progress) progress(done, count);
    }
    is_inside = was_inside;
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads && t < count; ++t) {
      others.emplace_back([&] {
        work();
        end_thread();
      });
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

#endif

}  // namespace actio
